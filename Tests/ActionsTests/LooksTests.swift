import CaseNames
import Files
import Glibc
import Harness
import JSON
import Pictures
import Services
import Storage
import Testing
import Tools
import Vocabulary

@testable import Actions

/// Results, files and folders that a user looks at.
@Suite struct LooksTests {
    private let opened: OpenedWorkspace
    private var looks: Looks { Looks(opened.shared) }

    init() throws { opened = try OpenedWorkspace() }

    private func text(_ text: String) async throws -> WorkflowID {
        try await opened.ran([("text", "Text", ["text": .string(text)])])
    }

    private func read(_ content: ViewedContent) throws -> String {
        String(decoding: try looks.open(content).read(1000, at: 0), as: UTF8.self)
    }

    // MARK: Results

    @Test func aResultIsFoundByItsNameAndRead() async throws {
        let id = try await text("hello")
        let named = try looks.assets(named: .output(step: StepID(id, 1), attempt: nil, port: nil))
        let content = try looks.content(of: try #require(named.first))
        #expect(named.count == 1 && content.target == "w1.1.1.text" && content.bytes == 5 && !content.isFolder)
        #expect(content.picture == nil && !content.isPrivate)
        #expect(try read(content) == "hello")
        #expect(try looks.assets(named: .output(step: StepID(WorkflowID(7), 1), attempt: nil, port: nil)).isEmpty)
    }

    @Test func aResultWhoseContentIsGoneIsRefused() async throws {
        let id = try await text("hello")
        let asset = try #require(try WorkflowRecords(opened.shared).assets(id).first)
        unlink(try opened.shared.toolbox.get().store.path(asset.hash))
        let failure = #expect(throws: Failure.self) { try looks.content(of: asset) }
        #expect(failure?.code == "pinnedInputMissing")
    }

    @Test func theNewestResultIsThatOfTheSessionOrElseOfTheFolder() async throws {
        #expect(try looks.newest(in: nil) == nil)
        let session = try opened.shared.archive.get().begin(
            title: "Test", workspace: opened.shared.workspace, owner: "nobody", at: OpenWorkspace.now()
        ).id
        let actions = WorkflowActions(opened.shared)
        let bytes = OpenedWorkspace.template([("text", "Text", ["text": "of the session"])])
        let own = try actions.start(
            try #require(actions.check(bytes).checked), WorkflowStart(session: session, mode: .auto, onAsk: .park))
        try await opened.work()
        let newer = try await text("of the folder")
        #expect(try looks.newest(in: nil) == newer && looks.newest(in: session) == own)
        #expect(try looks.newest(in: SessionID(7)) == newer)
        // A workflow without results is no newer result.
        _ = try await opened.ran([("nap", "Delay", ["seconds": 0])])
        #expect(try looks.newest(in: nil) == newer)
        let elsewhere = OpenWorkspace(
            folders: opened.shared.folders, workspace: opened.scratch.path, surroundings: opened.shared.surroundings)
        #expect(try Looks(elsewhere).newest(in: nil) == nil)
    }

    // MARK: Files and folders

    @Test func anOpenFileStaysTheSameIfAnotherTakesItsPlace() throws {
        let path = try opened.write(Array("first".utf8), to: "note.txt")
        let content = try looks.content(at: path)
        #expect(content.bytes == 5 && content.path == path && content.asset == nil && !content.isPrivate)
        let source = try looks.open(content)
        #expect(rename(try opened.write(Array("other".utf8), to: "new.txt"), path) == 0)
        #expect(try source.read(1000, at: 1) == Array("irst".utf8))
    }

    @Test func aFileThatMayHoldKeysIsPrivate() throws {
        #expect(try looks.content(at: opened.write(Array("KEY=hush-hush".utf8), to: ".env")).isPrivate)
    }

    @Test func aPictureHasItsSize() throws {
        let path = try opened.write(MaskDrawing(width: 64, height: 48).png(), to: "mask.png")
        let content = try looks.content(at: path)
        #expect(content.picture == "png" && content.meta["width"] == 64 && content.meta["height"] == 48)
    }

    @Test(arguments: [("ghost.txt", "unknownFile"), ("pipe", "notAFile"), ("loop", "badPath")])
    func whatIsNoFileIsRefused(name: String, code: String) throws {
        let path = "\(opened.shared.workspace)/\(name)"
        if name == "pipe" { #expect(mkfifo(path, 0o600) == 0) }
        if name == "loop" { #expect(symlink(path, path) == 0) }
        let failure = #expect(throws: Failure.self) { try looks.content(at: path) }
        #expect(failure?.code.text == code, "\(failure.map { "\($0)" } ?? "none")")
    }

    @Test func aFolderIsListed() async throws {
        try ScratchFolder.makeFolder("\(opened.shared.workspace)/inner/deep")
        for name in ["a.txt", "inner/b.txt"] { _ = try opened.write([1, 2, 3], to: name) }
        let content = try looks.content(at: opened.shared.workspace)
        #expect(content.isFolder)
        let tree = try await looks.tree(of: content)
        #expect(tree.isWhole)
        let names = tree.entries.map { $0.names.joined(separator: "/") }
        #expect(names.sorted() == ["a.txt", "inner", "inner/b.txt", "inner/deep"])
        #expect(tree.entries.filter(\.isFolder).map { $0.names.last } == ["inner", "deep"])
    }

    @Test func aFileThatIsNoZipIsNotListed() async throws {
        let content = try looks.content(at: opened.write(Array("no zip".utf8), to: "a.zip"))
        await #expect(throws: Failure.self) { _ = try await looks.tree(of: content) }
    }

    // MARK: Texts

    @Test func keysAreCutOutOfTexts() {
        let key = "sk-" + "a1B2c3D4e5F6g7H8i9J0"
        #expect(looks.withoutKeys("It is \(key).") == "It is ⟨cut: an OpenAI-like key, 23 characters⟩.")
        #expect(looks.withoutKeys("It is mine.") == "It is mine.")
    }
}
