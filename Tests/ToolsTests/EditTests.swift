import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// Edits change what was shown and nothing else, with or without a check.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct EditTests {
    private let lab: Lab

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        try lab.write("a.txt", "one\ntwo\nthree\n")
        try lab.write("sub/b.txt", "b\n")
    }

    private func edit(_ edits: JSON, _ more: JSON = [:], part: [String]? = nil) async throws -> (
        call: Call?, ending: RunEnding
    ) {
        var params = more.object ?? JSON.Object()
        params["edits"] = edits
        let assignment = try lab.assignment("Edit", .object(params), attempt: Int.random(in: 1...1_000_000))
        let toolbox = lab.toolbox
        return await onThread { [workspace = lab.workspace] in
            do throws(Failure) {
                var call = try toolbox.prepare(assignment)
                call = try toolbox.rehearse(assignment, agreed: call, cancel: Cancellation())
                if let part {
                    try toolbox.narrowRehearsal(
                        of: assignment.run, workspace: workspace, to: part.map { "\(workspace)/\($0)" })
                    call = try toolbox.prepare(assignment)
                }
                return (call, toolbox.run(assignment, call: call, cancel: Cancellation()))
            } catch {
                return (nil, .failed(error))
            }
        }
    }

    private func text(_ ending: RunEnding, _ port: String) throws -> String {
        try lab.text(try #require((ending.assets ?? ending.failure?.left ?? []).first { $0.port == port }))
    }

    @Test func editsOfSeveralFilesAreOneChange() async throws {
        chmod(lab.path("a.txt"), 0o640)
        let (call, ending) = try await edit([
            ["path": "a.txt", "find": "two", "replace": "2"], ["path": "a.txt", "find": "2\nthree", "replace": "2\n3"],
            ["path": "new/deep.txt", "text": "n\n"],
        ])
        #expect(ending.failure == nil)
        #expect(
            lab.read("a.txt") == "one\n2\n3\n" && lab.read("new/deep.txt") == "n\n" && lab.read("sub/b.txt") == "b\n")
        let targets = try #require(call?.targets.compactMap { $0.path?.path(below: lab.workspace) })
        #expect(targets == ["a.txt", "new", "new/deep.txt"])
        var status = stat()
        #expect(stat(lab.path("a.txt"), &status) == 0 && status.st_mode & 0o777 == 0o640)
        let lines = try text(ending, "changes")
        #expect(
            lines.contains("-2\ttwo\n-3\tthree\n+2\t2\n+3\t3") && lines.contains("new/deep.txt\nnew, 1 lines"),
            "\(lines)")
    }

    @Test func aCheckSeesTheEditsAndItsOwnChangesAreDropped() async throws {
        let (call, ending) = try await edit(
            [["path": "a.txt", "find": "two", "replace": "2"]],
            ["check": "cat a.txt; echo x > made.txt; echo more >> a.txt; rm sub/b.txt"])
        #expect(try text(ending, "text") == "one\n2\nthree\n")
        #expect(call?.targets.count == 1 && lab.read("a.txt") == "one\n2\nthree\n")
        #expect(!lab.exists("made.txt") && lab.exists("sub/b.txt"))
    }

    @Test func aCheckThatFailsChangesNothing() async throws {
        let edits: JSON = [["path": "a.txt", "find": "two", "replace": "2"]]
        let (call, ending) = try await edit(edits, ["check": "echo 1 failed; exit 3"])
        #expect(ending.failure?.code == .checkNotPassed && call?.targets.isEmpty ?? false)
        #expect(try text(ending, "text") == "1 failed\n" && lab.read("a.txt") == "one\ntwo\nthree\n")
        // It asks, if the call says so.
        let (asked, _) = try await edit(edits, ["check": "exit 3", "askAnyway": true])
        #expect(asked?.targets.count == 1)
    }

    @Test func aPartIsTakenAndTheRestIsNamed() async throws {
        let (_, ending) = try await edit(
            [["path": "a.txt", "find": "two", "replace": "2"], ["path": "sub/b.txt", "find": "b", "replace": "c"]],
            ["check": "true"], part: ["a.txt"])
        #expect(lab.read("a.txt") == "one\n2\nthree\n" && lab.read("sub/b.txt") == "b\n")
        let output = try #require(ending.assets?.first { $0.port == "text" })
        #expect(ChangedFiles(json: output.meta["refused"])?[.overwritten].names.map(\.path) == ["sub/b.txt"])
        let lines = try text(ending, "changes")
        #expect(lines.contains("not this part alone") && !lines.contains("sub/b.txt"))
    }

    @Test(
        arguments: [
            (#"[{"path":"a.txt","find":"four","replace":"x"}]"#, "editMissed"),
            (#"[{"path":"nope.txt","find":"a","replace":"b"}]"#, "fileNotFound"),
            (#"[{"path":"sub","text":"x"}]"#, "isFolder"), (#"[{"path":"../out.txt","text":"x"}]"#, "leadsOut"),
            (#"[{"path":"/etc/hostname","text":"x"}]"#, "leadsOut"), (#"[{"path":"link","text":"x"}]"#, "leadsOut"),
            (#"[{"path":".env","text":"x"}]"#, "secretFile"),
            (#"[{"path":".env","find":"nothing","replace":"x"}]"#, "secretFile"),
            (#"[{"path":"a.txt","text":"one\ntwo\nthree\n"}]"#, "editMissed"),
            (#"[{"path":"binary","find":"a","replace":"b"}]"#, "notText"),
            (#"[{"path":"pipe","text":"x"}]"#, "notAFile"),
            (
                #"[{"path":"a.txt","find":"two","replace":"2"},{"path":"a.txt","find":"four","replace":"4"}]"#,
                "editMissed"
            ),
        ])
    func whatDoesNotFitIsRefusedWhole(json: String, code: String) async throws {
        try lab.write(".env", "API_KEY=secret\n")
        try lab.write("binary", [0, 1, 2, 97])
        symlink("\(lab.root)/elsewhere", lab.path("link"))
        try ScratchFolder.write("theirs\n", to: "\(lab.root)/elsewhere")
        mkfifo(lab.path("pipe"), 0o600)
        let before = lab.names()
        let (_, ending) = try await edit(try JSONReader.read(json))
        #expect(ending.failure?.code.text == code, "\(ending)")
        #expect(ending.failure.map { !$0.message.contains("API_KEY") } ?? false)
        #expect(lab.read("a.txt") == "one\ntwo\nthree\n" && lab.names() == before)
        #expect(lab.read(".env") == "API_KEY=secret\n")
    }

    @Test func encodingMarkAndLineEndsStay() async throws {
        try lab.write("latin.txt", [0x63, 0x61, 0x66, 0xE9, 0x0D, 0x0A, 0x6F, 0x6B, 0x0D, 0x0A])
        try lab.write("marked.txt", [0xEF, 0xBB, 0xBF, 0x61, 0x0A])
        let (_, ending) = try await edit([
            ["path": "latin.txt", "find": "café\nok", "replace": "Café\nnö"],
            ["path": "marked.txt", "find": "a", "replace": "é"],
        ])
        #expect(ending.failure == nil)
        let latin = try readWhole(lab.path("latin.txt"), limit: 100)
        #expect(latin == [0x43, 0x61, 0x66, 0xE9, 0x0D, 0x0A, 0x6E, 0xF6, 0x0D, 0x0A])
        #expect(try readWhole(lab.path("marked.txt"), limit: 100) == [0xEF, 0xBB, 0xBF, 0xC3, 0xA9, 0x0A])
        let (_, refused) = try await edit([["path": "latin.txt", "find": "nö", "replace": "日本"]])
        #expect(refused.failure?.code == .notText)
    }

    /// A file that changes after it was read is never overwritten.
    @Test func aFileThatChangesUnderTheQuestionStays() async throws {
        let assignment = try lab.assignment("Edit", ["edits": [["path": "a.txt", "find": "two", "replace": "2"]]])
        let toolbox = lab.toolbox
        let call = try await onThread { Result { try toolbox.rehearse(assignment, cancel: Cancellation()) } }.get()
        try lab.write("a.txt", "one\ntwo\nthree\nmine\n")
        let ending = await onThread { toolbox.run(assignment, call: call, cancel: Cancellation()) }
        #expect(ending.failure != nil && lab.read("a.txt") == "one\ntwo\nthree\nmine\n")
    }

    @Test func withoutASandboxEditsWorkAndChecksAreRefused() async throws {
        let bare = try Lab(sandbox: .none("bubblewrap is not installed"))
        try bare.write("a.txt", "one\n")
        let assets = try await bare.run("Edit", ["edits": [["path": "a.txt", "find": "one", "replace": "1"]]])
        #expect(bare.read("a.txt") == "1\n" && !assets.isEmpty)
        let ending = await bare.run(
            try bare.assignment("Edit", ["edits": [["path": "a.txt", "find": "1", "replace": "2"]], "check": "true"]))
        #expect(ending.failure?.code == .noRehearsal && bare.read("a.txt") == "1\n")
    }
}
