package import JSON

/// A text with blanks such as `{name}`, `{name.part}`, `{name?}` and `{this|or.that}`, as manifests of providers and
/// `run.job` write them. `{{` and `}}` stand for literal braces. A value that is filled in is never searched for
/// blanks.
package struct Blanks: Hashable, Sendable {
    package struct Hole: Hashable, Sendable, CustomStringConvertible {
        package var name: String
        /// The path behind the name: `dataUrl` in `{image.dataUrl}`, or `a`, `b` in `{item.a.b}`.
        package var parts: [String]
        /// Whether the element that contains the blank is left out if there is no value for it.
        package var isOptional: Bool
        /// The alternatives to try in order if there is no value of this name.
        package var others: [Hole]

        package init(name: String, parts: [String], isOptional: Bool, others: [Hole] = []) {
            self.name = name
            self.parts = parts
            self.isOptional = isOptional
            self.others = others
        }

        package var description: String {
            ([([name] + parts).joined(separator: ".")] + others.map(\.description)).joined(separator: "|")
        }

        /// Itself and the others.
        package var choices: [Hole] { [self] + others }
    }

    package enum Piece: Hashable, Sendable {
        case text(String)
        case hole(Hole)
    }

    package let pieces: [Piece]

    /// Reads a text with blanks. Returns `nil` if a brace has no partner, or if the text between two braces is not a
    /// name.
    package init?(_ text: String) {
        guard text.utf8.contains(UInt8(ascii: "{")) || text.utf8.contains(UInt8(ascii: "}")) else {
            pieces = text.isEmpty ? [] : [.text(text)]
            return
        }
        var pieces: [Piece] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                rest.removeFirst()
                plain.append(character)
            case "{":
                guard let end = rest.firstIndex(of: "}"), let hole = Self.hole(rest[..<end]) else { return nil }
                if !plain.isEmpty { pieces.append(.text(plain)) }
                plain = ""
                pieces.append(.hole(hole))
                rest = rest[rest.index(after: end)...]
            case "}": return nil
            default: plain.append(character)
            }
        }
        if !plain.isEmpty { pieces.append(.text(plain)) }
        self.pieces = pieces
    }

    private static func hole(_ inner: Substring) -> Hole? {
        let isOptional = inner.hasSuffix("?")
        let choices = (isOptional ? inner.dropLast() : inner).split(separator: "|", omittingEmptySubsequences: false)
        let holes = choices.compactMap { choice -> Hole? in
            let parts = choice.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            return parts.allSatisfy(isName)
                ? Hole(name: parts[0], parts: Array(parts.dropFirst()), isOptional: isOptional) : nil
        }
        guard holes.count == choices.count, var hole = holes.first else { return nil }
        hole.others = Array(holes.dropFirst())
        return hole
    }

    private static func isName(_ part: String) -> Bool {
        !part.isEmpty
            && part.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains($0))
            }
    }

    package var holes: [Hole] {
        pieces.compactMap { piece in
            if case .hole(let hole) = piece { hole } else { nil }
        }
    }

    /// The hole that is the whole text, if there is one. Its value keeps its type when it is filled in.
    package var only: Hole? { pieces.count == 1 ? holes.first : nil }

    /// Returns the holes of all texts in a value, or `nil` if a text cannot be read. Names of members have no holes.
    package static func holes(in json: JSON) -> [Hole]? {
        switch json {
        case .null, .bool, .int, .double: return []
        case .string(let text): return Blanks(text)?.holes
        case .array(let elements): return gathered(elements)
        case .object(let object): return gathered(object.members.map(\.value))
        }
    }

    private static func gathered(_ values: [JSON]) -> [Hole]? {
        var all: [Hole] = []
        for value in values {
            guard let holes = holes(in: value) else { return nil }
            all += holes
        }
        return all
    }
}
