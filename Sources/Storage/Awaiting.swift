import GRDB
package import JSON
package import Vocabulary

/// Claims, snoozes and completes awaits: the actions of people on the inbox that are not a yes or no to a call. The
/// first one wins, whichever process it comes from (`semantics.md` 40–43).
extension Archive {
    /// The reason why a person cannot claim or answer an await.
    package enum Unavailable: Hashable, Sendable {
        /// Another person holds a claim.
        case claimed(by: String, until: Moment)
        case answered(resolution: String, by: String, at: Moment)
        case unknown
    }

    package enum Claiming: Hashable, Sendable {
        /// The claim succeeded and holds until its lease ends. The record's `claim` is the number that `complete`
        /// needs.
        case yours(AwaitRecord)
        case refused(Unavailable)
    }

    /// Claims an await for a lease of `Limits.claimSeconds`, which also ends a snooze. If `by` holds a claim already,
    /// it is replaced, and its number is no longer valid.
    ///
    /// - Parameter process: the name of a lock that is released when the claiming process ends.
    package func claim(_ number: Int64, by: String, process: String? = nil, at now: Moment) throws(Failure) -> Claiming
    {
        try write { db in
            guard let record = try Self.record(number, db) else { return .refused(.unknown) }
            if let unavailable = record.unavailable(to: by, at: now) { return .refused(unavailable) }
            let until = now + Limits.claimSeconds
            try db.execute(
                sql:
                    "UPDATE awaits SET status = 'claimed', claim = claim + 1, claimed_by = ?, until = ? WHERE number = ?",
                arguments: [by + (process.map { "\(AwaitRecord.claimMark)\($0)" } ?? ""), until.milliseconds, number])
            try Self.noteChange(of: record, .claimed, by: by, until: until, at: now, db)
            return .yours(try Self.record(number, db) ?? record)
        }
    }

    /// Renews the lease of a claim, and stores the draft that was made so far.
    ///
    /// - Returns: the new end of the lease, or nil if the claim is over or not the newest.
    package func renew(_ number: Int64, claim: Int, draft: JSON? = nil, at now: Moment) throws(Failure) -> Moment? {
        try write { db in
            if let draft { try Self.keep(draft, of: number, claim: claim, db) }
            let until = now + Limits.claimSeconds
            try db.execute(
                sql: "UPDATE awaits SET until = ? WHERE number = ? AND claim = ? AND status = 'claimed' AND until > ?",
                arguments: [until.milliseconds, number, claim, now.milliseconds])
            return db.changesCount == 1 ? until : nil
        }
    }

    /// Releases a claim, so that the await is pending again, and keeps the draft (`semantics.md` 40). If the lease is
    /// over already, the draft is still kept, unless the await was claimed again since.
    package func release(_ number: Int64, claim: Int, draft: JSON?, by: String, at now: Moment) throws(Failure) {
        try write { db in
            if let draft { try Self.keep(draft, of: number, claim: claim, db) }
            try db.execute(
                sql:
                    "UPDATE awaits SET status = 'pending', until = NULL WHERE number = ? AND claim = ? AND status = 'claimed'",
                arguments: [number, claim])
            guard db.changesCount == 1, let record = try Self.record(number, db) else { return }
            try Self.noteChange(of: record, .pending, by: by, until: nil, at: now, db)
        }
    }

    package enum Snoozed: Hashable, Sendable {
        case until(Moment)
        /// The await was snoozed `Limits.snoozes` times already.
        case limitReached
        case refused(Unavailable)
    }

    /// Snoozes an await. Its expiry does not change.
    package func snooze(_ number: Int64, seconds: Double = Limits.snoozeSeconds, by: String, at now: Moment)
        throws(Failure) -> Snoozed
    {
        try write { db in
            guard let record = try Self.record(number, db) else { return .refused(.unknown) }
            if let unavailable = record.unavailable(to: by, at: now) { return .refused(unavailable) }
            guard record.snoozes < Limits.snoozes else { return .limitReached }
            let until = now + seconds
            try db.execute(
                sql: "UPDATE awaits SET status = 'snoozed', snoozes = snoozes + 1, until = ? WHERE number = ?",
                arguments: [until.milliseconds, number])
            try Self.noteChange(of: record, .snoozed, by: by, until: until, at: now, db)
            return .until(until)
        }
    }

    package enum Completed: Hashable, Sendable {
        case taken
        /// The claim is not the newest, or its lease is over. The draft is kept unless the await was claimed again
        /// since.
        case claimIsOver
        case refused(Unavailable)
    }

    /// Stores the answer that a person made to an await, with the command to its engine, in one precious transaction.
    ///
    /// - Parameters:
    ///   - claim: the number of the claim under which the answer was made. It is nil for an answer that needed no
    ///     editor, which is accepted unless another person holds a claim.
    ///   - draft: kept if the answer is refused.
    package func complete(
        _ number: Int64, claim: Int?, _ completion: Completion, draft: JSON? = nil, by: String, at now: Moment
    ) throws(Failure) -> Completed {
        try write(isPrecious: true) { db in
            guard let record = try Self.record(number, db) else { return .refused(.unknown) }
            let unavailable = record.unavailable(to: by, at: now)
            if let unavailable, case .answered = unavailable { return .refused(unavailable) }
            if let claim, claim != record.claim || record.status(at: now) != .claimed {
                if let draft { try Self.keep(draft, of: number, claim: claim, db) }
                return .claimIsOver
            }
            if claim == nil, let unavailable { return .refused(unavailable) }
            try db.execute(
                sql:
                    "UPDATE awaits SET status = 'done', resolution = ?, answered_by = ?, closed_at = ?, until = NULL WHERE number = ?",
                arguments: [completion.resolution, by, now.milliseconds, number])
            try Self.insert(
                .complete(step: record.step.index, await: number, completion, by: by), for: record.step.workflow,
                at: now, db)
            return .taken
        }
    }

    /// Stores a draft if `claim` is the newest claim, even if its lease is over. So an older claim never overwrites the
    /// draft of a newer one.
    private static func keep(_ draft: JSON, of number: Int64, claim: Int, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE awaits SET draft = ?1 WHERE number = ?2 AND status <> 'done' AND claim = ?3",
            arguments: [draft.text, number, claim])
    }

    private static func record(_ number: Int64, _ db: Database) throws -> AwaitRecord? {
        try Row.fetchOne(db, sql: "SELECT * FROM awaits WHERE number = ?", arguments: [number]).map(
            AwaitRecord.init(row:))
    }

    private static func noteChange(
        of record: AwaitRecord, _ status: AwaitStatus, by: String, until: Moment?, at now: Moment, _ db: Database
    ) throws {
        let kind = Event.Kind.awaitChanged(await: record.number, status, by: by, until: until)
        try insert([Event(at: now, workflow: record.step.workflow, step: record.step.index, kind)], db)
    }
}

extension AwaitRecord {
    /// The character between the name of a claim's holder and that of their process, in the column `claimed_by`.
    static let claimMark: Character = "\u{1F}"

    /// Returns why `person` cannot claim or answer the await at that time, or nil if they can.
    fileprivate func unavailable(to person: String, at now: Moment) -> Archive.Unavailable? {
        switch status(at: now) {
        case .done: .answered(resolution: resolution ?? "", by: answeredBy ?? "", at: closedAt ?? now)
        case .claimed where claimedBy != person: .claimed(by: claimedBy ?? "", until: until ?? now)
        case .claimed, .pending, .snoozed: nil
        }
    }
}

extension Completion {
    fileprivate var resolution: String {
        switch self {
        case .outputs: "completed"
        case .agreed: "agreed"
        case .skipped: "skipped"
        case .rejected: "rejected"
        case .submittedAs: "found"
        case .lookAgain: "lookAgain"
        case .submitAgain: "submitAgain"
        }
    }
}
