import Vocabulary

/// A text as a model may hear it: without what may be a key by what stands around it.
///
/// Every part of a stored text that goes to a model is made of a `HeardText`, since a part may begin behind the name
/// that tells a key. Places and counts are those of the text without keys.
struct HeardText {
    let text: String

    /// Cuts the text whole.
    ///
    /// - Parameter text: a text without the keys that have a form of their own.
    init(_ text: String) { self.text = WeakKeys.cut(text) }

    /// The text for results of calls, which are JSON.
    var inJSON: TextCut { TextCut(text, cost: TextCut.inJSON) }
}

extension House.Look {
    /// Returns the text of a content as a model may hear it; `nil` if the content is no text that is here.
    func heardText(_ hash: ContentHash) -> HeardText? { text(hash).map(HeardText.init) }
}
