import CaseNames
import Consent
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
        lab = try Lab(isInMemory: Rehearsals.isInMemory, keys: Lab.shippedKeys)
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
            lines.contains("-2\ttwo\n-3\tthree\n+2\t2\n+3\t3") && lines.contains("new/deep.txt\nnew, 1 line"),
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
        // It asks, if the call says so, in every mode. After a yes the edits are made, and that is no failure.
        let (asked, made) = try await edit(edits, ["check": "exit 3", "askAnyway": true])
        #expect(asked?.targets.count == 1 && made.failure == nil && lab.read("a.txt") == "one\n2\nthree\n")
        let around = Surroundings(workspace: lab.workspace, home: nil, ownFolders: [])
        for mode in [ConfirmationMode.auto, .adaptive, .alwaysAsk] {
            let decision = Policy.modesOnly.decide(
                try #require(asked), mode: mode, in: around, at: Moment(milliseconds: 0))
            guard case .ask(let because) = decision else {
                Issue.record("\(mode): \(decision)")
                continue
            }
            #expect(mode == .alwaysAsk || because.contains { $0.contains("exit code 3") })
        }
    }

    /// The files that edits look into are read targets, so that always-ask mode asks and rules about reads hold.
    @Test func theFilesOfEditsAreRead() throws {
        let edits: JSON = [["path": "a.txt", "find": "two", "replace": "2"], ["path": "new.txt", "text": "x"]]
        let call = try lab.toolbox.prepare(try lab.assignment("Edit", ["edits": edits]))
        #expect(call.targets.map { $0.path?.path(below: lab.workspace) } == ["a.txt"] && call.effects.isEmpty)
        let around = Surroundings(workspace: lab.workspace, home: nil, ownFolders: [])
        func asks(_ mode: ConfirmationMode) -> Bool {
            let decision = Policy.modesOnly.decide(call, mode: mode, in: around, at: Moment(milliseconds: 0))
            if case .ask = decision { return true }
            return false
        }
        #expect(!asks(.auto) && !asks(.adaptive) && asks(.alwaysAsk))
    }

    /// What may be a key stands in no message and in no changed line.
    @Test func noKeyStandsInWhatIsSaidOfEdits() async throws {
        let key = "sk-proj-" + String(repeating: "a1B2", count: 12)
        try lab.write("conf.txt", "name = x\napi_key = \(key)\nmore = y\n")
        let (_, missed) = try await edit([["path": "conf.txt", "find": "api_key = old", "replace": "b"]])
        #expect(missed.failure.map { !$0.message.contains(key) } ?? false, "\(missed)")
        let (_, made) = try await edit([["path": "conf.txt", "text": "name = z\n"]])
        #expect(try !text(made, "changes").contains(key))
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
            (#"[{"path":"a.txt/x","text":"new\n"}]"#, "notAFolder"),
            (#"[{"path":"pipe/x","text":"new\n"}]"#, "notAFolder"),
            (#"[{"path":".env/x","text":"new\n"}]"#, "notAFolder"),
            (#"[{"path":"u/v","text":"1"},{"path":"u","text":"2"}]"#, "editMissed"),
            (#"[{"path":"twice","find":"one","replace":"x"}]"#, "rehearsalRefused"),
            (#"[{"path":"a.txt","find":"o","replace":"x","all":"yes"}]"#, "badParam"),
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
        try ScratchFolder.write("one\n", to: "\(lab.root)/other")
        link("\(lab.root)/other", lab.path("twice"))
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
