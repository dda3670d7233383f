import JSON
import Vocabulary

/// A figure with the role that the words around it give it.
enum Measure: Hashable {
    case width(Double), height(Double), longest(Double), side(Double)
    case box(Double, Double), point(Double, Double)
    case bytes(Double, words: String)
    case angle(Double), time(Double), percent(Double), quality(Double), bare(Double)
    /// A parameter called by its name: "top 20".
    case named(String, Double)
    case format(String)
    /// "half", "twice": of a size that the planner does not know.
    case relative(String)
    /// `a little`, `some`, `a lot`: looked up in the summary of a parameter.
    case strength(String)
    case foreign(String)
}

/// What a clause speaks of.
enum Reference: Hashable {
    case file(FileEntry, isExact: Bool)
    case missing(String)
    /// A path that nobody has looked up: `/etc/passwd`, `../other/cat.jpg`.
    case outside(String)
    case url(String)
    /// Files by pattern or by what they are: "*.png", "every jpg", "all pictures".
    case set(FileSet)
    /// "the picture": the only one there is.
    case definite(FileSet)
}

struct FileSet: Hashable {
    /// Such as `jpg`, `image`, `text`, `any`, or a pattern with `*`.
    var what: String
    var folder: String?
    var largerThanBytes: Double?

    func contains(_ file: FileEntry) -> Bool {
        guard !file.isFolder, Double(file.bytes) > (largerThanBytes ?? -1) else { return false }
        let parts = file.name.split(separator: "/")
        guard parts.dropLast().joined(separator: "/") == (folder ?? (what.contains("/") ? parts.dropLast().joined(separator: "/") : ""))
        else { return false }
        if what.contains("*") || what.contains("?") {
            return Self.matches(Array((what.contains("/") ? file.name : String(parts.last ?? "")).lowercased()), Array(what.lowercased()))
        }
        if ["image", "text", "json"].contains(what) { return FileName.type(of: file.name) == what }
        return what == "any" || FileName.format(FileName.suffix(of: file.name) ?? "") == FileName.format(what)
    }

    private static func matches(_ name: [Character], _ pattern: [Character]) -> Bool {
        // Iterative, so that a pattern of many stars costs no more than its length times the name's.
        var (i, j, star, mark) = (0, 0, -1, 0)
        while i < name.count {
            if j < pattern.count, pattern[j] == "?" || (pattern[j] == name[i] && pattern[j] != "*") {
                i += 1
                j += 1
            } else if j < pattern.count, pattern[j] == "*" {
                (star, mark) = (j, i)
                j += 1
            } else if star >= 0 {
                mark += 1
                (i, j) = (mark, star + 1)
            } else {
                return false
            }
        }
        return pattern[j...].allSatisfy { $0 == "*" }
    }
}

/// A tool that a clause calls for, before anything is plugged in.
struct Step {
    var tool: ToolManifest
    var params = JSON.Object()
    /// The word that called for it.
    var word: String
    var place: Int
    /// Where the word fits several tools, the others: what flows decides.
    var others: [ToolManifest] = []
    /// Gives way to anything else in its clause: "turn" in "turn it into a png".
    var isWeak = false
}

/// One clause of a line, understood.
struct Clause {
    struct Mention {
        var reference: Reference
        /// The preposition before it: "to", "as", "on".
        var role: String
        var place: Int
    }

    var mentions: [Mention] = []
    var steps: [Step] = []
    var measures: [(measure: Measure, place: Int)] = []
    var saves = false
    var copies = false
    var overwrites = false
    var usesPronoun = false
    var negatedStems: Set<String> = []
    var unknown: String?
    /// Files of a "don't": "it" may mean them afterwards.
    var spared: [FileEntry] = []
    /// The first word that says what to do.
    var head = ""
    var isDestructive = false
    /// "show", "open", "list": what is there decides what that means.
    var looks = false
    /// Said in any form: "a square thumbnail", "make it square".
    var isSquare = false
    var literals: [(text: String, place: Int)] = []
    var tokens: [Token] = []

    func has(_ words: String...) -> Bool { tokens.contains { $0.isWord && words.contains($0.word) } }
}
