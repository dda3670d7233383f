import CaseNames
@testable import Files
import Foundation
import JSON
@testable import Sandbox
import Testing
@testable import Tools
@testable import Undo
import Vocabulary

/// What a call says that it will touch.
@Suite struct PreparationTests {
    let lab: Lab

    init() throws {
        lab = try Lab()
        try lab.write("note.txt", "words")
        try lab.write("folder/cat.jpg", "meow")
        symlink("/etc/hostname", lab.path("out"))
        symlink("/etc", lab.path("etc"))
        symlink("note.txt", lab.path("in"))
        symlink("nowhere", lab.path("dangling"))
        symlink(lab.own.data, lab.path("data"))
        try "k".write(toFile: lab.own.config + "/settings.yaml", atomically: true, encoding: .utf8)
    }

    private func prepare(_ kind: String, _ params: JSON, _ inputs: [(String, Asset)] = []) throws -> Call {
        try lab.toolbox.prepare(try lab.assignment(kind, params, inputs))
    }

    private func code(_ kind: String, _ params: JSON, _ inputs: [(String, Asset)] = []) -> String? {
        do {
            _ = try prepare(kind, params, inputs)
            return nil
        } catch {
            return (error as? Failure)?.code.text
        }
    }

    @Test(
        arguments: [
            ("note.txt", "note.txt", .workspace), ("./folder/../note.txt", "note.txt", .workspace),
            ("in", "note.txt", .workspace),
            ("out", "/etc/hostname", .outside),
            ("etc/hostname", "/etc/hostname", .outside), ("/etc/hostname", "/etc/hostname", .outside),
            ("../config/settings.yaml", "../config/settings.yaml", .outside),
        ] as [(String, String, Reach)])
    func aReadSaysWhereItReallyGoes(written: String, real: String, reach: Reach) throws {
        let call = try prepare("ReadFile", ["path": .string(written)])
        let path = real.hasPrefix("/") ? real : real.hasPrefix("../") ? lab.root + real.dropFirst(2) : lab.path(real)
        let isLinked = ["in", "out", "etc/hostname"].contains(written)
        #expect(
            call.targets == [
                Call.Target(.reads, .path(path), reach: reach, otherPaths: isLinked ? [lab.path(written)] : [])
            ])
        #expect(call.effects == [.reads])
    }

    @Test func theHomeFolderIsMeantByATilde() throws {
        let call = try prepare("ListFiles", ["path": "~"])
        #expect(call.targets.first?.place == .path(String(cString: realpath(getenv("HOME"), nil))))
    }

    @Test(arguments: ["", "a\0b", "missing.txt", "note.txt/x"]) func aReadOfNothingFailsEarly(written: String) {
        #expect(["badPath", "fileNotFound"].contains(code("ReadFile", ["path": .string(written)])))
    }

    @Test func withoutAPathANewNameBesideTheFiles() throws {
        let call = try prepare("SaveFile", [:], [("file", try lab.asset("x", .image, name: "cat.jpg"))])
        #expect(
            call.targets == [
                Call.Target(.creates, .newName(folder: lab.workspace, stem: "cat", suffix: ".jpg"), reach: .workspace)
            ])
        #expect(call.effects == [.creates] && call.reversibility == .yes(how: "delete it"))
    }

    @Test(arguments: [
        ("new.txt", "new.txt"), ("deep/er/new.txt", "deep/er/new.txt"), ("folder/", "folder/cat.jpg"),
        ("folder", "folder/cat.jpg"),
    ])
    func aSaveToAPath(written: String, path: String) throws {
        let existing = path == "folder/cat.jpg"
        let call = try prepare(
            "SaveFile", ["path": .string(written)], [("file", try lab.asset("x", .image, name: "cat.jpg"))])
        let place: Call.Place =
            existing ? .newName(folder: lab.path("folder"), stem: "cat", suffix: ".jpg") : .path(lab.path(path))
        let made = path == "deep/er/new.txt" ? 2 : 0
        #expect(
            call.targets == [
                Call.Target(
                    .creates, place, reach: .workspace, before: existing ? .unlooked : .absent, newFolders: made)
            ])
    }

    @Test func anOverwriteNamesWhatWasThere() throws {
        let call = try prepare("SaveFile", ["path": "note.txt", "overwrite": true], [("file", try lab.asset("x"))])
        #expect(call.effects == [.overwrites] && call.reversibility == .yes(how: "undo copy"))
        guard case .file(_, let inode, let size, let modified, let hash) = call.targets[0].before else {
            Issue.record("not looked at")
            return
        }
        var status = stat()
        stat(lab.path("note.txt"), &status)
        #expect(inode == UInt64(status.st_ino) && size == 5 && modified > 0 && hash == .of("words"))
        #expect(call.targets[0].place == .path(lab.path("note.txt")) && call.targets[0].effect == .overwrites)
    }

    @Test func anOverwriteThroughALinkIsOfWhatTheLinkLeadsTo() throws {
        let call = try prepare("SaveFile", ["path": "out", "overwrite": true], [("file", try lab.asset("x"))])
        #expect(call.targets[0].place == .path("/etc/hostname") && call.targets[0].reach == .outside)
    }

    @Test func withoutOverwriteTheNextFreeName() throws {
        let call = try prepare("WriteFile", ["path": "note.txt", "text": "x"])
        #expect(
            call.targets[0].place == .newName(folder: lab.workspace, stem: "note", suffix: ".txt")
                && call.effects == [.creates])
    }

    @Test(
        arguments: [
            ("SaveFile", ["path": "../config/policy.yaml"], "ownFolder"),
            ("SaveFile", ["path": "data/assets/x"], "ownFolder"),
            ("SaveFile", ["path": "dangling"], "badPath"),
            ("SaveFile", ["path": "dangling/x"], "badPath"), ("SaveFile", ["path": "nowhere/../../x"], "badPath"),
            ("SaveFile", ["path": "folder/x\0y"], "badPath"),
            ("WriteFile", ["path": "new.txt"], "missingInput"),
            ("WriteFile", ["path": "folder", "text": "x"], "isFolder"),
            ("WriteFile", ["path": "../data/x", "text": "x"], "ownFolder"),
            ("MoveFile", ["from": "note.txt", "to": "folder/cat.jpg"], "targetExists"),
            ("MoveFile", ["from": "note.txt", "to": "../data/x"], "ownFolder"),
            ("MoveFile", ["from": "../config/settings.yaml", "to": "x"], "ownFolder"),
            ("MoveFile", ["from": "folder", "to": "folder/x"], "badPath"),
            ("MoveFile", ["from": ".", "to": "x"], "badPath"),
            ("CopyFolder", ["from": "folder", "to": "folder/x"], "badPath"),
            ("CopyFolder", ["from": "folder", "to": "note.txt"], "targetExists"),
            ("CopyFolder", ["from": "note.txt", "to": "x"], "notAFolder"),
            ("CopyFolder", ["from": "folder", "to": ".assent/x"], "ownFolder"),
            ("MoveFile", ["from": "none", "to": "x"], "fileNotFound"),
            ("DeleteFile", ["path": "folder"], "notAFile"), ("DeleteFile", ["path": "none"], "fileNotFound"),
            ("DeleteFile", ["path": "note.txt/"], "notAFile"),
            ("MoveFile", ["from": "note.txt/", "to": "x"], "notAFolder"),
            ("DeleteFile", ["path": "data/../config/settings.yaml"], "ownFolder"),
            ("DeleteFile", ["path": "."], "badPath"), ("HTTPFetch", ["url": "file:///etc/passwd"], "badURL"),
            ("HTTPFetch", ["url": "http://me:pw@host/"], "badURL"),
            ("HTTPFetch", ["url": "http:///x"], "badURL"), ("HTTPFetch", ["url": "http://a b/"], "badURL"),
            ("HTTPFetch", ["url": "http://h:99999/"], "badURL"), ("HTTPFetch", ["url": "http://h%2fx/"], "badURL"),
            ("HTTPFetch", ["url": "http://me%40h:%/"], "badURL"),
            ("SaveFile", ["path": ".assent/policy.yaml"], "ownFolder"),
            ("WriteFile", ["path": "folder/.assent/x", "text": "x"], "ownFolder"),
            ("MoveFile", ["from": "note.txt", "to": "folder/../.assent/policy.yaml"], "ownFolder"),
            ("Shell", [:], "badParam"),
        ] as [(String, JSON, String)])
    func whatCouldOnlyFailOrHarmIsRefused(kind: String, params: JSON, expected: String) throws {
        #expect(code(kind, params, kind == "SaveFile" ? [("file", try lab.asset("x"))] : []) == expected)
    }

    /// What a rule names and a person reads is where the request goes, however the address spells it.
    @Test(
        arguments: [
            ("http://EXAMPLE%2eorg/x", "example.org:80"), ("http://2130706433/", "127.0.0.1:80"),
            ("http://0x7f.1:8080/", "127.0.0.1:8080"),
            ("https://example.org", "example.org:443"), ("http://[::1]:81/", "[::1]:81"),
        ])
    func theHostIsTheOneThatIsConnectedTo(url: String, host: String) throws {
        #expect(try prepare("HTTPFetch", ["url": .string(url)]).targets[0].place == .host(host))
    }

    @Test(.process) func ownFoldersThatAreNotThereYetAreFoundThroughLinks() throws {
        symlink(lab.workspace, lab.root + "/dots")
        let own = OwnFolders(config: lab.root + "/dots/assent/config", data: lab.own.data, cache: lab.own.cache)
        let assignment = try lab.assignment("WriteFile", ["path": "assent/config/policy.yaml", "text": "x"])
        #expect(throws: Failure.self) { try Toolbox(store: lab.store, own: own).prepare(assignment) }
    }

    @Test func nothingIsSavedInAnOwnFolderThatIsTheWorkspace() throws {
        var assignment = try lab.assignment("SaveFile", [:], [("file", try lab.asset("x"))])
        assignment.workspace = lab.own.config
        #expect(throws: Failure.self) { try lab.toolbox.prepare(assignment) }
    }

    @Test(.timeLimit(.minutes(10))) func aNamedPipeIsNotWaitedFor() async throws {
        mkfifo(lab.path("pipe"), 0o600)
        let ending = await lab.run(try lab.assignment("ReadFile", ["path": "pipe"]))
        guard case .failed(let failure) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(failure.code == "notAFile")
    }

    @Test func aMoveDeletesAndCreates() throws {
        let call = try prepare("MoveFile", ["from": "note.txt", "to": "folder"])
        #expect(call.targets.map(\.effect) == [.deletes, .creates])
        #expect(call.targets.map(\.place) == [.path(lab.path("note.txt")), .path(lab.path("folder/note.txt"))])
        #expect(call.effects == [.creates, .deletes] && call.reversibility == .yes(how: "move back"))
    }

    @Test(arguments: [
        ("note.txt", true), ("empty.txt", true), ("in", true), ("folder/cat.jpg", true), ("key.p12", false),
    ])
    func aMoveToAFreeNameIsToldByTheFileItself(from: String, isPlain: Bool) throws {
        try lab.write("empty.txt", "")
        try lab.write("key.p12", "secret")
        let call = try prepare("MoveFile", ["from": .string(from), "to": "new/b"])
        let (gone, come) = (try #require(call.targets[0].change), try #require(call.targets[1].change))
        #expect(gone.hash == come.hash && gone.hash != nil && gone.modeBefore == come.mode && gone.bytes == come.bytes)
        #expect(call.targets[1].newFolders == 1 && call.targets[0].isPrivate == !isPlain)
    }

    @Test func aDeletionWhoseCopyIsKeptCanBeUndoneAndSaysHow() throws {
        #expect(try prepare("DeleteFile", ["path": "note.txt"]).reversibility == .yes(how: "undo copy kept"))
        let large = try lab.write("large.bin", "")
        try #require(truncate(large, off_t(Limits.undoCopyBytes) + 1) == 0)
        #expect(try prepare("DeleteFile", ["path": "large.bin"]).reversibility == .no)
    }

    /// A hole costs nothing to make, and hours to read.
    @Test(arguments: ["DeleteFile", "MoveFile", "WriteFile"]) func whatIsTooLargeToBeLookedAtIsLeftAlone(kind: String)
        throws
    {
        let large = try lab.write("large.bin", "")
        try #require(truncate(large, off_t(Limits.hashedFileBytes) + 1) == 0)
        let params: JSON = ["path": "large.bin", "from": "large.bin", "to": "b.bin", "text": "x", "overwrite": true]
        let failure = #expect(throws: Failure.self) { try prepare(kind, params) }
        #expect(
            failure?.code == "tooLarge" && failure?.message.contains("64 GiB") == true, "\(String(describing: failure))"
        )
    }

    /// A second name may lie anywhere: what is read or written is outside as well.
    @Test(arguments: ["ReadFile", "FileLoader", "WriteFile", "DeleteFile", "MoveFile"]) func aFileWithAnotherNameSaysSo(
        kind: String
    ) throws {
        let params: JSON = ["path": "note.txt", "from": "note.txt", "to": "b.txt", "text": "x", "overwrite": true]
        #expect(try !prepare(kind, params).targets[0].hasOtherNames)
        try #require(link(lab.path("note.txt"), lab.root + "/elsewhere.txt") == 0)
        #expect(try prepare(kind, params).targets[0].hasOtherNames)
    }

    @Test(
        arguments: [
            ("Note.txt", "note.txt"), ("NOTE.TXT", "note.txt"), ("fresh.txt", nil), ("Folder/new.txt", "folder"),
            ("folder/CAT.jpg", "cat.jpg"), ("caf\u{E9}", "cafe\u{301}"), ("CAFE\u{301}", "cafe\u{301}"), ("cafe", nil),
        ] as [(String, String?)])
    func aNewNameThatIsLikeAnotherSaysWhich(written: String, other: String?) throws {
        try lab.write("cafe\u{301}", "x")
        let target = try prepare("WriteFile", ["path": .string(written), "text": "x"]).targets[0]
        #expect(target.effect == .creates && target.resembles.map { Array($0.utf8) } == other.map { Array($0.utf8) })
        let moved = try prepare("MoveFile", ["from": "in", "to": .string(written)]).targets[1]
        #expect(moved.resembles == target.resembles)
    }

    @Test func aFileIsNotLikeItselfWhenItChangesItsCase() throws {
        #expect(try prepare("MoveFile", ["from": "note.txt", "to": "Note.txt"]).targets[1].resembles == nil)
    }

    @Test func aDeletionOfALinkIsOfTheLinkItself() throws {
        let call = try prepare("DeleteFile", ["path": "out"])
        #expect(call.targets[0].place == .path(lab.path("out")) && call.targets[0].reach == .workspace)
        #expect(call.effects == [.deletes] && call.reversibility == .yes(how: "its target is kept"))
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/a?b=c#d", "127.0.0.1:8080"), ("https://Example.org", "example.org:443"),
        ("http://[::1]/x", "[::1]:80"),
        ("HTTP://h/", "h:80"),
        ("http://h?x=a@b", "h:80"),
    ])
    func aFetchNamesHostAndPort(url: String, host: String) throws {
        let call = try prepare("HTTPFetch", ["url": .string(url)])
        #expect(call.targets == [Call.Target(.sends, .host(host), reach: .remote)])
        #expect(call.effects == [.sends] && call.reversibility == .no && call.reach == .remote)
    }

    @Test func aShellCommandIsShownWordForWord() throws {
        let call = try prepare("Shell", ["command": "rm -rf * && echo done"])
        #expect(
            call.targets == [
                Call.Target(.executes, .command(["sh", "-c", "rm -rf * && echo done"]), reach: .workspace)
            ])
        #expect(call.effects == [.executes] && call.reversibility != .no && call.rehearsal == .wanted)
        let bare = try prepare("Shell", ["command": "rm -rf * && echo done", "bare": true])
        #expect(
            bare.targets == [Call.Target(.executes, .command(["sh", "-c", "rm -rf * && echo done"]), reach: .outside)])
        #expect(bare.effects == [.executes] && bare.reversibility == .no && bare.rehearsal == nil)
    }

    @Test func pictureToolsTouchNothingOutsideTheStore() throws {
        for kind in ["Resize", "Grayscale", "CompressLocal", "Composite", "JoinText", "Zip", "Delay"] {
            let call = try prepare(kind, ["width": 3, "targetKB": 1, "seconds": 1])
            #expect(call.targets.isEmpty && call.effects.isEmpty && call.reversibility != .no, "\(kind)")
        }
    }

    @Test func toolsOfOthersGainExecutesWithoutASandbox() throws {
        let open = try Lab(sandbox: .none("test"))
        for (isShipped, effects) in [(true, []), (false, [.executes])] as [(Bool, Set<Effect>)] {
            let manifest = ToolManifest(
                kind: "Other", title: "Other",
                action: .program(
                    .init(commands: [.init(words: ["true"])], files: [:], timeoutSeconds: 1, memoryBytesLimit: 1 << 30)),
                isShipped: isShipped)
            #expect(try open.toolbox.prepare(open.assignment(manifest)).effects == effects)
            #expect(try lab.toolbox.prepare(lab.assignment(manifest)).effects == [])
        }
    }

    @Test func withoutASandboxEveryCommandIsBareAndSaysWhy() throws {
        let open = try Lab(sandbox: .none("not here"))
        let call = try open.toolbox.prepare(open.assignment("Shell", ["command": "true"]))
        #expect(call.isBare && call.rehearsal == nil && call.reasonForNoSandbox == "not here")
    }

    @Test func aPlanIsPreparedBeforeItsProducersRan() throws {
        var assignment = try lab.assignment("SaveFile")
        assignment.inputs = [Assignment.Input("file", nil, from: .init("resize", "image"), expectedName: "cat.jpg")]
        let plan = try lab.toolbox.prepare(assignment)
        assignment.inputs = [
            Assignment.Input("file", try lab.asset("x", .image, name: "cat.jpg"), from: .init("resize", "image"))
        ]
        let concrete = try lab.toolbox.prepare(assignment)
        #expect(plan != concrete && plan.planned == concrete.planned)
    }

    @Test func aProgramThatIsMissingIsNamedWithItsPackage() throws {
        let missing = ToolManifest(
            kind: "X", title: "X", action: .builtin("text"),
            needs: [.init(program: "no-such-program", debianPackage: "no-such-package")])
        #expect(
            lab.toolbox.unavailable([missing])["X"]?.words
                == "no-such-program is not installed. To install it: apt-get install no-such-package")
        #expect(lab.toolbox.unavailable(Lab.catalogue.sorted).isEmpty)
    }
}
