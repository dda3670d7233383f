import Sandbox
import Vocabulary

/// The paths in an index of git, by their bytes (`gitformat-index`, versions 2 to 4).
struct GitIndex {
    /// An entry, apart from what git remembers of the file.
    struct Entry: Hashable {
        /// The mode, such as `0o100644`.
        var mode: Int
        /// The name of the content, as hexadecimal digits.
        var id: String
        /// The stage, and the marks of a person: assume unchanged, skip in the work tree, intent to add.
        var marks: Int
    }

    /// The entries by path and stage, if they were asked for.
    private(set) var entries: [Key: Entry] = [:]

    /// The extensions by their names, if the entries were asked for, without those that only speed up reading.
    private(set) var extensions: [String: [UInt8]] = [:]

    /// The file without its extensions, since one of them may name other trees than the entries do.
    private(set) var bare: [UInt8] = []

    struct Key: Hashable {
        var path: [UInt8]
        var stage: Int
    }

    private(set) var paths: Set<[UInt8]> = []
    /// The name of the file with the shared part of a split index, or `nil`.
    private(set) var shared: String?
    /// The entries for which git looked at a stand-in, so that the index describes an empty file (`StandIns.moment`).
    /// An entry of a split index that replaces another has no name.
    private(set) var standIns: [[UInt8]] = []
    private let keepsEntries: Bool
    /// Whether some entries are folders that are not written out (a sparse index).
    private var isSparse = false

    /// Whether a file begins like an index, in any version.
    static func begins(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: Array("DIRC".utf8)) }

    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - keepsEntries: whether `entries` is filled.
    /// - Returns: `nil` if it is not an index, or has an unknown version.
    init?(_ bytes: [UInt8], keepsEntries: Bool = false) {
        self.keepsEntries = keepsEntries
        // Object IDs have 20 bytes, or 32 in a repository of SHA-256. With a wrong guess, an invalid mode is found.
        for width in [20, 32] where read(bytes, idBytes: width) { return }
        return nil
    }

    /// Returns whether a file has an entry, or lies in a folder that stands for its entries.
    func holds(_ path: String) -> Bool { holds(Array(path.utf8)[...]) }

    private func holds(_ path: ArraySlice<UInt8>) -> Bool {
        if paths.contains(Array(path)) { return true }
        guard isSparse else { return false }
        return path.indices.contains { path[$0] == Self.slash && paths.contains(Array(path[...$0])) }
    }

    /// Returns whether any file in a folder has an entry.
    func holdsAny(below folder: String) -> Bool { holdsAny(below: Array("\(folder)/".utf8)[...]) }

    private func holdsAny(below start: ArraySlice<UInt8>) -> Bool {
        holds(start) || paths.contains { $0.starts(with: start) }
    }

    /// Returns the entries with one of these names, or in a folder with one.
    func entries(named names: Set<[UInt8]>) -> [[UInt8]] {
        paths.filter { path in path.split(separator: Self.slash).contains { names.contains(Array($0)) } }
    }

    /// Returns whether a path has an entry in any work tree, below the workspace or above it.
    ///
    /// - Parameter entries: the entries with the last name of the path (`entries(named:)`).
    func holdsSomewhere(_ path: String, isFolder: Bool, among entries: [[UInt8]]) -> Bool {
        let path = Array((isFolder ? "\(path)/" : path).utf8)
        let starts = [path.startIndex] + path.indices.dropLast().filter { path[$0] == Self.slash }.map { $0 + 1 }
        if starts.contains(where: { holds(path[$0...]) }) { return true }
        return entries.contains { entry in
            if isFolder, starts.contains(where: { entry.starts(with: path[$0...]) }) { return true }
            let inner = [Self.slash] + path
            return isFolder
                ? entry.holds(inner) : entry.count > path.count && entry.suffix(inner.count).elementsEqual(inner)
        }
    }

    private static let slash = UInt8(ascii: "/")

    private static let modes: Set<Int> = [0o100644, 0o100755, 0o100664, 0o120000, 0o160000, 0o40000]

    private mutating func read(_ bytes: [UInt8], idBytes: Int) -> Bool {
        func number(_ at: Int, _ count: Int) -> Int { bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) } }
        (paths, shared, standIns, isSparse, entries) = ([], nil, [], false, [:])
        (trees, extensions) = ([:], [:])
        guard bytes.count >= 12 + idBytes, Self.begins(bytes), 2...4 ~= number(4, 4) else { return false }
        let (version, count, end) = (number(4, 4), number(8, 4), bytes.count - idBytes)
        var (at, last) = (12, [UInt8]())
        for _ in 0..<count {
            let begin = at
            at += 40 + idBytes + 2
            guard at <= end, Self.modes.contains(number(begin + 24, 4)) else { return false }
            let flags = number(at - 2, 2)
            var moreFlags = 0
            if flags & 0x4000 != 0 {
                guard version > 2, at + 2 <= end else { return false }
                moreFlags = number(at, 2)
                at += 2
            }
            var kept = 0
            if version == 4 {
                guard let dropped = Self.variable(bytes, &at, end), dropped <= last.count else { return false }
                kept = last.count - dropped
            }
            guard at < end, let stop = bytes[at..<end].firstIndex(of: 0) else { return false }
            last = Array(last.prefix(kept)) + bytes[at..<stop]
            at = stop + 1
            // Older versions fill up to eight bytes.
            if version < 4 { at = begin + (stop - begin + 8) / 8 * 8 }
            guard at <= end else { return false }
            // In a split index, the entries that replace others have no name.
            if !last.isEmpty { paths.insert(last) }
            if keepsEntries {
                let stage = flags >> 12 & 3
                entries[Key(path: last, stage: stage)] = Entry(
                    mode: number(begin + 24, 4), id: bytes[begin + 40..<begin + 40 + idBytes].hexDigits,
                    marks: flags & 0x8000 | moreFlags & 0x6000)
            }
            if number(begin + 24, 4) == 0o40000 { isSparse = true }
            if number(begin + 36, 4) == 0, Self.isOfStandIn(number(begin + 8, 4), number(begin + 12, 4)) {
                standIns.append(last)
            }
        }
        if keepsEntries { bare = Array(bytes[..<at]) + bytes[end...] }
        return readExtensions(bytes[at..<end], idBytes)
    }

    private static let quickening = ["EOIE", "IEOT", "TREE"].map { Array($0.utf8) }

    /// The trees that git takes from the index without looking at the entries (`gitformat-index`, "Cache tree"), by
    /// their paths. It is `nil` if they cannot be read.
    private(set) var trees: [[UInt8]: String]? = [:]

    private static func isOfStandIn(_ seconds: Int, _ nanoseconds: Int) -> Bool {
        let moment = StandIns.moment.quotientAndRemainder(dividingBy: 1_000_000_000)
        // A git that was built without nanoseconds stores 0.
        return seconds == moment.quotient && [0, Int(moment.remainder)].contains(nanoseconds)
    }

    /// Reads the extensions after the entries. Returns false if one is cut.
    private mutating func readExtensions(_ bytes: ArraySlice<UInt8>, _ idBytes: Int) -> Bool {
        var rest = bytes
        while rest.count >= 8 {
            let name = Array(rest.prefix(4))
            let size = rest.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 8 + size else { return false }
            let content = rest.dropFirst(8).prefix(size)
            if name == Array("link".utf8), size >= idBytes {
                shared = "sharedindex." + content.prefix(idBytes).hexDigits
            }
            if keepsEntries { keep(name, content, idBytes) }
            rest = rest.dropFirst(8 + size)
        }
        return true
    }

    private mutating func keep(_ name: [UInt8], _ content: ArraySlice<UInt8>, _ idBytes: Int) {
        if name.elementsEqual("TREE".utf8) {
            var (rest, trees) = (content, [[UInt8]: String]())
            self.trees = Self.readTrees(&rest, [], idBytes, 0, &trees) ? trees : nil
        } else if !Self.quickening.contains(name) {
            extensions[String(decoding: name, as: UTF8.self)] = Array(content)
        }
    }

    /// Reads the trees below a path. Returns false if they cannot be read.
    private static func readTrees(
        _ bytes: inout ArraySlice<UInt8>, _ path: [UInt8], _ idBytes: Int, _ depth: Int,
        _ trees: inout [[UInt8]: String]
    ) -> Bool {
        guard depth < 1000, let end = bytes.firstIndex(of: 0) else { return false }
        let name = Array(bytes[..<end])
        bytes = bytes[(end + 1)...]
        guard let line = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        let counts = String(decoding: bytes[..<line], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        bytes = bytes[(line + 1)...]
        guard counts.count == 2 else { return false }
        let whole = depth == 0 ? name : path + (path.isEmpty ? [] : [Self.slash]) + name
        if counts[0] >= 0 {
            guard bytes.count >= idBytes else { return false }
            trees[whole] = bytes.prefix(idBytes).hexDigits
            bytes = bytes.dropFirst(idBytes)
        }
        for _ in 0..<max(0, counts[1]) {
            guard readTrees(&bytes, whole, idBytes, depth + 1, &trees) else { return false }
        }
        return true
    }

    /// Reads a number of variable length, as git writes offsets.
    private static func variable(_ bytes: [UInt8], _ at: inout Int, _ end: Int) -> Int? {
        var value = 0
        for place in 0..<5 {
            guard at < end else { return nil }
            let byte = bytes[at]
            at += 1
            if place > 0 { value += 1 }
            value = value << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}

extension [UInt8] {
    /// Returns whether other bytes occur in these.
    fileprivate func holds(_ inner: [UInt8]) -> Bool {
        count >= inner.count && (0...count - inner.count).contains { self[$0...].starts(with: inner) }
    }
}
