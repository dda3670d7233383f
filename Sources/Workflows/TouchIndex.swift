/// The steps that touched files so far, by path. A search costs time in proportion to the length of a path and to what
/// it finds.
struct TouchIndex {
    /// The earlier steps that are in conflict with a step.
    struct Found {
        /// The steps that changed something that the step touches.
        var steps: Set<Int> = []
        /// The steps that read something that the step changes.
        var readers: Set<Int> = []
        /// The steps that may take the same free name.
        var clashes: Set<Int> = []
    }

    /// The touches of one path since a step that touches everything.
    private struct Entry {
        /// The last step that changed the path itself.
        var change: Int?
        /// The steps that read the path itself since then. A reader that a later reader stands after is left out.
        var readers: [Int] = []
        /// How many of `changesBelow` the last reader stands after, from the first.
        var seen = 0
        /// How often the path was changed. Entries of folders above know by it which readers are still of interest.
        var changes = 0
        /// The paths below this folder that were changed or read, each with its step.
        var changesBelow: [(path: String?, step: Int)] = []
        var readersBelow: [(path: String, changes: Int, step: Int)] = []
        /// The steps that save under a free name that begins with this text.
        var savers: [Int] = []
        /// The steps that touch a file whose name has such a form.
        var numbered: [Int] = []

        /// Records a change below this folder. It stands after all readers of the folder, and so after what they stand
        /// after.
        mutating func changeBelow(_ path: String?, _ step: Int) {
            if !readers.isEmpty {
                changesBelow.removeFirst(seen)
                seen = 0
            }
            changesBelow.append((path, step))
        }

        /// Records a reader. It stands after all changes below, and so after the readers before the last change.
        mutating func read(_ step: Int) {
            if changesBelow.count > seen { readers = [] }
            readers.append(step)
            seen = changesBelow.count
        }
    }

    private var entries: [String: Entry] = [:]
    private var barrier: Int?
    private var changed: [Int] = []
    private var read: [Int] = []

    /// Adds the steps that are in conflict with a touch.
    func find(_ touch: FileTouch, _ found: inout Found) {
        if let barrier { found.steps.insert(barrier) }
        switch touch {
        case .everything:
            found.steps.formUnion(changed)
            found.readers.formUnion(read)
        case .path(let path, let isChange, let exists):
            findAbove(path, isChange: isChange, &found)
            if let entry = entries[path] { findBelow(entry, isChange: isChange, &found) }
            let own = entries[path]
            for key in Self.keys(ofNumbered: path) {
                guard let savers = entries[key]?.savers, !savers.isEmpty else { continue }
                if !exists, own?.change == nil {
                    found.steps.formUnion(savers)
                } else if isChange {
                    found.clashes.formUnion(savers)
                }
            }
        case .freeName(let folder, let name):
            findAbove(folder, isChange: true, &found)
            if let entry = entries[folder] {
                found.readers.formUnion(entry.readers)
                if let change = entry.change { found.steps.insert(change) }
            }
            for key in Self.keys(ofSaver: folder, name) { found.clashes.formUnion(entries[key]?.numbered ?? []) }
            found.clashes.formUnion(entries[Self.numberKey(folder, name)]?.savers ?? [])
        }
    }

    private func findAbove(_ path: String, isChange: Bool, _ found: inout Found) {
        for folder in Self.folders(above: path) {
            guard let entry = entries[folder] else { continue }
            if let change = entry.change { found.steps.insert(change) }
            if isChange { found.readers.formUnion(entry.readers) }
        }
    }

    private func findBelow(_ entry: Entry, isChange: Bool, _ found: inout Found) {
        if let change = entry.change { found.steps.insert(change) }
        if isChange { found.readers.formUnion(entry.readers) }
        for below in entry.changesBelow {
            // A later change of the same path stands after this one.
            guard below.path.map({ entries[$0]?.change == below.step }) ?? true else { continue }
            found.steps.insert(below.step)
        }
        guard isChange else { return }
        for below in entry.readersBelow where entries[below.path]?.changes ?? 0 == below.changes {
            found.readers.insert(below.step)
        }
    }

    /// Records what a step touches.
    mutating func add(_ touch: FileTouch, of step: Int) {
        switch touch {
        case .everything:
            self = TouchIndex()
            barrier = step
        case .path(let path, true, _):
            changed.append(step)
            entries[path, default: Entry()].change = step
            entries[path]?.changes += 1
            entries[path]?.readers = []
            entries[path]?.changesBelow = []
            entries[path]?.readersBelow = []
            entries[path]?.seen = 0
            for folder in Self.folders(above: path) { entries[folder, default: Entry()].changeBelow(path, step) }
            for key in Self.keys(ofNumbered: path) { entries[key, default: Entry()].numbered.append(step) }
        case .path(let path, false, let exists):
            read.append(step)
            entries[path, default: Entry()].read(step)
            let changes = entries[path]?.changes ?? 0
            for folder in Self.folders(above: path) {
                entries[folder, default: Entry()].readersBelow.append((path, changes, step))
            }
            guard !exists else { return }
            for key in Self.keys(ofNumbered: path) { entries[key, default: Entry()].numbered.append(step) }
        case .freeName(let folder, let name):
            changed.append(step)
            for above in [folder] + Self.folders(above: folder) {
                entries[above, default: Entry()].changeBelow(nil, step)
            }
            for key in Set(Self.keys(ofSaver: folder, name) + [Self.numberKey(folder, name)]) {
                entries[key, default: Entry()].savers.append(step)
            }
        }
    }

    // MARK: Keys

    /// Returns the folders above an absolute path, the root last.
    private static func folders(above path: String) -> [String] {
        var folders: [String] = []
        var rest = path[...]
        while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
            rest = rest[..<slash]
            folders.append(rest.isEmpty ? "/" : String(rest))
        }
        return path == "/" ? [] : folders
    }

    /// The most parts of a name that are tried.
    private static let mostParts = 16

    /// Returns the keys of the savers that could take the name of a path, such as `a-mask-2.png`: the parts of its name
    /// before `-`, up to the number. It is empty for a name without a number.
    private static func keys(ofNumbered path: String) -> [String] {
        let (folder, name) = (path.parentPath, path.lastPathName)
        let dashes = name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: "-") && $0 > name.startIndex }
        guard let last = dashes.last(where: { hasNumber(name.utf8[$0...].dropFirst()) }) else { return [] }
        return dashes.prefix { $0 <= last }.suffix(mostParts).map { key(folder, name[..<$0]) }
    }

    /// Whether a text is a number, alone or before a suffix.
    private static func hasNumber(_ text: Substring.UTF8View) -> Bool {
        let digits = text.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return false }
        return digits.endIndex == text.endIndex || text[digits.endIndex] == UInt8(ascii: ".")
    }

    /// Returns the keys under which a saver is found by the names that it could take: its name without one suffix, and
    /// without all of them.
    private static func keys(ofSaver folder: String, _ name: String) -> [String] {
        let dots = name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: ".") && $0 > name.startIndex }
        let ends = Set([dots.first ?? name.endIndex, dots.last ?? name.endIndex])
        return ends.map { key(folder, name[..<$0]) }
    }

    /// Returns the key that two savers share if they count the same names.
    private static func numberKey(_ folder: String, _ name: String) -> String {
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        return key(folder, name[..<(dot.flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex)])
    }

    /// Returns a key that contains a NUL, as no path does.
    private static func key(_ folder: String, _ part: Substring) -> String { "\(folder)\0\(part)" }
}
