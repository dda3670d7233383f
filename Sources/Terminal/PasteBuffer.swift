/// What stands between the marks of a bracketed paste, out of bytes that come in pieces, cut anywhere. It is taken whole or not at all.
struct PasteBuffer {
    enum Result: Hashable {
        /// The end mark has not come yet.
        case open
        case text(String)
        case refused(LineFault)
    }

    private static let begin = Array("\u{1B}[200~".utf8)
    private static let end = Array("\u{1B}[201~".utf8)

    /// The most bytes of a paste.
    let limit: Int
    private(set) var isOpen = false
    private var bytes: [UInt8] = []
    private var fault: LineFault?

    init(limit: Int) { self.limit = limit }

    static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: begin) }

    /// Whether a paste is open at the end of `bytes`, given whether one was open before them.
    static func isOpen(after bytes: [UInt8], _ wasOpen: Bool) -> Bool {
        let (begun, ended) = (lastPlace(of: begin, in: bytes), lastPlace(of: end, in: bytes))
        guard let begun else { return wasOpen && ended == nil }
        return ended.map { $0 < begun } ?? true
    }

    private static func lastPlace(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count)).last { bytes[$0] == mark[0] && bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
    }

    /// Takes the begin mark, what is pasted and the end mark. What comes behind that in the same piece is dropped: it is no key of its own.
    mutating func feed(_ piece: [UInt8]) -> Result {
        let start = isOpen ? 0 : Self.begin.count
        isOpen = true
        let searched = max(0, bytes.count - Self.end.count + 1)
        bytes += piece[start...]
        if let place = Self.place(of: Self.end, in: bytes, from: searched) {
            note(bytes[..<place])
            defer { forget() }
            return fault.map { .refused($0) } ?? .text(Self.text(bytes[..<place]))
        }
        // The end mark may have begun already.
        note(bytes.dropLast(Self.end.count - 1))
        if fault != nil { bytes = Array(bytes.suffix(Self.end.count - 1)) }
        return .open
    }

    mutating func forget() { (isOpen, bytes, fault) = (false, [], nil) }

    private mutating func note(_ content: ArraySlice<UInt8>) {
        if fault == nil, content.contains(0) { fault = .hasNUL }
        if fault == nil, content.count > limit { fault = .tooLong(limit: limit) }
    }

    private static func text(_ content: ArraySlice<UInt8>) -> String {
        String(decoding: content, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    private static func place(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count - start >= mark.count else { return nil }
        return (start...(bytes.count - mark.count)).first { bytes[$0] == mark[0] && bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
    }
}
