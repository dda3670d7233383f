import GRDB
package import JSON
package import Vocabulary

extension Archive {
    /// The facts about a database that may be shared with a developer.
    package struct SupportFacts: Sendable {
        package var schema: [String]
        /// The number of rows by table, of steps by state, and of workflows by outcome.
        package var counts: JSON.Object
        /// The newest events, oldest first: their times, types and codes, without texts.
        package var events: [JSON]
    }

    package static var sqliteVersion: String {
        (try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }) ?? ""
    }

    package func supportFacts(events limit: Int) throws(Failure) -> SupportFacts {
        try read { db in
            let schema = try String.fetchAll(
                db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
            var counts = JSON.Object()
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                    AND name NOT LIKE '\(SearchIndex.tables)' ORDER BY name
                    """)
            for table in tables {
                counts[table] = .int(try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0)
            }
            counts["migrations"] = .array(
                try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid").map {
                    .string($0)
                })
            for (name, sql) in [
                ("states", "SELECT state AS name, count(*) AS n FROM steps GROUP BY 1"),
                ("outcomes", "SELECT coalesce(outcome, 'open') AS name, count(*) AS n FROM workflows GROUP BY 1"),
                ("awaits by status", "SELECT status AS name, count(*) AS n FROM awaits GROUP BY 1"),
            ] {
                let rows = try Row.fetchAll(db, sql: sql)
                counts[name] = .object(
                    JSON.Object(
                        members: rows.map { .init(key: Self.code($0["name"] as String), value: .int($0["n"] as Int)) }))
            }
            let events = try Row.fetchAll(
                db, sql: "SELECT * FROM (SELECT * FROM events ORDER BY seq DESC LIMIT ?) ORDER BY seq",
                arguments: [limit]
            ).map(Self.told)
            return SupportFacts(schema: schema, counts: counts, events: events)
        }
    }

    /// Returns an event without any text that a person or a model wrote.
    private static func told(_ row: Row) -> JSON {
        let body = json(row, "body")
        func code(_ key: String) -> JSON? { body[key]?.string.map { .string(Self.code($0)) } }
        return .of([
            "at": .string(Moment(milliseconds: row["at"]).description), "type": .string(Self.code(row["type"])),
            "workflow": (row["workflow"] as Int?).map { .int($0) }, "step": (row["step"] as Int?).map { .int($0) },
            "attempt": (row["attempt"] as Int?).map { .int($0) }, "state": code("state"), "phase": code("phase"),
            "reason": code("reason"),
            "outcome": code("outcome"), "kind": code("kind"),
            "failure": (body["failure"]?["code"]?.string).map { .string(Self.code($0)) },
            "code": code("code"), "progress": body["progress"],
        ])
    }

    /// Returns a text if it has the form of our own words, which are short and of letters, otherwise "?".
    private static func code(_ text: String) -> String {
        text.utf8.count <= 32 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0 == ".") } ? text : "?"
    }
}
