extension String {
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// A line cut into words as a person means it: quotes keep words together; nothing is expanded.
enum Words {
    static func split(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        var isOpen = false
        for character in line {
            switch (quote, character) {
            case (nil, "\""), (nil, "'"): (quote, isOpen) = (character, true)
            case (let open?, character) where open == character: quote = nil
            case (nil, _) where character.isWhitespace:
                if isOpen { words.append(word) }
                (word, isOpen) = ("", false)
            default:
                word.append(character)
                isOpen = true
            }
        }
        return isOpen ? words + [word] : words
    }
}
