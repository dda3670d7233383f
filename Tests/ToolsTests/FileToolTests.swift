import CaseNames
@testable import Files
import Foundation
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

@Suite struct FileToolTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private func undoCopies() -> [String] {
        let folder = lab.own.data + "/undo"
        return ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).filter { !$0.contains(".") }
            .compactMap {
                try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
            }
    }

    @Test func loadersBringTheContentAndTheName() async throws {
        try lab.write("note.txt", "words")
        let asset = try #require(try await lab.run("FileLoader", ["path": "note.txt"]).first)
        #expect(asset.name == "note.txt" && asset.bytes == 5 && asset.hash == .of("words") && asset.type == .file)
        #expect(try lab.text(asset) == "words")
        var status = stat()
        stat(lab.store.path(asset.hash), &status)
        #expect(status.st_mode & 0o777 == 0o444)
    }

    @Test func equalContentIsStoredOnce() async throws {
        let first = try lab.store.add("same")
        #expect(try lab.store.add("same") == first)
        let path = try lab.write("same.txt", "same")
        #expect(try lab.store.add(file: path) == first)
        #expect(try FileManager.default.contentsOfDirectory(atPath: lab.store.folder + "/tmp").isEmpty)
    }

    @Test func contentThatIsGoneIsSaid() async throws {
        let asset = try lab.asset("words")
        try FileManager.default.removeItem(atPath: lab.store.path(asset.hash))
        let failure = await #expect(throws: Failure.self) { try await lab.run("CountWords", [:], [("text", asset)]) }
        #expect(failure?.code == "pinnedInputMissing")
    }

    @Test func aPipeIsNoFile() async throws {
        mkfifo(lab.path("pipe"), 0o600)
        let failure = await #expect(throws: Failure.self) { try await lab.run("FileLoader", ["path": "pipe"]) }
        #expect(failure?.code == "notAFile")
    }

    @Test func readFileTakesOnlyText() async throws {
        try lab.write("a.txt", "grüße\n")
        #expect(try lab.text(try #require(try await lab.run("ReadFile", ["path": "a.txt"]).first)) == "grüße\n")
        try lab.write("b.bin", [0xFF, 0xFE, 0])
        let failure = await #expect(throws: Failure.self) { try await lab.run("ReadFile", ["path": "b.bin"]) }
        #expect(failure?.code == "notText")
    }

    @Test func savesTakeTheNextFreeName() async throws {
        let asset = try lab.asset("one", .image, name: "cat.jpg")
        var paths: [String] = []
        for _ in 0..<3 {
            paths += try await lab.run("SaveFile", [:], [("file", asset)]).compactMap { $0.meta["path"]?.string }
        }
        #expect(paths == [1, 2, 3].map { lab.path("cat-\($0).jpg") })
        #expect(lab.read("cat-3.jpg") == "one")
        #expect(lab.names() == ["cat-1.jpg", "cat-2.jpg", "cat-3.jpg"])
    }

    @Test func aSaveTakesNoNameThatIsAnothersOnAnotherSystem() async throws {
        try lab.write("CAT-1.jpg", "x")
        let asset = try lab.asset("one", .image, name: "cat.jpg")
        #expect(try await lab.run("SaveFile", [:], [("file", asset)]).first?.name == "cat-2.jpg")
    }

    @Test func aSaveMakesFoldersAndTellsWhere() async throws {
        let saved = try #require(
            try await lab.run("SaveFile", ["path": "a/b/c.txt"], [("file", try lab.asset("x"))]).first)
        #expect(
            lab.read("a/b/c.txt") == "x" && saved.name == "c.txt"
                && saved.meta["path"] == .string(lab.path("a/b/c.txt")))
        let beside = try #require(
            try await lab.run("SaveFile", ["path": "a/b/c.txt"], [("file", try lab.asset("y"))]).first)
        #expect(lab.read("a/b/c-1.txt") == "y" && lab.read("a/b/c.txt") == "x" && beside.name == "c-1.txt")
    }

    @Test func anOverwriteKeepsAnUndoCopyAndTheMode() async throws {
        try lab.write("note.txt", "old")
        chmod(lab.path("note.txt"), 0o640)
        _ = try await lab.run("WriteFile", ["path": "note.txt", "text": "new", "overwrite": true])
        var status = stat()
        stat(lab.path("note.txt"), &status)
        #expect(lab.read("note.txt") == "new" && status.st_mode & 0o777 == 0o640)
        #expect(undoCopies() == ["old"])
        #expect(lab.names() == ["note.txt"])
    }

    @Test func writeFileTakesItsTextFromThePortFirst() async throws {
        _ = try await lab.run("WriteFile", ["path": "a.txt", "text": "param"], [("text", try lab.asset("port"))])
        #expect(lab.read("a.txt") == "port")
    }

    @Test(
        arguments: ["-rf", "../../x.txt", "a/b.txt", ".", "a\nb.txt", "$(id).txt"].map { Named($0, $0) } + [
            Named("300 times é", String(repeating: "é", count: 300) + ".txt")
        ])
    func hostileNamesStayInTheFolder(named: Named<String>) async throws {
        let name = named.value
        let saved = try #require(
            try await lab.run("SaveFile", [:], [("file", try lab.asset("x", .file, name: name))]).first)
        let path = try #require(saved.meta["path"]?.string)
        #expect(
            path.hasPrefix(lab.workspace + "/") && !path.dropFirst(lab.workspace.count + 1).contains("/")
                && !path.contains("\n"))
        #expect(lab.names().count == 1)
    }

    // The world between the yes and the run.

    private func runAfter(_ kind: String, _ params: JSON, _ inputs: [(String, Asset)] = [], _ change: () throws -> Void)
        async throws
        -> RunEnding
    {
        let assignment = try lab.assignment(kind, params, inputs)
        let call = try lab.toolbox.prepare(assignment)
        try change()
        let toolbox = lab.toolbox
        return await onThread { toolbox.run(assignment, call: call, cancel: Cancellation()) }
    }

    @Test func aTargetThatChangedAfterTheYesIsLeftAlone() async throws {
        try lab.write("note.txt", "old")
        let ending = try await runAfter("WriteFile", ["path": "note.txt", "text": "new", "overwrite": true]) {
            try lab.write("note.txt", "mine")
        }
        #expect(ending.failure?.code == "targetChanged" && lab.read("note.txt") == "mine")
        let deletion = try await runAfter("DeleteFile", ["path": "note.txt"]) { try lab.write("note.txt", "theirs") }
        #expect(deletion.failure?.code == "targetChanged" && lab.read("note.txt") == "theirs")
        let move = try await runAfter("MoveFile", ["from": "note.txt", "to": "b.txt"]) { try lab.write("b.txt", "b") }
        #expect(move.failure != nil && lab.read("b.txt") == "b" && lab.read("note.txt") == "theirs")
    }

    @Test func aTargetThatAppearedIsNotReplaced() async throws {
        let ending = try await runAfter("WriteFile", ["path": "new.txt", "text": "x"]) {
            try lab.write("new.txt", "mine")
        }
        #expect(ending.failure?.code == "targetChanged" && lab.read("new.txt") == "mine")
    }

    /// A folder that was to be made, and what is there in its place when the step acts.
    enum Meanwhile: String, CaseIterable { case folder, folders, link, linkWithin, file, target, resembling }

    @Test(arguments: Meanwhile.allCases, ["SaveFile", "MoveFile"])
    func onlyAPlainFolderMayStandWhereOneWasToBeMade(meanwhile: Meanwhile, kind: String) async throws {
        try lab.write("a.txt", "x")
        try lab.write("other/keep", "k")
        let isSave = kind == "SaveFile"
        let ending = try await runAfter(
            kind, isSave ? ["path": "pics/of/a.txt"] : ["from": "a.txt", "to": "pics/of/a.txt"],
            isSave ? [("file", try lab.asset("x"))] : []
        ) {
            switch meanwhile {
            case .folder: try lab.write("pics/b.txt", "b")
            case .folders: try lab.write("pics/of/b.txt", "b")
            case .link: symlink(lab.own.config, lab.path("pics"))
            case .linkWithin: symlink(lab.path("other"), lab.path("pics"))
            case .file: try lab.write("pics", "mine")
            case .target: try lab.write("pics/of/a.txt", "mine")
            case .resembling: try lab.write("pics/of/A.txt", "mine")
            }
        }
        guard [.folder, .folders].contains(meanwhile) else {
            #expect(ending.failure != nil && lab.read("pics/of/a.txt") != "x" && lab.read("a.txt") == "x")
            #expect(lab.names("other") == ["keep"] && ScratchFolder.names(in: lab.own.config).isEmpty)
            return
        }
        #expect(ending.failure == nil && lab.read("pics/of/a.txt") == "x", "\(ending)")
    }

    @Test func aFolderThatBecameALinkIsNotFollowed() async throws {
        try lab.write("folder/keep", "k")
        let ending = try await runAfter("WriteFile", ["path": "folder/new.txt", "text": "x"]) {
            try FileManager.default.removeItem(atPath: lab.path("folder"))
            symlink(lab.own.config, lab.path("folder"))
        }
        #expect(["targetChanged", "ownFolder"].contains(ending.failure?.code))
        #expect(!FileManager.default.fileExists(atPath: lab.own.config + "/new.txt"))
    }

    @Test func movesRenameAndNeverReplace() async throws {
        try lab.write("a.txt", "a")
        let moved = try #require(try await lab.run("MoveFile", ["from": "a.txt", "to": "sub/b.txt"]).first)
        #expect(!lab.exists("a.txt") && lab.read("sub/b.txt") == "a" && moved.name == "b.txt")
    }

    @Test func aDeletionKeepsAnUndoCopy() async throws {
        try lab.write("-rf", "bye")
        #expect(try await lab.run("DeleteFile", ["path": "-rf"]).isEmpty)
        #expect(!lab.exists("-rf") && undoCopies() == ["bye"])
        try lab.write("kept.txt", "kept")
        symlink(lab.path("kept.txt"), lab.path("link"))
        _ = try await lab.run("DeleteFile", ["path": "link"])
        #expect(lab.read("kept.txt") == "kept" && lab.names() == ["kept.txt"])
    }

    @Test(arguments: [
        ("*", ["a.jpg", "b.JPG", "c.txt", "sub/"]), ("*.jpg", ["a.jpg"]), ("?.[jJ]*", ["a.jpg", "b.JPG"]),
        ("[!a]*", ["b.JPG", "c.txt", "sub/"]), (".*", [".hidden"]),
        ("[", []), ("a.jp[g", []), ("[a-b].*", ["a.jpg", "b.JPG"]), ("", []),
    ])
    func listsByPattern(pattern: String, names: [String]) async throws {
        for name in ["c.txt", "a.jpg", "b.JPG", ".hidden", "sub/inner.txt"] { try lab.write(name, "x") }
        let assets = try await lab.run("ListFiles", ["pattern": .string(pattern)])
        let text = try lab.text(try #require(assets.first { $0.port == "text" }))
        #expect(text.split(separator: "\n").map { String($0) } == names)
        let json = try JSONReader.read(lab.text(try #require(assets.first { $0.port == "json" })))
        #expect(json.array?.count == names.count)
    }

    @Test(.process) func zipPacksDeterministicallyUnderSafeNames() async throws {
        let files = [
            ("one", "a.txt"), ("two", "a.txt"), ("three", "-rf"), ("four", "*"), ("five", "x/../../evil"), ("six", "@"),
        ]
        let inputs = try files.enumerated().map {
            ("files.\($0.offset + 1)", try lab.asset($0.element.0, .file, name: $0.element.1))
        }
        let first = try #require(try await lab.run("Zip", ["name": "../out"], inputs).first)
        let second = try #require(try await lab.run("Zip", ["name": "b.zip"], inputs).first)
        #expect(first.hash == second.hash)
        #expect(first.name == ".._out.zip")
        let listed = try Lab.program(["unzip", "-Z1", lab.store.path(first.hash)], in: lab.root).split(separator: "\n")
            .map { String($0) }
        #expect(listed == ["a.txt", "a-1.txt", "-rf", "*", "x_.._.._evil", "@"])
        #expect(try Lab.program(["unzip", "-p", lab.store.path(first.hash), "a-1.txt"], in: lab.root) == "two")
    }

    @Test("finding 11: an archive of more files than fit holds the first and says so", .process)
    func aLongArchiveHoldsTheFirstAndSaysSo()
        async throws
    {
        let file = try lab.asset("x", .file, name: "a.txt")
        let inputs = (1...Limits.zippedFiles + 2).map { ("files.\($0)", file) }
        let archive = try #require(try await lab.run("Zip", [:], inputs).first)
        #expect(archive.partial == [LeftOut(.files, 2, of: 10_002)])
        let listed = try Lab.program(["unzip", "-Z1", lab.store.path(archive.hash)], in: lab.root).split(
            separator: "\n")
        #expect(listed.count == Limits.zippedFiles)
    }

    @Test(.process) func shellRunsInTheWorkspaceAndGivesItsOutput() async throws {
        try lab.write("a.txt", "hello")
        let asset = try #require(
            try await lab.run("Shell", ["command": "pwd; cat a.txt > b.txt; cat b.txt | tr a-z A-Z"]).first)
        #expect(try lab.text(asset) == "\(lab.workspace)\nHELLO")
        #expect(lab.read("b.txt") == "hello")
        let failure = await #expect(throws: Failure.self) {
            try await lab.run("Shell", ["command": "echo oh no >&2; exit 3"])
        }
        #expect(failure?.code == "processFailed" && failure?.message == "The command failed with exit code 3: oh no")
    }

    @Test(.process) func shellDoesNotInheritKeys() async throws {
        setenv("ASSENT_TEST_TOKEN", "sk-secret", 1)
        let asset = try #require(try await lab.run("Shell", ["command": "env"]).first)
        let text = try lab.text(asset)
        #expect(text.contains("PATH=") && !text.contains("sk-secret"))
    }

    @Test(.process) func whatAShellCommandLeftBehindIsEnded() async throws {
        let marker = "96\(Int.random(in: 100_000 ... 999_999))"
        _ = try await lab.run("Shell", ["command": .string("sleep \(marker) & echo started")])
        try await eventually("the background job is gone") { ProcessTable.ids(saying: "sleep \(marker)").isEmpty }
    }

    // The engine dies between the act and the note of its success: the record of the ending is missing, the world has
    // changed.

    private func cut(_ assignment: Assignment) async throws -> RunEnding {
        let ending = await lab.run(assignment)
        try FileManager.default.removeItem(atPath: assignment.runFolder + ".result")
        return ending
    }

    @Test func aSaveThatWasDoneIsNotDoneTwice() async throws {
        let assignment = try lab.assignment("SaveFile", [:], [("file", try lab.asset("x", .image, name: "cat.jpg"))])
        let ending = try await cut(assignment)
        #expect(lab.toolbox.adopt(assignment) == .finished(ending))
        #expect(lab.names() == ["cat-1.jpg"] && ending.assets?.first?.name == "cat-1.jpg")
    }

    @Test func aSaveWhoseFileWasReplacedSinceIsNotTakenForDone() async throws {
        let assignment = try lab.assignment("WriteFile", ["path": "a.txt", "text": "x"])
        _ = try await cut(assignment)
        try lab.write("b.txt", "mine")
        rename(lab.path("b.txt"), lab.path("a.txt"))
        #expect(lab.toolbox.adopt(assignment) == .gone)
    }

    @Test func aMoveAndADeletionThatWereDoneAreKnown() async throws {
        try lab.write("a.txt", "a")
        let move = try lab.assignment("MoveFile", ["from": "a.txt", "to": "b.txt"])
        #expect(lab.toolbox.adopt(move) == .gone)
        let moved = try await cut(move)
        #expect(lab.toolbox.adopt(move) == .finished(moved))
        let deletion = try lab.assignment("DeleteFile", ["path": "b.txt"], attempt: 2)
        let deleted = try await cut(deletion)
        #expect(deleted == .succeeded([]) && lab.toolbox.adopt(deletion) == .finished(deleted))
    }
}
