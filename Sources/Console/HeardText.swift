import Vocabulary

/// A text for a model, without anything that its surroundings mark as a key.
///
/// Every part of a stored text that goes to a model is made of a `HeardText`. A part alone might begin after the name
/// that marks a key. Places and counts are those of the text without keys.
struct HeardText {
    let text: String

    /// Cuts the keys out of a whole text.
    ///
    /// - Parameter text: a text without the keys that have a form of their own.
    init(_ text: String) { self.text = WeakKeys.cut(text) }

    /// The text for results of calls, which are JSON.
    var inJSON: TextCut { TextCut(text, cost: TextCut.inJSON) }
}

extension House.Look {
    /// Returns the text of a content for a model, or nil if the content is missing or not text.
    func heardText(_ hash: ContentHash) -> HeardText? { text(hash).map(HeardText.init) }
}
