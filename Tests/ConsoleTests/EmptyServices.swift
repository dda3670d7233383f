import Actions
import Terminal
import Vocabulary

@testable import Console
@testable import Services

/// A viewer that sees nothing.
struct NoViewing: Viewing {
    private var missing: Failure { Failure(.unknownFile, "There is nothing to see.") }

    func newest(in session: SessionID?) throws(Failure) -> WorkflowID? { nil }
    func assets(named name: AssetName) throws(Failure) -> [Asset] { [] }
    func content(of asset: Asset) throws(Failure) -> ViewedContent { throw missing }
    func content(at path: String) throws(Failure) -> ViewedContent { throw missing }
    func open(_ content: ViewedContent) throws(Failure) -> any ByteSource { throw missing }
    func tree(of content: ViewedContent) async throws(Failure) -> ViewedTree { throw missing }
    var pictureProtocol: PictureProtocol? { nil }
    func picture(of content: ViewedContent, page: Int?, by form: PictureProtocol, in room: PictureRoom)
        async throws(Failure)
        -> TerminalPicture
    { throw missing }
    var thumbnailProtocol: PictureProtocol? { nil }
    func thumbnail(of hash: ContentHash, by form: PictureProtocol, in room: PictureRoom) async -> TerminalPicture? {
        nil
    }
    func picture(of mask: MaskDrawing, over hash: ContentHash, by form: PictureProtocol, in room: PictureRoom)
        async throws(Failure)
        -> TerminalPicture
    { throw missing }
    func isPrivate(_ hash: ContentHash) -> Bool { true }
    func pages(of content: ViewedContent) async throws(Failure) -> Int { throw missing }
    func withoutKeys(_ text: String) -> String { text }
    func page(_ text: any PagedText, at terminal: Int32) -> Bool { false }
    func save(
        _ content: ViewedContent, to path: String, replaces: Bool, _ start: WorkflowStart
    ) async throws(Failure) -> (path: String, workflow: WorkflowID) { throw missing }
    func program(_ line: String) -> (@Sendable (String, Int32) -> Int32?)? { nil }
    var hasClipboard: Bool { false }
}

/// A workspace that no test opens: its parts would be made at their first use.
let unopened = OpenWorkspace(
    folders: Folders(config: "/dev/null/config", data: "/dev/null/data", cache: "/dev/null/cache"),
    workspace: "/dev/null", surroundings: NoEngine())

private struct NoEngine: EngineSurroundings {
    func world(of life: EngineLife, in workspace: OpenWorkspace) throws(Failure) -> EngineWorld {
        throw Failure(.badUsage, "There is no engine.")
    }
}
