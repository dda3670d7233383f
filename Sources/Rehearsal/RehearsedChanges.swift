import Files
import Glibc
package import Undo
package import Vocabulary

/// The changes that an application of a rehearsal makes, as undo records them.
package struct RehearsedChanges {
    /// A real path.
    let workspace: String
    let folder: RehearsalFolder

    package init(workspace: String, folder: RehearsalFolder) {
        self.workspace = workspace
        self.folder = folder
    }

    /// Returns the changes of some steps that have not been applied. New entries are read from the overlay, and deleted
    /// or replaced ones from the workspace.
    package func changes(_ steps: [ApplyStep]) throws(Failure) -> [FileChange] {
        let upper = try OpenFolder(folder.upper)
        let lower = try OpenFolder(workspace)
        var changes: [FileChange] = []
        for step in steps {
            let path = step.path
            let above = relativeParent(of: path)
            let name = lastName(of: path)
            switch step {
            case .bringIn: try comes(path, name, upper.folder(above), 0, &changes)
            case .takeOut: try goes(path, name, lower.folder(above), folder.kept, 0, &changes)
            case .swap:
                let old = try lower.folder(above)
                let new = try upper.folder(above)
                let (before, after) = (try FileState.of(name, in: old), try FileState.of(name, in: new))
                if before.isFolder || after.isFolder {
                    try goes(path, name, old, folder.upper, 0, &changes)
                    try comes(path, name, new, 0, &changes)
                } else {
                    changes.append(
                        FileChange(
                            workspace.child(path), from: before, to: after, kept: kept(before, path, folder.upper)))
                }
            case .set(_, _, let to, _):
                let before = try FileState.of(name, in: lower.folder(above))
                changes.append(FileChange(workspace.child(path), from: before, to: before.with(to)))
            }
        }
        return changes
    }

    private func kept(_ state: FileState, _ path: String, _ place: String) -> String? {
        if case .file = state { "\(place)/\(path)" } else { nil }
    }

    /// Adds the changes for a new entry: a folder first, then its content.
    private func comes(
        _ path: String, _ name: String, _ folder: borrowing OpenFolder, _ depth: Int, _ changes: inout [FileChange]
    ) throws(Failure) {
        let state = try FileState.of(name, in: folder)
        changes.append(FileChange(workspace.child(path), from: .absent, to: state))
        guard state.isFolder, depth < Limits.rehearsedDepth else { return }
        let inner = try folder.folder(name)
        for each in try inner.names() { try comes("\(path)/\(each)", each, inner, depth + 1, &changes) }
    }

    /// Adds the changes for a deleted entry: the content of a folder first, then the folder.
    private func goes(
        _ path: String, _ name: String, _ folder: borrowing OpenFolder, _ place: String, _ depth: Int,
        _ changes: inout [FileChange]
    ) throws(Failure) {
        let state = try FileState.of(name, in: folder)
        if state.isFolder, depth < Limits.rehearsedDepth {
            let inner = try folder.folder(name)
            for each in try inner.names() { try goes("\(path)/\(each)", each, inner, place, depth + 1, &changes) }
        }
        changes.append(FileChange(workspace.child(path), from: state, to: .absent, kept: kept(state, path, place)))
    }
}

extension FileState {
    /// Returns the same state with other permissions, and with another time if one is set.
    func with(_ settings: ApplyStep.Settings) -> FileState {
        switch self {
        case .file(var content):
            content.mode = settings.mode
            content.modified = settings.modified ?? content.modified
            return .file(content)
        case .link(let target, let modified): return .link(to: target, modified: settings.modified ?? modified)
        case .folder: return .folder(mode: settings.mode)
        case .absent, .special: return self
        }
    }
}
