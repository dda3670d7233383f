import CSQLite
import GRDB
import Glibc

/// A table whose rows have checksums.
struct ChecksumTable {
    let name: String
    /// The checksum of a row before its first column.
    let beginning: Checksum
    /// Whether rows are only ever added to it.
    let isOfEvents: Bool
    /// The column that names the workflow of a row, or nil if the rows belong to no workflow.
    let workflowColumn: Int32?
    /// Whether SQLite remembers the highest number that it gave to a row.
    let isNumbered: Bool

    /// Tables whose rows count for no workflow although they name one: a kept asset outlives its workflow, and what a
    /// model knows belongs to its conversation.
    private static let ofNoWorkflow: Set = ["kept_assets", "heard"]

    /// Returns all tables that have checksums, those that change most often first.
    static func all(_ db: Database) throws -> [ChecksumTable] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT name, sql LIKE '%AUTOINCREMENT%' AS numbered,
                    (SELECT cid FROM pragma_table_info(m.name) WHERE name = iif(m.name = 'workflows', 'id', 'workflow')) AS workflow
                FROM sqlite_master m
                WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%' AND name <> 'checksums'
                    AND name NOT LIKE '\(SearchIndex.tables)'
                ORDER BY name NOT IN ('events', 'steps', 'runs', 'workflows', 'assets'), rowid
                """
        ).map { row in
            let name: String = row["name"]
            return ChecksumTable(
                name: name, beginning: Checksum(table: name), isOfEvents: name == "events",
                workflowColumn: ofNoWorkflow.contains(name) ? nil : row["workflow"], isNumbered: row["numbered"])
        }
    }

    /// Returns the checksum of a row, and the workflow that it belongs to, or 0 if it belongs to none.
    func checksum(columns: Int32, _ value: (Int32) -> OpaquePointer?) -> (workflow: Int64, number: Int64) {
        var (checksum, workflow) = (beginning, Int64(0))
        for column in 0..<columns {
            let value = value(column)
            checksum.add(value, at: column)
            if column == workflowColumn { workflow = sqlite3_value_int64(value) }
        }
        return (workflow, checksum.number)
    }
}

/// The changes that the current transaction makes to the sums of checksums. SQLite reports every row before it changes,
/// so no statement has to update the sums itself.
///
/// One connection uses it, on that connection's thread.
final class ChecksumTally: @unchecked Sendable {
    // Used several times a commit, and never by two threads: a check for overlapping access would cost as much as the
    // sum.
    @exclusivity(unchecked) private var tables: [(name: [CChar], table: ChecksumTable)] = []
    @exclusivity(unchecked) private var changes: [(workflow: Int64, pair: ChecksumPair)] = []
    @exclusivity(unchecked) private var places: [Int64: Int] = [:]
    private var deleted: Set<Int64> = []
    @exclusivity(unchecked) private var hasNewNumber = false

    /// Starts to observe every change that this connection makes. Statements that were compiled before are not
    /// observed.
    func watch(_ db: Database) {
        sqlite3_preupdate_hook(
            db.sqliteConnection,
            { context, connection, operation, _, table, _, _ in
                guard let context, let table else { return }
                Unmanaged<ChecksumTally>.fromOpaque(context).takeUnretainedValue().note(operation, table, connection)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Discards the changes that were counted so far, in an earlier transaction or in this one.
    func begin(_ db: Database) throws {
        if tables.isEmpty { tables = try ChecksumTable.all(db).map { (Array($0.name.utf8CString), $0) } }
        changes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        deleted.removeAll(keepingCapacity: true)
        hasNewNumber = false
    }

    private func note(_ operation: Int32, _ name: UnsafePointer<CChar>, _ connection: OpaquePointer?) {
        guard let table = tables.first(where: { strcmp($0.name, name) == 0 })?.table else {
            if strcmp("sqlite_sequence", name) == 0 { hasNewNumber = true }
            return
        }
        let columns = sqlite3_preupdate_count(connection)
        var value: OpaquePointer?
        if operation != SQLITE_INSERT {
            let (workflow, number) = table.checksum(columns: columns) { column in
                sqlite3_preupdate_old(connection, column, &value) == SQLITE_OK ? value : nil
            }
            changes[place(of: workflow)].pair.remove(number, isEvent: table.isOfEvents)
            if operation == SQLITE_DELETE, table.name == "workflows" { deleted.insert(workflow) }
        }
        if operation != SQLITE_DELETE {
            let (workflow, number) = table.checksum(columns: columns) { column in
                sqlite3_preupdate_new(connection, column, &value) == SQLITE_OK ? value : nil
            }
            changes[place(of: workflow)].pair.add(number, isEvent: table.isOfEvents)
            if table.isNumbered { hasNewNumber = true }
        }
    }

    /// Returns the index of a workflow in `changes`, and adds it if it is missing. Most often it is the last one.
    private func place(of workflow: Int64) -> Int {
        if changes.last?.workflow == workflow { return changes.count - 1 }
        if let known = places[workflow] { return known }
        places[workflow] = changes.count
        changes.append((workflow, ChecksumPair()))
        return changes.count - 1
    }

    /// Stores the new sums with the rest of the transaction.
    func store(_ db: Database) throws {
        guard !changes.isEmpty || hasNewNumber else { return }
        let add = try db.cachedStatement(
            sql: """
                INSERT INTO checksums (subject, events, rows, "check") VALUES (?, ?, ?, ?) ON CONFLICT (subject) DO UPDATE
                SET events = (events + excluded.events) & \(Checksum.mask), rows = (rows + excluded.rows) & \(Checksum.mask),
                    "check" = ("check" + excluded."check") & \(Checksum.mask)
                """)
        for (workflow, pair) in changes where pair != ChecksumPair() && !deleted.contains(workflow) {
            try add.run([workflow, pair.events, pair.rows, pair.check])
        }
        for workflow in deleted {
            try db.execute(sql: "DELETE FROM checksums WHERE subject = ?", arguments: [workflow])
        }
        if hasNewNumber { try Checksums.storeNumbers(db) }
    }
}
