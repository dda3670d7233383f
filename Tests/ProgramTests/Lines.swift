import Glibc
import Harness
import JSON
import Testing

/// The only types a line of events may have (`architecture.md`, "Events").
let knownTypes: Set<String> = [
    "session.started", "message.delta", "message.completed", "call.pending", "call.running", "call.succeeded",
    "call.failed",
    "call.declined", "call.waiting", "usage", "question.asked", "question.answered", "workflow.created", "step.changed",
    "step.late", "await.opened", "await.changed", "await.closed", "workflow.changed", "workflow.finished", "error",
    "end",
]

/// What holds for the events of every command that prints them.
func expectEvents(_ ending: ProgramEnding, exit: Int32, _ location: SourceLocation = #_sourceLocation) {
    #expect(ending.exit == exit, "\(ending.output)\(ending.errors)", sourceLocation: location)
    #expect(ending.complaints.isEmpty, "\(ending.errors)", sourceLocation: location)
    for line in ending.lines {
        #expect(
            line["v"]?.int == 1 && knownTypes.contains(line["type"]?.string ?? ""), "\(line.text)",
            sourceLocation: location)
        #expect(
            line["at"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(line.text)",
            sourceLocation: location)
    }
    #expect(ending.types.last == "end", "\(ending.output)", sourceLocation: location)
    #expect(ending.types.count { $0 == "end" } == 1, sourceLocation: location)
    #expect(ending.lines.last?["exit"]?.int == Int(exit), sourceLocation: location)
}

/// A workflow of `app.workflow/v2`.
func workflow(_ name: String, _ nodes: [JSON], _ edges: [JSON] = [], options: JSON? = nil) -> JSON {
    .of([
        "schema": "app.workflow/v2", "name": .string(name), "nodes": .array(nodes), "edges": .array(edges),
        "options": options,
    ])
}

func node(_ id: String, _ kind: String, _ params: JSON = [:]) -> JSON {
    ["id": .string(id), "kind": .string(kind), "params": params]
}

/// From `a.image` to `b.image`.
func edge(_ from: String, _ to: String) -> JSON {
    func end(_ text: String) -> JSON { .array(text.split(separator: ".", maxSplits: 1).map { .string(String($0)) }) }
    return ["from": end(from), "to": end(to)]
}

extension ProgramLab {
    /// Runs it, and expects that all went well; a failure says what it wrote.
    func succeeds(_ arguments: String..., at location: SourceLocation = #_sourceLocation) async throws {
        try await succeeds(arguments, at: location)
    }

    func succeeds(_ arguments: [String], at location: SourceLocation = #_sourceLocation) async throws {
        let ending = try await run(arguments)
        #expect(
            ending.exit == 0, "\(arguments.joined(separator: " ")): \(ending.output)\(ending.errors)",
            sourceLocation: location)
    }

    /// The workflow with its steps, as `show --json` prints it.
    func shown(_ workflow: String = "w1") async throws -> JSON { try #require(try await json("show", workflow).first) }

    func states(_ workflow: String = "w1") async throws -> [String] {
        try await shown(workflow)["steps"]?.array?.map { $0["state"]?.string ?? "" } ?? []
    }

    /// Waits until its steps are in these states.
    func reaches(_ states: [String], _ workflow: String = "w1") async throws -> Bool {
        try await eventually { try await self.states(workflow) == states }
    }

    /// Waits until the engine of this process is there: whoever is to be signalled or asked then is up.
    func hasEngine(_ pid: Int32) async throws -> Bool {
        try await eventually { ScratchFolder.names(in: "\(home)/data/engines").contains { $0.hasPrefix("\(pid)-") } }
    }

    /// The program on a terminal, with keys that were typed before it was there.
    func terminal(typedBefore keys: String, _ arguments: [String]) async throws -> Pty {
        let gate = path(".gate")
        let pty = try Pty.spawn(
            "/bin/sh",
            ["-c", "echo waiting; until test -e \"$0\"; do sleep 0.02; done; exec \"$@\"", gate, Self.program]
                + arguments,
            environment: environment, folder: folder, columns: 100, rows: 30, owner: self)
        await pty.see("waiting")
        pty.send(keys)
        // The kernel shows what it has.
        await pty.see { $0.text.contains(keys.prefix { !$0.isNewline }) }
        try write("", to: gate)
        return pty
    }
}

extension Pty {
    /// Waits until a question takes keys, below all else: what is typed before that is thrown away.
    func seeQuestion(_ condition: (PtyScreen) -> Bool = { _ in true }) async -> Bool {
        await see { screen in
            let last = screen.lines.last { !$0.isEmpty } ?? ""
            return (last.contains("· Esc") || last.contains("only Enter")) && condition(screen)
        }
    }

    func seeQuestion(_ text: String) async -> Bool { await seeQuestion { $0.text.contains(text) } }
}

extension PtyScreen {
    /// The style of the last row, at its beginning.
    var styleOfLastRow: String { lines.lastIndex { !$0.isEmpty }.map { style(row: $0, column: 0) } ?? "" }
}

func makeFolder(_ path: String) -> Bool { mkdir(path, 0o700) == 0 }

extension ProgramEnding {
    /// Its output as if a row had no end: words that are broken into rows stand in one.
    var said: String { output.split { $0.isWhitespace }.joined(separator: " ") }
}

extension String {
    /// What the person said of a message to a model: without the list of the folder below it.
    var withoutAside: String {
        firstRange(of: "\n\n[Not the person's words.").map { String(self[..<$0.lowerBound]) } ?? self
    }
}
