import CaseNames
import Conversations
import Files
import Glibc
import Harness
import JSON
import Pictures
import Services
import Synchronization
import Testing
import Tools
import Vocabulary

@testable import Actions

/// The looks of a model at pictures, by the eyes that its profile gives it.
@Suite(.process) struct PictureLookTests {
    private let opened: OpenedWorkspace
    private let session: SessionID

    init() throws {
        opened = try OpenedWorkspace()
        session = try ConversationLibrary(opened.shared).begin("hello").id
    }

    /// A front end that records the lines about looks.
    private final class Front: PlannerFront {
        let mode: ConfirmationMode
        let onAsk = OnAsk.park
        let questioner: (any Questioner)? = nil
        private let lines = Mutex<[String]>([])

        init(_ mode: ConfirmationMode) { self.mode = mode }

        var shown: [String] { lines.withLock { $0 } }
        func planned(_ template: Template, as id: WorkflowID) async {}
        func happened(_ event: Event) async {}
        func rested(_ id: WorkflowID, _ followed: Followed) async {}
        func confirm(_ question: HostQuestion) async {}
        func confirm(_ question: ProgramQuestion) async {}
        func looked(_ words: String) async { lines.withLock { $0.append(words) } }
        func wording(of call: String) -> String { "<\(call)>" }
    }

    /// Connects a model that sees pictures, or one that does not.
    private func connect(sees: Bool) throws {
        let config = opened.shared.folders.config
        try ScratchFolder.makeFolder(config)
        let text =
            "default: a\nconnections:\n"
            + "  a: {url: 'http://127.0.0.1:9/v1', model: m, vision: \(sees)}\n"
        try ScratchFolder.write(Array(text.utf8), to: "\(config)/connections.yaml")
        chmod("\(config)/connections.yaml", 0o600)
        opened.shared.model.refresh()
    }

    private func read(_ json: JSON, _ front: Front = Front(.auto)) async throws -> CallResult {
        let call = ChatCall(id: "c", name: "read", arguments: json)
        let request = try PlannerTools.read(call, catalogue: opened.shared.knownTools)
        let news = ConversationNews(opened.shared, in: session)
        return await PlannerCalls(opened.shared, in: session, front, news).perform(request, in: 1)
    }

    @Test func aModelThatSeesGetsThePicture() async throws {
        try connect(sees: true)
        _ = try opened.write(MaskDrawing(width: 64, height: 48).png(), to: "mask.png")
        let front = Front(.auto)
        let result = try await read(["path": "mask.png"], front)
        guard case .picture(let picture, let text) = result else { return #expect(Bool(false), "\(result)") }
        #expect(text.hasPrefix("mask.png · png, 64×48, ") && picture.name == "mask.png")
        #expect((picture.width, picture.height, picture.mime) == (64, 48, "image/png"))
        #expect(front.shown == ["read mask.png · png 64×48"])
        // The conversation alone keeps it.
        let store = try opened.shared.toolbox.get().store
        #expect(store.size(of: .of(picture.bytes)) == nil)
        // A content that others use stays.
        _ = try store.add(picture.bytes)
        #expect(try await read(["path": "mask.png"]) == result && store.size(of: .of(picture.bytes)) != nil)
    }

    /// A look about which the user was asked is a workflow.
    @Test func aLookThatWasAllowedGivesThePictureToo() async throws {
        try connect(sees: true)
        _ = try opened.write(MaskDrawing(width: 64, height: 48).png(), to: "mask.png")
        let id = try await opened.ran([("look", "ReadLines", ["path": "mask.png", "picture": true])])
        let followed = Followed(outcome: .succeeded, failures: [], outputs: [])
        let report = CommandReport(records: WorkflowRecords(opened.shared), id: id, followed: followed)
        guard case .picture(let picture, _) = try report.result() else { return #expect(Bool(false)) }
        #expect(picture.width == 64)
    }

    @Test func aModelThatDoesNotSeeGetsWords() async throws {
        try connect(sees: false)
        _ = try opened.write(MaskDrawing(width: 64, height: 48).png(), to: "mask.png")
        let front = Front(.auto)
        let result = try await read(["path": "mask.png"], front)
        guard case .report(let text, nil) = result else { return #expect(Bool(false), "\(result)") }
        #expect(text.hasPrefix("mask.png · PNG picture · 64×48 · "))
        #expect(text.hasSuffix("\nThis model cannot see pictures.\n"), "\(text)")
        #expect(front.shown.count == 1 && front.shown[0].hasPrefix("read mask.png · PNG picture · 64×48"))
    }

    @Test(arguments: [true, false]) func aResultIsSeenToo(sees: Bool) async throws {
        try connect(sees: sees)
        _ = try opened.write(MaskDrawing(width: 64, height: 48).png(), to: "mask.png")
        let id = try await opened.ran([("load", "ImageLoader", ["path": "mask.png"])])
        let front = Front(.auto)
        let result = try await read(["path": .string("\(id).1.image")], front)
        switch result {
        case .picture(let picture, _): #expect(sees && picture.width == 64)
        case .report(let text, _): #expect(!sees && text.hasSuffix("\nThis model cannot see pictures.\n"))
        default: #expect(Bool(false), "\(result)")
        }
        #expect(front.shown.count == 1 && front.shown[0].hasPrefix("read \(id).1.image · "), "\(front.shown)")
    }

    @Test func filesOfKeysAndPrivateResultsAreNotSeen() async throws {
        try connect(sees: true)
        _ = try opened.write(MaskDrawing(width: 64, height: 48).png(), to: "id_rsa")
        guard case .failed(let failure) = try await read(["path": "id_rsa"]) else { return #expect(Bool(false)) }
        #expect(failure.code == "secretFile")
        _ = try opened.write(MaskDrawing(width: 8, height: 48).png(), to: "mask.png")
        let id = try await opened.ran([("load", "ImageLoader", ["path": "mask.png"])])
        let asset = try #require(try WorkflowRecords(opened.shared).assets(id).first)
        try opened.shared.toolbox.get().store.markPrivate([asset])
        guard case .failed(let hidden) = try await read(["path": .string("\(id).1.image")]) else {
            return #expect(Bool(false))
        }
        #expect(hidden.code == "unknownOutput")
    }
}
