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

/// The news about the workflows of a conversation that no result of a call has described to the model: answers from
/// the inbox, ends, refused parts, undos and redos.
///
/// The archive holds for each workflow up to which event the model knows it.
struct ConversationNews: Sendable {
    private let shared: OpenWorkspace
    private let session: SessionID
    /// The state of workflows that the model knows once the line with the news is stored.
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
        store { archive throws(Failure) in
            [HeardWorkflow(id, seq: try archive.newestEvent(of: id), isReported: isReported)]
        }
    }

    /// Records that the line with the last news is stored.
    func isStored() {
        let known = pending.value
        pending.value = []
        store { _ in known }
    }

    private func store(_ known: (Archive) throws(Failure) -> [HeardWorkflow]) {
        do throws(Failure) {
            let archive = try shared.archive.get()
            try archive.hear(try known(archive), in: session)
        } catch {
            // What cannot be stored now is news once more.
        }
    }

    // MARK: News

    /// Returns the news for in front of a line of the user, or nil if there is none.
    ///
    /// - Parameter open: the calls of a turn that is resumed, whose results describe their workflows.
    func words(besides open: [ChatCall], _ cut: CutCalls) -> String? {
        pending.value = []
        var lines: [String] = []
        do throws(Failure) {
            var except: [WorkflowID] = []
            for call in open { if let id = try cut.waitingWorkflow(of: call) { except.append(id) } }
            lines = try self.lines(except)
        } catch {
            // If the store cannot be read now, the news stand in front of a later line.
            return nil
        }
        guard !lines.isEmpty else { return nil }
        let more = lines.count - Limits.newsLines
        let shown =
            lines.prefix(Limits.newsLines).map { "- " + Self.short($0) }
            + (more > 0 ? ["- and \(more) more: results lists the workflows"] : [])
        return "[Not the person's words. What happened since your last answer:\n\(shown.joined(separator: "\n"))]"
    }

    private func lines(_ except: [WorkflowID]) throws(Failure) -> [String] {
        let archive = try shared.archive.get()
        var lines: [String] = []
        for heard in try archive.changedSinceHeard(in: session) where !except.contains(heard.workflow) {
            // An event that comes while this is read is news again.
            let seq = try archive.newestEvent(of: heard.workflow)
            guard let line = try line(of: heard, archive) else { continue }
            lines.append(line)
            pending.value.append(HeardWorkflow(heard.workflow, seq: seq, isReported: true))
        }
        return lines + (try undos(archive))
    }

    private static func short(_ line: String) -> String {
        TextCut(line).ends(head: Limits.newsBytes, tail: 0).map { "\($0.head) …" } ?? line
    }

    private func name(_ id: WorkflowID, _ summary: WorkflowSummary?) -> String {
        let title = summary?.record.title ?? ""
        return title.isEmpty ? id.description : "\(id) (\(title.withSignsForControls))"
    }

    /// Returns what became of a workflow.
    private func line(of heard: HeardWorkflow, _ archive: Archive) throws(Failure) -> String? {
        let id = heard.workflow
        guard let summary = try records.summary(id) else { return nil }
        let closed = try archive.closedAwaits(of: id, after: heard.seq)
        var parts = PersonAnswers(look: records).words(of: id, only: closed)
        let isQuestion = try records.template(id)?.isQuestion ?? false
        if !isQuestion || parts.isEmpty { parts += try ending(summary) }
        if !heard.isReported, summary.record.outcome == nil {
            parts.append("it was begun before the turn was stopped, and is still under way")
        }
        return parts.isEmpty ? nil : "\(name(id, summary)): \(parts.joined(separator: "; "))"
    }

    private func ending(_ summary: WorkflowSummary) throws(Failure) -> [String] {
        let id = summary.record.id
        switch summary.record.outcome {
        case .succeeded: return ["it has succeeded"] + (try CommandReport.changes(of: id, records))
        case .failed:
            let failure = try records.steps(id).compactMap(\.failure).first
            return [failure.map { "it has failed: \($0.message)" } ?? "it has failed"]
        case .cancelled: return ["it was cancelled\(try records.isCancelledByPerson(id) ? " by the person" : "")"]
        case .waiting: return ["it waits for the person"]
        case nil: return []
        }
    }

    // MARK: Undone

    private func undos(_ archive: Archive) throws(Failure) -> [String] {
        let actions = UndoActions(shared, in: session)
        var lines: [String] = []
        var known: Set<WorkflowID> = []
        for id in try archive.unheardUndos(in: session, of: shared.workspace) {
            guard let target = try actions.undone(by: id) else { continue }
            let hasHeard = try archive.hasHeard(target, in: session)
            guard hasHeard || known.contains(target) else { continue }
            known.insert(id)
            lines.append(try words(of: id, undoing: target, actions))
            pending.value.append(HeardWorkflow(id, seq: try archive.newestEvent(of: id), isReported: true))
        }
        return lines
    }

    private func words(
        of id: WorkflowID, undoing target: WorkflowID, _ actions: UndoActions
    ) throws(Failure) -> String {
        let verb = actions.standings(id).contains(where: \.isRedo) ? "redone" : "undone"
        let name = name(target, try records.summary(target))
        guard try records.summary(id)?.record.outcome == .succeeded else {
            return "\(name): the person wanted it \(verb) (\(id)), which did not succeed. Look at the files"
        }
        let open = actions.standings(target).reduce(0) { $0 + $1.open }
        let rest = open == 0 ? "" : " in part: \(Amounts.count(open, "change")) of it \(open == 1 ? "stands" : "stand")"
        return "\(name) was \(verb) by the person (\(id))\(rest)"
    }
}

extension WorkflowRecords {
    /// Returns whether the person has cancelled a workflow, and not the model.
    func isCancelledByPerson(_ id: WorkflowID) throws(Failure) -> Bool {
        let asked = try history(id).last { event in
            event.type == "workflow.changed" && event.body["reason"]?.string == Code.cancelAsked.rawValue
        }
        return asked?.body["by"]?.string.map { $0 != "model" } ?? false
    }
}

extension UndoActions {
    /// Returns the workflow whose changes a workflow undoes, or nil if it is no undo.
    func undone(by id: WorkflowID) throws(Failure) -> WorkflowID? {
        guard let name = try requestName(of: id) else { return nil }
        return try shared.toolbox.get().undo.request(named: name)?.workflow
    }
}
