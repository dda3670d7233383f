import GRDB
package import Vocabulary

/// Queries about contents: which are referenced, which are pinned, and which workflows are over.
extension Archive {
    /// The contents of the asset store that must not be freed.
    package struct References: Sendable {
        package var contents: Set<ContentHash> = []
        /// The start of the oldest attempt that has not ended, or nil if there is none. Contents that it has stored may
        /// have no row yet.
        package var oldestRun: Moment?
    }

    /// Returns the contents that rows refer to: of assets, finished or not, and of pinned ones. Also counts every text
    /// that looks like a hash in an inbox entry, in a waiting command or in the notes of an asset, since too many do no
    /// harm.
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

    /// Returns the sealed values (`SealedValue`) that are named by a template, current or former, by an edit, or by a
    /// waiting command.
    package func sealedValues() throws(Failure) -> Set<ContentHash> {
        try read { db in
            let texts = try Row.fetchCursor(
                db,
                sql: """
                    SELECT text FROM (
                        SELECT template AS text FROM graphs UNION ALL SELECT template FROM graph_revisions
                        UNION ALL SELECT edits FROM steps WHERE edits IS NOT NULL
                        UNION ALL SELECT argument FROM commands WHERE taken_at IS NULL)
                    WHERE instr(text, 'sealed') > 0
                    """)
            var named: Set<ContentHash> = []
            while let row = try texts.next() { named.formUnion(ContentHash.named(in: row["text"])) }
            return named
        }
    }

    /// Calls `each` with every content and each workflow that has it, in the order of the contents.
    package func contents(_ each: (WorkflowID, ContentHash) -> Void) throws(Failure) {
        try read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT DISTINCT sha256, workflow FROM assets ORDER BY sha256, workflow")
            while let row = try rows.next() { each(WorkflowID(row["workflow"]), ContentHash(hex: row["sha256"])) }
        }
    }

    /// Returns the assets of a name, newest first. There are several if the name is ambiguous. If the name has no
    /// attempt, the newest attempt that did not fail is used, if there is one.
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

    /// Pins an asset, so that its content is never freed.
    ///
    /// - Returns: whether it was not pinned before.
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

    /// Removes the pin of a content.
    ///
    /// - Returns: whether it was pinned before.
    package func release(content hash: ContentHash) throws(Failure) -> Bool {
        try write { db in
            try db.execute(sql: "DELETE FROM kept_assets WHERE sha256 = ?", arguments: [hash.hex])
            return db.changesCount == 1
        }
    }

    /// Returns the pinned assets, oldest pin first.
    package func keptAssets() throws(Failure) -> [KeptAsset] {
        try read { db in
            // A pin stays valid even if a part of its row cannot be read.
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

    /// Runs `body` on the remains of a workflow if the workflow is over or deleted. This happens under the writers'
    /// lock, so no engine can take the workflow up meanwhile.
    ///
    /// - Returns: whether `body` was run.
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
