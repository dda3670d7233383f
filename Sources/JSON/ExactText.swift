/// A text that is equal only to a text of the same bytes, for sets and dictionaries of keys and names.
///
/// Swift's `String` also takes two texts for equal that Unicode calls equivalent, such as `é` written as one scalar and
/// as two.
package struct ExactText: Hashable, Sendable {
    package let text: String

    /// Creates a text that is compared byte by byte.
    package init(_ text: String) { self.text = text }

    package static func == (one: ExactText, other: ExactText) -> Bool { one.text.isWritten(as: other.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Returns whether two texts have the same bytes.
    func isWritten(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
