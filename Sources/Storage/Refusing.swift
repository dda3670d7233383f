import GRDB
import JSON
package import Vocabulary

/// Refused answers, stored as events of their workflow. The await stays open. Only refused answers that could still be
/// accepted as they are count as attempts.
extension Archive {
    /// Returns how often answers to an await were refused, and the last refusal.
    package func refusals(of record: AwaitRecord) throws(Failure) -> (count: Int, last: Refusal?) {
        try read { db in
            let rows = try Self.refusals(of: record, db)
            return (rows.count, rows.last.flatMap { try? JSONReader.read($0) }.flatMap(Refusal.init(event:)))
        }
    }

    /// Stores the refusal of an answer.
    ///
    /// - Parameter attempts: after how many refusals the answer may be accepted as it is.
    /// - Returns: how many attempts at this await were refused so far.
    package func refuse(
        _ record: AwaitRecord, _ refusal: Refusal, attempts: Int, by: String, at now: Moment
    ) throws(Failure) -> Int {
        try write { db in
            // An answer of the wrong form, or one that cannot be read, does not count, since it can never be accepted.
            let attempt = try Self.refusals(of: record, db).count + (refusal.canBeTaken ? 1 : 0)
            let kind = Event.Kind.awaitRefused(
                await: record.number, refusal, attempt: attempt, left: max(0, attempts - attempt), by: by)
            try Self.insert([Event(at: now, workflow: record.step.workflow, step: record.step.index, kind)], db)
            return attempt
        }
    }

    /// Stores an event of a step.
    package func note(_ kind: Event.Kind, of step: StepID, at now: Moment) throws(Failure) {
        try write { db in
            try Self.insert([Event(at: now, workflow: step.workflow, step: step.index, kind)], db)
        }
    }

    private static func refusals(of record: AwaitRecord, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT body FROM events WHERE workflow = ? AND type = 'await.refused' AND json_extract(body, '$.await') = ?
                AND json_extract(body, '$.check') <> 'form' AND json_extract(body, '$.code') <> 'unreadable' ORDER BY seq
                """, arguments: [record.step.workflow.number, record.number])
    }
}

extension Refusal {
    /// Reads a refusal from the body of its event. Returns nil for another event.
    fileprivate init?(event body: JSON) {
        guard let check = body["check"]?.string, let code = body["code"]?.string, let words = body["words"]?.string
        else { return nil }
        self.init(check: check, code: FailureCode(code), words: words, figures: body["figures"])
    }
}
