import GRDB
import JSON
package import Vocabulary

extension Archive {
    /// The outcome of storing an answer.
    package enum Answered: Hashable, Sendable {
        case taken
        /// The await was answered before, and this answer was not stored (`consent.md` guarantee 9).
        case alreadyAnswered(resolution: String, by: String, at: Moment)
        case unknown
    }

    /// Stores a person's answer in one precious transaction: the end of the await, the approvals that it gives, and the
    /// command to its engine. The first answer wins, whichever process it comes from.
    ///
    /// - Parameters:
    ///   - approvals: empty if the answer is not a yes.
    ///   - heldUntil: the wall time until which the engine does not act on the answer, since the reason of a no is still
    ///     being typed. `explain` adds the reason and ends the hold. It is nil for no hold.
    package func answer(
        _ number: Int64, _ answer: Answer, approvals: [Approval], by: String, at now: Moment, heldUntil: Moment? = nil
    ) throws(Failure) -> Answered {
        try write(isPrecious: true) { db in
            let resolution =
                switch answer {
                case .yes, .yesToPlan: "approved"
                case .part: "narrowed"
                case .no: "rejected"
                }
            try db.execute(
                sql: """
                    UPDATE awaits SET status = 'done', resolution = ?, answered_by = ?, closed_at = ? WHERE number = ? AND status <> 'done'
                    """, arguments: [resolution, by, now.milliseconds, number])
            let isFirst = db.changesCount == 1
            guard let row = try Row.fetchOne(db, sql: "SELECT * FROM awaits WHERE number = ?", arguments: [number])
            else { return .unknown }
            let record = AwaitRecord(row: row)
            guard isFirst else {
                return .alreadyAnswered(
                    resolution: record.resolution ?? "", by: record.answeredBy ?? "", at: record.closedAt ?? now)
            }
            // An earlier yes to the plan may have allowed this step, but the last answer counts.
            if case .no = answer {
                try db.execute(
                    sql: "UPDATE approvals SET used_at = ? WHERE workflow = ? AND step = ? AND used_at IS NULL",
                    arguments: [now.milliseconds, record.step.workflow.number, record.step.index])
            }
            for approval in approvals {
                try db.cachedStatement(
                    sql: """
                        INSERT INTO approvals (await, workflow, step, digest, is_planned, answered_by, policy_epoch, at, expires_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """
                ).execute(arguments: [
                    number, record.step.workflow.number, approval.step.index, approval.digest.hex, approval.isPlanned,
                    approval.by,
                    approval.policyEpoch, approval.at.milliseconds, approval.expiresAt.milliseconds,
                ])
            }
            try Self.insert(
                .answer(step: record.step.index, await: number, answer, by: by), for: record.step.workflow, at: now,
                heldUntil: heldUntil, db)
            return .taken
        }
    }

    /// Adds the reason to a no that was stored with a hold, and ends the hold.
    ///
    /// - Returns: whether the engine will see the reason. It does not if the hold was over before.
    package func explain(_ record: AwaitRecord, _ reason: String) throws(Failure) -> Bool {
        try write(isPrecious: true) { db in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT id, argument FROM commands WHERE workflow = ? AND verb = 'answer' AND taken_at IS NULL",
                arguments: [record.step.workflow.number])
            for row in rows {
                guard case .object(var argument) = json(row, "argument"), argument["until"] != nil,
                    argument["await"]?.int == Int(record.number)
                else { continue }
                (argument["until"], argument["reason"]) = (nil, .string(reason))
                try db.execute(
                    sql: "UPDATE commands SET argument = ? WHERE id = ?",
                    arguments: [JSON.object(argument).text, row["id"] as Int64])
                return true
            }
            return false
        }
    }
}
