import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// A program that was written to break out (`BreakOut/breakout.py`): each of its ways fails, or has no effect.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct BreakOutTests {
    private static let program =
        "\(#filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })/BreakOut/breakout.py"

    /// Nor where it may speak to a host and read a folder besides.
    @Test(arguments: [false, true]) func nothingBreaksOut(reachesOut: Bool) async throws {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        let (server, named) = (try ScriptedServer([]), try ScriptedServer([]))
        let outside = "\(lab.root)/outside"
        try ScratchFolder.makeFolder(outside)
        try ScratchFolder.write("kept", to: "\(outside)/sentinel")
        for (name, text) in [
            ("breakout.py", ScratchFolder.text(Self.program)), ("notes.txt", "buy milk\n"),
            ("src/main.c", "int main() {}\n"),
        ] {
            try lab.write(name, try #require(text))
        }
        let before = ScratchFolder.files(under: lab.root).filter { !$0.hasPrefix(lab.own.data) }
        let (toolbox, folders) = (lab.toolbox, [outside, lab.own.data, lab.own.config, lab.own.cache])
        let other = "\(lab.root)/other"
        try ScratchFolder.makeFolder(other)
        let line = "python3 breakout.py \(getpid()) \(server.port) \(folders.joined(separator: " "))"
        let params: JSON =
            reachesOut
            ? ["command": .string(line), "network": [.string("127.0.0.1:\(named.port)")], "reads": [.string(other)]]
            : ["command": .string(line)]
        let assignment = try lab.assignment("Shell", params)
        let call = try await onThread {
            Result { try toolbox.rehearse(assignment, agreed: toolbox.prepare(assignment), cancel: Cancellation()) }
        }.get()
        guard case .done(let played) = call.rehearsal else {
            Issue.record("\(call)")
            return
        }
        let lines = String(decoding: ScratchFolder.bytes(lab.store.path(played.output)) ?? [], as: UTF8.self).split(
            separator: "\n")
        let broke = lines.filter { $0.hasPrefix("BROKE ") }
        #expect(broke.isEmpty, "\(broke.joined(separator: "\n"))")
        #expect(lines.last == "end" && lines.count { $0.hasPrefix("held ") } >= 100, "\(lines.count)")
        // Nor did it leave anything.
        #expect(call.targets.isEmpty, "\(call.targets)")
        #expect(ScratchFolder.files(under: lab.root).filter { !$0.hasPrefix(lab.own.data) } == before)
        #expect(ScratchFolder.text("\(outside)/sentinel") == "kept" && server.requests.isEmpty)
        #expect(ProcessTable.ids(with: lab.root).isEmpty)
        #expect(try lab.text(try #require(try await lab.run("Shell", ["command": "echo well"]).first)) == "well\n")
    }
}
