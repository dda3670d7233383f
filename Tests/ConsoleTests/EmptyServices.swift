import Actions
import Vocabulary

@testable import Services

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
