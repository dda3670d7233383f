import JSON
import Vocabulary

/// The report of a workflow's steps to a model. The exit code of a command that read what may hold keys could reveal the
/// content of a file, so a model learns only that the code was another than 0.
struct ToldSteps {
    private static let hidden = "not 0"

    private let privateSteps: Set<Int>

    /// Creates the report of one workflow.
    init(records: WorkflowRecords, workflow: WorkflowID) {
        let made = (try? records.assets(workflow)) ?? []
        privateSteps = Set(
            made.filter { $0.isOfCommand && records.isPrivate($0.hash) }.map(\.run.step.index))
    }

    /// Returns an exit code for a model.
    func exit(_ code: Int, of step: Int) -> JSON { privateSteps.contains(step) ? .string(Self.hidden) : .int(code) }

    /// Returns a step for a model.
    func json(of step: StepRecord) -> JSON {
        guard privateSteps.contains(step.id.index), step.reason?.exitCode != nil, var json = step.json.object else {
            return step.json
        }
        json["words"] = .string("exit \(Self.hidden)")
        return .object(json)
    }
}

extension WorkflowSummary {
    /// The workflow as JSON for a model, which hears the exit codes of commands with their steps.
    var toldJSON: JSON {
        guard exit != nil, var json = json.object else { return json }
        json["exit"] = "not 0"
        return .object(json)
    }
}
