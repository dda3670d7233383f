import Files
import Vocabulary

/// A workspace that was renamed or moved after its records were made.
struct MovedWorkspace {
    /// The path that it had.
    var from: String
    /// The real path that it has now.
    var to: String

    /// Returns the present path of a file of the workspace. Another path stays.
    fileprivate func present(_ path: String) -> String {
        path.path(below: from).map { $0.isEmpty ? to : to.child($0) } ?? path
    }
}

extension ChangeRecord {
    /// Returns the record with the paths that its files have after a move of the workspace. It is not known on which
    /// disk they lie now.
    func moved(_ move: MovedWorkspace) -> ChangeRecord {
        guard workspace.isSameName(as: move.from) else { return self }
        var moved = self
        moved.workspace = move.to
        for index in moved.changes.indices {
            moved.changes[index].path = move.present(changes[index].path)
            moved.changes[index].source = changes[index].source.map(move.present)
            (moved.changes[index].place, moved.changes[index].sourcePlace) = (nil, nil)
        }
        return moved
    }
}
