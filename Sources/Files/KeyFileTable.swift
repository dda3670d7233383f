import Embedded
import JSON
import Vocabulary

/// The names of files that may hold keys, as the rows of `Config/keys.yaml` list them. The first row that fits decides.
struct KeyFileTable: Sendable {
    /// The verdict of a file name about keys in the file.
    enum Verdict: Hashable, Sendable {
        /// The name is not that of a file of keys.
        case none
        /// The name is common. The content decides.
        case byContent
        case keys
    }

    /// A name in lower case, or a part of one.
    typealias Bytes = ArraySlice<UInt8>

    private struct Row<Key: Sendable>: Sendable {
        let key: Key
        let number: Int
        let verdict: Verdict
    }

    /// A pattern with `*`, or with names of folders before it.
    private struct Pattern: Sendable {
        /// The patterns of the last names of a path.
        let parts: [[UInt8]]
        /// Whether samples, sources and texts about keys do not fit.
        let isOpen: Bool
    }

    /// The rows of whole names, by name.
    private var names: [Bytes: Row<Void>] = [:]
    private var suffixes: [Row<[UInt8]>] = []
    private var patterns: [Row<Pattern>] = []
    /// The names of folders in which every name must be looked at, since a row ends with `*` alone.
    private(set) var wholeFolders: Set<[UInt8]> = []

    /// The table that ships with the program.
    static let shipped = KeyFileTable(KeyConfiguration.shipped["files"] ?? [])

    /// Reads the rows, which `readKeyForms` has checked.
    init(_ rows: JSON) {
        for (number, row) in (rows.array ?? []).enumerated() {
            let written = row["name"]?.array ?? [row["name"] ?? .null]
            let verdict: Verdict = row["content"]?.string == "keys" ? .byContent : .keys
            for name in written.compactMap(\.string) {
                add(name.split(separator: "/").map { $0.utf8.map(\.inLowerCase) }, number, verdict)
            }
        }
    }

    private mutating func add(_ parts: [[UInt8]], _ number: Int, _ verdict: Verdict) {
        guard let last = parts.last else { return }
        let isOpen = parts.contains { $0.contains(Self.star) }
        if parts.count == 1, !isOpen {
            if names[last[...]] == nil { names[last[...]] = Row(key: (), number: number, verdict: verdict) }
        } else if parts.count == 1, last.first == Self.star, !last.dropFirst().contains(Self.star) {
            suffixes.append(Row(key: Array(last.dropFirst()), number: number, verdict: verdict))
        } else {
            if last == [Self.star], let folder = parts.dropLast().last(where: { $0 != [Self.star] }) {
                wholeFolders.insert(folder)
            }
            patterns.append(Row(key: Pattern(parts: parts, isOpen: isOpen), number: number, verdict: verdict))
        }
    }

    // MARK: Names

    /// The whole names of the table.
    var wholeNames: [String] { names.keys.map { String(decoding: $0, as: UTF8.self) } }

    /// The beginnings by which a name is looked at more closely.
    var beginnings: [[UInt8]] { names.keys.map(Array.init) + lastParts.compactMap(Self.beginning) }

    /// The ends by which a name is looked at more closely.
    var ends: [[UInt8]] { suffixes.map(\.key) }

    /// The patterns of names whose beginning is open.
    var openNames: [[UInt8]] { lastParts.filter { Self.beginning(of: $0) == nil && $0 != [Self.star] } }

    private var lastParts: [[UInt8]] { patterns.compactMap { $0.key.parts.last } }

    /// Returns the signs before the first `*`, if three of them belong to a word.
    private static func beginning(of part: [UInt8]) -> [UInt8]? {
        let fixed = part.prefix { $0 != star }
        return fixed.drop { !$0.isOfName }.prefix(3).allSatisfy(\.isOfName) && fixed.drop { !$0.isOfName }.count > 2
            ? Array(fixed) : nil
    }

    /// Returns the verdict of the first row that fits.
    ///
    /// - Parameters:
    ///   - plain: the name in lower case, without the marks of a copy.
    ///   - name: the name in lower case as it is.
    ///   - folders: the names of the folders on the way to it. They are only asked for if a row has such names.
    func verdict(plain: Bytes, name: Bytes, in folders: () -> [String]) -> Verdict {
        var (number, verdict) = (Int.max, Verdict.none)
        func note(_ row: Int, _ found: Verdict) { if row < number { (number, verdict) = (row, found) } }
        if let row = names[plain] { note(row.number, row.verdict) }
        lazy var isAboutKeys = Self.isAboutKeys(plain)
        for row in suffixes where row.number < number && plain.suffix(row.key.count).elementsEqual(row.key) {
            if !isAboutKeys { note(row.number, row.verdict) }
        }
        var way: [[UInt8]]?
        for row in patterns where row.number < number {
            let parts = row.key.parts
            guard let last = parts.last, Self.fits(name, last) || Self.fits(plain, last),
                !row.key.isOpen || !isAboutKeys
            else { continue }
            guard parts.count > 1 else {
                note(row.number, row.verdict)
                continue
            }
            let names = way ?? folders().suffix(Self.mostParts).map { $0.utf8.map(\.inLowerCase) }
            way = names
            let wanted = parts.dropLast()
            guard names.count >= wanted.count else { continue }
            if zip(names.suffix(wanted.count), wanted).allSatisfy({ Self.fits($0[...], $1) }) {
                note(row.number, row.verdict)
            }
        }
        return verdict
    }

    private static let star = UInt8(ascii: "*")
    /// The most names of a pattern.
    private static let mostParts = 5
    /// The last words of names of samples, of sources, and of texts.
    private static let aboutKeys: Set<Bytes> = Set(
        """
        example sample template dist tmpl j2 go py pyi rs js mjs cjs ts tsx jsx java kt swift rb c h cc cpp hpp cs m scala ex exs \
        erl hs ml lua pl pm r jl dart vue svelte sql md rst adoc txtar html css scss tf pub crt cer csr po
        """.split(separator: " ").map { Array($0.utf8)[...] })

    private static func isAboutKeys(_ name: Bytes) -> Bool {
        name.split(whereSeparator: { !$0.isOfName }).last.map(aboutKeys.contains) ?? false
    }

    /// Whether a name fits a pattern, in which `*` stands for any signs.
    static func fits(_ name: Bytes, _ pattern: [UInt8]) -> Bool {
        var (place, index) = (name.startIndex, 0)
        var retry: (place: Int, index: Int)?
        while place < name.endIndex {
            if index < pattern.count, pattern[index] == star {
                index += 1
                retry = (place, index)
            } else if index < pattern.count, pattern[index] == name[place] {
                (place, index) = (place + 1, index + 1)
            } else if let last = retry {
                retry = (last.place + 1, last.index)
                (place, index) = (last.place + 1, last.index)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == star }
    }
}

/// The shipped `Config/keys.yaml`.
enum KeyConfiguration {
    /// The only document of the embedded file.
    static let shipped: JSON = {
        do throws(JSONReader.Failure) {
            return try JSONReader.read(Embedded.text(at: "Config/keys.yaml") ?? "").array?.first ?? .null
        } catch {
            // An embedded text that cannot be read never leaves the tests.
            return .null
        }
    }()
}

extension UInt8 {
    var inLowerCase: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
    /// Whether the byte belongs to a word: a letter of any script, or a digit.
    fileprivate var isOfName: Bool {
        self >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(inLowerCase)
    }
}
