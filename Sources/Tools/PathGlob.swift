import Files
import Vocabulary

extension Limits {
    /// The most patterns of one glob, after its braces are written out.
    fileprivate static let globPatterns = 200

    /// The most bytes of one glob.
    fileprivate static let globBytes = 1_000
}

/// A list of patterns for paths, as ripgrep and git know them: `*.swift`, `src/**/*.ts`, `*.{yml,yaml}`, and
/// `!*.min.js` for files that are left out.
///
/// A pattern without a slash is compared with the name of a file. A pattern with one is compared with the whole path,
/// in which `**` stands for any folders.
struct PathGlob {
    fileprivate struct Pattern {
        var isNegated: Bool
        /// The parts between the slashes. `nil` is `**`.
        var parts: [GlobPattern?]
        var isOfName: Bool
    }

    private let patterns: [Pattern]
    /// The patterns for names of files if there are no others, for programs that compare only names.
    let plainNames: [String]?

    /// - Parameter text: patterns with commas between them.
    /// - Throws: `badParam` for a list without a pattern, or with too many.
    init(_ text: String) throws(Failure) {
        guard text.utf8.count <= Limits.globBytes else {
            throw Failure(.badParam, "\"glob\" has more than \(Limits.globBytes) bytes.")
        }
        let written = Self.list(text[...]).filter { !$0.isEmpty }
        guard !written.isEmpty, written.count <= Limits.globPatterns else {
            throw Failure(
                .badParam,
                written.isEmpty ? "\"glob\" has no pattern." : "\"glob\" has more than \(Limits.globPatterns) patterns."
            )
        }
        patterns = written.map { Pattern($0) }
        let wanted = written.filter { !$0.hasPrefix("!") }
        let arePlain = !wanted.isEmpty && wanted.allSatisfy { $0.utf8.allSatisfy(Self.isPlain) }
        plainNames = arePlain ? wanted : nil
    }

    /// Whether a file is among those that are wanted.
    ///
    /// - Parameters:
    ///   - path: the path below the workspace.
    ///   - shorter: the path below the folder that is looked at.
    func matches(_ path: String, orBelow shorter: String) -> Bool {
        let names = [path.pathNames, shorter.pathNames]
        let wanted = patterns.filter { !$0.isNegated }
        guard wanted.isEmpty || wanted.contains(where: { $0.matches(names) }) else { return false }
        return !patterns.contains { $0.isNegated && $0.matches(names) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._-*?".utf8.contains(byte)
        }
    }

    /// Returns the patterns of a list, with braces written out: `a.{b,c}` is `a.b` and `a.c`.
    private static func list(_ text: Substring) -> [String] {
        var (patterns, depth, current) = ([String](), 0, "")
        for character in text {
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            if character == ",", depth <= 0 {
                patterns.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        var all: [String] = []
        for pattern in patterns + [current] {
            written(out: pattern.drop { $0 == " " }.description.trimmingSpace, into: &all)
        }
        return all
    }

    /// Writes out the first braces of a pattern, and those in the results.
    private static func written(out pattern: String, into all: inout [String]) {
        guard all.count <= Limits.globPatterns else { return }
        guard let open = pattern.firstIndex(of: "{") else { return all.append(pattern) }
        var (depth, place, start) = (0, open, pattern.index(after: open))
        var choices: [Substring] = []
        while place < pattern.endIndex {
            switch pattern[place] {
            case "{": depth += 1
            case "}":
                depth -= 1
                guard depth == 0 else { break }
                choices.append(pattern[start..<place])
                let (front, back) = (String(pattern[..<open]), String(pattern[pattern.index(after: place)...]))
                for choice in choices { written(out: front + String(choice) + back, into: &all) }
                return
            case ",":
                guard depth == 1 else { break }
                choices.append(pattern[start..<place])
                start = pattern.index(after: place)
            default: break
            }
            place = pattern.index(after: place)
        }
        // A brace without an end stands for itself.
        all.append(pattern)
    }
}

/// A glob for the files below a folder of the workspace.
struct GlobBelow {
    let glob: PathGlob
    /// The path of the folder below the workspace, which is empty for the workspace itself.
    let folder: String

    /// Returns whether a file is among those that are wanted.
    ///
    /// - Parameter path: the path of the file below the folder.
    func matches(_ path: String) -> Bool {
        glob.matches(folder.isEmpty ? path : "\(folder)/\(path)", orBelow: path)
    }
}

extension PathGlob.Pattern {
    fileprivate init(_ text: String) {
        isNegated = text.hasPrefix("!")
        var rest = isNegated ? text.dropFirst() : text[...]
        isOfName = !rest.contains("/")
        if rest.hasPrefix("./") { rest = rest.dropFirst(2) }
        var names = rest.split(separator: "/").map { String($0) }
        if rest.hasSuffix("/") { names.append("**") }
        parts = names.map { $0 == "**" ? nil : GlobPattern($0) }
    }

    /// Whether the pattern fits one of the paths. A pattern that leaves out also fits all that is below its folder.
    fileprivate func matches(_ paths: [[String]]) -> Bool {
        guard !isOfName else {
            guard let names = paths.first, let pattern = parts.first else { return false }
            return isNegated
                ? names.contains { pattern?.matches($0) ?? true }
                : names.last.map { pattern?.matches($0) ?? true } ?? false
        }
        return paths.contains { names in
            if fits(parts[...], names[...]) { return true }
            return isNegated && names.indices.contains { fits(parts[...], names[..<$0]) }
        }
    }

    private func fits(_ parts: ArraySlice<GlobPattern?>, _ names: ArraySlice<String>) -> Bool {
        // The numbers of names that the parts so far can stand for.
        var reached = [true] + names.map { _ in false }
        for part in parts {
            guard let part else {
                for count in reached.indices.dropFirst() where reached[count - 1] { reached[count] = true }
                continue
            }
            reached = [false] + zip(reached, names).map { $0 && part.matches($1) }
        }
        return reached.last ?? false
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        var text = self[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
