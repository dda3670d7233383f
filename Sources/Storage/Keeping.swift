import GRDB
package import Vocabulary

/// Which contents are in use, which are kept, and what of a workflow is over.
extension Archive {
    /// Everything that may still be asked of the asset store.
    package struct References: Sendable {
        package var contents: Set<ContentHash> = []
        /// When the oldest attempt began that has not ended: what it has put into the store may be named by no row yet.
        package var oldestRun: Moment?
    }

    /// The contents that rows name: of assets, finished or not; kept ones; and whatever looks like a hash in an entry
    /// of the inbox, in a command that nobody has taken, or in what a tool said of an asset. Too many do no harm.
    package func references() throws(Failure) -> References {
        try read { db in
            var references = References()
            let assets = try Row.fetchCursor(
                db, sql: "SELECT DISTINCT sha256 FROM assets UNION SELECT sha256 FROM kept_assets")
            while let row = try assets.next() { references.contents.insert(ContentHash(hex: row["sha256"])) }
            for table in ["awaits", "commands"] {
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT * FROM \(table)" + (table == "commands" ? " WHERE taken_at IS NULL" : ""))
                while let row = try rows.next() {
                    for (_, value) in row {
                        references.contents.formUnion(ContentHash.named(in: String.fromDatabaseValue(value) ?? ""))
                    }
                }
            }
            let notes = try Row.fetchCursor(db, sql: "SELECT meta FROM assets WHERE length(meta) > 64")
            while let row = try notes.next() { references.contents.formUnion(ContentHash.named(in: row["meta"])) }
            references.oldestRun = try Int64.fetchOne(
                db, sql: "SELECT min(started_at) FROM runs WHERE finished_at IS NULL"
            ).map {
                Moment(milliseconds: $0)
            }
            return references
        }
    }

    /// The sealed values that a template of now or before names, an edit, or a command that nobody has taken
    /// (`SealedValue`).
    package func sealedValues() throws(Failure) -> Set<ContentHash> {
        try read { db in
            let texts = try Row.fetchCursor(
                db,
                sql: """
                    SELECT text FROM (
                        SELECT template AS text FROM workflows UNION ALL SELECT template FROM graph_revisions
                        UNION ALL SELECT edits FROM steps WHERE edits IS NOT NULL
                        UNION ALL SELECT argument FROM commands WHERE taken_at IS NULL)
                    WHERE instr(text, 'sealed') > 0
                    """)
            var named: Set<ContentHash> = []
            while let row = try texts.next() { named.formUnion(ContentHash.named(in: row["text"])) }
            return named
        }
    }

    /// Each content with each workflow that has it, in the order of the contents.
    package func contents(_ each: (WorkflowID, ContentHash) -> Void) throws(Failure) {
        try read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT DISTINCT sha256, workflow FROM assets ORDER BY sha256, workflow")
            while let row = try rows.next() { each(WorkflowID(row["workflow"]), ContentHash(hex: row["sha256"])) }
        }
    }

    /// The assets of that name, newest first: none, one, or several where the name leaves a choice. Without an attempt,
    /// those of the last one that did not fail, if there is one.
    package func assets(named name: AssetName) throws(Failure) -> [Asset] {
        try read { db in
            switch name {
            case .content(let prefix):
                return try Row.fetchAll(
                    db,
                    sql: """
                        SELECT * FROM assets WHERE substr(sha256, 1, ?) = ? ORDER BY workflow DESC, step DESC, attempt DESC, port LIMIT 100
                        """, arguments: [prefix.utf8.count, prefix]
                ).map(Asset.init(row:))
            case .output(let step, let attempt, let port):
                return try Row.fetchAll(
                    db,
                    sql: """
                        SELECT * FROM assets WHERE workflow = ?1 AND step = ?2 AND (?4 IS NULL OR port = ?4)
                        AND attempt = coalesce(?3, (SELECT max(attempt) FROM assets AS made WHERE workflow = ?1 AND step = ?2
                        AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.workflow = ?1 AND runs.step = ?2
                        AND runs.attempt = made.attempt AND ending = 'failed')),
                        (SELECT max(attempt) FROM assets WHERE workflow = ?1 AND step = ?2)) ORDER BY port DESC
                        """, arguments: [step.workflow.number, step.index, attempt, port]
                ).map(Asset.init(row:))
            }
        }
    }

    // MARK: Keeping

    /// - Returns: whether it was not kept before.
    package func keep(_ asset: Asset, at now: Moment) throws(Failure) -> Bool {
        try write { db in
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO kept_assets (sha256, bytes, workflow, step, attempt, port, name, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    asset.hash.hex, asset.bytes, asset.run.step.workflow.number, asset.run.step.index,
                    asset.run.attempt, asset.port,
                    asset.name, now.milliseconds,
                ])
            return db.changesCount == 1
        }
    }

    /// - Returns: whether it was kept before.
    package func release(content hash: ContentHash) throws(Failure) -> Bool {
        try write { db in
            try db.execute(sql: "DELETE FROM kept_assets WHERE sha256 = ?", arguments: [hash.hex])
            return db.changesCount == 1
        }
    }

    /// Oldest first.
    package func keptAssets() throws(Failure) -> [KeptAsset] {
        try read { db in
            // What is kept stays kept, also where not all of its row can be read.
            try Row.fetchAll(db, sql: "SELECT * FROM kept_assets ORDER BY at, sha256").map { row in
                Damage.leniently {
                    KeptAsset(
                        hash: ContentHash(hex: row["sha256"]), bytes: row["bytes"],
                        run: RunID(StepID(WorkflowID(row["workflow"]), row["step"]), attempt: row["attempt"]),
                        port: row["port"],
                        name: row["name"], at: Moment(milliseconds: row["at"]))
                }.value
            }
        }
    }

    // MARK: What is over

    package func isOver(_ id: WorkflowID) throws(Failure) -> Bool {
        try read { db in try Self.isOver(id, db) }
    }

    /// Does something with what a workflow has left behind, if it is over or gone: under the writers' lock, so that
    /// nobody can take it up meanwhile, since whoever does commits that first.
    /// - Returns: whether it was done.
    package func ifOver(_ id: WorkflowID, _ body: () -> Void) throws(Failure) -> Bool {
        try write { db in
            guard try Self.isOver(id, db) else { return false }
            body()
            return true
        }
    }

    private static func isOver(_ id: WorkflowID, _ db: Database) throws -> Bool {
        try !Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM workflows WHERE id = ?1 AND outcome IS NULL)
                OR EXISTS (SELECT 1 FROM commands WHERE workflow = ?1 AND taken_at IS NULL)
                """, arguments: [id.number])!
    }
}
