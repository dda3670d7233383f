import Conversations
import JSON
import Services
import Storage
import Tools
import Undo
import Vocabulary

extension Limits {
    /// The most workflows about which a model hears news at once. The others are counted.
    fileprivate static let newsLines = 20

    /// The most bytes of the news about one workflow.
    fileprivate static let newsBytes = 1 << 10
}

/// What became of the workflows of a conversation, as far as no result of a call has described it to the model:
/// answers from the inbox, ends, refused parts, undos and redos.
///
/// The archive holds for each workflow up to which event the model knows it.
struct ConversationNews: Sendable {
    private let shared: OpenWorkspace
    private let session: SessionID
    /// What the model knows once the line with the news is stored.
    private let pending = Kept<[HeardWorkflow]>([])

    /// Creates the news of one conversation.
    init(_ shared: OpenWorkspace, in session: SessionID) { (self.shared, self.session) = (shared, session) }

    private var records: WorkflowRecords { WorkflowRecords(shared) }

    // MARK: Known

    /// Records that a call has started a workflow, of which no result has described the state yet.
    func hasBegun(_ id: WorkflowID) { hear(id, isReported: false) }

    /// Records that the model knows the present state of a workflow. Call it before the state is read.
    func isReported(_ id: WorkflowID) { hear(id, isReported: true) }

    private func hear(_ id: WorkflowID, isReported: Bool) {
        // If it cannot be stored now, the model hears the same once more.
        guard let archive = try? shared.archive.get(), let seq = try? archive.newestEvent(of: id) else { return }
        try? archive.hear([HeardWorkflow(id, seq: seq, isReported: isReported)], in: session)
    }

    /// Records that the line with the last news is stored.
    func isStored() {
        let known = pending.value
        pending.value = []
        guard !known.isEmpty, let archive = try? shared.archive.get() else { return }
        try? archive.hear(known, in: session)
    }

    // MARK: News

    /// Returns the news for in front of a line of the user, or nil if there is none.
    ///
    /// - Parameter except: workflows of which a result of this turn tells.
    func words(except: [WorkflowID]) -> String? {
        pending.value = []
        guard let archive = try? shared.archive.get(), let changed = try? archive.changedSinceHeard(in: session) else {
            return nil
        }
        var lines: [String] = []
        for heard in changed where !except.contains(heard.workflow) {
            // An event that comes while this is read is news again.
            let seq = (try? archive.newestEvent(of: heard.workflow)) ?? heard.seq
            guard let line = line(of: heard) else { continue }
            lines.append(line)
            pending.value.append(HeardWorkflow(heard.workflow, seq: seq, isReported: true))
        }
        lines += undos(archive)
        guard !lines.isEmpty else { return nil }
        let more = lines.count - Limits.newsLines
        let shown =
            lines.prefix(Limits.newsLines).map { "- " + Self.short($0) }
            + (more > 0 ? ["- and \(more) more: results lists the workflows"] : [])
        return "[Not the person's words. What happened since your last answer:\n\(shown.joined(separator: "\n"))]"
    }

    private static func short(_ line: String) -> String {
        TextCut(line).ends(head: Limits.newsBytes, tail: 0).map { "\($0.head) …" } ?? line
    }

    private func name(of id: WorkflowID) -> String {
        let title = (try? records.summary(id))?.record.title ?? ""
        return title.isEmpty ? id.description : "\(id) (\(title.withSignsForControls))"
    }

    /// Returns what became of a workflow.
    private func line(of heard: HeardWorkflow) -> String? {
        let id = heard.workflow
        guard let summary = try? records.summary(id) else { return nil }
        let closed = (try? shared.archive.get().closedAwaits(of: id, after: heard.seq)) ?? []
        var parts = PersonAnswers(look: records).words(of: id, only: closed)
        let isQuestion = (try? records.template(id))??.isQuestion ?? false
        if !isQuestion || parts.isEmpty { parts += ending(summary) }
        if !heard.isReported, summary.record.outcome == nil {
            parts.append("it was begun before the turn was stopped, and is still under way")
        }
        return parts.isEmpty ? nil : "\(name(of: id)): \(parts.joined(separator: "; "))"
    }

    private func ending(_ summary: WorkflowSummary) -> [String] {
        let id = summary.record.id
        let failure = ((try? records.steps(id)) ?? []).compactMap(\.failure).first
        switch summary.record.outcome {
        case .succeeded:
            return ["it has succeeded"] + CommandReport.changes(of: id, records)
        case .failed:
            return [failure.map { "it has failed: \($0.message)" } ?? "it has failed"]
        case .cancelled: return ["it was cancelled\(records.isCancelledByPerson(id) ? " by the person" : "")"]
        case .waiting: return ["it waits for the person"]
        case nil: return []
        }
    }

    // MARK: Undone

    private func undos(_ archive: Archive) -> [String] {
        guard let found = try? archive.unheardUndos(in: session, of: shared.workspace) else { return [] }
        let actions = UndoActions(shared, in: session)
        var lines: [String] = []
        var known: Set<WorkflowID> = []
        for id in found {
            guard let target = actions.undone(by: id),
                known.contains(target) || (try? archive.hasHeard(target, in: session)) == true
            else { continue }
            known.insert(id)
            lines.append(words(of: id, undoing: target, actions))
            let seq = (try? archive.newestEvent(of: id)) ?? 0
            pending.value.append(HeardWorkflow(id, seq: seq, isReported: true))
        }
        return lines
    }

    private func words(of id: WorkflowID, undoing target: WorkflowID, _ actions: UndoActions) -> String {
        let verb = actions.standings(id).contains(where: \.isRedo) ? "redone" : "undone"
        guard let summary = try? records.summary(id), summary.record.outcome == .succeeded else {
            return "\(name(of: target)): the person wanted it \(verb) (\(id)), which did not succeed. Look at the files"
        }
        let open = actions.standings(target).reduce(0) { $0 + $1.open }
        let rest = open == 0 ? "" : " in part: \(Amounts.count(open, "change")) of it \(open == 1 ? "stands" : "stand")"
        return "\(name(of: target)) was \(verb) by the person (\(id))\(rest)"
    }
}

extension WorkflowRecords {
    /// Returns whether the person has cancelled a workflow, and not the model.
    func isCancelledByPerson(_ id: WorkflowID) -> Bool {
        let asked = ((try? history(id)) ?? []).last { event in
            event.type == "workflow.changed" && event.body["reason"]?.string == Code.cancelAsked.rawValue
        }
        return asked?.body["by"]?.string.map { $0 != "model" } ?? false
    }
}

extension UndoActions {
    /// Returns the workflow whose changes a workflow undoes, or nil if it is no undo.
    func undone(by id: WorkflowID) -> WorkflowID? {
        guard let name = (try? requestName(of: id)) ?? nil else { return nil }
        return (try? shared.toolbox.get())?.undo.request(named: name)?.workflow
    }
}
