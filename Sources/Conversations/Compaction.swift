package import JSON
import Vocabulary

/// The shortening of a conversation for its model. It names places in the list of messages, and never changes
/// what is stored. The same places always give the same messages, so that each request begins as the one before.
package struct Compaction: Hashable, Sendable {
    /// Results and arguments before this message are stubs.
    package var stubs = 0
    /// Turns before this message are a line each.
    package var lines = 0
    /// The replies of one long turn that are a line each, with their results.
    package var calls = 0..<0

    /// Creates a compaction that shortens nothing.
    package init() {}

    /// Reads a stored compaction. One that cannot be read shortens nothing, and is made again where it is needed.
    package init(json: JSON?) {
        guard let json, let stubs = json["stubs"]?.int, let lines = json["lines"]?.int,
            let from = json["from"]?.int, let to = json["to"]?.int, [stubs, lines, from].allSatisfy({ $0 >= 0 }),
            to >= from
        else { return }
        (self.stubs, self.lines, calls) = (stubs, lines, from..<to)
    }

    package var json: JSON {
        ["stubs": .int(stubs), "lines": .int(lines), "from": .int(calls.lowerBound), "to": .int(calls.upperBound)]
    }

    package var isEmpty: Bool { stubs == 0 && lines == 0 && calls.isEmpty }
}

/// The room that a conversation has in the window of its model, in tokens.
package struct ContextRoom: Hashable, Sendable {
    /// The whole window.
    package var window: Int
    /// The tokens of it that are kept for the answer.
    package var answer: Int

    /// Creates a room. The answer gets at most a quarter of the window.
    package init(window: Int, answer: Int) {
        (self.window, self.answer) = (window, min(answer, window / 4))
    }

    /// The tokens that a request can have.
    package var tokens: Int { window - answer }

    /// The most bytes of one result: 24 KB, or a quarter of the window if that is less.
    package var resultBytes: Int { min(Limits.toolResultBytes, max(1_024, window * 7 / 8)) }
}

/// The estimate of the tokens of a request: from the count that the server gave for the last one, or at 3.5 bytes a
/// token before there is a count.
package struct ContextMeter: Hashable, Sendable {
    private var last: (bytes: Int, tokens: Int)?

    /// Creates a meter without a count.
    package init() {}

    /// Takes the count of a server for a request.
    package mutating func count(_ tokens: Int, bytes: Int) {
        // A count that no text can have is not believed.
        guard tokens > 0, bytes / tokens < 20, tokens <= bytes else { return }
        last = (bytes, tokens)
    }

    /// Returns the tokens of a request.
    package func tokens(of bytes: Int) -> Int {
        guard let last else { return bytes * 2 / 7 }
        // What was added since is estimated, and what was left out is taken off in proportion.
        let difference = bytes - last.bytes
        return difference >= 0
            ? last.tokens + difference * 2 / 7
            : Int(Double(last.tokens) * Double(bytes) / Double(max(1, last.bytes)))
    }

    /// Whether a server has counted tokens.
    package var isCounted: Bool { last != nil }

    package static func == (one: ContextMeter, other: ContextMeter) -> Bool {
        one.last?.bytes == other.last?.bytes && one.last?.tokens == other.last?.tokens
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(last?.bytes)
        hasher.combine(last?.tokens)
    }
}
