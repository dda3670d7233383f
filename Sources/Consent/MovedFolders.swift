import Vocabulary

/// Folders that a rehearsed command gave another name: nothing that lay in them is lost.
extension Call {
    /// The deletions and the creations that belong to them. Each folder has a new one for itself, where nothing was,
    /// with the same names in it, and for each the same content and permissions.
    func movedFolders(in surroundings: Surroundings) -> (gone: Set<Target>, come: Set<Target>) {
        guard case .done = rehearsal else { return ([], []) }
        // Where two names are one to Unicode, nothing can be told by them.
        guard Set(targets.compactMap(\.place.path)).count == targets.count else { return ([], []) }
        let old = Tree(targets.filter { $0.effect == .deletes })
        let new = Tree(targets.filter { $0.effect == .creates && $0.before == .absent })
        var free: [[[UInt8]: Change]: [String]] = [:]
        for folder in new.folders.reversed() { free[new.content(of: folder), default: []].append(folder) }
        var (gone, come): (Set<Target>, Set<Target>) = ([], [])
        for folder in old.folders where !old.isInFolder(folder) {
            guard let place = free[old.content(of: folder)]?.popLast() else { continue }
            let (left, arrived) = (old.targets(of: folder), new.targets(of: place))
            // What may hold keys, or is not the workspace's alone, is asked about wherever it goes.
            guard come.isDisjoint(with: arrived),
                (left + arrived).allSatisfy({ !$0.isPrivate && surroundings.reach(of: $0) == .workspace })
            else { continue }
            gone.formUnion(left)
            come.formUnion(arrived)
        }
        return (gone, come)
    }

    /// Targets by path. A folder that is told in one is none of its folders: what lies in it is not told by name.
    private struct Tree {
        private let all: [String: Target]
        /// In the order of names, so that what lies in a folder follows it.
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

        /// The folder, and all that lies in it: between `a/` and `a0`, which follows the slash.
        private func inside(_ folder: String) -> [String] {
            [folder] + paths[place(of: folder + "/")..<place(of: folder + "0")]
        }

        /// The first that is not before this one.
        private func place(of path: String) -> Int {
            var (low, high) = (0, paths.count)
            while low < high {
                let middle = (low + high) / 2
                if paths[middle].utf8.lexicographicallyPrecedes(path.utf8) { low = middle + 1 } else { high = middle }
            }
            return low
        }

        func targets(of folder: String) -> [Target] { inside(folder).compactMap { all[$0] } }

        /// By what follows the folder's own path; a folder told in one stands for itself only by its sum.
        func content(of folder: String) -> [[UInt8]: Change] {
            let names = inside(folder).map { path in
                (Array(path.utf8.dropFirst(folder.utf8.count)), all[path]!.change?.afterMove ?? Change(kind: .file))
            }
            return Dictionary(names) { $1 }
        }
    }
}

extension Call.Change {
    /// What stays the same when something gets another name.
    var afterMove: Call.Change {
        Call.Change(
            kind: kind, mode: mode ?? modeBefore, bytes: bytes, hash: hash, attributes: attributes, entries: entries)
    }
}
