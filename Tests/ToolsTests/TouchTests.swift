import CaseNames
@testable import Files
import Harness
import JSON
@testable import Rehearsal
@testable import Sandbox
import Testing
@testable import Undo
import Vocabulary

/// A time that a command sets on a file comes with its yes, and goes with undo.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct TouchTests {
    private let lab: Lab
    private let rehearsal: OverlayRun

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        rehearsal = OverlayRun(
            folder: RehearsalFolder(path: "\(lab.own.data)/rehearsals/w3.2"), workspace: lab.workspace)
        for name in ["notes.txt", "a.txt", "b.txt"] { try lab.write(name, name) }
        try Lab.program(
            ["sh", "-c", "ln -s a.txt link; touch -h -d @100 notes.txt a.txt b.txt link"], in: lab.workspace)
    }

    private func rehearse(_ line: String) throws -> ChangeList {
        let folder = RunFolder("\(lab.own.data)/runs/r")
        try makeFolders(folder.path)
        try rehearsal.folder.make()
        let ended = try rehearsal.run(["sh", "-c", line], in: folder, sandbox: lab.sandbox, cancel: Cancellation())
        #expect(
            ended.ending == .exited(0), "\(ended.ending) \(String(decoding: ended.traces.errorTail, as: UTF8.self))")
        return try rehearsal.changes(since: ended.started)
    }

    /// `5 600`: time and permissions, of a link its own.
    private func look(_ name: String) throws -> String {
        try Lab.program(["stat", "-c", "%Y %a", name], in: lab.workspace).split(separator: "\n").joined()
    }

    /// Programs that build go by times: what is older than its source is made once more, and nothing else is.
    @Test(arguments: [
        ("touch a.c", "make: 'b' is up to date."), ("touch a.c && make -s a b", "make: Nothing to be done for 'all'."),
    ])
    func buildsFindTheTimesAsACommandLeftThem(line: String, said: String) throws {
        try lab.write("Makefile", "all: a b\na: a.c\n\tcp a.c a\nb: b.c\n\tcp b.c b\n")
        for name in ["a.c", "b.c"] { try lab.write(name, name) }
        try Lab.program(["sh", "-c", "touch -d @100 a.c b.c; make -s; touch -d @200 a b"], in: lab.workspace)
        #expect(try Lab.program(["make"], in: lab.workspace) == "make: Nothing to be done for 'all'.\n")
        let list = try rehearse(line)
        try rehearsal.folder.write(RehearsalFolder.Plan(list))
        try Application(folder: rehearsal.folder, workspace: lab.workspace).apply()
        let words = try Lab.program(["sh", "-c", "make -n; make -n b"], in: lab.workspace)
        #expect(words.contains(said) && words.contains("cp a.c a") == !line.contains("make"), "\(words)")
    }

    /// A time is set in two steps with the permissions: a crash between them is gone on from.
    @Test func aTimeThatWasSetBeforeACrashIsGoneOnFrom() throws {
        let list = try rehearse("touch -d @5 notes.txt; chmod 600 notes.txt")
        try rehearsal.folder.write(RehearsalFolder.Plan(list))
        try Lab.program(["touch", "-d", "@5", "notes.txt"], in: lab.workspace)
        try Application(folder: rehearsal.folder, workspace: lab.workspace).apply()
        #expect(try look("notes.txt") == "5 600")
    }

    /// Undo and redo of a time, of a file and of a link.
    @Test(arguments: [
        ("touch -d @5 a.txt", "a.txt", "5 644"), ("touch -d @5 a.txt; chmod 600 a.txt", "a.txt", "5 600"),
        ("cp -p a.txt c; touch -d @7 c; cp -p c a.txt; rm c", "a.txt", "7 644"),
        ("touch -d @6 b.txt; touch -r b.txt a.txt", "a.txt", "6 644"),
        ("touch -h -d @5 link", "link", "5 777"), ("touch -d @-5 link", "a.txt", "-5 644"),
    ]) func aTimeIsUndoneAndRedone(line: String, name: String, after: String) async throws {
        let before = try look(name)
        _ = try await lab.run("Shell", ["command": .string(line)])
        #expect(try look(name) == after)
        guard case .succeeded(let assets) = try await lab.undo(by: 9) else { throw Failure("notUndone", line) }
        #expect(try look(name) == before)
        if !line.contains("chmod") { #expect(try lab.text(assets[0]).contains("set the time of \(name) back")) }
        guard case .succeeded = try await lab.undo(UndoRequest(workflow: WorkflowID(9)), by: 10) else {
            throw Failure("notRedone", line)
        }
        #expect(try look(name) == after)
    }

    /// A third time is somebody's, and is left; so is other content.
    @Test(arguments: [("touch -d @9 a.txt", "has another time since"), ("echo mine > a.txt", "was changed since")])
    func aTimeThatSomebodySetSinceIsLeft(change: String, words: String) async throws {
        _ = try await lab.run("Shell", ["command": "touch -d @5 a.txt b.txt"])
        try Lab.program(["sh", "-c", change], in: lab.workspace)
        let theirs = try look("a.txt")
        guard case .failed(let failure) = try await lab.undo(by: 9) else { throw Failure("undone", change) }
        #expect(failure.code == "changedSince" && failure.message.contains("a.txt \(words)"), "\(failure)")
        #expect(try look("a.txt") == theirs && look("b.txt") == "5 644")
        guard case .succeeded = try await lab.undo(UndoRequest(workflow: WorkflowID(3), isPartial: true), by: 10) else {
            throw Failure("notUndone", change)
        }
        #expect(try look("a.txt") == theirs && look("b.txt") == "100 644")
    }

    /// A file of Assent's own stays its own, and needs no question later.
    @Test func aTouchedResultStaysAResult() async throws {
        _ = try await lab.run("Shell", ["command": "echo x > made"])
        _ = try await lab.run("Shell", ["command": "touch -d @5 made; touch -d @5 a.txt; echo y > other"])
        #expect(
            lab.own.results(among: ["made", "other", "a.txt"].map(lab.path)).map { lastName(of: $0) }.sorted() == [
                "made", "other",
            ])
    }
}
