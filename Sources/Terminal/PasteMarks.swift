/// The state of bracketed paste marks in all bytes of an input, wherever the pieces are cut.
///
/// A paste stays open until its end mark arrives, however long that takes and whichever code reads the bytes. So a
/// question that begins meanwhile knows that the next bytes are not keys.
struct PasteMarks {
    static let begin = Array("\u{1B}[200~".utf8)
    static let end = Array("\u{1B}[201~".utf8)

    /// Whether a paste has begun whose end mark has not come yet.
    private(set) var isOpen = false
    /// The number of pastes that have begun so far.
    private(set) var begun = 0
    /// How many bytes of the next mark have arrived.
    private var matched = 0

    /// The bytes that another reader must see before the rest of an open paste. It is empty if no paste is open.
    var opening: [UInt8] { isOpen ? Self.begin + Self.end.prefix(matched) : [] }

    /// Updates the state with the next bytes.
    mutating func follow(_ bytes: [UInt8]) {
        for byte in bytes {
            let mark = isOpen ? Self.end : Self.begin
            // ESC stands only at the beginning of a mark.
            matched = byte == mark[matched] ? matched + 1 : byte == mark[0] ? 1 : 0
            guard matched == mark.count else { continue }
            (isOpen, matched) = (!isOpen, 0)
            if isOpen { begun += 1 }
        }
    }

    /// Returns whether any byte since `earlier` belongs to a paste.
    func isPaste(since earlier: PasteMarks) -> Bool { earlier.isOpen || begun != earlier.begun }
}
