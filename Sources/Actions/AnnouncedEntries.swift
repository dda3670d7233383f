import Synchronization
package import Vocabulary

/// The entries of the inbox that a chat has announced, with what became of each without the user of this chat: an
/// expiry, an answer at another terminal, and the end of a snooze. Each is shown once.
package struct AnnouncedEntries: Sendable {
    /// The open entries that the user knows, each with whether it is snoozed.
    private var known: [Int64: Bool] = [:]

    /// Creates a memory without entries.
    package init() {}

    /// Returns a sentence for each entry that has ended or has come back since the last look.
    ///
    /// - Parameters:
    ///   - announced: the numbers of the entries that were announced.
    ///   - open: the entries that are open now.
    ///   - asked: the workflows whose questions are asked in this chat, which shows their ends itself.
    package mutating func news(
        of announced: Set<Int64>, _ open: [AwaitRecord], asked: Set<WorkflowID>, _ people: InboxActions, at now: Moment
    ) throws(Failure) -> [String] {
        var sentences: [String] = []
        var current: [Int64: Bool] = [:]
        for record in open where announced.contains(record.number) {
            let isSnoozed = record.status(at: now) == .snoozed
            if known[record.number] == true, record.status(at: now) == .pending {
                sentences.append("\(Self.name(of: record)) is back: 'assent open \(record.number)'")
            }
            current[record.number] = isSnoozed
        }
        for number in known.keys.sorted() where current[number] == nil {
            guard let record = try people.record(number), !asked.contains(record.step.workflow) else { continue }
            if let sentence = try people.sentence(about: record) { sentences.append(sentence) }
        }
        known = current
        return sentences
    }

    /// Returns an entry by its number and its title, such as `5 "Ask" (w4)`.
    fileprivate static func name(of record: AwaitRecord) -> String {
        "\(record.number) \"\(record.title.withSignsForControls)\" (\(record.step.workflow))"
    }
}

extension InboxActions {
    /// Returns an entry, or nil if there is none of this number.
    fileprivate func record(_ number: Int64) throws(Failure) -> AwaitRecord? {
        try WorkflowRecords(shared).awaitNumbered(number)
    }

    /// Returns how an entry has ended, or nil if the user knows it, or if the entry became pointless.
    fileprivate func sentence(about record: AwaitRecord) throws(Failure) -> String? {
        guard record.status == .done, !shared.knownEnds.withLock({ $0.contains(record.number) }) else { return nil }
        let name = AnnouncedEntries.name(of: record)
        let resolution = (record.resolution ?? "done").withSignsForControls
        switch record.answeredBy {
        case "expiry":
            let end =
                resolution.hasPrefix("skipped")
                ? "skipped" : resolution == "default" ? "its default was taken" : "nobody answered in time"
            return "\(name) expired: \(end)"
        case "engine", "cancel", "revision", nil: return nil
        default: return "\(name) was answered at another terminal: \(resolution)"
        }
    }
}
