import Console

/// The rules for words and signs in comments and messages that a program can check without false alarms.
enum Wording {
    /// The kinds of violations, with their names in `Figures/wording.txt`.
    enum Kind: String, CaseIterable {
        /// Words that the table of `contributing.md`, "Plain English", replaces.
        case wordsInDocs = "words-in-docs"
        case wordsInComments = "words-in-comments"
        case wordsInMessages = "words-in-messages"
        case semicolonsInDocs = "semicolons-in-docs"
        case semicolonsInComments = "semicolons-in-comments"
        /// First sentences of doc comments with "what is", or with a pronoun for a subject and "that is".
        case riddles
        /// Calls of the program's verbs in messages without quotes around them, so that the chat cannot word them
        /// (`Vocabulary/Remedy.swift`).
        case unquotedCalls = "unquoted-calls"
    }

    /// A violation, with the words that make it.
    struct Finding: Equatable {
        var kind: Kind
        var words: String
    }

    /// Words that are replaced whatever stands before them.
    ///
    /// "Room", "carry", "where", "one" and "person" have good uses too, so only a reader can judge them.
    private static let replaced: Set<String> = [
        "house", "houses", "law", "laws", "anew", "whoever", "whomever", "nobody", "somebody", "noted", "fault",
        "faults", "mend", "mends", "mended", "mending", "gone",
    ]
    /// Words that are replaced after certain other words, by the last word.
    private static let phrases: [String: Set<String>] = [
        "up": ["give", "gives", "given", "gave", "giving"], "down": ["put", "puts", "putting"],
        "of": ["come", "comes", "came", "coming"], "away": ["take", "takes", "taken", "took", "taking"],
        "wrong": ["went", "goes"],
    ]
    private static let toBe: Set<String> = ["is", "are", "was", "were", "be", "been", "being"]
    /// Pronouns that stand for a thing which the sentence does not name.
    private static let pronouns: Set<String> = [
        "one", "ones", "those", "that", "all", "everything", "nothing", "anything", "something", "none", "everybody",
    ]
    private static let relative: Set<String> = ["that", "who", "which"]

    /// Returns the violations of a text, in order within each kind.
    static func findings(in text: SwiftText) -> [Finding] {
        let words = words(of: text.bytes)
        let kinds: (words: Kind, semicolons: Kind?) =
            switch text.kind {
            case .doc: (.wordsInDocs, .semicolonsInDocs)
            case .comment: (.wordsInComments, .semicolonsInComments)
            case .message: (.wordsInMessages, nil)
            }
        var findings = replacedWords(in: words).map { Finding(kind: kinds.words, words: $0) }
        if let kind = kinds.semicolons {
            findings += Array(repeating: Finding(kind: kind, words: ";"), count: semicolons(in: text.bytes))
        }
        if text.kind == .doc, let riddle = riddle(in: words) { findings.append(Finding(kind: .riddles, words: riddle)) }
        if text.kind == .message {
            findings += unquotedCalls(in: text.bytes).map { Finding(kind: .unquotedCalls, words: $0) }
        }
        return findings
    }

    /// Returns the words of the table that stand in a list of words.
    private static func replacedWords(in words: [String]) -> [String] {
        var found: [String] = []
        for (index, word) in words.enumerated() {
            if replaced.contains(word) {
                found.append(word)
            } else if let before = phrases[word], index > 0, before.contains(words[index - 1]) {
                found.append("\(words[index - 1]) \(word)")
            } else if word == "told" || word == "said" {
                // "Is told", "is not told".
                let near = words[max(0, index - 2)..<index]
                if let verb = near.last(where: toBe.contains), !near.contains(".") { found.append("\(verb) \(word)") }
            }
        }
        return found
    }

    /// Returns how many semicolons divide sentences: each stands behind a word, and a space or the end follows.
    private static func semicolons(in bytes: [UInt8]) -> Int {
        var (count, start) = (0, 0)
        while let at = bytes.offset(of: ";", from: start) {
            let isBehindAWord = at > 0 && !bytes[at - 1].isBlank
            let endsAPart = at + 1 == bytes.count || signs[Int(bytes[at + 1])] == .space || bytes[at + 1] == newline
            if isBehindAWord, endsAPart { count += 1 }
            start = at + 1
        }
        return count
    }

    /// Returns the calls such as `assent list` that no quote or backtick stands before. A verb that an interpolation
    /// gives counts, but for an interpolation at the beginning of a text: there, it is often a version.
    private static func unquotedCalls(in bytes: [UInt8]) -> [String] {
        var (found, start): ([String], Int) = ([], 0)
        while let at = bytes.offset(of: "assent ", from: start) {
            start = at + "assent ".utf8.count
            let before = bytes[..<at]
            guard before.last.map({ $0.isBlank || $0 == UInt8(ascii: "(") || $0 == newline }) ?? true else { continue }
            let verb = String(
                decoding: bytes[start...].prefix { $0.isLetter || $0 == UInt8(ascii: "-") }, as: UTF8.self)
            let isGiven = start < bytes.count && bytes[start] == UInt8(ascii: "`") && !before.allSatisfy(\.isBlank)
            if isGiven || verbs.contains(verb) { found.append("assent \(isGiven ? "`" : verb)") }
        }
        return found
    }

    /// The verbs of the program, with the one that ArgumentParser adds.
    private static let verbs = Set(Root.verbs.map { $0.description.name } + ["help"])

    /// Returns the words that make the first sentence a riddle: "what is" anywhere, or "The one that is" at its
    /// beginning.
    private static func riddle(in words: [String]) -> String? {
        let sentence = words.prefix { $0 != "." }
        for (word, next) in zip(sentence, sentence.dropFirst()) where word == "what" && toBe.contains(next) {
            return "what \(next)"
        }
        guard let first = sentence.first else { return nil }
        let rest = sentence.dropFirst(first == "the" || first == "all" && sentence.dropFirst().first != "that" ? 1 : 0)
        if rest.count > 1, relative.contains(rest[rest.startIndex]), toBe.contains(rest[rest.startIndex + 1]) {
            return rest.prefix(2).joined(separator: " ")
        }
        let opening = rest.prefix(3)
        guard opening.count == 3, pronouns.contains(opening[opening.startIndex]),
            relative.contains(opening[opening.startIndex + 1]), toBe.contains(opening[opening.startIndex + 2])
        else { return nil }
        return opening.joined(separator: " ")
    }

    /// Returns the words of a text in lower case.
    ///
    /// A full stop stands for each end of a sentence, a comma for other signs, and `` ` `` for code. A name with digits,
    /// dots or underscores inside is one word.
    private static func words(of bytes: [UInt8]) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        func end(_ sign: String? = nil) {
            if !word.isEmpty {
                if word.count > 2, word.suffix(2).elementsEqual("'s".utf8) { word.removeLast(2) }
                words.append(String(decoding: word, as: UTF8.self))
                word.removeAll(keepingCapacity: true)
            }
            if let sign { words.append(sign) }
        }
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch signs[Int(byte)] {
            case .capital: word.append(byte | 32)
            case .letter: word.append(byte)
            case .space: end()
            case .code: end("`")
            case .stop:
                // "wire.md" is a word.
                let endsSentence = byte == newline || at == bytes.count || bytes[at] == newline || bytes[at].isBlank
                if endsSentence { end(".") } else { word.append(byte) }
            case .other: end(",")
            }
        }
        end()
        return words
    }

    /// The role of a byte in the division of a text into words.
    private enum Sign { case capital, letter, space, code, stop, other }

    /// The signs of all bytes.
    private static let signs: [Sign] = (UInt8.min...UInt8.max).map { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
        case _ where byte.isLetter || byte.isDigit || byte >= 0x80: .letter
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "'"): .letter
        case _ where byte.isBlank: .space
        case UInt8(ascii: "`"): .code
        case UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "!"), newline: .stop
        default: .other
        }
    }
    private static let newline = UInt8(ascii: "\n")
}
