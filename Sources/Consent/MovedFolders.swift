import Vocabulary

/// Folders that a rehearsed command renamed or moved, without loss of their content.
extension Call {
    /// Returns the deletions and the creations of moved folders. Each old folder needs a new folder of its own, at a
    /// place where nothing was, with the same names, contents and permissions.
    func movedFolders(in surroundings: Surroundings) -> (gone: Set<Target>, come: Set<Target>) {
        guard case .done = rehearsal else { return ([], []) }
        // Folders cannot be compared if two of the names are equal in Unicode.
        guard Set(targets.compactMap(\.place.path)).count == targets.count else { return ([], []) }
        let old = Tree(targets.filter { $0.effect == .deletes })
        let new = Tree(targets.filter { $0.effect == .creates && $0.before == .absent })
        var free: [[[UInt8]: Change]: [String]] = [:]
        for folder in new.folders.reversed() { free[new.content(of: folder), default: []].append(folder) }
        var (gone, come): (Set<Target>, Set<Target>) = ([], [])
        for folder in old.folders where !old.isInFolder(folder) {
            guard let place = free[old.content(of: folder)]?.popLast() else { continue }
            let (left, arrived) = (old.targets(of: folder), new.targets(of: place))
            // Targets that may hold keys, or that are not in the workspace alone, always need a question.
            guard come.isDisjoint(with: arrived),
                (left + arrived).allSatisfy({ !$0.isPrivate && surroundings.reach(of: $0) == .workspace })
            else { continue }
            gone.formUnion(left)
            come.formUnion(arrived)
        }
        return (gone, come)
    }

    /// The targets by path. A folder that is reported as one change is not in `folders`, since the names in it are not
    /// known.
    private struct Tree {
        private let all: [String: Target]
        /// The paths in the order of their bytes, so that the content of a folder follows it.
        private let paths: [String]
        let folders: [String]

        init(_ targets: [Target]) {
            all = Dictionary(targets.compactMap { target in target.place.path.map { ($0, target) } }) { $1 }
            paths = all.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            folders = paths.filter { [all] path in
                all[path]?.change.map { $0.kind == .folder && $0.entries == 1 } ?? false
            }
        }

        func isInFolder(_ path: String) -> Bool {
            // By bytes: a slash and an accent that follows it are one character.
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
            return all[String(path[..<slash])]?.change?.kind == .folder
        }

        /// Returns a folder and all paths below it. They lie between `a/` and `a0`, the next prefix after the slash.
        private func inside(_ folder: String) -> [String] {
            [folder] + paths[place(of: folder + "/")..<place(of: folder + "0")]
        }

        /// Returns the index of the first path that is not before this one.
        private func place(of path: String) -> Int {
            var (low, high) = (0, paths.count)
            while low < high {
                let middle = (low + high) / 2
                if paths[middle].utf8.lexicographicallyPrecedes(path.utf8) { low = middle + 1 } else { high = middle }
            }
            return low
        }

        func targets(of folder: String) -> [Target] { inside(folder).compactMap { all[$0] } }

        /// Returns the changes in a folder by their paths relative to it. A folder that is reported as one change is
        /// represented by its hash.
        func content(of folder: String) -> [[UInt8]: Change] {
            let names = inside(folder).map { path in
                (Array(path.utf8.dropFirst(folder.utf8.count)), all[path]!.change?.afterMove ?? Change(kind: .file))
            }
            return Dictionary(names) { $1 }
        }
    }
}

extension Call.Change {
    /// The properties that stay the same if an entry is renamed.
    var afterMove: Call.Change {
        Call.Change(
            kind: kind, mode: mode ?? modeBefore, bytes: bytes, hash: hash, attributes: attributes, entries: entries)
    }
}
