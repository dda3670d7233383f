package import Terminal
package import Vocabulary

/// What waits for the person, and what to do about it.
package enum InboxView {
    package static func lines(_ awaits: [AwaitRecord], now: Moment, columns: Int) -> [StyledText] {
        guard !awaits.isEmpty else { return Layout.wrapped(StyledText("Nothing waits for you.", .dim), columns: columns, indent: 2) }
        return rows(awaits, now, columns)
    }

    static func rows(_ awaits: [AwaitRecord], _ now: Moment, _ columns: Int) -> [StyledText] {
        awaits.flatMap { record in
            Layout.spread(head(record), hint(record), columns: columns, measure: 100, hanging: 7)
                + Layout.wrapped(about(record, now), columns: columns, indent: 7)
        }
    }

    /// The line above the prompt when something new waits: `⚑ "Draw a mask" needs you (w4, step 2) · /open 1`.
    package static func news(_ record: AwaitRecord, columns: Int) -> [StyledText] {
        let sign = StateSign.needsYou
        let text =
            StyledText("\(sign.sign) ", sign.style) + StyledText("\"\(record.title)\"", .bold) + StyledText(" \(sign.word)", sign.style)
            + StyledText(" (\(record.step.workflow), step \(record.step.index)) · ", .dim) + hint(record)
        return Layout.wrapped(text, columns: columns, indent: 2, hanging: 4)
    }

    private static func head(_ record: AwaitRecord) -> StyledText {
        let number = StyledText(DisplayWidth.pad("\(record.number)", to: 4, .trailing), .bold)
        let urgency = record.urgency == .high && record.status == .pending ? StyledText(" urgent", .warning) : StyledText()
        return number + "  " + StateSign(record.status).text + urgency + "  " + StyledText(record.title, .bold)
    }

    /// What to type; nothing where it is over.
    static func hint(_ record: AwaitRecord) -> StyledText {
        guard record.status != .done else { return StyledText() }
        switch record.type {
        case .confirmCall, .submitUnknown: return StyledText("/approve \(record.number)", .accent)
        case .drawMask, .selectAsset, .confirmParams, .choose, .text, .capture, .connect:
            return StyledText("/open \(record.number)", .accent)
        }
    }

    private static func about(_ record: AwaitRecord, _ now: Moment) -> StyledText {
        var parts = ["\(record.step.workflow), step \(record.step.index)", Amounts.age(of: record.createdAt, now: now)]
        if let expiry = record.expiresAt, record.status != .done {
            parts.append(expiry > now ? "expires \(Amounts.age(of: expiry, now: now))" : "expired \(Amounts.age(of: expiry, now: now))")
        }
        if let resolution = record.resolution { parts.append(resolution + (record.answeredBy.map { " by \($0)" } ?? "")) }
        if !record.reason.isEmpty { parts.append(record.reason) }
        return StyledText(parts.joined(separator: " · "), .dim)
    }
}
