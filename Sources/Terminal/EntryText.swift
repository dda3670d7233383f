import Synchronization

/// The text of a long entry while it is typed. It outlives the question, so that nothing typed is lost if the person
/// leaves it.
package final class EntryText: Hashable, Sendable {
    private let current: Mutex<String>

    /// - Parameter text: the text with which the entry begins.
    package init(_ text: String = "") { current = Mutex(text) }

    /// The text as it is now, without the newline at its end.
    package var text: String { current.withLock { $0 } }

    func set(_ text: String) { current.withLock { $0 = text } }

    package static func == (one: EntryText, other: EntryText) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
