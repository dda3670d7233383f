import JSON
package import Vocabulary

extension Limits {
    /// The bytes of messages that are sent with a request to a model. Older exchanges stay only in the history.
    package static let contextBytes = 256 << 10
}

/// The rules for a list of messages that is sent to a model.
package enum Transcript {
    /// Repairs a history. It answers calls that a crash left open, drops answers to missing calls, and notes after
    /// a line without an answer that it has none. Otherwise a failed or aborted line would look like a second
    /// question. A line that came into a turn stands behind results, and is no such line. Remarks for the model are not
    /// stored, so they are added again: about a call in a text, and about an answer that was cut off.
    ///
    /// - Parameter keepsOpen: whether the calls of the last message stay open, since their turn continues.
    static func mended(_ messages: [ChatMessage], keepsOpen: Bool = false) -> [ChatMessage] {
        var mended: [ChatMessage] = []
        var open: [ChatCall] = []
        func close(isAnswered: Bool = false) {
            for call in open { mended.append(ChatMessage(.tool, lost, callID: call.id)) }
            open = []
            if !isAnswered, let last = mended.last, last.role == .user || last.role == .tool {
                mended.append(ChatMessage(.assistant, unanswered))
            }
        }
        for message in messages where message.role != .system {
            if message.role == .tool {
                guard let place = open.firstIndex(where: { $0.id == message.callID }) else { continue }
                open.remove(at: place)
            } else {
                if message.role == .user || !open.isEmpty { close(isAnswered: message.isInterjected) }
                if message.role == .assistant, let last = mended.indices.last, mended[last].role == .assistant {
                    mended[last].remark = textCall
                }
                open = message.calls
            }
            mended.append(message)
            if message.role == .assistant, message.isPartial { mended[mended.count - 1].remark = cutAnswer }
        }
        if !keepsOpen || open.isEmpty { close() }
        return mended
    }

    /// Returns the calls of the last assistant message that have no answer, in their order.
    package static func open(in messages: [ChatMessage]) -> [ChatCall] {
        guard let last = messages.lastIndex(where: { $0.role != .tool }) else { return [] }
        let answers = Set(messages[(last + 1)...].compactMap(\.callID))
        return messages[last].calls.filter { !answers.contains($0.id) }
    }

    /// Returns all words of the newest aside that has some, or nil.
    static func wholeAside(in messages: [ChatMessage]) -> String? {
        messages.last { !($0.aside?.whole.isEmpty ?? true) }?.aside?.whole
    }

    /// Returns all calls of the last assistant message, if only answers follow it.
    static func newestCalls(of messages: [ChatMessage]) -> [ChatCall] {
        messages.last { $0.role != .tool }?.calls ?? []
    }

    private static let lost = CallResult.lost.text

    /// The text in place of a missing last answer of a turn, since servers refuse a line of the user directly after a
    /// result.
    static let unanswered = "(Not answered: the turn was stopped, or it failed.)"

    /// The remark for the model below an answer of which only the beginning was stored.
    static let cutAnswer =
        "[Not the person's words. Your answer was cut off here, by the person or the connection. "
        + "A call that it had begun was not run.]"

    /// The remark for the model below a reply in whose words a call stands.
    static let textCall =
        "[Not the person's words. Your reply holds a call written as text; it was not run. "
        + "Use the tool call interface.]"

    /// Returns the newest whole exchanges that fit into `Limits.contextBytes`. The current one is always included
    /// completely.
    static func newest(_ messages: [ChatMessage]) -> [ChatMessage] {
        var start = messages.count
        var size = 0
        var kept = messages.count
        while start > 0 {
            start -= 1
            size += messages[start].bytes
            guard messages[start].role == .user else { continue }
            if size > Limits.contextBytes, kept < messages.count { break }
            kept = start
        }
        return Array(messages[(kept == messages.count ? 0 : kept)...])
    }

    /// Returns calls with unique ids, since some servers send none, or the same id for all (`wire.md` LLM 6).
    static func withUniqueIDs(_ calls: [ChatCall], in messages: [ChatMessage]) -> [ChatCall] {
        guard !calls.isEmpty else { return [] }
        var used = Set(messages.flatMap { $0.calls.map(\.id) })
        return calls.map { call in
            var call = call
            let stem = call.id.isEmpty ? "call" : call.id
            var number = 1
            while call.id.isEmpty || used.contains(call.id) {
                number += 1
                call.id = "\(stem)-\(number)"
            }
            used.insert(call.id)
            return call
        }
    }
}
