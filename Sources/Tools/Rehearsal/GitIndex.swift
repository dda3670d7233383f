import Vocabulary

/// The paths in an index of git, by their bytes (`gitformat-index`, versions 2 to 4).
struct GitIndex {
    private(set) var paths: Set<[UInt8]> = []
    /// The name of the file that holds the rest of a split index.
    private(set) var shared: String?

    /// - Parameter bytes: a whole file.
    /// - Returns: `nil` if it is none, or of a version that is not known here.
    init?(_ bytes: [UInt8]) {
        // Ids of objects have 20 bytes, or 32 in a repository of SHA-256. A wrong guess meets a mode that is none.
        for width in [20, 32] where read(bytes, idBytes: width) { return }
        return nil
    }

    func holds(_ path: String) -> Bool { paths.contains(Array(path.utf8)) }

    func holdsAny(below folder: String) -> Bool {
        let start = Array("\(folder)/".utf8)
        return paths.contains { $0.starts(with: start) }
    }

    private static let modes: Set<Int> = [0o100644, 0o100755, 0o100664, 0o120000, 0o160000, 0o40000]

    private mutating func read(_ bytes: [UInt8], idBytes: Int) -> Bool {
        func number(_ at: Int, _ count: Int) -> Int { bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) } }
        (paths, shared) = ([], nil)
        guard bytes.count >= 12 + idBytes, bytes.starts(with: Array("DIRC".utf8)), 2...4 ~= number(4, 4) else { return false }
        let (version, count, end) = (number(4, 4), number(8, 4), bytes.count - idBytes)
        var (at, last) = (12, [UInt8]())
        for _ in 0..<count {
            let begin = at
            at += 40 + idBytes + 2
            guard at <= end, Self.modes.contains(number(begin + 24, 4)) else { return false }
            if number(at - 2, 2) & 0x4000 != 0 {
                guard version > 2 else { return false }
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
        }
        while at + 8 <= end {
            let (name, size) = (bytes[at..<at + 4], number(at + 4, 4))
            guard at + 8 + size <= end else { return false }
            if name.elementsEqual("link".utf8), size >= idBytes {
                shared = "sharedindex." + bytes[at + 8..<at + 8 + idBytes].hexDigits
            }
            at += 8 + size
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
