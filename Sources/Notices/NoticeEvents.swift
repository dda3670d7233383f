package import Vocabulary

extension Limits {
    /// The seconds of work after which the end of a workflow deserves a notice.
    fileprivate static let noticedSeconds = 10.0
}

/// The events of workflows that deserve a notice: an entry of the inbox opened, a workflow failed, or it ended after
/// more than `Limits.noticedSeconds` of work.
///
/// The seconds count while a step works, from the last start by a user on. A wait for a person does not count.
package struct NoticeEvents: Sendable {
    private struct Work {
        var seconds = 0.0
        var since: Moment?
        /// The numbers of the steps that work, or wait for their next try.
        var steps: Set<Int> = []
        var isCancelledByPerson = false

        mutating func set(_ step: Int, isActive: Bool, at moment: Moment) {
            if isActive { steps.insert(step) } else { steps.remove(step) }
            if steps.isEmpty { rest(at: moment) } else if since == nil { since = moment }
        }

        mutating func rest(at moment: Moment) {
            seconds += since.map { moment.seconds(since: $0) } ?? 0
            since = nil
        }
    }

    private var works: [WorkflowID: Work] = [:]

    /// Creates the record of a process that has heard nothing yet.
    package init() {}

    /// The workflows that work at this moment.
    package var working: Set<WorkflowID> { Set(works.filter { $0.value.since != nil }.keys) }

    /// Hears the next event.
    ///
    /// - Returns: the state to report about the event's workflow, or nil if the event deserves no notice.
    package mutating func hear(_ event: Event) -> Notice.State? {
        guard let id = event.workflow else { return nil }
        switch event.kind {
        case .stepChanged(let state, _, let reason, _, _):
            guard let step = event.step else { break }
            let isUnderWay = state == .ready && (reason?.code == .rehearsal || reason?.code == .backoff)
            works[id, default: Work()].set(step, isActive: state.isRunning || isUnderWay, at: event.at)
        case .workflowChanged(let reason, by: "person"):
            // Any other request begins the work again.
            if reason.code != .cancelAsked { works[id] = nil }
            works[id, default: Work()].isCancelledByPerson = reason.code == .cancelAsked
        case .awaitOpened(let record): return .needsYou(entry: record.number)
        case .workflowFinished(.waiting, _): works[id]?.rest(at: event.at)
        case .workflowFinished(let outcome, _):
            var work = works.removeValue(forKey: id) ?? Work()
            work.rest(at: event.at)
            return Self.end(outcome, work)
        default: break
        }
        return nil
    }

    private static func end(_ outcome: Outcome, _ work: Work) -> Notice.State? {
        if outcome == .failed { return .failed }
        return work.isCancelledByPerson || work.seconds <= Limits.noticedSeconds ? nil : .ended
    }
}
