import Actions
@testable import Services
import Terminal
import Vocabulary

@testable import Console
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

/// A workspace that no test opens: its parts would be made at their first use.
let unopened = OpenWorkspace(
    folders: Folders(config: "/dev/null/config", data: "/dev/null/data", cache: "/dev/null/cache"),
    workspace: "/dev/null", surroundings: NoEngine())

private struct NoEngine: EngineSurroundings {
    func world(of life: EngineLife, in workspace: OpenWorkspace) throws(Failure) -> EngineWorld {
        throw Failure(.badUsage, "There is no engine.")
    }
}
