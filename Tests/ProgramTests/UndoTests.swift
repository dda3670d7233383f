import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// What a command has changed is taken back exactly, or not at all.
@Suite(.process) struct UndoTests {
    /// In auto mode: nobody is asked for these changes.
    private func changed(_ command: String) async throws -> ProgramLab {
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        try lab.write("buy milk\n", to: "notes.txt")
        #expect(makeFolder(lab.path("src")))
        try lab.write("old\n", to: "src/old.c")
        try lab.write(workflow("command", [node("run", "Shell", ["command": .string(command)])]), to: ".command.json")
        try await lab.succeeds("run", ".command.json", "--mode", "auto")
        return lab
    }

    @Test func whatACommandChangedIsTakenBackExactly() async throws {
        let lab = try await changed(
            "echo more >> notes.txt; chmod 600 notes.txt; rm -r src; mkdir -p a/b; echo x > a/b/c; ln -s a link")
        #expect(lab.text("notes.txt") == "buy milk\nmore\n" && !lab.exists("src/old.c"))
        let undone = try await lab.json("undo", "w1")
        #expect(undone.first?["undone"] == true && undone.first?["by"] == "w2", "\(undone)")
        #expect(lab.names().filter { !$0.hasPrefix(".") } == ["notes.txt", "src"])
        #expect(lab.text("notes.txt") == "buy milk\n" && lab.text("src/old.c") == "old\n")
        var status = stat()
        #expect(stat(lab.path("notes.txt"), &status) == 0 && status.st_mode & 0o777 != 0o600)
        // Once; and it is in the history.
        let again = try await lab.run("undo", "w1")
        #expect(again.exit != 0 && again.errors.contains("nothingToUndo"), "\(again.said)")
        #expect(try await lab.run("show", "w1").said.contains("undone by w2"))
        #expect(try await lab.run("list").said.contains("(undone by w2)"))
        // An undo is undone in turn.
        try await lab.succeeds("redo", "w2")
        #expect(lab.text("notes.txt") == "buy milk\nmore\n" && lab.text("a/b/c") == "x\n" && !lab.exists("src/old.c"))
        #expect(try await lab.run("show", "w1").said.contains("can be undone until"))
    }

    @Test(arguments: [
        "echo mine >> notes.txt", "echo mine > notes.txt.new && mv notes.txt.new notes.txt", "rm notes.txt",
        "echo mine > a/b/mine",
        "echo mine >> a/b/c", "mkdir src && echo mine > src/old.c", "chmod 640 a/b/c",
    ]) func whatWasWorkedOnSinceIsLeftAlone(meanwhile: String) async throws {
        let lab = try await changed("echo more >> notes.txt; rm -r src; mkdir -p a/b; echo x > a/b/c")
        #expect(try await lab.tool("sh", "-c", meanwhile).exit == 0)
        func files() -> [String?] {
            lab.names() + ["notes.txt", "a/b/c", "a/b/mine", "src/old.c"].map { lab.text($0) }
        }
        let before = files()
        let refused = try await lab.run("undo", "w1")
        #expect(refused.exit == 4 && refused.errors.contains("changedSince"), "\(refused.said)")
        #expect(files() == before)
    }

    @Test func whatChangedNothingOrIsNotThereCannotBeTakenBack() async throws {
        let lab = try await changed("cat notes.txt")
        for words in [["w1"], ["w1", "1"], ["w9"], ["w1", "7"]] {
            let refused = try await lab.run(["undo"] + words)
            #expect(refused.exit != 0 && refused.errors.contains("("), "\(words): \(refused.said)")
        }
    }

    /// After a no nothing of the rehearsal is kept that could be applied.
    @Test func aNoThrowsTheRehearsalAway() async throws {
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        try lab.write("buy milk\n", to: "notes.txt")
        try lab.write(
            workflow("command", [node("run", "Shell", ["command": "echo SECRET > notes.txt"])]), to: ".command.json")
        #expect(try await lab.run("run", ".command.json", "--on-ask", "park").exit == 3)
        func kept() async throws -> Bool {
            try await lab.tool("grep", "-rqsx", "SECRET", lab.home, lab.folder).exit == 0
        }
        #expect(try await kept(), "for as long as the question waits")
        try await lab.succeeds("reject", "1")
        #expect(try await !kept())
    }
}
