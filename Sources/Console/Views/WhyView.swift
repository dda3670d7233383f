import Actions
import JSON
import Progress
package import Terminal
package import Vocabulary

/// The chain of events behind a state, oldest first: the time, the step, the event, and the code for programs.
package enum WhyView {
    static let eventsLimit = 200
    static let stepsLimit = 8

    /// Draws the answer of `why`.
    ///
    /// - Parameters:
    ///   - events: the events of the workflow, or of the step in question.
    ///   - step: the number of the step. Without a step, the steps that block the workflow come first.
    ///   - causes: the causes from the present state back to the first one, which are drawn before the events.
    ///   - asked: the stored commands of the workflow that no engine has carried out.
    ///   - rows: the numbers that users see for the steps.
    ///   - span: the numbers of the events that are drawn alone, or nil for the whole answer.
    package static func lines(
        _ summary: WorkflowSummary, steps: [StepRecord], events: [EventRecord], causes: [Cause] = [], step: Int? = nil,
        asked: [Command] = [], rows: StepRows = StepRows(nil), span: Range<Int>? = nil, now: Moment, columns: Int
    ) -> [StyledText] {
        if let span {
            return chain(
                events.entries(span), of: summary, rows,
                after: span.lowerBound > 1 ? events[span.lowerBound - 2].at : nil,
                columns)
        }
        let sign = StateSign(summary, asked: asked)
        let head =
            causes.isEmpty
            ? head(summary, sign, steps, step, rows, now, columns)
            : title(summary, sign, now, columns) + causes.flatMap { cause($0, now, columns) }
                + [StyledText("  what happened", .dim).truncated(to: columns)]
        guard !events.isEmpty else {
            return head + Layout.wrapped(StyledText("Nothing has happened yet.", .dim), columns: columns, indent: 2)
        }
        guard events.count > eventsLimit else {
            return head + chain(events[...], of: summary, rows, after: nil, columns)
        }
        let half = eventsLimit / 2
        let verb = "why \(summary.record.id)" + (step.map { " \($0)" } ?? "")
        let rest = Remainder(half + 1..<events.count - half + 1, of: events.count, "more event", verb)
        return head + chain(events.prefix(half), of: summary, rows, after: nil, columns) + rest.lines(columns: columns)
            + chain(events.suffix(half), of: summary, rows, after: events[half - 1].at, columns)
    }

    private static func head(
        _ summary: WorkflowSummary, _ sign: StateSign, _ steps: [StepRecord], _ number: Int?,
        _ rows: StepRows, _ now: Moment, _ columns: Int
    ) -> [StyledText] {
        if let number { return steps.first { $0.id.index == number }.map { headline($0, rows, columns) } ?? [] }
        let pressing = pressing(steps)
        let shown = pressing.prefix(stepsLimit).flatMap { headline($0, rows, columns) }
        let rest = Remainder(
            min(stepsLimit, pressing.count) + 1..<pressing.count + 1, of: pressing.count, "more step",
            "why \(summary.record.id) --steps")
        return title(summary, sign, now, columns) + shown + rest.lines(columns: columns)
    }

    /// Returns the steps that block the workflow.
    private static func pressing(_ steps: [StepRecord]) -> [StepRecord] {
        steps.filter { $0.failure != nil || ($0.reason != nil && $0.state != .succeeded) }
    }

    /// Draws only the steps that block the workflow.
    static func pressing(_ steps: [StepRecord], _ rows: StepRows, _ span: Range<Int>?, columns: Int) -> [StyledText] {
        pressing(steps).entries(span).flatMap { headline($0, rows, columns) }
    }

    private static func title(_ summary: WorkflowSummary, _ sign: StateSign, _ now: Moment, _ columns: Int)
        -> [StyledText]
    {
        let age = StyledText("  \(Amounts.age(of: summary.record.updatedAt, now: now))", .dim)
        let title =
            StyledText("\(summary.record.id)  ", .dim) + StyledText("\(summary.record.title): ", .bold)
            + sign.text + age
        return Layout.wrapped(title, columns: columns, indent: 2, hanging: 4)
    }

    /// Returns the rows of one cause. A deeper cause is an earlier one in the chain.
    private static func cause(_ cause: Cause, _ now: Moment, _ columns: Int) -> [StyledText] {
        let indent = 2 + 2 * min(cause.depth, columns / 8)
        var text = cause.depth == 0 ? StyledText() : StyledText("← ", .dim)
        text +=
            StyledText(Voice.worded(cause.words), cause.depth == 0 ? .bold : []) + StyledText(" (\(cause.code))", .dim)
        if let at = cause.at {
            text.append(
                "  \(at.description.prefix(19).replacing("T", with: " ")) · \(Amounts.age(of: at, now: now))", .dim)
        }
        return Layout.wrapped(text, columns: columns, indent: indent, hanging: indent + 2)
    }

    private static func headline(_ step: StepRecord, _ rows: StepRows, _ columns: Int) -> [StyledText] {
        var text =
            StyledText("\(step.id.workflow), step \(rows.label(of: step)): ", .bold)
            + StateSign(step.state, step.reason).text
        if let failure = step.failure {
            text += ". " + FailureLine.text(failure)
        } else if let reason = step.reason {
            text += StyledText(". \(reason.words)") + StyledText(" (\(reason.code))", .dim)
        }
        return Layout.wrapped(text, columns: columns, indent: 2, hanging: 4)
    }

    private static func chain(
        _ events: ArraySlice<EventRecord>, of summary: WorkflowSummary, _ rows: StepRows, after last: Moment?,
        _ columns: Int
    ) -> [StyledText] {
        var day = last.map(Self.day)
        // Repeated events, such as those of a job that is checked every ten seconds, are drawn once.
        var groups: [(first: EventRecord, last: EventRecord, count: Int)] = []
        for event in events {
            if let before = groups.last, before.last.step == event.step, before.last.attempt == event.attempt,
                before.last.type == event.type,
                EventWords.text(before.last, summary.exit) == EventWords.text(event, summary.exit)
            {
                groups[groups.count - 1].last = event
                groups[groups.count - 1].count += 1
            } else {
                groups.append((event, event, 1))
            }
        }
        return groups.flatMap { event, last, count -> [StyledText] in
            let date =
                day == Self.day(event.at)
                ? [] : [StyledText("  \(Self.day(event.at)) UTC", .dim).truncated(to: columns)]
            day = Self.day(event.at)
            let repeats = count > 1 ? "  ×\(count), the last \(clock(last.at))" : ""
            return date + line(event, event.step.map(rows.word), summary.exit, repeats, columns)
        }
    }

    private static func line(
        _ event: EventRecord, _ step: String?, _ exit: Int?, _ repeats: String, _ columns: Int
    ) -> [StyledText] {
        var text = StyledText("\(clock(event.at))  ", .dim)
        if let step { text.append("step \(step)  ", .dim) }
        if let attempt = event.attempt, attempt > 1 { text.append("run \(attempt)  ", .dim) }
        return Layout.wrapped(
            text + EventWords.text(event, exit) + StyledText(repeats, .dim), columns: columns, indent: 2, hanging: 12)
    }

    private static func clock(_ moment: Moment) -> String { String(moment.description.dropFirst(11).prefix(8)) }

    private static func day(_ moment: Moment) -> String { String(moment.description.prefix(10)) }
}

/// The words for stored events. `Event.body` has written their bodies. A body of another version is shown as it is.
private enum EventWords {
    /// Returns the words for an event.
    ///
    /// - Parameter exit: the exit code of a command of the workflow that ended with another one than 0, or nil.
    static func text(_ event: EventRecord, _ exit: Int?) -> StyledText {
        let body = event.body
        func member(_ key: String) -> String { body[key].map { $0.string ?? $0.text } ?? "?" }
        func code(_ words: String, _ code: String) -> StyledText { StyledText(words) + StyledText(" (\(code))", .dim) }
        switch event.type {
        case "workflow.created":
            let steps = member("steps")
            return code("created, \(steps) step\(steps == "1" ? "" : "s"): \(member("title"))", event.type)
        case "step.changed": return step(body, event.type)
        case "await.opened":
            return StateSign.needsYou.text + code("  \(member("title")): \(member("reason"))", member("kind"))
        case "workflow.changed":
            return code(member("words") + (body["by"]?.string.map { " By \($0)." } ?? ""), member("reason"))
        case "await.changed":
            return code(
                "\(member("status")) by \(member("by"))\(body["until"]?.string.map { " until \($0.prefix(19).replacing("T", with: " ")) UTC" } ?? "")",
                event.type)
        case "step.late": return code(member("words"), event.type)
        case "await.closed": return code("answered \"\(member("resolution"))\" by \(member("by"))", member("kind"))
        case "question.asked": return code("asked: \(member("title"))", event.type)
        case "question.answered": return code("answered \"\(member("answer"))\" by \(member("by"))", event.type)
        case "workflow.finished":
            let outcome = body["outcome"]?.string.flatMap(Outcome.init(rawValue:))
            let outputs = Amounts.count(body["outputs"]?.array?.count ?? 0, "output")
            return (outcome.map { StateSign($0, exit: exit).text } ?? StyledText(member("outcome")))
                + code("  finished, \(outputs)", event.type)
        case "error": return failure(body)
        default: return StyledText(event.type) + StyledText(" \(VisibleText.cut(body.text, to: 120))", .dim)
        }
    }

    private static func step(_ body: JSON, _ type: String) -> StyledText {
        guard let state = body["state"]?.string.flatMap(StepState.init(rawValue:)) else {
            return StyledText("\(type) \(body.text)")
        }
        let reason = body["reason"]?.string.map { Reason(FailureCode($0), body["words"]?.string ?? "") }
        var text = StateSign(state, reason).text
        if let phase = body["phase"]?.string { text.append("  \(phase)") }
        if let words = body["words"]?.string { text.append("  \(words)") }
        text.append(" (\(body["reason"]?.string ?? state.rawValue))", .dim)
        if let fault = body["failure"], !fault.isNull { text += "  " + failure(fault) }
        return text
    }

    private static func failure(_ body: JSON) -> StyledText {
        FailureLine.text(
            Failure(
                FailureCode(body["code"]?.string ?? "unknown"), body["message"]?.string ?? body.text,
                remedy: body["remedy"]?.string)
        )
    }
}
