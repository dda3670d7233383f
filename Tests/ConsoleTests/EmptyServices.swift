import Actions
import Terminal
import Vocabulary

@testable import Console

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

/// Guides, of which there are none.
struct NoGuides: Guides {
    func list() -> [GuideEntry] { [] }
    func text(of name: String) throws(Failure) -> (text: String, file: String) { throw Self.none }
    func read(_ text: String, file: String) -> (guide: Guide?, problems: [Problem]) { (nil, []) }
    func answers(in file: String, to guide: Guide) throws(Failure) -> AnswersFile { throw Self.none }
    func template(of guide: Guide, text: String, file: String) -> Template { Template(name: guide.title, nodes: []) }
    func take(_ content: AnswerContent, for port: Port, of record: AwaitRecord) async -> Result<Asset, Failure> {
        .failure(Self.none)
    }
    func figures(of picture: Asset) async -> Result<PictureFigures, Failure> { .failure(Self.none) }
    func code(in picture: Asset) async -> Result<String, Failure> { .failure(Self.none) }
    var today: String { "" }
    var camera: String { "" }
    func photograph() async -> Result<AnswerContent, Failure> { .failure(Self.none) }
    func clipboard() async -> Result<AnswerContent, Failure> { .failure(Self.none) }
    func speak(_ text: String) async {}
    func refusals(of record: AwaitRecord) throws(Failure) -> (count: Int, last: Refusal?) { (0, nil) }
    func refuse(_ record: AwaitRecord, _ refusal: Refusal) throws(Failure) -> Int { 1 }
    func noteTaken(_ record: AwaitRecord, why: String) {}
    func annotate(_ step: StepID, part: String?, _ text: String) throws(Failure) { throw Self.none }
    func complete(_ record: AwaitRecord, _ completion: Completion) throws(Failure) -> AnswerOutcome {
        throw Self.none
    }
    func answering(from file: String) -> any Guides { self }
    func package(of record: GuideRecord, text: String) async throws(Failure) -> MadePackage { throw Self.none }

    private static let none = Failure(.unknownGuide, "There are no guides here.")
}
