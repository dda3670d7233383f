import Glibc
import Harness
import JSON
import Storage
import Vocabulary

/// What a process told the world before it was killed, held against what is stored: who has read a line may rely on it.
struct Announced {
    /// Lines of events, of those that were whole: the last one of a process that was killed may be cut.
    let lines: [JSON]

    init(_ endings: [ProgramEnding]) {
        lines = endings.flatMap { ending in
            ending.output[..<(ending.output.lastIndex(of: "\n") ?? ending.output.startIndex)].split(separator: "\n").map
            {
                (try? JSONReader.read(Array($0.utf8))) ?? .string("not JSON: \($0)")
            }
        }
    }

    var count: Int { lines.count }

    /// Whatever was told of a workflow and is not so: no such event, or rows that say less than it.
    func lost(of workflow: WorkflowID, in archive: Archive) throws -> [String] {
        var faults = lines.filter { $0["type"] == "error" || $0["type"]?.string == nil }.map { "it said: \($0.text)" }
        // That it waits for a person is how things stand, not something that happened.
        let told = lines.filter { $0["workflow"]?.string == workflow.description && $0["outcome"] != "waiting" }
        guard !told.isEmpty else { return faults }
        // Whoever was killed wrote last, but for what it had no time left to tell: where that does not account for all,
        // all is looked at.
        var missing = try Self.missing(told, of: workflow, limit: told.count + 2000, in: archive)
        if !missing.isEmpty { missing = try Self.missing(told, of: workflow, limit: 10_000_000, in: archive) }
        faults += missing.map { "told, and not stored: \($0.text)" }
        return faults + (try contradicted(told, of: workflow, in: archive))
    }

    /// Lines that no stored event of their own accounts for.
    private static func missing(_ told: [JSON], of workflow: WorkflowID, limit: Int, in archive: Archive) throws
        -> [JSON]
    {
        var stored: [String: Int] = [:]
        for record in try archive.events(of: workflow, limit: limit) {
            stored[
                sentence(record.at.description, record.type, record.step, record.attempt, record.body), default: 0] += 1
        }
        return told.filter { line in
            let sentence = sentence(of: line)
            stored[sentence, default: 0] -= 1
            return stored[sentence]! < 0
        }
    }

    /// The rows that an event is about, rather than the event.
    private func contradicted(_ told: [JSON], of workflow: WorkflowID, in archive: Archive) throws -> [String] {
        let steps = try archive.steps(of: workflow)
        return try told.filter { line in
            switch line["type"]?.string {
            case "step.changed":
                guard let step = line["step"]?.int, steps.indices.contains(step - 1) else { return true }
                if line["state"] == "succeeded" {
                    return steps[step - 1].state != .succeeded || Self.attempt(line) != steps[step - 1].attempt
                }
                // A job that the provider has taken stays taken.
                guard ["submitted", "collecting"].contains(line["phase"]?.string) else { return false }
                let run = try archive.runs(of: StepID(workflow, step)).first { $0.id.attempt == Self.attempt(line) }
                return run?.job?.acceptedAt == nil
            case "await.opened":
                return try archive.await(numbered: Int64(line["number"]?.int ?? 0))?.step.index != line["step"]?.int
            case "await.closed":
                let record = try archive.await(numbered: Int64(line["await"]?.int ?? 0))
                return record?.status != .done || record?.resolution != line["resolution"]?.string
            case "workflow.finished":
                return try archive.summaries(only: workflow).first?.record.outcome?.rawValue != line["outcome"]?.string
            default: return false
            }
        }.map { "told, and the rows say something else: \($0.text)" }
    }

    /// The attempt in `w1.2.3`.
    private static func attempt(_ line: JSON) -> Int? {
        line["run"]?.string.flatMap { $0.split(separator: ".").last }.flatMap { Int($0) }
    }

    private static func sentence(of line: JSON) -> String {
        let body = line.object?.members.filter {
            !["v", "at", "type", "session", "turn", "workflow", "step", "node", "run"].contains($0.key)
        }
        return sentence(
            line["at"]?.string ?? "", line["type"]?.string ?? "", line["step"]?.int, attempt(line),
            .object(JSON.Object(members: body ?? [])))
    }

    private static func sentence(_ at: String, _ type: String, _ step: Int?, _ attempt: Int?, _ body: JSON) -> String {
        "\(at) \(type) \(step ?? 0) \(attempt ?? -1) \(body.text)"
    }
}

extension ProgramLab {
    /// What is stored, read while no process of ours is between two looks. Closed again at once: others come and go.
    func archived<Value>(_ look: (Archive) throws -> Value) throws -> Value {
        let archive = try Archive(folder: "\(home)/data")
        defer { archive.close() }
        return try look(archive)
    }

    /// Now, as the events say it.
    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Moment(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
