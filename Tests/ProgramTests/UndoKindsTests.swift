import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Each kind of change is undone by `undo`, and that by `redo`.
@Suite(.process) struct UndoKindsTests {
    private func picture(_ lab: ProgramLab) async throws -> String {
        let line =
            "find . -path ./.assent -prune -o -type f -printf '%P %m %T@ ' -exec sha256sum {} ';' -o -printf '%P %y %m %l\\n' | sort"
        return try await lab.tool("sh", "-c", line).output
    }

    private func lab(_ nodes: [JSON]) async throws -> (lab: ProgramLab, before: String) {
        let lab = try ProgramLab()
        try lab.write("one\n", to: "a.txt")
        try lab.write("two\n", to: "b.txt")
        chmod(lab.path("b.txt"), 0o640)
        let packed = try await lab.tool("tar", "-czf", "p.tar.gz", "a.txt", "b.txt")
        #expect(packed.exit == 0)
        try ScratchFolder.write(workflow("kinds", nodes).text, to: "\(lab.temporary)/kinds.json")
        let before = try await picture(lab)
        let ran = try await lab.run("run", "\(lab.temporary)/kinds.json", "--mode", "auto")
        #expect(ran.exit == 0, "\(ran.said)")
        return (lab, before)
    }

    @Test(arguments: [
        Named("write", [node("a", "WriteFile", ["path": "n/e/w.txt", "text": "new"])]),
        Named("overwrite", [node("a", "WriteFile", ["path": "b.txt", "text": "new", "overwrite": true])]),
        Named("delete", [node("a", "DeleteFile", ["path": "b.txt"])]),
        Named("move", [node("a", "MoveFile", ["from": "b.txt", "to": "c/d.txt"])]),
        Named(
            "three at once",
            [
                node("a", "MoveFile", ["from": "b.txt", "to": "c.txt"]), node("b", "DeleteFile", ["path": "a.txt"]),
                node("c", "WriteFile", ["path": "x.txt", "text": "new"]),
            ]),
    ])
    func eachKindIsUndoneAndRedone(kind: Named<[JSON]>) async throws {
        let (lab, before) = try await lab(kind.value)
        let after = try await picture(lab)
        #expect(after != before)
        let dry = try await lab.run("undo", "w1", "--dry-run")
        #expect(try await picture(lab) == after && dry.exit == 0, "\(dry.said)")
        let asked = try await lab.run("ask", "undo w1")
        #expect(try await picture(lab) == before && asked.exit == 0, "\(asked.said)")
        #expect(try await lab.run("show", "w1").said.contains("undone by w2"))
        let redone = try await lab.run("redo", "w2")
        #expect(try await picture(lab) == after && redone.exit == 0, "\(redone.said)")
        let again = try await lab.run("undo", "w1")
        #expect(try await picture(lab) == before && again.exit == 0, "\(again.said)")
    }

    @Test func aPartIsUndoneOnlyIfThatIsWanted() async throws {
        let (lab, _) = try await lab([
            node("a", "WriteFile", ["path": "x.txt", "text": "new"]),
            node("b", "WriteFile", ["path": "y.txt", "text": "new"]),
        ])
        try lab.write("mine", to: "x.txt")
        let refused = try await lab.run("undo", "w1")
        #expect(
            refused.exit == 4 && refused.errors.contains("x.txt was changed since") && lab.exists("y.txt"),
            "\(refused.said)")
        let partial = try await lab.run("undo", "w1", "--partial")
        #expect(partial.exit == 0 && lab.text("x.txt") == "mine" && !lab.exists("y.txt"), "\(partial.said)")
        #expect(try await lab.run("list").said.contains("undone in part by w2"))
        // What was left is undone when it fits again.
        try lab.write("new", to: "x.txt")
        let rest = try await lab.run("undo", "w1")
        #expect(rest.exit == 0 && !lab.exists("x.txt"), "\(rest.said)")
        #expect(try await lab.run("list").said.contains("undone by w2, w3"))
        #expect(try await lab.run("show", "w1").said.contains("undone by w2, w3"))
    }

    /// What an undo is of stands in its card, and not the name of its request.
    @Test func theCardOfAnUndoSaysWhatItUndoes() async throws {
        let (lab, _) = try await lab([node("a", "WriteFile", ["path": "x.txt", "text": "new"])])
        try await lab.succeeds("undo", "w1")
        for words in [["show", "w2"], ["show", "w2", "1"]] {
            let shown = try await lab.run(words).said
            #expect(shown.contains("undo of") && shown.contains("w1 (kinds)") && !shown.contains("request"), "\(shown)")
        }
    }

    @Test func anUndoIsRedoneOnce() async throws {
        let (lab, before) = try await lab([node("a", "WriteFile", ["path": "x.txt", "text": "new"])])
        let after = try await picture(lab)
        try await lab.succeeds("undo", "w1")
        try await lab.succeeds("redo", "w2")
        for words in [["redo", "w2"], ["redo", "w3"], ["redo", "--yes"]] {
            let twice = try await lab.run(words)
            #expect(twice.exit != 0 && twice.errors.contains("nothingToUndo"), "\(words): \(twice.said)")
            #expect(try await picture(lab) == after)
        }
        try await lab.succeeds("undo", "--yes")
        #expect(try await picture(lab) == before)
        try await lab.succeeds("redo", "--yes")
        #expect(try await picture(lab) == after)
        try await lab.succeeds("undo", "w1")
        #expect(try await picture(lab) == before)
    }

    /// It could change more than was listed.
    @Test func whatIsStillUnderWayIsNotUndone() async throws {
        let lab = try ProgramLab()
        let plan = workflow(
            "slow",
            [
                node("a", "WriteFile", ["path": "x.txt", "text": "new"]),
                node("b", "Delay", ["seconds": 300]),
            ])
        try lab.write(plan, to: ".slow.json")
        let pty = try lab.terminal(["run", ".slow.json", "--mode", "auto"])
        #expect(await pty.see { _ in lab.exists("x.txt") }, "\(pty.screen.text)")
        let refused = try await lab.run("undo", "w1")
        #expect(
            refused.exit != 0 && refused.errors.contains("w1 is still under way, so it cannot be undone yet."),
            "\(refused.said)")
        #expect(refused.errors.contains("assent cancel w1") && lab.exists("x.txt"), "\(refused.said)")
        try await lab.succeeds("cancel", "w1")
        _ = await pty.exitStatus()
        let undone = try await lab.run("undo", "w1")
        #expect(undone.exit == 0 && !lab.exists("x.txt"), "\(undone.said)")
    }

    @Test func withoutATerminalItMustBeNamed() async throws {
        let (lab, _) = try await lab([node("a", "WriteFile", ["path": "x.txt", "text": "new"])])
        for words in [["undo"], ["ask", "undo that"]] {
            let refused = try await lab.run(words)
            #expect(refused.exit == 2 && refused.errors.contains("undo w1") && lab.exists("x.txt"), "\(refused.said)")
        }
        #expect(try await lab.run("undo", "w1.1").exit == 0 && !lab.exists("x.txt"))
    }

    /// The command tells of its workflow: the chat does not tell of it once more.
    @Test func theChatTellsOfAnUndoOnce() async throws {
        let (lab, _) = try await lab([node("a", "WriteFile", ["path": "x.txt", "text": "new"])])
        let pty = try lab.terminal(["--plain"], columns: 100)
        func isReady(_ screen: PtyScreen) -> Bool { screen.lines.last { !$0.isEmpty } == "›" }
        #expect(await pty.see { isReady($0) }, "\(pty.screen.text)")
        for (line, told) in [("undo w1", "1 change of w1 undone · w2"), ("redo", "1 change of w2 redone · w3")] {
            pty.send("\(line)\r")
            #expect(await pty.seeQuestion("press n"), "\(pty.screen.text)")
            pty.send("y\r")
            #expect(await pty.see { $0.text.contains(told) && isReady($0) }, "\(pty.screen.text)")
        }
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0 && !pty.screen.text.contains(" succeeded"), "\(pty.screen.text)")
    }

    /// A node of the kind Undo is refused wherever a document comes in: a file, an edit, an import.
    @Test func noWorkflowOfAFileUndoes() async throws {
        let (lab, _) = try await lab([node("a", "WriteFile", ["path": "x.txt", "text": "new"])])
        try await lab.succeeds("undo", "w1")
        try await lab.succeeds("redo", "w2")
        let names = try await lab.tool(
            "sh", "-c", "ls \(lab.home)/*/undo/requests \(lab.home)/undo/requests 2>/dev/null || true"
        ).output
        for request in ["w1"] + names.split(separator: "\n").map(String.init) {
            let nodes = [
                node("a", "WriteFile", ["path": "x.txt", "text": "new"]),
                node("u", "Undo", ["request": .string(request)]),
            ]
            try ScratchFolder.write(workflow("u", nodes).text, to: "\(lab.temporary)/u.json")
            for words in [["run"], ["check"], ["edit", "w1"]] {
                let refused = try await lab.run(words + ["\(lab.temporary)/u.json"])
                #expect(refused.exit != 0 && refused.said.contains("reservedKind"), "\(words): \(refused.said)")
            }
            #expect(lab.exists("x.txt"))
        }
        try await lab.succeeds("export", "w2", "\(lab.temporary)/w2.zip")
        let refused = try await lab.run("import", "\(lab.temporary)/w2.zip")
        let words = refused.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(refused.exit != 0 && words.contains("only 'assent undo' makes"), "\(refused.said)")
    }

    /// Whether another user may run the program where it lies.
    private static var isProgramForAll: Bool {
        var folder = ProgramLab.program
        while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & 0o001 != 0 else { return false }
            folder = String(folder[..<slash])
        }
        return true
    }

    /// Who is not root may not move a folder that is read-only, nor change names in it.
    @Test(.enabled(if: geteuid() == 0 && Rehearsals.areHere && isProgramForAll)) func whoIsNotRootUndoesPermissions()
        async throws
    {
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        for (name, text) in [("a.txt", "one"), ("d/f", "two"), ("ro/x", "three")] {
            _ = try await lab.tool("mkdir", "-p", "d", "ro")
            try lab.write(text, to: name)
        }
        let command =
            "echo more >> a.txt; chmod 444 a.txt; echo new > d/g; rm d/f; chmod 555 d; mkdir -p n/m; echo y > n/m/y; chmod 555 n/m n; "
            + "chmod 755 ro; echo z > ro/z; rm ro/x; chmod 555 ro"
        try lab.write(workflow("command", [node("run", "Shell", ["command": .string(command)])]), to: ".command.json")
        chmod(lab.path("ro"), 0o555)
        let scratch = String(lab.folder.dropLast("/photos".count))
        #expect(try await lab.tool("chown", "-R", "65534:65534", scratch).exit == 0)
        // The folder for temporary files may be closed to others.
        let open =
            "d=\(scratch); while [ \"$d\" != / ]; do d=$(dirname \"$d\"); [ -O \"$d\" ] && chmod a+x \"$d\"; done; true"
        #expect(try await lab.tool("sh", "-c", open).exit == 0)
        func asNobody(_ words: String) async throws -> ProgramEnding {
            try await lab.tool(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c",
                "\(ProgramLab.program) \(words)")
        }
        let before = try await picture(lab)
        let ran = try await asNobody("run .command.json --mode auto")
        #expect(ran.exit == 0 && lab.text("ro/z") == "z\n" && !lab.exists("d/f"), "\(ran.said)")
        let after = try await picture(lab)
        let undone = try await asNobody("undo w1")
        #expect(try await picture(lab) == before && undone.exit == 0, "\(undone.said)")
        let redone = try await asNobody("redo w2")
        #expect(try await picture(lab) == after && redone.exit == 0, "\(redone.said)")
    }

    /// A folder that somebody locked since is named before anything is changed, and does not block the rest.
    @Test(.enabled(if: geteuid() == 0 && Rehearsals.areHere && isProgramForAll))
    func aLockedFolderBlocksOnlyWhatLiesInIt() async throws {
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        _ = try await lab.tool("mkdir", "-p", "d")
        for name in ["a.txt", "d/f"] { try lab.write("old\n", to: name) }
        let command = node("run", "Shell", ["command": "echo new > a.txt; rm d/f"])
        try lab.write(workflow("command", [command]), to: ".command.json")
        let scratch = String(lab.folder.dropLast("/photos".count))
        #expect(try await lab.tool("chown", "-R", "65534:65534", scratch).exit == 0)
        let open =
            "d=\(scratch); while [ \"$d\" != / ]; do d=$(dirname \"$d\"); [ -O \"$d\" ] && chmod a+x \"$d\"; done; true"
        #expect(try await lab.tool("sh", "-c", open).exit == 0)
        func asNobody(_ words: String) async throws -> ProgramEnding {
            try await lab.tool(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c",
                "\(ProgramLab.program) \(words)")
        }
        let ran = try await asNobody("run .command.json --mode auto")
        #expect(ran.exit == 0 && !lab.exists("d/f"), "\(ran.said)")
        #expect(chown(lab.path("d"), 0, 0) == 0)
        let refused = try await asNobody("undo w1")
        #expect(
            refused.exit == 4 && refused.errors.contains("d/f lies in a folder that you may not change"),
            "\(refused.said)")
        #expect(lab.text("a.txt") == "new\n")
        let partial = try await asNobody("undo w1 --partial")
        #expect(partial.exit == 0 && lab.text("a.txt") == "old\n" && !lab.exists("d/f"), "\(partial.said)")
        #expect(partial.said.contains("leave d/f: it lies in a folder that you may not change"), "\(partial.said)")
        #expect(chown(lab.path("d"), 65534, 65534) == 0)
        let rest = try await asNobody("undo w1")
        #expect(rest.exit == 0 && lab.text("d/f") == "old\n", "\(rest.said)")
    }
}
