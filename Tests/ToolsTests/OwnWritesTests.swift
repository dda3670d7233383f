import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// What Assent made and nobody changed since is its own; nothing else is.
@Suite(.process) struct OwnWritesTests {
    private let lab: Lab

    init() throws {
        lab = try Lab()
        try lab.write("mine.txt", "mine\n")
    }

    /// Whether a call that replaces the file would say that it is Assent's own.
    private func isOwn(_ name: String) throws -> Bool {
        let assignment = try lab.assignment("WriteFile", ["path": .string(name), "text": "other", "overwrite": true])
        return try #require(try lab.toolbox.prepare(assignment).targets.first).isOwn
    }

    private func write(_ name: String, _ text: String, overwrite: Bool = false) async throws {
        _ = try await lab.run(
            "WriteFile", ["path": .string(name), "text": .string(text), "overwrite": .bool(overwrite)])
    }

    private func command(_ line: String) async throws { _ = try await lab.run("Shell", ["command": .string(line)]) }

    @Test func whatAToolMadeIsOwnAndStaysSo() async throws {
        #expect(try !isOwn("mine.txt"))
        try await write("new.txt", "one")
        #expect(try isOwn("new.txt"))
        try await write("new.txt", "two", overwrite: true)
        #expect(try isOwn("new.txt"))
        // Under the next free name.
        try await write("new.txt", "three")
        #expect(try isOwn("new-1.txt"))
    }

    /// Two names that are one to Unicode are two files: that one is ours says nothing of the other.
    @Test func aTwinOfAnOwnFileIsNotOwn() async throws {
        let (ours, theirs) = ("caf\u{E9}.txt", "cafe\u{301}.txt")
        try await write(ours, "one")
        try lab.write(theirs, "mine\n")
        let assignment = try lab.assignment("Shell", ["command": .string("echo x > \(ours); echo x > \(theirs)")])
        let toolbox = lab.toolbox
        let call = try await onThread { Result { try toolbox.rehearse(assignment, cancel: Cancellation()) } }.get()
        #expect(call.targets.count == 2)
        for target in call.targets {
            #expect(target.isOwn == (target.path.map { lastName(of: $0).isSameName(as: ours) } ?? false), "\(target)")
        }
    }

    @Test(arguments: [
        "echo more >> new.txt", "echo two > new.txt", "touch new.txt", "cp new.txt x; mv x new.txt",
        "rm new.txt; echo one > new.txt",
        "chmod 600 new.txt", "ln new.txt other", "mv new.txt x; mv mine.txt new.txt",
        "touch -r new.txt stamp; echo two > new.txt; touch -r stamp new.txt",
    ]) func whatSomebodyChangedIsNotOwn(change: String) async throws {
        try await write("new.txt", "one")
        try Lab.program(["sh", "-c", change], in: lab.workspace)
        #expect(try !isOwn("new.txt"))
    }

    /// Who is told of new files may write to them before they are noted.
    @Test(arguments: [("WriteFile", "new.txt"), ("Shell", "echo one > new.txt"), ("Shell", "chmod 700 own.txt")])
    func whatSomebodyAddedBeforeItWasNotedIsNotOwn(kind: String, words: String) async throws {
        try await write("own.txt", "one")
        let isFile = kind == "WriteFile"
        let assignment = try lab.assignment(
            kind, isFile ? ["path": .string(words), "text": "one"] : ["command": .string(words)])
        let name = words.contains("own.txt") ? "own.txt" : "new.txt"
        let path = lab.path(name)
        var changed = lab.toolbox
        changed.afterAct = {
            guard let file = try? OpenFile(path, O_WRONLY | O_APPEND) else { return }
            try? file.write(Array("mine".utf8))
        }
        let toolbox = changed
        let ending = await onThread { () -> RunEnding in
            do throws(Failure) {
                var call = try toolbox.prepare(assignment)
                if call.rehearsal == .wanted { call = try toolbox.rehearse(assignment, cancel: Cancellation()) }
                return toolbox.run(assignment, call: call, cancel: Cancellation())
            } catch { return .failed(error) }
        }
        #expect(ending.failure == nil)
        #expect(lab.read(name)?.hasSuffix("mine") == true)
        #expect(try !isOwn(name))
    }

    /// A yes to a change of the person's file does not make it ours.
    @Test func whatThePersonMadeStaysTheirs() async throws {
        try await write("mine.txt", "edited", overwrite: true)
        #expect(lab.read("mine.txt") == "edited")
        #expect(try !isOwn("mine.txt"))
        _ = try await lab.run("MoveFile", ["from": "mine.txt", "to": "moved.txt"])
        #expect(try !isOwn("moved.txt"))
    }

    @Test(
        .enabled(if: Isolation.here.reasonForNone == nil),
        arguments: [
            ("echo x > new.txt", "new.txt", true), ("mkdir -p a/b; echo x > a/b/new.txt", "a/b/new.txt", true),
            ("mkdir n; for i in $(seq 1100); do echo $i > n/$i; done", "n/900", true),
            ("cp mine.txt copy.txt", "copy.txt", true),
            ("mv mine.txt new.txt", "new.txt", false), ("cp mine.txt new.txt; rm mine.txt", "new.txt", false),
            ("echo x >> mine.txt", "mine.txt", false), ("echo x >> mine.txt; echo x > new.txt", "new.txt", false),
        ]) func whatACommandMadeIsOwnIfItTouchedNothingElse(line: String, name: String, expected: Bool) async throws
    {
        try await command(line)
        #expect(try isOwn(name) == expected)
    }

    /// The second run of a build: files with another time only, and others.
    @Test(.enabled(if: Isolation.here.reasonForNone == nil)) func whatIsMadeAgainStaysOwn() async throws {
        for _ in 0..<3 {
            try await command("echo same > same.txt; date +%N > other.txt; chmod 700 other.txt")
            #expect(try isOwn("same.txt") && isOwn("other.txt"))
        }
    }

    /// Whatever lies there in place of the notes.
    @Test(arguments: [true, false]) func withoutNotesItIsAskedAbout(isFolder: Bool) async throws {
        let path = "\(lab.own.data)/own-writes"
        if isFolder {
            try ScratchFolder.makeFolder(path)
        } else {
            try ScratchFolder.write([UInt8](repeating: UInt8(ascii: "0"), count: (Limits.ownWrites + 2) * 32), to: path)
        }
        try lab.write("mine.txt", "mine\n")
        #expect(try !isOwn("mine.txt"))
        try await write("new.txt", "one")
        // Too long a file is shortened by the first that notes something.
        #expect(try isOwn("new.txt") == !isFolder)
        try await write("new.txt", "two", overwrite: true)
        #expect(lab.read("new.txt") == "two")
    }

    /// Of too many the older are forgotten; and a note that was cut is dropped, not read with the next.
    @Test func theNotesHaveALimitAndSurviveACut() async throws {
        let path = "\(lab.own.data)/own-writes"
        try await write("first.txt", "one")
        let first = try #require(ScratchFolder.bytes(path))
        try ScratchFolder.write(first + [1, 2, 3], to: path)
        try await write("second.txt", "two")
        #expect(try isOwn("first.txt") && isOwn("second.txt"))
        let rest = try #require(ScratchFolder.bytes(path)).dropFirst(first.count)
        let many = [UInt8](repeating: UInt8(ascii: "0"), count: (Limits.ownWrites - 2) * 32)
        try ScratchFolder.write(first + many + rest, to: path)
        #expect(try isOwn("first.txt") && isOwn("second.txt"))
        try await write("third.txt", "three")
        #expect(try !isOwn("first.txt") && isOwn("second.txt") && isOwn("third.txt"))
    }
}
