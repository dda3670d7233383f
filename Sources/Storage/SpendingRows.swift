import GRDB
import Vocabulary

extension Archive {
    /// What a workflow has been allowed to spend: by what was decided before its attempts began, each counted once.
    static func spending(of id: WorkflowID, _ db: Database) throws -> Spending {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT coalesce(sum(price), 0) AS spent, coalesce(max(isUnknown), 0) AS isUnknown FROM (
                    SELECT max(coalesce(min(max(json_extract(call, '$.price'), 0), ?2), 0)) AS price,
                        max(json_extract(call, '$.price') IS NULL AND decided_by <> 'policy') AS isUnknown
                    FROM decisions WHERE workflow = ?1 AND decision = 'allow'
                        AND EXISTS (SELECT 1 FROM json_each(call, '$.effects') WHERE value = 'spends')
                    GROUP BY step, attempt)
                """, arguments: [id.number, Limits.mostPriceDollars * 1_000_000])
        guard let row else { return Spending() }
        return Spending(spent: Dollars(millionths: row["spent"]), hasYesToUnknownPrice: row["isUnknown"])
    }
}
