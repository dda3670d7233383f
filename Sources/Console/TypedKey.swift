import Vocabulary

/// A key that a person typed where a line is said.
enum TypedKey {
    /// Refuses a line that holds a key: it would go to a model, and be kept.
    ///
    /// - Throws: `keyInLine`.
    static func refuse(in line: String, _ house: House) throws(Failure) {
        guard let form = house.typedKey(line) else { return }
        throw Failure(
            .keyInLine, "This line holds \(form). It was not sent, and is kept nowhere.",
            remedy:
                "To store a key: \(Voice.call("connect")) asks for it, hidden. If others may have seen it, make a new one."
        )
    }
}
