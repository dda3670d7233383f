package import Actions
import JSON
import Progress
package import Terminal
package import Vocabulary

/// The entries that wait for the person, with the commands that answer them (`semantics.md` 110 and 111).
package enum InboxView {
    /// Draws the inbox.
    ///
    /// - Parameters:
    ///   - entries: the entries by urgency, then age.
    ///   - showsDone: whether the finished entries are listed, and not only counted.
    package static func lines(_ entries: [InboxEntry], showsDone: Bool = false, now: Moment, columns: Int)
        -> [StyledText]
    {
        func section(_ name: String, _ entries: [InboxEntry], isListed: Bool = true) -> [StyledText] {
            let hint = isListed || entries.isEmpty ? "" : " · \(Voice.call("inbox --all")) shows them"
            let head = StyledText("  \(name) (\(entries.count))", .bold) + StyledText(hint, .dim)
            return Layout.wrapped(head, columns: columns) + (isListed ? rows(entries, now, columns) : [])
        }
        let places = Dictionary(grouping: entries) { $0.record.status(at: now) }
        let pending = entries.filter { [.pending, .claimed].contains($0.record.status(at: now)) }
        let snoozed = places[.snoozed] ?? []
        var lines: [StyledText] = []
        if pending.isEmpty, snoozed.isEmpty {
            lines = Layout.wrapped(StyledText("Nothing waits for you.", .dim), columns: columns, indent: 2)
        }
        guard !entries.isEmpty else { return lines }
        lines += section("Pending", pending) + section("Snoozed", snoozed)
        return lines + section("Done", places[.done] ?? [], isListed: showsDone)
    }

    static func rows(_ entries: [InboxEntry], _ now: Moment, _ columns: Int) -> [StyledText] {
        entries.flatMap { entry in
            Layout.spread(head(entry, now), hint(entry.record), columns: columns, measure: 100, hanging: 7)
                + Layout.wrapped(about(entry, now), columns: columns, indent: 7) + detail(of: entry.record, columns)
                + (entry.record.reason.isEmpty || entry.record.reason == entry.record.title
                    ? [] : reason(of: entry.record, columns))
        }
    }

    /// Returns the title of an await. It is in quotes if a template wrote it.
    static func title(of record: AwaitRecord) -> StyledText {
        record.isWrittenByTemplate ? "\"" + StyledText(record.title, .bold) + "\"" : StyledText(record.title, .bold)
    }

    /// Draws the line about a call: its command, or its first target.
    private static func detail(of record: AwaitRecord, _ columns: Int) -> [StyledText] {
        guard record.isAboutCall, let call = record.question?["call"], let text = CallDetails.line(of: call) else {
            return []
        }
        let left = StyledText(Layout.spaces(min(7, columns / 4))) + Gutter.mark
        return [(left + StyledText(text)).truncated(to: columns)]
    }

    private static func reason(of record: AwaitRecord, _ columns: Int) -> [StyledText] {
        let words = StyledText(record.reason, .dim)
        guard record.isWrittenByTemplate else { return Layout.wrapped(words, columns: columns, indent: 7) }
        return ofOthers(words, columns)
    }

    /// Returns the rows of words of a template or a tool, behind their gutter.
    static func ofOthers(_ words: StyledText, _ columns: Int) -> [StyledText] {
        let left = StyledText(Layout.spaces(min(7, columns / 4))) + Gutter.mark
        return words.wrapped(to: max(2, columns - left.width)).map { left + $0 }
    }

    /// Returns the rows above the prompt for a new entry, such as `⚑ "Draw a mask" needs you (w4, step 2) · blocks
    /// Stylize · /open 1`.
    package static func news(_ entry: InboxEntry, columns: Int) -> [StyledText] {
        let record = entry.record
        var text = StyledText("\(StateSign.needsYou.sign) ", .warning)
        text.append("\"\(record.title)\" needs you (\(record.step.workflow), \(step(entry)))")
        if let blocks = blocks(entry) { text += StyledText(" · ") + StyledText(blocks, .warning) }
        text.append(" · \(hint(record).plain)")
        return Layout.wrapped(text, columns: columns, hanging: 2)
    }

    /// Returns the step of an entry, such as `step 2`, or the id of a step without a number.
    private static func step(_ entry: InboxEntry) -> String {
        "step \(entry.isFolded ? VisibleText.cut(entry.node, to: 30) : "\(entry.record.step.index)")"
    }

    /// Returns the steps that wait for an entry, such as `blocks Stylize` or `blocks Stylize and 2 more`. Returns nil
    /// if no step waits.
    static func blocks(_ entry: InboxEntry) -> String? {
        guard let first = entry.blocked.first else { return nil }
        return "blocks \(first.title)" + (entry.blocked.count > 1 ? " and \(entry.blocked.count - 1) more" : "")
    }

    private static func head(_ entry: InboxEntry, _ now: Moment) -> StyledText {
        let record = entry.record
        let status = record.status(at: now)
        var line =
            StyledText(DisplayWidth.pad("\(record.number)", to: 4, .trailing), .bold) + "  "
            + (status == .done ? StateSign(resolution: record.resolution) : StateSign(status)).text
        if record.urgency == .high, status == .pending { line.append(" · urgent", .warning) }
        if !entry.blocked.isEmpty, status != .done { line.append(" · blocking", .warning) }
        return line + "  " + title(of: record)
    }

    /// Returns the command that answers an await. It is empty for a finished one.
    static func hint(_ record: AwaitRecord) -> StyledText {
        guard record.status != .done else { return StyledText() }
        return StyledText(Voice.call((record.isAboutCall ? "approve" : "open") + " \(record.number)"), .accent)
    }

    private static func about(_ entry: InboxEntry, _ now: Moment) -> StyledText {
        let record = entry.record
        let workflow =
            "\(record.step.workflow)" + (entry.title.isEmpty ? "" : " \"\(VisibleText.cut(entry.title, to: 40))\"")
        let node = entry.node.isEmpty || entry.isFolded ? "" : " (\(VisibleText.cut(entry.node, to: 30)))"
        let step = step(entry) + node
        var parts = [StyledText(workflow, .dim), StyledText(step, .dim), StyledText(record.type.words, .dim)]
        func add(_ text: String, _ style: Style = .dim) { parts.append(StyledText(text, style)) }
        add("added \(Amounts.age(of: record.createdAt, now: now))")
        if let expiry = record.expiresAt, record.status != .done {
            add(
                expiry > now
                    ? "expires \(Amounts.age(of: expiry, now: now))" : "expired \(Amounts.age(of: expiry, now: now))")
        }
        if let until = record.until {
            switch record.status(at: now) {
            case .claimed: add("claimed by \(record.claimedBy ?? "somebody")")
            case .snoozed: add("back \(Amounts.age(of: until, now: now))")
            case .pending, .done: break
            }
        }
        if record.draft != nil, record.status != .done { add("has a draft") }
        if let blocks = blocks(entry), record.status != .done { add(blocks, .warning) }
        if let resolution = record.resolution { add(resolution + (record.answeredBy.map { " by \($0)" } ?? "")) }
        return Layout.dotted(parts)
    }
}
