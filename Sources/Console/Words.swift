extension String {
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// The words of a line, as in a shell without expansion: quotes keep words together.
enum Words {
    /// A word, with the way in which it was written.
    struct Word: Hashable {
        var text = ""
        /// Whether the word is `~`, or begins with `~/`, outside of quotes.
        var isOfHome = false
    }

    static func split(_ line: String) -> [String] { parts(of: line).map(\.text) }

    static func parts(of line: String) -> [Word] {
        var words: [Word] = []
        var word = Word()
        var quote: Character?
        var (isOpen, wasQuoted) = (false, false)
        func isOfHome(_ end: Character?) -> Bool { word.text == "~" && !wasQuoted && (end == nil || end == "/") }
        for character in line {
            switch (quote, character) {
            case (nil, "\""), (nil, "'"): (quote, isOpen, wasQuoted) = (character, true, true)
            case (let open?, character) where open == character: quote = nil
            case (nil, _) where character.isWhitespace:
                if isOfHome(nil) { word.isOfHome = true }
                if isOpen { words.append(word) }
                (word, isOpen, wasQuoted) = (Word(), false, false)
            default:
                if quote == nil, isOfHome(character) { word.isOfHome = true }
                word.text.append(character)
                isOpen = true
            }
        }
        if isOfHome(nil) { word.isOfHome = true }
        return isOpen ? words + [word] : words
    }

    /// Returns a word as it is typed in the chat and in a shell. It is in quotes if it would be split, or have another
    /// meaning, without them.
    static func quoted(_ word: String) -> String {
        guard word.isEmpty || word.contains(where: { $0.isWhitespace || "\"'\\$`;&|<>()*?[]{}#!".contains($0) }) else {
            return word
        }
        if !word.contains(where: { "\"\\$`!".contains($0) }) { return "\"\(word)\"" }
        return word.split(separator: "'", omittingEmptySubsequences: false).map { "'\($0)'" }.joined(separator: "\"'\"")
    }
}

/// The words of a call in the chat. As in a shell, `~` means the home folder in the name of a file.
struct ChatWords {
    let home: String?

    func split(_ line: String) -> [String] {
        let words = Words.parts(of: line)
        guard let home, let description = words.first.flatMap({ Root.verb(named: $0.text) })?.description,
            words.contains(where: \.isOfHome)
        else { return words.map(\.text) }
        return words.indices.map { index in
            let word = words[index]
            guard index > 0, word.isOfHome, mayBeFile(words[1..<index].map(\.text), description) else {
                return word.text
            }
            return home + word.text.dropFirst()
        }
    }

    /// Returns whether the word after some words can be a file.
    private func mayBeFile(_ before: [String], _ description: CommandDescription) -> Bool {
        let call = CalledWords(before, description: description)
        if let option = call.openOption { return description.values[option]?.contains(.file) ?? false }
        let place = min(call.words.count, description.takes.count - 1)
        return place >= 0 && description.takes[place].contains(.file)
    }
}
