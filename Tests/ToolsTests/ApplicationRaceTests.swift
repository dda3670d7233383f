import CProcess
import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Rehearsal
@testable import Sandbox
import Testing
@testable import Tools
@testable import Undo
import Vocabulary

/// Whoever works in the folder while a command is applied or taken back, or between a crash and its end, loses nothing.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct ApplicationRaceTests {
    private let lab: Lab
    private let rehearsal: OverlayRun
    private static let line =
        "echo new > a.txt; echo new > b.txt; rm -r gone; echo new > c.txt; mkdir deep; echo x > deep/file; touch -d @5 z.txt"

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        rehearsal = OverlayRun(
            folder: RehearsalFolder(path: "\(lab.own.data)/rehearsals/w3.2"), workspace: lab.workspace)
        for (name, text) in [
            ("a.txt", "old a\n"), ("b.txt", "old b\n"), ("gone/one", "1"), ("gone/in/two", "2"), ("z.txt", "z\n"),
        ] {
            try lab.write(name, text)
        }
    }

    /// With its plan on the disk.
    private func planned(_ line: String = line) throws -> Application {
        let folder = RunFolder("\(lab.own.data)/runs/r")
        try makeFolders(folder.path)
        try rehearsal.folder.make()
        let ended = try rehearsal.run(["sh", "-c", line], in: folder, sandbox: lab.sandbox, cancel: Cancellation())
        #expect(ended.ending == .exited(0))
        try rehearsal.folder.write(RehearsalFolder.Plan(rehearsal.changes(since: ended.started)))
        return Application(folder: rehearsal.folder, workspace: lab.workspace)
    }

    private func sh(_ line: String) { _ = try? Lab.program(["sh", "-c", line], in: lab.workspace) }

    /// Names and contents.
    private func picture() throws -> String {
        try Lab.program(
            ["sh", "-c", "find . -printf '%P %y %m\\n' | sort; find . -type f -exec sha256sum {} + | sort"],
            in: lab.workspace)
    }

    private func failure(of work: () throws(Failure) -> Void) -> Failure? {
        do throws(Failure) { try work() } catch { return error }
        return nil
    }

    private static let changes = [
        "echo mine >> b.txt", "cp b.txt x; echo mine > x; mv x b.txt", "rm b.txt; echo mine > b.txt",
        "touch -r b.txt s; echo mine! > b.txt; touch -r s b.txt; rm s", "echo mine > gone/mine.txt",
        "echo mine > gone/in/two",
        "mkdir gone/in/mine", "mv b.txt gone/b.txt", "echo mine > gone/a.new; mv gone/a.new gone/one",
        "chmod 600 b.txt",
    ]

    /// Killed after the first step; then somebody works on.
    @Test(arguments: changes) func whatCameAfterACrashIsNotOverwritten(change: String) throws {
        let before = try picture()
        var application = try planned()
        application.beforeStep = { (place) throws(Failure) in if place == 1 { throw Failure("stopped", "Stopped.") } }
        #expect(throws: Failure.self) { try application.apply() }
        application.beforeStep = { _ in }
        #expect(lab.read("a.txt") == "new\n")
        sh(change)
        let changed = try picture()
        let failure = failure { () throws(Failure) in try application.apply() }
        #expect(failure?.code == "targetChanged", "\(String(describing: failure))")
        #expect(failure?.remedy?.contains("undo takes them back") == true)
        // What is theirs is as they left it; what had been done, too.
        let look = change.contains("gone") ? "find gone -type f -exec cat {} +; find gone | sort" : "cat b.txt"
        let kept = try Lab.program(["sh", "-c", look], in: lab.workspace)
        #expect(lab.read("a.txt") == "new\n")
        _ = try application.undo()
        #expect(lab.read("a.txt") == "old a\n")
        #expect(try Lab.program(["sh", "-c", look], in: lab.workspace) == kept)
        // All that was there after the change is there now, but for what the first step had brought.
        sh("echo new > a.txt; rm -rf c.txt deep")
        let left = try picture()
        #expect(changed.split(separator: "\n").allSatisfy { left.contains($0) }, "\(changed)\n\(left)")
        #expect(before != left)
    }

    /// A file whose time is to be set, changed after a crash or between the last look and the setting.
    @Test(arguments: ["touch z.txt", "echo mine > z.txt", "chmod 600 z.txt", "rm z.txt; echo z > z.txt"])
    func whatSomebodyTouchedAfterACrashKeepsItsTime(change: String) throws {
        var application = try planned()
        application.beforeStep = { (place) throws(Failure) in if place == 1 { throw Failure("stopped", "Stopped.") } }
        #expect(throws: Failure.self) { try application.apply() }
        application.beforeStep = { _ in }
        sh(change)
        let look = "stat -c '%y %a' z.txt; cat z.txt"
        let changed = try Lab.program(["sh", "-c", look], in: lab.workspace)
        #expect(failure { () throws(Failure) in try application.apply() }?.code == "targetChanged")
        #expect(try Lab.program(["sh", "-c", look], in: lab.workspace) == changed)
    }

    /// In place, between the last look at a file and its rename.
    @Test(
        arguments: ["b.txt": "mine\n", "gone/one": "mine\n", "gone/mine.txt": "mine\n", "c.txt": "mine\n"].sorted {
            $0.key < $1.key
        })
    func whatIsSavedInTheMomentOfAStepHasItsNameBack(name: String, text: String) throws {
        var application = try planned()
        let path = lab.path(name)
        application.beforeRename = { _ in
            // In place, where it still is.
            guard let file = try? OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644) else { return }
            try? file.write(Array(text.utf8))
        }
        #expect(failure { () throws(Failure) in try application.apply() }?.code == "targetChanged")
        #expect(lab.read(name) == text)
        application.beforeRename = { _ in }
        try application.undo()
        #expect(
            lab.read(name) == text && lab.read("a.txt") == "old a\n" && lab.read("gone/in/two") == "2"
                && !lab.exists("deep"))
    }

    /// Killed between the rename and the look at what came out.
    @Test(arguments: [false, true]) func whatCameOutOfACutStepIsLookedAt(isInPlace: Bool) throws {
        let application = try planned()
        sh(isInPlace ? "echo mine > b.txt" : "echo mine > x; mv x b.txt")
        let upper = rehearsal.folder.upper
        #expect(cfiles_exchange(AT_FDCWD, lab.path("b.txt"), AT_FDCWD, "\(upper)/b.txt") == 0)
        #expect(failure { () throws(Failure) in try application.apply() }?.code == "targetChanged")
        #expect(lab.read("b.txt") == "mine\n")
        try application.undo()
        #expect(lab.read("b.txt") == "mine\n" && lab.read("a.txt") == "old a\n")
    }

    /// The same of taking back.
    @Test(arguments: [false, true]) func whatCameOutOfACutStepOfTakingBackIsLookedAt(isInPlace: Bool) throws {
        var application = try planned()
        try application.apply()
        application.beforeStep = { (place) throws(Failure) in if place == 0 { throw Failure("stopped", "Stopped.") } }
        #expect(throws: Failure.self) { try application.undo() }
        application.beforeStep = { _ in }
        sh(isInPlace ? "echo mine > b.txt" : "echo mine > x; mv x b.txt")
        #expect(cfiles_exchange(AT_FDCWD, lab.path("b.txt"), AT_FDCWD, "\(rehearsal.folder.upper)/b.txt") == 0)
        #expect(lab.read("b.txt") == "old b\n")
        #expect(failure { () throws(Failure) in try application.undo() }?.code == "targetChanged")
        #expect(lab.read("b.txt") == "mine\n")
    }

    @Test(arguments: [
        ("a.txt", "echo mine >> a.txt"), ("b.txt", "echo mine > x; mv x b.txt"), ("c.txt", "echo mine >> c.txt"),
        ("deep/file", "echo mine >> deep/file"), ("deep/mine", "echo mine > deep/mine"),
    ]) func takingBackPutsBackWhatWasSavedInItsMoment(name: String, change: String) throws {
        var application = try planned()
        try application.apply()
        let steps = Array(try #require(try rehearsal.folder.plan()).steps.reversed())
        var isDone = false
        application.beforeRename = { number in
            // Where the step is about the file.
            guard !isDone, name.hasPrefix(steps[number].path) else { return }
            sh(change)
            isDone = true
        }
        let first = failure { () throws(Failure) in try application.undo() }
        #expect(first?.code == "targetChanged" && isDone, "\(String(describing: first))")
        let saved = lab.read(name)
        #expect(saved?.contains("mine") == true)
        application.beforeRename = { _ in }
        // It says what is there for as long as it is; and goes on where it is gone.
        #expect(failure { () throws(Failure) in try application.undo() }?.message.contains(name.prefix(4)) == true)
        #expect(lab.read(name) == saved)
        guard name == "c.txt" || name == "deep/mine" else { return }
        unlink(lab.path(name))
        try application.undo()
        #expect(lab.read("a.txt") == "old a\n" && lab.read("gone/one") == "1" && !lab.exists("deep"))
    }

    /// A plan of an earlier version says of the old files nothing but their numbers.
    @Test func aPlanWithoutStampsIsStillRead() throws {
        let before = try picture()
        let application = try planned()
        let file = "\(rehearsal.folder.path)/plan"
        let text = try #require(ScratchFolder.text(file))
        var plan = try JSONReader.read(text).object ?? JSON.Object()
        #expect(plan["replaced"]?.array?.isEmpty == false)
        plan["replaced"] = nil
        plan["brought"] = nil
        try ScratchFolder.write(JSON.object(plan).text, to: file)
        try application.apply()
        #expect(lab.read("b.txt") == "new\n" && !lab.exists("gone"))
        try application.undo()
        #expect(try picture() == before)
    }

    /// By the engine that comes after a crash: the step fails, and what was done can be taken back.
    @Test func whatStoppedMidwayFailsAndCanBeTakenBack() async throws {
        let lab = lab
        let (assignment, toolbox) = (try lab.assignment("Shell", ["command": .string(Self.line)]), lab.toolbox)
        let run = assignment.run
        _ = try await onThread { Result { try toolbox.rehearse(assignment, cancel: Cancellation()) } }.get()
        let rehearsal = try toolbox.rehearsal(of: run, in: lab.workspace)
        let started = try #require(rehearsal.folder.read()).started
        let list = try rehearsal.changes(since: started)
        try ChangeRecording(UndoRecords(lab.own), run, workspace: rehearsal.workspace).begin(
            RehearsedChanges(workspace: rehearsal.workspace, folder: rehearsal.folder).changes(list.steps))
        try rehearsal.folder.write(RehearsalFolder.Plan(list))
        var application = Application(folder: rehearsal.folder, workspace: rehearsal.workspace)
        application.beforeStep = { (place) throws(Failure) in if place == 1 { throw Failure("stopped", "Stopped.") } }
        #expect(throws: Failure.self) { try application.apply() }
        sh("echo mine >> b.txt")
        guard case .finished(let ending) = toolbox.adopt(assignment) else {
            Issue.record("not finished")
            return
        }
        #expect(ending.failure?.code == "targetChanged")
        #expect(lab.read("b.txt") == "old b\nmine\n" && lab.read("a.txt") == "new\n")
        #expect(toolbox.undo.standings(of: run.step.workflow).map(\.changes) == [1])
        #expect(try await lab.undo().failure == nil)
        #expect(lab.read("b.txt") == "old b\nmine\n" && lab.read("a.txt") == "old a\n")
        #expect(toolbox.undo.standings(of: run.step.workflow).map(\.undoneBy) == [[WorkflowID(9)]])
    }
}
