import GRDB
import JSON
import Vocabulary

// The rows of sessions and messages.

extension ChatMessage {
    var storedCalls: String {
        JSON.array(
            calls.map { call in
                .of([
                    "id": .string(call.id), "name": .string(call.name), "arguments": call.arguments,
                    "opaque": call.opaque.isEmpty ? nil : .object(call.opaque),
                ])
            }
        ).text
    }

    /// The message's reasoning and aside as JSON, `{"reasoning":…,"origin":…,"parts":{…}}`, and whether it came into a
    /// turn, or nil if it has nothing of these.
    var storedThought: String? {
        guard !reasoning.isEmpty || opaque != nil || aside != nil || isInterjected else { return nil }
        return JSON.of([
            "reasoning": reasoning.isEmpty ? nil : .string(reasoning), "origin": opaque.map { .string($0.origin) },
            "parts": opaque.map { .object($0.parts) }, "aside": aside.map { .string($0.words) },
            "news": aside.flatMap { $0.news.isEmpty ? nil : .string($0.news) },
            "whole": aside.flatMap { $0.whole == $0.words ? nil : .string($0.whole) },
            "attached": aside.flatMap { $0.attached.isEmpty ? nil : .string($0.attached) },
            "interjected": isInterjected ? true : nil,
        ]).text
    }

    /// The names and arguments of the message's calls, for the index of words.
    var called: String? {
        calls.isEmpty ? nil : calls.map { "\($0.name) \($0.arguments.text)" }.joined(separator: "\n")
    }
}

extension MessageRecord {
    init(row: Row) {
        let calls = (json(row, "calls").array ?? []).map { call in
            ChatCall(
                id: call["id"]?.string ?? "", name: call["name"]?.string ?? "", arguments: call["arguments"] ?? [:],
                opaque: call["opaque"]?.object ?? JSON.Object())
        }
        let thought = json(row, "thought")
        var message = ChatMessage(
            ChatMessage.Role(rawValue: row["role"]) ?? .user, row["text"], calls: calls, callID: row["call_id"],
            isPartial: row["is_partial"], reasoning: thought["reasoning"]?.string ?? "")
        message.isInterjected = thought["interjected"]?.bool ?? false
        if let words = thought["aside"]?.string {
            message.aside = ChatMessage.Aside(
                news: thought["news"]?.string ?? "", words: words, whole: thought["whole"]?.string ?? words)
            message.aside?.attached = thought["attached"]?.string ?? ""
        }
        if let origin = thought["origin"]?.string, let parts = thought["parts"]?.object {
            message.opaque = OpaqueParts(origin: origin, parts: parts)
        }
        self.init(
            id: row["id"], session: SessionID(row["session"]), turn: row["turn"], message: message,
            at: Moment(milliseconds: row["at"]))
    }
}

extension SessionRecord {
    init(row: Row) {
        self.init(
            id: SessionID(row["id"]), title: row["title"], workspace: row["workspace"],
            startedAt: Moment(milliseconds: row["started_at"]), updatedAt: Moment(milliseconds: row["updated_at"]),
            messageCount: row["message_count"])
    }
}
