/// Holds back the end of a text that comes in pieces while it may still be joined with what follows: an emoji of
/// several parts is one sign, and its parts by themselves are shown as escapes.
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
        // One that never ends is no sign.
        guard character.unicodeScalars.count < 32, let last = character.unicodeScalars.last else { return false }
        return last.value == 0x200D
            || last.value > 0x7F && (last.properties.isEmoji || last.properties.isVariationSelector)
            || last.properties.isEmojiModifier
    }
}
