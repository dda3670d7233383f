import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// An undo that was killed says what it has done and what is left, and goes on as its user says now.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct CutUndoTests {
    private static let files = 40

    private func count(_ text: String, in lab: ProgramLab) -> Int {
        (0..<Self.files).count { lab.text("f\($0)") == "\(text)\n" }
    }

    /// Returns a folder in which w2, the undo of w1, was killed when some of the files were restored and some were not.
    private func cut() async throws -> ProgramLab {
        let scratch = try ScratchFolder()
        let library = "\(scratch.path)/stop.so"
        let source = #filePath.replacing("/ProgramTests/CutUndoTests.swift", with: "/Harness/Peer/stop.c")
        try #require(try await ProgramLab().tool("cc", "-shared", "-fPIC", "-o", library, source).exit == 0)
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        for number in 0..<Self.files { try lab.write("old\n", to: "f\(number)") }
        let command = workflow("many", [node("run", "Shell", ["command": "for f in f*; do echo new > $f; done"])])
        try ScratchFolder.write(command.text, to: "\(lab.temporary)/many.json")
        try await lab.succeeds("run", "\(lab.temporary)/many.json", "--mode", "auto")
        #expect(count("new", in: lab) == Self.files)
        for _ in 0..<20 {
            let killed = try await lab.run(
                "undo", "w1", environment: ["LD_PRELOAD": library, "ASSENT_STOP_AT": "190", "ASSENT_STOP_LINKS": "1"])
            guard killed.wasKilled else { break }
            if 1..<Self.files - 1 ~= count("old", in: lab) { return lab }
        }
        throw ScriptFailure("the undo was not cut in the middle: \(count("old", in: lab)) restored")
    }

    /// Changes one of the files that are not restored yet.
    private func meddle(_ lab: ProgramLab) throws -> String {
        let name = try #require((0..<Self.files).map { "f\($0)" }.first { lab.text($0) == "new\n" })
        try lab.write("mine\n", to: name)
        return name
    }

    @Test func itSaysWhatWasDoneAndGoesOn() async throws {
        let lab = try await cut()
        let restored = count("old", in: lab)
        let resumed = try await lab.run("undo", "w1")
        let said = resumed.said.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(said.contains("w2, the undo of w1, was cut and goes on now. done (\(restored)):"), "\(resumed.said)")
        #expect(said.contains("left to do (\(Self.files - restored)):"), "\(resumed.said)")
        #expect(resumed.exit == 0 && count("old", in: lab) == Self.files, "\(resumed.said)")
    }

    @Test func itDoesNotSayThatNothingWasUndone() async throws {
        let lab = try await cut()
        let (restored, name) = (count("old", in: lab), try meddle(lab))
        let refused = try await lab.run("undo", "w1")
        #expect(refused.exit == 4 && !refused.errors.contains("Nothing was undone"), "\(refused.said)")
        let words = "\(restored) change\(restored == 1 ? " was" : "s were") undone before it was cut"
        #expect(
            refused.errors.contains(words) && refused.errors.contains("\(name) was changed since"), "\(refused.said)")
        let rest = try await lab.run("undo", "w1", "--partial")
        #expect(rest.exit == 0 && count("old", in: lab) == Self.files - 1 && lab.text(name) == "mine\n", "\(rest.said)")
    }

    @Test func theOptionsOfTheSecondCallHold() async throws {
        let lab = try await cut()
        let name = try meddle(lab)
        let rest = try await lab.run("undo", "w1", "--partial")
        #expect(rest.exit == 0 && count("old", in: lab) == Self.files - 1 && lab.text(name) == "mine\n", "\(rest.said)")
        #expect(try await lab.run("list").said.contains("undone in part by w2"))
        try lab.write("new\n", to: name)
        let last = try await lab.run("undo", "w1")
        #expect(last.exit == 0 && count("old", in: lab) == Self.files, "\(last.said)")
        #expect(try await lab.run("list").said.contains("undone by w2, w3"))
    }

    @Test func aChatTellsOfItBeforeItGoesOn() async throws {
        let lab = try await cut()
        let pty = try lab.terminal(["--plain"], columns: 100)
        #expect(await pty.see("w2, the undo of w1, was cut and goes on now."), "\(pty.screen.text)")
        #expect(await pty.see { _ in count("old", in: lab) == Self.files }, "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }
}
