/// The simple commands in a shell command, as lists of words. Quotes are removed, and nothing is replaced: where a
/// shell would put in the value of a variable or the output of a command, a word has the sign `unknown`.
///
/// It serves advice and refusals only. What a command may do is decided by its sandbox.
package struct ShellWords {
    /// The sign for what only a shell knows.
    static let unknown: Character = "\u{FFFD}"

    private let text: [Character]
    private var place = 0
    private var commands: [[String]] = []
    /// The ends of the texts that follow the current line (`<<END`).
    private var ends: [String] = []

    /// Returns the simple commands, those in `$(…)` before the command around them.
    package static func commands(in command: String) -> [[String]] {
        var words = ShellWords(text: Array(command))
        words.readAll(until: nil)
        return words.commands
    }

    private init(text: [Character]) { self.text = text }

    private var next: Character? { place < text.count ? text[place] : nil }

    private mutating func readAll(until close: Character?) {
        var (words, word) = ([String](), String?.none)
        func end(_ words: inout [String], _ word: inout String?) {
            if let word { words.append(word) }
            word = nil
        }
        func endCommand(_ all: inout [[String]], _ words: inout [String], _ word: inout String?) {
            end(&words, &word)
            if !words.isEmpty { all.append(words) }
            words = []
        }
        while let sign = next {
            place += 1
            if sign == close, close != nil { break }
            switch sign {
            case " ", "\t": end(&words, &word)
            case "\n", "\r\n":
                endCommand(&commands, &words, &word)
                skipTexts()
            case ";", "&", "|", "(", ")": endCommand(&commands, &words, &word)
            case "#" where word == nil: while let next, !next.isNewline { place += 1 }
            case "\\":
                if let escaped = next, !escaped.isNewline { word = (word ?? "") + String(escaped) }
                place += 1
            case "'":
                word = (word ?? "") + upTo("'")
            case "\"": word = (word ?? "") + quoted()
            case "`", "$": word = (word ?? "") + replaced(sign)
            case "<", ">":
                if word?.allSatisfy(\.isNumber) ?? false { word = nil }
                end(&words, &word)
                skipRedirection(sign)
            default: word = (word ?? "") + String(sign)
            }
        }
        endCommand(&commands, &words, &word)
    }

    private mutating func upTo(_ close: Character) -> String {
        let start = place
        while let sign = next, sign != close { place += 1 }
        defer { place += 1 }
        return String(text[start..<place])
    }

    private mutating func quoted() -> String {
        var word = ""
        while let sign = next, sign != "\"" {
            place += 1
            switch sign {
            case "\\":
                if let escaped = next { word.append(escaped) }
                place += 1
            case "`", "$": word += replaced(sign)
            default: word.append(sign)
            }
        }
        place += 1
        return word
    }

    /// Reads what a shell replaces. The commands in it are commands of their own.
    private mutating func replaced(_ sign: Character) -> String {
        if sign == "`" {
            readAll(until: "`")
        } else if next == "(" {
            place += 1
            readAll(until: ")")
        } else if next == "{" {
            _ = upTo("}")
        } else {
            while let next, next.isLetter || next.isNumber || next == "_" { place += 1 }
        }
        return String(Self.unknown)
    }

    /// Skips the word behind `>` or `<`, and notes the end of a text behind `<<`.
    private mutating func skipRedirection(_ sign: Character) {
        let isText = sign == "<" && next == "<" && (place + 1 >= text.count || text[place + 1] != "<")
        while let next, "<>&|-".contains(next) { place += 1 }
        while let next, next == " " || next == "\t" { place += 1 }
        var name = ""
        while let next, !next.isWhitespace, !";&|()<>".contains(next) {
            place += 1
            switch next {
            case "'": name += upTo("'")
            case "\"": name += quoted()
            case "\\": break
            default: name.append(next)
            }
        }
        if isText { ends.append(name) }
    }

    private mutating func skipTexts() {
        for end in ends {
            while place < text.count {
                let start = place
                while let next, !next.isNewline { place += 1 }
                let line = String(text[start..<place].drop { $0 == "\t" })
                place += 1
                if line == end { break }
            }
        }
        ends = []
    }
}
