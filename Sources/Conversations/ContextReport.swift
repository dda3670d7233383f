import JSON
import Vocabulary

/// The parts that fill the window of a conversation's model with the next request.
package struct ContextReport: Hashable, Sendable {
    /// A part of the request.
    package struct Part: Hashable, Sendable {
        package let name: String
        package let tokens: Int
    }

    package let room: ContextRoom
    /// The tokens of the next request without the next line.
    package let tokens: Int
    /// The share of the room that is filled, in percent.
    package var share: Int { tokens * 100 / max(1, room.tokens) }
    /// Whether a server has counted tokens of this conversation. Else all figures are estimates.
    package let isCounted: Bool
    /// The parts, which add up to about `tokens`.
    package let parts: [Part]
    /// The results and arguments that are stubs now, and the turns and calls that are a line.
    package let stubs: Int
    package let lines: Int

    init(_ plan: ContextPlan, _ messages: [ChatMessage], system: String, tools: [ChatTool]) {
        let sent = plan.sent(messages)
        let bytes = plan.bytes(of: sent)
        (room, tokens, isCounted) = (plan.room, plan.meter.tokens(of: bytes), plan.meter.isCounted)
        let whole = tokens
        func part(_ name: String, _ size: Int) -> Part? {
            // The server's count is shared out by bytes.
            size > 0 ? Part(name: name, tokens: Int(Double(whole) * Double(size) / Double(max(1, bytes)))) : nil
        }
        func sum(_ size: (ChatMessage) -> Int) -> Int { sent.reduce(0) { $0 + size($1) } }
        let pictures = sum { $0.pictures.reduce(0) { $0 + $1.textBytes } }
        parts = [
            part("instructions", system.utf8.count), part("tools", plan.fixedBytes - system.utf8.count),
            part("your lines", sum { $0.role == .user ? $0.text.utf8.count : 0 }),
            part(
                "folder, mode, wishes and news",
                sum { $0.aside.map { $0.news.utf8.count + $0.words.utf8.count + $0.attached.utf8.count } ?? 0 }),
            part("answers", sum { $0.role == .assistant ? $0.text.utf8.count : 0 }),
            part("calls", sum { $0.calls.reduce(0) { $0 + $1.name.utf8.count + $1.arguments.text.utf8.count } }),
            part("results", sum { $0.role == .tool ? $0.text.utf8.count : 0 }), part("pictures", pictures),
        ].compactMap(\.self)
        let lines = min(plan.compaction.lines, messages.count)
        self.lines =
            messages[..<lines].count { $0.role == .user }
            + messages[plan.compaction.calls.clamped(to: 0..<messages.count)].reduce(0) { $0 + $1.calls.count }
        stubs = zip(messages.dropFirst(lines), sent).count { $0 != $1 && $0.role != .user }
    }
}
