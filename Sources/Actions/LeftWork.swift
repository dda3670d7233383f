import Services
import Storage
import Synchronization
package import Vocabulary

extension Limits {
    /// The most workflows of which leaving and entering say how they stand.
    fileprivate static let standingWorkflows = 6
}

/// The workflows of a folder that are under way when a person leaves a chat, or enters one, and what becomes of each.
package struct LeftWork {
    private let records: WorkflowRecords

    /// Creates a reader of what one process has open.
    package init(_ records: WorkflowRecords) { self.records = records }

    /// Returns a sentence about each of the newest workflows of this folder that are under way, such as `w3 "wait":
    /// pauses until you come back, or until 'assent work' goes on with it`, and the number of the others.
    package func sentences() throws(Failure) -> [String] {
        let (shown, rest) = try underWay()
        let own = records.shared.living.withLock { $0.life?.name }
        let hasOther = EngineLock.anyEngineLives(in: records.shared.folders.engines, besides: own)
        let sentences = try shown.map { summary throws(Failure) in
            "\(Self.name(of: summary)): \(try standing(of: summary).leaving(hasOther: hasOther))"
        }
        return sentences + (rest > 0 ? ["+\(rest) more · 'assent list'"] : [])
    }

    /// A line about a workflow for a person who enters a chat.
    package enum Entering: Hashable, Sendable {
        case ended(WorkflowEnd)
        case sentence(String)
    }

    /// Returns how the workflows of this folder stand for a person who enters a chat: those that have ended since the
    /// conversation was last left, those that wait, and those that go on. The last line counts the others.
    ///
    /// - Parameter session: the conversation that goes on, or nil for a new one, which tells no ends.
    package func entering(_ session: SessionID?) throws(Failure) -> [Entering] {
        var lines: [Entering] = []
        var more = 0
        if let session {
            let ended = try ended(since: session)
            more += max(0, ended.count - Limits.standingWorkflows)
            for summary in ended.prefix(Limits.standingWorkflows) {
                guard let outcome = summary.record.outcome else { continue }
                lines.append(.ended(try WorkflowEnd(summary.record.id, outcome, records)))
            }
        }
        let (underWay, rest) = try underWay()
        let open = underWay.isEmpty ? [] : try records.awaits(false)
        for summary in underWay {
            guard lines.count < Limits.standingWorkflows else {
                more += 1
                continue
            }
            let entries = open.filter { $0.step.workflow == summary.record.id }.map(\.number)
            let verb = entries.count == 1 ? "open \(entries[0])" : "inbox"
            let words = try standing(of: summary).entering + (entries.isEmpty ? "" : ": 'assent \(verb)'")
            lines.append(.sentence("\(Self.name(of: summary)): \(words)"))
        }
        more += rest
        return lines + (more > 0 ? [.sentence("+\(more) more · 'assent list'")] : [])
    }

    /// Returns the workflows of this folder that have ended since a conversation was last left or spoken in.
    private func ended(since session: SessionID) throws(Failure) -> [WorkflowSummary] {
        let archive = try records.shared.archive.get()
        let spoken = try archive.session(session)?.updatedAt
        guard let since = [spoken, try archive.lastLeft(session)].compactMap(\.self).max() else { return [] }
        let query = WorkflowQuery(
            order: .recent, workspace: records.shared.workspace, limit: Limits.examinedWorkflows)
        return try archive.listed(query).shown.filter { $0.record.outcome != nil && $0.record.updatedAt > since }
    }

    private func underWay() throws(Failure) -> (shown: [WorkflowSummary], rest: Int) {
        let query = WorkflowQuery(
            filter: .active, workspace: records.shared.workspace, limit: Limits.standingWorkflows)
        guard let listed = try records.shared.archive.ifMade?.listed(query) else { return ([], 0) }
        return (listed.shown, listed.count - listed.shown.count)
    }

    private static func name(of summary: WorkflowSummary) -> String {
        "\(summary.record.id) \"\(summary.record.title.withSignsForControls)\""
    }

    // MARK: Standings

    /// The standing of a workflow that is under way, without this process.
    enum Standing: Hashable {
        case elsewhere(process: Int32)
        case remote(provider: String)
        /// A step of this machine runs, and does not outlive its process.
        case cut
        case waits
        case paused

        /// Returns the fate of the workflow when the person leaves.
        ///
        /// - Parameter hasOther: whether another process runs workflows, and so takes it over.
        func leaving(hasOther: Bool) -> String {
            switch self {
            case .cut where hasOther: "what runs now is ended, and begins again in another process of Assent"
            case .paused where hasOther: "goes on in another process of Assent"
            case .elsewhere(let process): "goes on in process \(process)"
            case .remote(let provider): "runs on at \(provider); its result is fetched when you come back"
            case .cut: "what runs now is ended, and begins again when you come back"
            case .waits: "waits for you"
            case .paused: "pauses until you come back, or until 'assent work' goes on with it"
            }
        }

        /// The fate of the workflow when the person enters.
        var entering: String {
            switch self {
            case .elsewhere(let process): "goes on in process \(process)"
            case .remote(let provider): "runs at \(provider); its result is fetched here"
            case .cut: "goes on here; what ran when you left begins again"
            case .waits: "waits for you"
            case .paused: "goes on here"
            }
        }
    }

    private func standing(of summary: WorkflowSummary) throws(Failure) -> Standing {
        let id = summary.record.id
        if let holder = try records.holder(of: id) { return .elsewhere(process: holder.process) }
        return Self.standing(of: try records.steps(id), waits: summary.openAwaits > 0) { kind in
            guard let tool = records.engineCatalogue()[kind], case .job(let action) = tool.action else { return nil }
            return action.provider
        }
    }

    /// Returns the standing of a workflow that no process runs.
    ///
    /// - Parameters:
    ///   - waits: whether it has open entries in the inbox.
    ///   - provider: returns the provider of a kind, or nil for a kind of this machine.
    static func standing(of steps: [StepRecord], waits: Bool, provider: (String) -> String?) -> Standing {
        if let remote = steps.first(where: { [.queuedRemote, .runningRemote].contains($0.state) }) {
            return .remote(provider: provider(remote.kind) ?? "its provider")
        }
        if steps.contains(where: { $0.state == .runningLocal && $0.dueAt == nil || $0.reason?.code == .rehearsal }) {
            return .cut
        }
        return waits ? .waits : .paused
    }
}
