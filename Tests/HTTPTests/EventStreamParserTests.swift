import HTTP
import Testing

@Suite struct EventStreamParserTests {
    typealias Event = EventStreamParser.Event

    static func event(_ data: String, name: String = "message", id: String? = nil) -> Event {
        Event(name: name, data: Array(data.utf8), id: id)
    }

    static let streams: [(String, [Event])] = [
        ("data: a\n\n", [event("a")]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", [event("a"), event("b")]),
        ("data: a\r\rdata: b\r\r", [event("a"), event("b")]),
        ("data:a\ndata: b\ndata:  c\n\n", [event("a\nb\n c")]),
        (": a comment\n\ndata: a\n: another\n\n", [event("a")]),
        ("event: error\nid: 7\ndata: {}\n\ndata: b\n\n", [event("{}", name: "error", id: "7"), event("b", id: "7")]),
        ("data\n\n", [event("")]),
        ("event: ping\n\ndata: a\n\n", [event("a")]),
        ("unknown: x\nretry: 5\ndata: a\n\n", [event("a")]),
        ("\u{FEFF}data: a\n\n", [event("a")]),
        ("data: Grüße 世界 👩‍👩‍👧\n\n", [event("Grüße 世界 👩‍👩‍👧")]),
        ("data: a\n\ndata: not ended\n", [event("a")]),
        ("data: a\n\n\n\n\r\n\rdata: b\n\n", [event("a"), event("b")]),
        ("", []),
    ]

    @Test(arguments: streams) func readsEventsWhole(text: String, expected: [Event]) throws {
        var parser = EventStreamParser()
        #expect(try parser.feed(Array(text.utf8)) == expected)
    }

    @Test(arguments: streams) func readsTheSameWhereverTheBytesAreCut(text: String, expected: [Event]) throws {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var parser = EventStreamParser()
            #expect(
                try parser.feed(Array(bytes[..<cut])) + parser.feed(Array(bytes[cut...])) == expected, "cut at \(cut)")
        }
        var parser = EventStreamParser()
        #expect(try bytes.flatMap { try parser.feed([$0]) } == expected)
    }

    @Test func refusesAnEventPastTheLimitButNotALongStream() throws {
        var parser = EventStreamParser(limit: 16)
        for _ in 0..<100 { #expect(try parser.feed(Array("data: 12345\n\n".utf8)).count == 1) }
        #expect(throws: HTTPFailure.tooLarge(limit: 16)) { try parser.feed(Array("data: 1234567890123".utf8)) }
        var lines = EventStreamParser(limit: 16)
        #expect(throws: HTTPFailure.tooLarge(limit: 16)) {
            for _ in 0..<10 { _ = try lines.feed(Array("data: 123\n".utf8)) }
        }
    }
}
