/// A collector of a bracketed paste, whose bytes come in pieces, cut anywhere. The paste is accepted completely or not
/// at all.
struct PasteBuffer {
    enum Result: Hashable {
        /// The end mark has not come yet.
        case open
        case text(String)
        case refused(LineFault)
    }

    /// The most bytes of a paste.
    let limit: Int
    private(set) var isOpen = false
    private var bytes: [UInt8] = []
    private var fault: LineFault?

    init(limit: Int) { self.limit = limit }

    static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: PasteMarks.begin) }

    /// Reads the begin mark, the pasted bytes and the end mark. Bytes after the end mark in the same piece are dropped:
    /// they are not keys of their own.
    mutating func feed(_ piece: [UInt8]) -> Result {
        let start = isOpen ? 0 : PasteMarks.begin.count
        let end = PasteMarks.end
        isOpen = true
        let searched = max(0, bytes.count - end.count + 1)
        bytes += piece[start...]
        if let place = Self.place(of: end, in: bytes, from: searched) {
            note(bytes[..<place])
            defer { forget() }
            return fault.map { .refused($0) } ?? .text(Self.text(bytes[..<place]))
        }
        // The last bytes may be the beginning of the end mark.
        note(bytes.dropLast(end.count - 1))
        if fault != nil { bytes = Array(bytes.suffix(end.count - 1)) }
        return .open
    }

    private mutating func forget() { (isOpen, bytes, fault) = (false, [], nil) }

    private mutating func note(_ content: ArraySlice<UInt8>) {
        if fault == nil, content.contains(0) { fault = .hasNUL }
        if fault == nil, content.count > limit { fault = .tooLong(limit: limit) }
    }

    private static func text(_ content: ArraySlice<UInt8>) -> String {
        String(decoding: content, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    private static func place(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count - start >= mark.count else { return nil }
        return (start...(bytes.count - mark.count)).first {
            bytes[$0] == mark[0] && bytes[$0..<($0 + mark.count)].elementsEqual(mark)
        }
    }
}
