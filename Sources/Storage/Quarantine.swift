import GRDB
package import Vocabulary

/// The quarantine of damaged workflows, which no engine loads, so that they do not fail every start of the others.
extension Archive {
    /// Puts a workflow into quarantine, so that no engine runs it. The engine that runs it now learns so from its next
    /// commit.
    package func quarantine(
        _ id: WorkflowID, reason: String, at now: Moment, cause: Quarantine.Cause = .damaged
    ) throws(Failure) {
        try write(isPrecious: true) { db in
            try db.execute(
                sql: "UPDATE workflows SET owner = NULL, fence = fence + 1 WHERE id = ?", arguments: [id.number])
            guard db.changesCount == 1 else { return }
            try db.execute(
                sql: "INSERT OR REPLACE INTO quarantine (workflow, cause, reason, at) VALUES (?, ?, ?, ?)",
                arguments: [id.number, cause.rawValue, reason, now.milliseconds])
        }
    }

    /// Takes a workflow out of quarantine.
    ///
    /// - Returns: whether it was in quarantine.
    package func release(_ id: WorkflowID) throws(Failure) -> Bool {
        try write(isPrecious: true) { db in
            try db.execute(sql: "DELETE FROM quarantine WHERE workflow = ?", arguments: [id.number])
            return db.changesCount == 1
        }
    }

    package func quarantined() throws(Failure) -> [Quarantine] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM quarantine ORDER BY workflow").map { row in
                Damage.leniently {
                    Quarantine(
                        workflow: WorkflowID(row["workflow"]),
                        cause: Quarantine.Cause(rawValue: row["cause"]) ?? .damaged,
                        reason: row["reason"], at: Moment(milliseconds: row["at"]))
                }.value
            }
        }
    }

    /// Loads a workflow for an engine after a check of its rows. Returns nil if the workflow is in quarantine.
    ///
    /// - Throws: `workflowDamaged` if its rows contradict each other, or have damaged values. The caller must put it
    ///   into quarantine.
    package func loadSound(_ id: WorkflowID, for owner: String? = nil) throws(Failure) -> CarriedWorkflow? {
        let (isHeld, fault) = try read { db in
            let isHeld = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM quarantine WHERE workflow = ?)", arguments: [id.number])
            return (isHeld == true, try Self.contradiction(in: id, db))
        }
        guard !isHeld else { return nil }
        if let fault { throw Failure(.workflowDamaged, fault, remedy: "Run 'assent doctor --repair'.") }
        return try load(id, for: owner)
    }

    /// Returns a sentence about the damage in a workflow's rows, or nil if there is none: contradictions, values of a
    /// wrong type, and wrong checksums. Reads all its rows.
    package func fault(of id: WorkflowID) throws(Failure) -> String? {
        try read { db in try Self.fault(of: id, db) ?? Checksums.fault(of: id, db) }
    }

    /// Returns a sentence about the damage in a workflow's rows, or nil if there is none. Ignores checksums, which are
    /// not stored before the end of a transaction.
    package func contradiction(in id: WorkflowID) throws(Failure) -> String? {
        try read { db in try Self.fault(of: id, db) }
    }

    static func fault(of id: WorkflowID, _ db: Database) throws -> String? {
        if let words = try contradiction(in: id, db) { return words }
        for table in ["workflows"] + tablesOfWorkflow {
            let columns = try db.columns(in: table)
            let key = table == "workflows" ? "id" : "workflow"
            let rows = try Row.fetchCursor(
                db, sql: "SELECT * FROM \"\(table)\" WHERE \"\(key)\" = ?", arguments: [id.number])
            while let row = try rows.next() {
                if let column = row.damagedColumn(columns) { return Damage.words(of: column) }
            }
        }
        return nil
    }

    /// Returns a sentence about a contradiction in a workflow's rows, or nil if there is none. An engine calls this
    /// before it loads a workflow. It finds damaged values later, when it reads them.
    private static func contradiction(in id: WorkflowID, _ db: Database) throws -> String? {
        for (words, sql) in contradictions {
            if try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (\(sql))"), arguments: [id.number]) == true {
                return words
            }
        }
        return nil
    }

    /// The possible contradictions, each with a query that finds one. The states are those of the transition table.
    private static let contradictions: [(words: String, sql: String)] = {
        let states = StepState.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let running = StepState.allCases.filter(\.isRunning).map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let modes = ConfirmationMode.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let outcomes = Outcome.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let most = 1_000_000
        // Steps are numbered without a gap, which is checked first.
        let count = "(SELECT count(*) FROM steps WHERE workflow = ?1)"
        return [
            (
                "Its own row cannot be read.",
                "SELECT 1 FROM workflows WHERE id = ?1 AND (mode NOT IN (\(modes)) OR coalesce(outcome NOT IN (\(outcomes)), 0))"
            ),
            (
                "Its graph is missing.",
                "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM graphs WHERE workflow = ?1)"
            ),
            (
                "Rows of its steps are missing.",
                """
                SELECT 1 FROM (SELECT count(*) AS n, min(step) AS a, max(step) AS z FROM steps WHERE workflow = ?1)
                WHERE n = 0 OR a <> 1 OR z <> n
                """
            ),
            (
                "It has runs, assets, pins or decisions of a step that is not there.",
                ["runs", "assets", "pins", "decisions"].map { table in
                    "SELECT 1 FROM \(table) WHERE workflow = ?1 AND step NOT BETWEEN 1 AND \(count)"
                }.joined(separator: " UNION ALL ")
            ),
            (
                "A step is in a state that there is not.",
                """
                SELECT 1 FROM steps WHERE workflow = ?1 AND (state NOT IN (\(states)) OR attempt NOT BETWEEN 0 AND \(most)
                OR tries NOT BETWEEN 0 AND \(most))
                """
            ),
            (
                "A step runs without an attempt.",
                """
                SELECT 1 FROM steps WHERE workflow = ?1 AND state IN (\(running)) AND NOT EXISTS (SELECT 1 FROM runs
                WHERE runs.workflow = steps.workflow AND runs.step = steps.step AND runs.attempt = steps.attempt)
                """
            ),
            (
                "A step waits for an entry of the inbox that is not there.",
                """
                SELECT 1 FROM steps WHERE workflow = ?1 AND state = 'awaitingUser' AND NOT EXISTS (SELECT 1 FROM awaits
                WHERE awaits.workflow = steps.workflow AND awaits.step = steps.step)
                """
            ),
            (
                "It is over, and yet a step runs.",
                "SELECT 1 FROM steps WHERE workflow = ?1 AND state IN (\(running)) AND (SELECT outcome FROM workflows WHERE id = ?1) IS NOT NULL"
            ),
            (
                "A step's failure cannot be read.",
                "SELECT 1 FROM steps WHERE workflow = ?1 AND failure IS NOT NULL AND NOT json_valid(failure)"
            ),
            (
                "What a step is to do again cannot be read.",
                """
                SELECT 1 FROM steps WHERE workflow = ?1 AND (edits IS NOT NULL AND NOT json_valid(edits) OR replays IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.workflow = steps.workflow AND runs.step = steps.step AND attempt = replays))
                """
            ),
            (
                "An attempt cannot be read.",
                """
                SELECT 1 FROM runs WHERE workflow = ?1 AND NOT (json_valid(inputs) AND json_valid(params)
                AND (failure IS NULL OR json_valid(failure)) AND attempt BETWEEN 1 AND \(most))
                """
            ),
            (
                "An asset cannot be read.",
                """
                SELECT 1 FROM assets WHERE workflow = ?1 AND NOT (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*' AND bytes >= 0
                AND json_valid(meta))
                """
            ),
            (
                "An entry of the inbox cannot be read.",
                """
                SELECT 1 FROM awaits WHERE workflow = ?1 AND (question IS NOT NULL AND NOT json_valid(question)
                OR step NOT BETWEEN 1 AND \(count))
                """
            ),
        ]
    }()
}
