import JSON
package import Vocabulary

extension Limits {
    /// The bytes from which a result or a text in the arguments of a call becomes a stub.
    fileprivate static let stubbedBytes = 2 << 10

    /// The bytes of the head and of the tail of a stub.
    fileprivate static let stubHead = 500
    fileprivate static let stubTail = 400

    /// The most turns and the most calls that have a line each. Earlier ones are counted.
    fileprivate static let compactedLines = 60

    /// The most bytes of a text in the line of a turn or of a call.
    fileprivate static let compactedWords = 160
}

/// The messages of a conversation as its model gets them after a compaction. It is pure.
package struct CompactedMessages {
    private let compaction: Compaction

    /// Creates the messages of a compaction.
    package init(_ compaction: Compaction) { self.compaction = compaction }

    /// Returns the messages that are sent.
    package func messages(of all: [ChatMessage]) -> [ChatMessage] {
        guard !compaction.isEmpty else { return all }
        let lines = min(compaction.lines, all.count)
        let calls = compaction.calls.clamped(to: 0..<all.count)
        let made = Dictionary(all.flatMap { $0.calls.map { ($0.id, $0) } }, uniquingKeysWith: { $1 })
        var sent: [ChatMessage] = []
        // A line of the person that came into the turn stays.
        for place in lines..<all.count where !calls.contains(place) || all[place].role == .user {
            sent.append(place < compaction.stubs ? stub(all[place], of: made) : all[place])
        }
        if lines < calls.lowerBound, !calls.isEmpty {
            let place = calls.lowerBound - 1 - lines
            if sent.indices.contains(place) {
                sent[place] = Self.with(Self.words(ofCalls: Array(all[calls])), below: sent[place])
            }
        }
        guard lines > 0 else { return sent }
        let earlier = Array(all[..<lines])
        guard let first = sent.firstIndex(where: { $0.role == .user }) else { return sent }
        var aside = sent[first].aside ?? ChatMessage.Aside(words: "", whole: "")
        aside.words = aside.whole.isEmpty ? Transcript.wholeAside(in: earlier) ?? "" : aside.whole
        aside.news = [Self.words(ofTurns: earlier), aside.news].filter { !$0.isEmpty }.joined(separator: "\n\n")
        sent[first].aside = aside
        return sent
    }

    // MARK: Stubs

    private func stub(_ message: ChatMessage, of calls: [String: ChatCall]) -> ChatMessage {
        var message = message
        switch message.role {
        case .tool:
            guard message.text.utf8.count > Limits.stubbedBytes || !message.pictures.isEmpty else { return message }
            let isLong = message.text.utf8.count > Limits.stubbedBytes
            message.text = Self.stub(of: message.text, isLong: isLong, message.callID.flatMap { calls[$0] })
            message.pictures = []
        case .assistant:
            for index in message.calls.indices
            where message.calls[index].arguments.text.utf8.count > Limits.stubbedBytes {
                message.calls[index].arguments = Self.shortened(message.calls[index].arguments)
            }
        case .user, .system: break
        }
        return message
    }

    private static func stub(of text: String, isLong: Bool, _ call: ChatCall?) -> String {
        let again = call.map { "Read it again: \(reading($0, text))." } ?? ""
        guard isLong else { return "\(text)\n[The picture is left out now. \(again)]" }
        let bytes = text.utf8.count
        return "[Shortened: this result had \(bytes) bytes. \(again)]\n"
            + "\(text.beginning(bytes: Limits.stubHead))\n[…]\n"
            + text.ending(bytes: Limits.stubTail)
    }

    /// Returns the call that gives a result again: the same one for a look, else one that reads the workflow.
    private static func reading(_ call: ChatCall, _ result: String) -> String {
        let arguments = call.arguments.text
        if PlannerTools.isLook(call.name) { return "\(call.name) \(arguments.utf8.count < 300 ? arguments : "")" }
        let named = result.prefix(400).firstMatch(of: /\bw[1-9][0-9]*\b/)
        return named.map { "results {\"workflow\": \"\($0.output)\"}" } ?? "results {}"
    }

    /// Returns arguments whose long texts are cut. What is left is of the same form.
    private static func shortened(_ json: JSON) -> JSON {
        switch json {
        case .string(let text) where text.utf8.count > Limits.stubHead:
            let rest = text.utf8.count - Limits.stubHead
            let head = text.beginning(bytes: Limits.stubHead)
            return .string("\(head) [… \(rest) bytes left out of this earlier call]")
        case .array(let values): return .array(values.map(shortened))
        case .object(let object):
            return .object(JSON.Object(members: object.members.map { .init(key: $0.key, value: shortened($0.value)) }))
        default: return json
        }
    }

    // MARK: Lines

    private static func words(ofTurns messages: [ChatMessage]) -> String {
        var lines: [String] = []
        var turn: [ChatMessage] = []
        func end() {
            guard let first = turn.first, first.role == .user else { return }
            let calls = names(of: turn.flatMap(\.calls))
            let answer = turn.last { $0.role == .assistant && !$0.text.isEmpty }?.text ?? "(no answer)"
            lines.append(
                "- “\(line(first.text))”" + (calls.isEmpty ? "" : " → \(calls)") + " → “\(line(answer))”")
        }
        for message in messages {
            if message.beginsTurn {
                end()
                turn = []
            }
            turn.append(message)
        }
        end()
        return framed("Earlier turns, a line each: the person's line, your calls, your answer", lines, "turns")
    }

    private static func words(ofCalls messages: [ChatMessage]) -> String {
        let results = Dictionary(
            messages.compactMap { message in message.callID.map { ($0, message.text) } }, uniquingKeysWith: { $1 })
        let lines = messages.flatMap(\.calls).map { call in
            "- \(call.name) \(line(call.arguments.text)) → \(line(results[call.id] ?? "(no result)"))"
        }
        return framed("Your earlier calls of this turn, a line each, with the beginning of the result", lines, "calls")
    }

    private static func framed(_ title: String, _ lines: [String], _ noun: String) -> String {
        let more = lines.count - Limits.compactedLines
        let head = more > 0 ? ["- … and \(more) earlier \(noun)"] : []
        let shown = head + lines.suffix(Limits.compactedLines)
        return
            "[Not the person's words. The window was full, so this is shortened; the person's history has all of it. "
            + "\(title):\n\(shown.joined(separator: "\n"))]"
    }

    /// Returns the names of calls with their number, such as `edit ×2, run`.
    private static func names(of calls: [ChatCall]) -> String {
        var counts: [(name: String, count: Int)] = []
        for call in calls {
            if let place = counts.firstIndex(where: { $0.name == call.name }) {
                counts[place].count += 1
            } else {
                counts.append((call.name, 1))
            }
        }
        return counts.map { $0.count == 1 ? $0.name : "\($0.name) ×\($0.count)" }.joined(separator: ", ")
    }

    private static func with(_ words: String, below message: ChatMessage) -> ChatMessage {
        var message = message
        var aside = message.aside ?? ChatMessage.Aside(words: "", whole: "")
        aside.words = [aside.words, words].filter { !$0.isEmpty }.joined(separator: "\n\n")
        message.aside = aside
        return message
    }

    // MARK: Parts of texts

    /// Returns a text as one short line.
    private static func line(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.utf8.count > Limits.compactedWords ? "\(line.beginning(bytes: Limits.compactedWords))…" : line
    }
}

extension ChatMessage {
    /// Whether the message is a line of the person with which a turn begins.
    var beginsTurn: Bool { role == .user && !isInterjected }
}
