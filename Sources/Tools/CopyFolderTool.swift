import Files
import Glibc
import JSON
import Vocabulary

/// The tool that copies a folder with all in it under a new name.
struct CopyFolderTool {
    let context: Builtin.Context
    let cancel: Cancellation

    func copy() throws(Failure) -> [Asset] {
        let targets = context.call.targets
        guard let from = targets.first?.path, let made = targets.first(where: { $0.effect == .creates }),
            let to = made.path
        else { throw Failure(.badCall, "The call names no two folders.") }
        let files = try context.files()
        let source = try files.folder(from)
        let tree = try FolderTree(source, from, for: .copy, own: context.paths().own)
        guard tree.hash == targets[0].change?.hash else { throw targetChanged(from) }
        var filling = Filling(source: source, tree: tree, cancel: cancel)
        try NewFolder(context: context).make(at: to, made.before, &filling)
        let left = filling.losses.map { losses in
            LeftOut(
                .traits, why: "\(losses.words) of \(counted(filling.lossCount, "file or folder", "files and folders"))")
        }
        return try outputs(of: tree, at: to).map { $0.leavingOut([left].compactMap(\.self)) }
    }

    /// Returns the outputs of an attempt that was interrupted after the folder had its name.
    func copied(to path: String) throws(Failure) -> [Asset] {
        let files = try context.files()
        return try outputs(of: FolderTree(files.folder(path), path, for: .move, own: context.paths().own), at: path)
    }

    private func outputs(of tree: FolderTree, at path: String) throws(Failure) -> [Asset] {
        let folder = try path.path(below: context.paths().workspace) ?? path
        let files = tree.entries.filter { $0.kind != .folder }
        let told = files.map { JSON.of(["name": .string("\(folder)/\($0.path)"), "bytes": .int($0.bytes)]) }
        let json = JSON.of(["folder": .string(path), "files": .array(told), "bytes": .int(tree.bytes)])
        return try context.told(json, files.map { "\(folder)/\($0.path)\n" }.joined(), of: lastName(of: path), "files")
    }

    private func counted(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    /// The files of the folder, on their way into its copy.
    private struct Filling: NewFolder.Filling, ~Copyable {
        let source: OpenFolder
        let tree: FolderTree
        let cancel: Cancellation
        private(set) var losses: Set<FileTraits.Loss>?
        private(set) var lossCount = 0
        /// The copy of a folder that only its owner sees can be seen by no other user before it is complete.
        var mode: mode_t { 0o700 }

        init(source: consuming OpenFolder, tree: FolderTree, cancel: Cancellation) {
            self.source = source
            self.tree = tree
            self.cancel = cancel
        }

        mutating func fill(_ made: borrowing OpenFolder) throws(Failure) -> [(path: String, state: FileState)] {
            var copy = TreeCopy(tree.entries, keeping: .everything, cancel: cancel)
            let states = try copy.copy(from: source, to: made)
            let new = OpenFile(adopting: try made.open(".", O_RDONLY | O_DIRECTORY))
            let own = try new.takeAll(of: OpenFile(adopting: source.open(".", O_RDONLY | O_DIRECTORY)))
            let all = copy.losses.union(own)
            losses = all.isEmpty ? nil : all
            lossCount = copy.lossCount + (own.isEmpty ? 0 : 1)
            return zip(tree.entries.map(\.path), states).map { ($0, $1) }
        }

        func takeAfter(_ old: borrowing FolderEntry, _ made: borrowing OpenFolder) throws(Failure) {
            throw targetChanged(old.path)
        }
    }
}

extension Set<FileTraits.Loss> {
    /// The losses in words: `its owner or group and its time`.
    var words: String { FileTraits.Loss.allCases.filter(contains).map(\.rawValue).joined(separator: " and ") }
}
