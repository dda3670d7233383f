import Actions
import JSON
import Terminal
import Vocabulary

/// The view of `status`, with a row for each fact.
enum StatusView {
    static func lines(_ standing: Standing, now: Moment, columns: Int) -> [StyledText] {
        var rows: [(String, StyledText)] = [("folder", StyledText(standing.workspace))]
        if let session = standing.session {
            rows.append(("conversation", StyledText("\(session.id) · \(session.title)")))
        }
        rows.append(("model", StyledText(Banner.words(ofModel: standing.model))))
        rows.append(("mode", mode(standing)))
        rows.append(("programs", programs(standing)))
        rows += tokens(standing)
        rows.append(("runs", runs(standing)))
        rows.append(("waits", waits(standing)))
        let table = Layout.ledger(
            rows.map { [StyledText($0.0, .dim), $0.1] }, columns: columns, below: 4, gap: Layout.gap
        ).flatMap(\.self)
        let list = WorkflowList.lines(standing.running, standing: standing.standing, now: now, columns: columns)
        return table + (standing.running.isEmpty ? [] : list)
            + WorkerView.lines(standing.workers, now: now, columns: columns)
    }

    static func json(_ standing: Standing) -> JSON {
        let mode: ConfirmationMode? = try? standing.mode.get()
        return .of([
            "workspace": .string(standing.workspace), "session": standing.session.map { .string($0.id.description) },
            "model": standing.model.map { .string($0) } ?? .null, "mode": mode.map { .string($0.rawValue) },
            "sessionTokens": standing.sessionUsage?.json(by: .session), "todayTokens": standing.today?.json(by: .day),
            "running": .int(standing.runningCount),
            "workflows": .array(standing.running.map { .string($0.record.id.description) }),
            "waiting": .array(standing.waiting.map { .int(Int($0.number)) }),
            "workers": .array(standing.workers.map { .int($0.process) }),
        ])
    }

    private static func mode(_ standing: Standing) -> StyledText {
        switch standing.mode {
        case .success(let mode): StyledText("\(mode.rawValue): \(mode.words)")
        case .failure(let failure): StyledText(failure.message, .failure)
        }
    }

    private static func programs(_ standing: Standing) -> StyledText {
        switch standing.programs {
        case .success(let words): StyledText("\(VisibleText.line(words)) · \(Voice.call("programs"))")
        case .failure(let failure): StyledText(failure.message, .failure)
        }
    }

    private static func tokens(_ standing: Standing) -> [(String, StyledText)] {
        let parts = [("here", standing.sessionUsage), ("today", standing.today)].compactMap { name, total in
            total.map { (name, $0) }
        }
        guard !parts.isEmpty else { return [("tokens", StyledText("none taken today", .dim))] }
        return parts.map { name, total in ("tokens \(name)", TokenView.sum(total)) }
    }

    private static func runs(_ standing: Standing) -> StyledText {
        guard standing.runningCount > 0 else { return StyledText("nothing", .dim) }
        let rest = standing.runningCount - standing.running.count
        let count = StyledText(Amounts.count(standing.runningCount, "workflow"))
        return rest > 0
            ? count + StyledText(", the newest \(standing.running.count) below · \(Voice.call("list --active"))", .dim)
            : count
    }

    private static func waits(_ standing: Standing) -> StyledText {
        guard !standing.waiting.isEmpty else { return StyledText("nothing waits for you", .dim) }
        let names = NameList.words(standing.waiting.map { "\($0.number) (\($0.step.workflow))" })
        return StyledText(Amounts.count(standing.waiting.count, "question"), .question)
            + StyledText(": \(names) · \(Voice.call("inbox"))")
    }
}
