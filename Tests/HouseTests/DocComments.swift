/// A doc comment with what is needed to judge its opening.
struct DocComment: Equatable {
    /// The kinds of declarations that a comment may describe, as far as the rule tells them apart.
    enum Declaration: Equatable {
        case function(returnsBool: Bool)
        case other
    }

    enum Fault: Equatable {
        /// The comment opens with a pronoun, a wh-word or a preposition.
        case opener(String)
        /// The comment of a function opens with another word than a verb in the third person.
        case noVerb

        /// How to write the comment instead, in one sentence.
        var advice: String {
            switch self {
            case .opener(let word):
                "Do not open with \"\(word)\": name the thing (\"The …\", \"A …\"), or open with a verb if this is a function (\"Returns …\")."
            case .noVerb:
                "Open with a verb in the third person that says what the function does (\"Returns …\", \"Starts …\")."
            }
        }
    }

    /// The number of the first line, counted from 1.
    var line: Int
    /// The text, with its lines joined by single spaces. An empty line becomes a newline.
    var text: String
    var declaration: Declaration

    /// The violation of the rule for openings, or nil if the comment opens well.
    var fault: Fault? {
        let word = Openings.firstWord(of: text)
        if let word, Openings.forbidden.contains(word) { return .opener(word) }
        guard case .function(let returnsBool) = declaration else { return nil }
        if returnsBool, word == "Whether" { return nil }
        return Openings.beginsWithVerb(text) ? nil : .noVerb
    }

    /// The words by which the list of known comments recognises this one: the first sentence, without what stands in
    /// parentheses.
    ///
    /// The place of a citation can change, therefore, and sentences can be added, without a change of the fingerprint.
    var opening: String {
        var sentence = ""
        var depth = 0
        var last: Character = " "
        for character in text {
            if character == "\n" || character == " " && depth == 0 && last == "." { break }
            if character == "(" { depth += 1 }
            if depth == 0, !(character == " " && sentence.last == " ") { sentence.append(character) }
            if character == ")" { depth = max(0, depth - 1) }
            last = character
        }
        return sentence
    }

    /// The FNV-1a hash of the opening: 16 hexadecimal digits.
    var fingerprint: String {
        let hash = opening.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Reads the doc comments of a Swift file, in order.
    static func all(in file: [UInt8]) -> [DocComment] {
        let lines = file.lines().map(\.line.trimmed)
        var comments: [DocComment] = []
        var at = 0
        while at < lines.count {
            let start = at
            var paragraphs: [[String]] = [[]]
            while at < lines.count, lines[at].starts(with: "///".utf8) {
                let text = lines[at].dropFirst(3).trimmed
                if text.isEmpty {
                    paragraphs.append([])
                } else {
                    paragraphs[paragraphs.count - 1].append(String(decoding: text, as: UTF8.self))
                }
                at += 1
            }
            guard at > start else {
                at += 1
                continue
            }
            let text = paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }.joined(separator: "\n")
            if !text.isEmpty {
                comments.append(
                    DocComment(line: start + 1, text: text, declaration: Declaration(lines[at...].prefix(30))))
            }
        }
        return comments
    }
}

extension DocComment.Declaration {
    private static let modifiers: Set<Substring> = [
        "package", "private", "public", "internal", "fileprivate", "open", "static", "final", "override", "mutating",
        "nonmutating",
        "nonisolated", "isolated", "consuming", "borrowing", "prefix", "postfix", "infix", "indirect", "distributed",
        "class",
    ]

    /// Reads the declaration that begins in `lines`, behind attributes and comments.
    init(_ lines: ArraySlice<ArraySlice<UInt8>>) {
        var text = ""
        for line in lines where !line.starts(with: "//".utf8) {
            if line.isEmpty { break }
            text += String(decoding: line, as: UTF8.self) + "\n"
        }
        var rest = text[...]
        while true {
            rest = rest.drop(while: \.isWhitespace)
            if rest.first == "@" {
                rest = Self.dropParentheses(
                    rest.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
                continue
            }
            let word = rest.prefix { $0.isLetter }
            guard Self.modifiers.contains(word) else { break }
            rest = Self.dropParentheses(rest.dropFirst(word.count))
        }
        self = rest.hasPrefix("func ") ? .function(returnsBool: Self.returnsBool(rest)) : .other
    }

    private static func dropParentheses(_ text: Substring) -> Substring {
        guard text.first == "(" else { return text }
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[text.index(after: index)...] }
        }
        return ""
    }

    /// Returns whether the signature at the beginning of `text` has `Bool` or `Bool?` behind its parameters.
    private static func returnsBool(_ text: Substring) -> Bool {
        let signature = text.drop { $0 != "(" && $0 != "{" }
        let end = dropParentheses(signature).prefix { $0 != "{" }
        let line = end.drop { $0 == "\n" }.prefix { $0 != "\n" }
        guard let arrow = line.firstRange(of: "-> ") else { return false }
        let type = line[arrow.upperBound...].prefix { $0.isLetter || $0 == "." }
        return type == "Bool"
    }
}
