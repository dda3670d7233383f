package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Retry: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Take failed and cancelled steps up again, with the same inputs.",
        discussion: """
            Examples:

              assent retry w3 2
              assent retry w3 --dry-run
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "One step, by its number or node id. Without it, all that failed.")
    var step: String?

    @Flag(help: "Only say which runs that would make.")
    var dryRun = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let (_, steps, number) = try Find.steps(of: workflow, step, in: house)
        let candidates = steps.filter { number == nil || $0.id.index == number }
        guard candidates.contains(where: \.canBeRetried) else {
            throw Failure("badUsage", "Nothing there has failed or was cancelled.", remedy: "See 'assent show \(workflow)'.")
        }
        let verb = Command.Verb.retry(step: number)
        if dryRun { return try Forecasts.show(verb, of: workflow, in: house, output) }
        try house.again.command(workflow, verb, "person", nil)
        output.show(
            [StyledText("\(workflow) is taken up again: \(Voice.call("show \(workflow)"))\(Answers.goingOn(house))")],
            json: [["workflow": .string(workflow.description), "retried": true]])
        return .succeeded
    }
}

package struct RunAgain: Verb {
    package static let configuration = CommandConfiguration(
        commandName: "rerun",
        abstract: "Run steps again with what their producers give now, and with other parameters.",
        discussion: """
            Examples:

              assent rerun w3                       (everything that is stale)
              assent rerun w3 2 --set width=400 --below
              assent rerun w3 2 --dry-run
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "One step, by its number or node id. Without it, everything that is stale.")
    var step: String?

    @Option(name: .customLong("set"), help: "Set a parameter of that step: NAME=VALUE. May be repeated.")
    var sets: [String] = []

    @Flag(help: "Also what comes after it, as far as content changes.")
    var below = false

    @Flag(help: "Only say which runs that would make.")
    var dryRun = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let (_, steps, number) = try Find.steps(of: workflow, step, in: house)
        guard let number else {
            guard sets.isEmpty, !below else {
                throw Failure("badUsage", "--set and --below belong to one step.", remedy: "assent rerun \(workflow) STEP --set NAME=VALUE")
            }
            guard steps.contains(where: { $0.staleSince != nil }) else {
                if try house.again.asked(workflow).contains(where: \.verb.isRerun) {
                    throw Failure(
                        "badUsage", "A rerun of \(workflow) was asked for already and has not begun.",
                        remedy: house.look.hasEngine() ? "See 'assent show \(workflow)'." : "To go on now: assent work --until-idle")
                }
                throw Failure("badUsage", "Nothing of \(workflow) is stale.", remedy: "Name a step: assent rerun \(workflow) STEP")
            }
            return try perform(.rerun(Rerun()), in: house, output)
        }
        let record = steps[number - 1]
        guard !record.state.isRunning else {
            throw Failure("stepRunning", "Step \(number) (\(record.node)) runs.", remedy: "Wait for it, or cancel it first.")
        }
        let job = record.state == .awaitingUser ? try house.look.runs(record.id).last { $0.ending == nil }?.job : nil
        guard job.map({ $0.phase == .submitIntent }) ?? true else {
            throw Failure(
                "stepRunning", "Step \(number) (\(record.node)) has a job, or may have one.",
                remedy: "Answer what waits in the inbox, or cancel it first.")
        }
        guard record.reason?.code != "removed" else {
            throw Failure(
                "badUsage", "Step \(number) (\(record.node)) is not in the graph any more.", remedy: "See 'assent show \(workflow)'.")
        }
        let (edits, problems) = try Edits.read(sets, of: record, in: house)
        guard problems.isEmpty else {
            Problems.refuse(problems, of: "--set", in: house, output)
            return .badUsage
        }
        return try perform(.rerun(Rerun(step: number, edits: edits, isBelow: below)), in: house, output)
    }

    private func perform(_ verb: Command.Verb, in house: House, _ output: Output) throws(Failure) -> ExitStatus {
        if dryRun { return try Forecasts.show(verb, of: workflow, in: house, output) }
        try house.again.command(workflow, verb, "person", nil)
        output.show(
            [StyledText("\(workflow) runs again: \(Voice.call("show \(workflow)"))\(Answers.goingOn(house))")],
            json: [["workflow": .string(workflow.description), "rerun": true]])
        return .succeeded
    }
}

extension StepRecord {
    /// As the engine sees it: what failed, was cancelled, or had no tool and may have one now.
    fileprivate var canBeRetried: Bool {
        switch state {
        case .failed, .cancelled: reason?.code != "removed"
        case .blocked: reason?.isAbsence ?? false
        case .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading, .succeeded: false
        }
    }
}

/// What a verb would make run, shown.
enum Forecasts {
    static func show(_ verb: Command.Verb, of workflow: WorkflowID, in house: House, _ output: Output) throws(Failure) -> ExitStatus {
        let forecast = try house.again.forecast(workflow, verb)
        let catalogue = house.catalogue()
        output.show(
            ForecastView.lines(forecast, of: workflow, catalogue: catalogue, columns: output.columns),
            json: forecast.lines(of: workflow, catalogue: catalogue))
        return .succeeded
    }
}

/// Parameters that are set for a step, held against its tool's manifest as a template's are.
enum Edits {
    static func read(_ sets: [String], of step: StepRecord, in house: House) throws(Failure) -> (JSON.Object?, [Problem]) {
        guard !sets.isEmpty else { return (nil, []) }
        guard var template = try house.look.template(step.id.workflow), template.nodes.indices.contains(step.id.index - 1) else {
            throw Failure("workflowUnreadable", "The graph of \(step.id.workflow) cannot be read.", remedy: "Run 'assent doctor'.")
        }
        let before = Set(house.act.checkTemplate(template))
        var edits = JSON.Object()
        for set in sets {
            let (name, value) = try Binding.split(set, option: "--set", form: "NAME=VALUE")
            edits[name] = Binding.value(value, as: house.catalogue()[step.kind]?.param(name)?.kind)
        }
        for edit in (step.edits?.members ?? []) + edits.members { template.nodes[step.id.index - 1].params[edit.key] = edit.value }
        return (edits, house.act.checkTemplate(template).filter { !before.contains($0) })
    }
}
