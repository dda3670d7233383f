package import Vocabulary

/// A text for a model, without anything that its surroundings mark as a key.
///
/// Every part of a stored text that goes to a model is made of a `HeardText`. A part alone might begin after the name
/// that marks a key. Places and counts are those of the text without keys.
package struct HeardText {
    package let text: String

    /// Cuts the keys out of a whole text.
    ///
    /// - Parameter text: a text without the keys that have a form of their own.
    package init(_ text: String) { self.text = WeakKeys.cut(text) }

    /// The text for results of calls, which are JSON.
    package var inJSON: TextCut { TextCut(text, cost: .inJSON) }
}

extension WorkflowRecords {
    /// Returns the text of a content for a model, or nil if the content is missing or not text.
    package func heardText(_ hash: ContentHash) -> HeardText? { text(hash).map(HeardText.init) }
}
