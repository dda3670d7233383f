/// A parser of server-sent events (WHATWG HTML §9.2). Its bytes may be cut anywhere, even inside a character or between
/// CR and LF.
///
/// It ignores comments and unknown fields. An event without the empty line at its end is never returned.
package struct EventStreamParser: Sendable {
    package struct Event: Hashable, Sendable {
        /// The name of the event, by default `message`.
        package var name: String
        /// The `data` lines, joined by line feeds. They are bytes, since they are mostly JSON, whose reader checks the
        /// UTF-8.
        package var data: [UInt8]
        /// The last `id` in the stream so far, with which a client can continue the stream. It is nil if there was
        /// none.
        package var id: String?

        package init(name: String = "message", data: [UInt8], id: String? = nil) {
            self.name = name
            self.data = data
            self.id = id
        }
    }

    private let limit: Int
    private var line: [UInt8] = []
    private var data: [UInt8]?
    private var name = ""
    private var id: String?
    private var skipsLineFeed = false
    private var isAtStart = true

    /// Creates a parser.
    ///
    /// - Parameter limit: the most bytes of one event.
    package init(limit: Int = HTTPLimits.eventBytes) {
        self.limit = limit
    }

    /// Parses bytes, and returns the events that they complete.
    ///
    /// - Throws: `tooLarge` when an event passes the limit. The parser must not be used afterwards.
    package mutating func feed(_ bytes: [UInt8]) throws(HTTPFailure) -> [Event] {
        var events: [Event] = []
        var start = 0
        if skipsLineFeed, let first = bytes.first {
            skipsLineFeed = false
            if first == lineFeed { start = 1 }
        }
        while let end = bytes[start...].firstIndex(where: { $0 == lineFeed || $0 == carriageReturn }) {
            try take(bytes[start..<end])
            if let event = endLine() { events.append(event) }
            start = end + 1
            guard bytes[end] == carriageReturn else { continue }
            if start == bytes.count { skipsLineFeed = true } else if bytes[start] == lineFeed { start += 1 }
        }
        try take(bytes[start...])
        return events
    }

    private mutating func take(_ piece: ArraySlice<UInt8>) throws(HTTPFailure) {
        guard line.count + piece.count + (data?.count ?? 0) <= limit else { throw .tooLarge(limit: limit) }
        line += piece
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isAtStart = false
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        read(line[..<colon], value)
        return nil
    }

    private mutating func read(_ field: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        if field.elementsEqual("data".utf8) {
            if data == nil { data = Array(value) } else { data? += [lineFeed] + value }
        } else if field.elementsEqual("event".utf8) {
            name = String(decoding: value, as: UTF8.self)
        } else if field.elementsEqual("id".utf8), !value.contains(0) {
            id = String(decoding: value, as: UTF8.self)
        }
    }

    private mutating func dispatch() -> Event? {
        defer {
            data = nil
            name = ""
        }
        return data.map { Event(name: name.isEmpty ? "message" : name, data: $0, id: id) }
    }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
