import GRDB
import JSON
package import Vocabulary

/// The state of a model's call that has no answer, as the events of its conversation show it.
package enum CallTrace: Hashable, Sendable {
    /// The events do not mention the call.
    case unknown
    /// The call had arrived, but was not begun.
    case notBegun
    /// The call was begun, and made these workflows. The list is empty for calls that make none.
    case begun([WorkflowID])
    /// The call was begun, with these workflows, and its turn ended because a person had not answered. The turn can
    /// continue.
    case waits([WorkflowID])
}

extension Archive {
    package func trace(of call: String, in session: SessionID) throws(Failure) -> CallTrace {
        try read { db in
            func last(_ type: String) throws -> Int64? {
                try Int64.fetchOne(
                    db,
                    sql: """
                        SELECT max(seq) FROM events
                        WHERE session = ? AND type = ? AND json_valid(body) AND json_extract(body, '$.call') = ?
                        """, arguments: [session.number, type, call])
            }
            let running = try last("call.running")
            guard let start = try running ?? last("call.pending") else { return .unknown }
            // Calls are made one after the other.
            let end = try Int64.fetchOne(
                db,
                sql: """
                    SELECT min(seq) FROM events WHERE session = ? AND seq > ? AND type IN ('call.running', 'message.completed')
                    """, arguments: [session.number, start])
            let made = try Int64.fetchAll(
                db,
                sql: """
                    SELECT workflow FROM events WHERE session = ? AND seq > ? AND seq < ? AND type = 'workflow.created'
                    AND workflow IS NOT NULL ORDER BY seq
                    """, arguments: [session.number, start, end ?? Int64.max])
            if running == nil, made.isEmpty { return .notBegun }
            let workflows = made.map { WorkflowID($0) }
            return try last("call.waiting").map { $0 > start } ?? false ? .waits(workflows) : .begun(workflows)
        }
    }
}
