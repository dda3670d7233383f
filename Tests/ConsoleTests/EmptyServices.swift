import Actions
@testable import Services
import Terminal
import Vocabulary

@testable import Console

extension OpenWorkspace {
    /// A workspace in folders that do not exist.
    static let empty = OpenWorkspace(
        folders: Folders(config: "/nonexistent/config", data: "/nonexistent/data", cache: "/nonexistent/cache"),
        workspace: "/nonexistent", surroundings: NoEngine())
}

/// Surroundings in which no engine starts.
private struct NoEngine: EngineSurroundings {
    func world(of life: EngineLife, in workspace: OpenWorkspace) throws(Failure) -> EngineWorld {
        throw Failure(.badUsage, "There is no engine here.")
    }
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
