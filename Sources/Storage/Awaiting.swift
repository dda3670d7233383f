import GRDB
package import JSON
package import Vocabulary

/// What persons do with the inbox before they answer, and how they answer what is no question about a call. Whoever
/// comes first wins, whichever process it comes from (`semantics.md` 40–43).
extension Archive {
    /// Why an await is not to be had.
    package enum Unavailable: Hashable, Sendable {
        /// Somebody else holds a claim.
        case claimed(by: String, until: Moment)
        case answered(resolution: String, by: String, at: Moment)
        case unknown
    }

    package enum Claiming: Hashable, Sendable {
        /// It is yours, until its lease ends. Its `claim` is the number to complete it with.
        case yours(AwaitRecord)
        case refused(Unavailable)
    }

    /// Claims an await for a lease of `Limits.claimSeconds`. It un-snoozes; whoever holds it already renews it.
    ///
    /// - Parameter process: the name of a lock that dies with who claims it.
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

    /// Another lease for who still holds the claim, and what they have made so far.
    ///
    /// - Returns: its end; `nil` if the claim is not theirs any more.
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

    /// Back to Pending, with what has been made so far (`semantics.md` 40). A draft is kept also if the lease is over,
    /// as long as nobody else has claimed it since.
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
        /// It was put off `Limits.snoozes` times already.
        case limitReached
        case refused(Unavailable)
    }

    /// Puts an await off. Its expiry stays where it is.
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
        /// The claim it was made under is not the newest, or its lease is over. The draft is kept unless somebody has
        /// claimed since.
        case claimIsOver
        case refused(Unavailable)
    }

    /// Stores what a person made of an await, with the command to its engine, in one precious transaction.
    ///
    /// - Parameters:
    ///   - claim: under which it was made; `nil` for an answer that needed no editor, which is taken unless somebody
    ///     else holds a claim.
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

    /// Under the newest claim only, over or not: what a newer holder has made is not lost to an older one.
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
    /// Stands in the column between who holds a claim and their process.
    static let claimMark: Character = "\u{1F}"

    /// Why `person` cannot have it at that time; `nil` if they can.
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
