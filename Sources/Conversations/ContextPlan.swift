import JSON
package import Vocabulary

extension Limits {
    /// The share of its room from which a conversation is compacted, and to which, in percent.
    fileprivate static let compactedFrom = 90
    fileprivate static let compactedTo = 60
}

/// Decides when a conversation is compacted, and how far. It is pure.
package struct ContextPlan: Sendable {
    package let room: ContextRoom
    package var meter = ContextMeter()
    package var compaction = Compaction()
    /// The bytes of the instructions and of the tools, which each request has.
    package var fixedBytes = 0

    /// Creates a plan.
    package init(room: ContextRoom, compaction: Compaction = Compaction(), meter: ContextMeter = ContextMeter()) {
        (self.room, self.compaction, self.meter) = (room, compaction, meter)
    }

    /// Returns the bytes of the instructions and the tools of a request.
    static func fixedBytes(system: String, tools: [ChatTool]) -> Int {
        system.utf8.count + 64
            + tools.reduce(0) { $0 + $1.name.utf8.count + $1.summary.utf8.count + $1.schema.text.utf8.count + 64 }
    }

    /// The words about a compaction for the person.
    var notice: String {
        "The conversation filled the model's window of \(room.window) tokens, so its older parts are shortened for the "
            + "model. The history keeps all of it. /context shows what fills the window."
    }

    /// Returns the bytes of a request with these messages.
    package func bytes(of messages: [ChatMessage]) -> Int { fixedBytes + messages.reduce(0) { $0 + $1.bytes } }

    /// Returns the messages that are sent.
    package func sent(_ messages: [ChatMessage]) -> [ChatMessage] {
        CompactedMessages(compaction).messages(of: messages)
    }

    private func tokens(_ compaction: Compaction, _ messages: [ChatMessage]) -> Int {
        meter.tokens(of: bytes(of: CompactedMessages(compaction).messages(of: messages)))
    }

    /// Compacts the conversation if it fills 90 % of its room, or in any case.
    ///
    /// - Parameter isAsked: whether the person wants it now.
    /// - Returns: whether anything was shortened.
    package mutating func compact(_ messages: [ChatMessage], isAsked: Bool = false) -> Bool {
        let now = tokens(compaction, messages)
        guard isAsked || now > room.tokens * Limits.compactedFrom / 100 else { return false }
        let wanted = room.tokens * Limits.compactedTo / 100
        let next = shortened(messages, to: isAsked ? min(wanted, now / 2) : wanted)
        // A step that frees hardly anything would only cost the server's cache.
        guard next != compaction, tokens(next, messages) < now else { return false }
        compaction = next
        return true
    }

    private func shortened(_ messages: [ChatMessage], to wanted: Int) -> Compaction {
        var next = compaction
        next.stubs = max(next.stubs, next.lines)
        // The results of the newest reply stay whole.
        let newest = messages.lastIndex { $0.role == .assistant && !$0.calls.isEmpty } ?? messages.count
        let long = messages.indices.filter { $0 >= next.stubs && $0 < newest && isLong(messages[$0]) }
        if apply(long, to: &next, messages, wanted, { $0.stubs = $1 + 1 }) { return next }
        let line = messages.lastIndex(where: \.beginsTurn) ?? 0
        let turns = messages.indices.filter { $0 > next.lines && $0 <= line && messages[$0].beginsTurn }
        if apply(turns, to: &next, messages, wanted, { ($0.lines, $0.stubs) = ($1, max($0.stubs, $1)) }) { return next }
        // One turn is larger than the room: its earlier replies become a line each.
        let begun = next.calls.lowerBound == line + 1 ? next.calls.upperBound : line + 1
        let replies = messages.indices.filter { $0 > begun && $0 <= newest && messages[$0].role == .assistant }
        _ = apply(replies, to: &next, messages, wanted) { next, place in
            (next.calls, next.stubs) = ((line + 1)..<place, max(next.stubs, place))
        }
        return next
    }

    /// Shortens up to the first of some places at which the conversation is small enough, or up to the last one.
    ///
    /// - Returns: whether it is small enough.
    private func apply(
        _ places: [Int], to compaction: inout Compaction, _ messages: [ChatMessage], _ wanted: Int,
        _ shorten: (inout Compaction, Int) -> Void
    ) -> Bool {
        guard tokens(compaction, messages) > wanted else { return true }
        func upTo(_ place: Int) -> Compaction {
            var next = compaction
            shorten(&next, place)
            return next
        }
        // Each further place makes it smaller, so half of them are left out at each look.
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if tokens(upTo(places[middle]), messages) <= wanted { high = middle } else { low = middle + 1 }
        }
        guard let place = low < places.count ? places[low] : places.last else { return false }
        compaction = upTo(place)
        return low < places.count
    }

    private func isLong(_ message: ChatMessage) -> Bool {
        var one = Compaction()
        one.stubs = 1
        return CompactedMessages(one).messages(of: [message])[0] != message
    }
}
