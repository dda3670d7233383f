import Glibc
import Harness
import JSON
import Testing

/// The only types a line of events may have (`design.md` §6).
let knownTypes: Set<String> = [
    "session.started", "message.delta", "message.completed", "call.pending", "call.running", "call.succeeded", "call.failed",
    "call.declined", "question.asked", "question.answered", "workflow.created", "step.changed", "step.late", "await.opened",
    "await.changed",
    "await.closed", "workflow.changed", "workflow.finished", "error", "end",
]

/// What holds for the events of every command that prints them.
func expectEvents(_ ending: ProgramEnding, exit: Int32, _ location: SourceLocation = #_sourceLocation) {
    #expect(ending.exit == exit, "\(ending.output)\(ending.errors)", sourceLocation: location)
    #expect(ending.errors.isEmpty, "\(ending.errors)", sourceLocation: location)
    for line in ending.lines {
        #expect(line["v"]?.int == 1 && knownTypes.contains(line["type"]?.string ?? ""), "\(line.text)", sourceLocation: location)
        #expect(
            line["at"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(line.text)", sourceLocation: location)
    }
    #expect(ending.types.last == "end", "\(ending.output)", sourceLocation: location)
    #expect(ending.types.count { $0 == "end" } == 1, sourceLocation: location)
    #expect(ending.lines.last?["exit"]?.int == Int(exit), sourceLocation: location)
}

/// A workflow of `app.workflow/v2`.
func workflow(_ name: String, _ nodes: [JSON], _ edges: [JSON] = [], options: JSON? = nil) -> JSON {
    .of(["schema": "app.workflow/v2", "name": .string(name), "nodes": .array(nodes), "edges": .array(edges), "options": options])
}

func node(_ id: String, _ kind: String, _ params: JSON = [:]) -> JSON { ["id": .string(id), "kind": .string(kind), "params": params] }

/// From `a.image` to `b.image`.
func edge(_ from: String, _ to: String) -> JSON {
    func end(_ text: String) -> JSON { .array(text.split(separator: ".", maxSplits: 1).map { .string(String($0)) }) }
    return ["from": end(from), "to": end(to)]
}

extension ProgramLab {
    /// The workflow with its steps, as `show --json` prints it.
    func shown(_ workflow: String = "w1") async throws -> JSON { try #require(try await json("show", workflow).first) }

    func states(_ workflow: String = "w1") async throws -> [String] {
        try await shown(workflow)["steps"]?.array?.map { $0["state"]?.string ?? "" } ?? []
    }

    /// Whether its steps are in these states before long.
    func reaches(_ states: [String], _ workflow: String = "w1") async throws -> Bool {
        for _ in 0..<200 {
            if try await self.states(workflow) == states { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}

func makeFolder(_ path: String) -> Bool { mkdir(path, 0o700) == 0 }
