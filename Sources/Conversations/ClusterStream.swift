/// A buffer for the end of a text that arrives in pieces, while the next piece may still join it. An emoji of several
/// parts is one character, and its single parts would be shown as escapes.
struct ClusterStream {
    private var held = ""

    /// Adds a piece of text.
    ///
    /// - Returns: all characters that are complete. The last one is held back if the next piece may continue it.
    mutating func feed(_ piece: String) -> String {
        guard !piece.isEmpty else { return "" }
        let text = held + piece
        held = ""
        guard let last = text.last, Self.mayGoOn(last) else { return text }
        held = String(last)
        return String(text.dropLast())
    }

    /// Ends the text.
    ///
    /// - Returns: the character that was held back, or an empty text.
    mutating func end() -> String {
        defer { held = "" }
        return held
    }

    private static func mayGoOn(_ character: Character) -> Bool {
        // A sequence without an end is not a character.
        guard character.unicodeScalars.count < 32, let last = character.unicodeScalars.last else { return false }
        return last.value == 0x200D
            || last.value > 0x7F && (last.properties.isEmoji || last.properties.isVariationSelector)
            || last.properties.isEmojiModifier
    }
}
