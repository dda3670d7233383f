import Glibc
import Harness
import JSON
import Testing

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

extension ProgramLab {
    /// Connects a model by the file `connections.yaml`.
    ///
    /// - Parameter more: further fields of the connection, such as `vision: true`.
    func connect(to server: ScriptedServer, _ more: String) throws {
        let file = "\(home)/config/connections.yaml"
        try ScratchFolder.makeFolder("\(home)/config")
        try write("default: a\nconnections:\n  a: {url: '\(server.url)/v1', model: m, \(more)}\n", to: file)
        chmod(file, 0o600)
    }
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
