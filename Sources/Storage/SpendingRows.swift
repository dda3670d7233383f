import GRDB
package import Vocabulary

extension Archive {
    /// Returns how much a workflow has been allowed to spend, by the decisions before its attempts, each attempt
    /// counted once. A yes to an unknown price does not count once a later turn of a conversation has taken the
    /// workflow up again. A call is parsed only if its text contains `"spends"`.
    static func spending(of id: WorkflowID, _ db: Database) throws -> Spending {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT coalesce(sum(price), 0) AS spent, coalesce(max(isUnknown), 0) AS isUnknown FROM (
                    SELECT max(coalesce(min(max(json_extract(call, '$.price'), 0), ?2), 0)) AS price,
                        max(json_extract(call, '$.price') IS NULL AND decided_by <> 'policy' AND at >= (SELECT coalesce(max(at), 0)
                            FROM events WHERE workflow = ?1 AND type = 'workflow.changed' AND turn IS NOT NULL)) AS isUnknown
                    FROM decisions WHERE workflow = ?1 AND decision = 'allow' AND instr(call, '"spends"')
                        AND EXISTS (SELECT 1 FROM json_each(call, '$.effects') WHERE value = 'spends')
                    GROUP BY step, attempt)
                """, arguments: [id.number, Limits.mostPriceDollars * 1_000_000])
        guard let row else { return Spending() }
        return Spending(spent: Dollars(millionths: row["spent"]), hasYesToUnknownPrice: row["isUnknown"])
    }

    /// Returns the allowed spending of the other workflows that the same turn of a conversation has made or taken up
    /// again. It is empty if no conversation made the workflow. Turns without a number count as one turn.
    package func spendingOfTurn(of id: WorkflowID) throws(Failure) -> [WorkflowID: Spending] {
        try read { db in
            let others = try Int64.fetchAll(
                db,
                sql: """
                    SELECT other.workflow FROM events AS own JOIN events AS other ON other.session = own.session AND other.turn IS own.turn
                    WHERE own.workflow = ?1 AND other.workflow <> ?1
                        AND (own.type = 'workflow.created' OR own.type = 'workflow.changed' AND own.turn IS NOT NULL)
                        AND (other.type = 'workflow.created' OR other.type = 'workflow.changed' AND other.turn IS NOT NULL)
                    """, arguments: [id.number])
            return try Dictionary(others.map { (WorkflowID($0), try Self.spending(of: WorkflowID($0), db)) }) {
                one, _ in one
            }
        }
    }
}
