import GRDB
package import Vocabulary

/// Storage of the usage of models' replies, one row for each.
extension Archive {
    /// Stores the usage of a reply. Call it in the transaction of its event.
    static func insert(_ usage: Reply.Usage, of model: String, with event: Event, _ db: Database) throws {
        // A server may report any count. Sums must stay numbers that can be read again.
        func tokens(_ count: Int) -> Int { min(max(0, count), Limits.replyTokens) }
        try db.execute(
            sql: """
                INSERT INTO usage (session, turn, at, model, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, cost)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                event.session?.number, event.turn, event.at.milliseconds, model, tokens(usage.promptTokens),
                tokens(usage.cachedTokens),
                tokens(usage.completionTokens), tokens(usage.reasoningTokens),
                usage.cost.map { min(max(0, $0), Limits.replyMicrodollars) },
            ])
    }

    /// Returns sums of usage, the most recently changed first.
    package func usage(by grouping: UsageGrouping, limit: Int) throws(Failure) -> [UsageTotal] {
        let name =
            switch grouping {
            case .session: "coalesce('s' || session, '-')"
            case .model: "model"
            case .day: "date(at / 1000, 'unixepoch', 'localtime')"
            }
        return try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(name) AS name, count(*) AS replies, sum(prompt_tokens) AS prompt, sum(cached_tokens) AS cached,
                    sum(completion_tokens) AS completion, sum(reasoning_tokens) AS reasoning, sum(cost) AS cost, count(cost) AS priced
                    FROM usage GROUP BY 1 ORDER BY max(at) DESC, max(id) DESC LIMIT ?
                    """, arguments: [limit]
            ).map { row in
                let replies: Int = row["replies"]
                return UsageTotal(
                    name: row["name"], replies: replies,
                    usage: Reply.Usage(
                        promptTokens: row["prompt"], completionTokens: row["completion"], cachedTokens: row["cached"],
                        reasoningTokens: row["reasoning"], cost: row["cost"]),
                    unpricedReplies: replies - (row["priced"] as Int))
            }
        }
    }
}
