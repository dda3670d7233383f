package import Terminal
package import Vocabulary

extension Limits {
    /// The most workflows and the most inbox entries whose status a terminal is sent.
    fileprivate static let statusParts = 24
}

/// The status of this process as the terminal was last sent it (OSC 7501): one record for the whole, one for each
/// workflow that works, one for each entry that waits for the user.
package struct StatusBoard: Sendable {
    private var sent: [String: ProgramStatus] = [:]

    /// Creates a board of which nothing was sent.
    package init() {}

    /// Whether nothing was sent.
    package var isEmpty: Bool { sent.isEmpty }

    /// Returns the records that differ from those that were sent, in the order of their parts, and counts them as sent.
    /// Records that are no longer wanted are cleared.
    package mutating func changes(to wanted: [ProgramStatus]) -> [ProgramStatus] {
        let new = Dictionary(wanted.map { ($0.id, $0) }) { first, _ in first }
        let cleared = sent.keys.filter { new[$0] == nil }.sorted().map { ProgramStatus(id: $0, .clear) }
        let changed = wanted.filter { sent[$0.id] != $0 }
        sent = new
        return cleared + changed
    }

    /// Returns the records of a moment.
    ///
    /// - Parameters:
    ///   - isBusy: whether a turn of the conversation runs.
    ///   - working: the workflows that work, with their titles.
    ///   - open: the entries that wait for the user, with the titles of their workflows.
    ///   - rest: the state while nothing works or waits.
    package static func records(
        isBusy: Bool, working: [(id: WorkflowID, title: String)], open: [(entry: AwaitRecord, title: String)],
        rest: ProgramStatus.State
    ) -> [ProgramStatus] {
        let kinds = open.map { Self.kind(of: $0.entry) }
        let whole: ProgramStatus
        if let kind = kinds.first {
            whole = ProgramStatus(.blocked, kind: kind)
        } else {
            whole = ProgramStatus(isBusy || !working.isEmpty ? .working : rest)
        }
        return [whole]
            + working.sorted { $0.id.number < $1.id.number }.prefix(Limits.statusParts).map {
                ProgramStatus(id: $0.id.description, .working, message: $0.title)
            }
            + open.prefix(Limits.statusParts).map {
                ProgramStatus(
                    id: $0.entry.step.description, .blocked, kind: Self.kind(of: $0.entry), message: $0.title)
            }
    }

    private static func kind(of entry: AwaitRecord) -> ProgramStatus.Kind {
        if entry.type == .connect { return .auth }
        return entry.isAboutCall || entry.type == .submitUnknown ? .permission : .question
    }
}
