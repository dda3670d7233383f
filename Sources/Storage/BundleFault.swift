import GRDB
import JSON
import Vocabulary

/// Checks of a bundle's rows, which a stranger may have written, and the failures that they throw.
enum BundleFault {
    static func failure(_ words: String) -> Failure {
        Failure(.badBundle, "The bundle cannot be taken in: \(words).")
    }

    /// Returns a row's values after checking that each belongs to a column that bundles may hold, and fits its type.
    static func checked(_ all: JSON.Object, of table: String, _ db: Database) throws -> JSON.Object {
        let ignored = BundleRows.ignored[table] ?? []
        let row = JSON.Object(members: all.members.filter { !ignored.contains($0.key) })
        let columns = try db.columns(in: table)
        let dropped = BundleRows.dropped(from: table)
        for member in row.members {
            guard !dropped.contains(member.key), let column = columns.first(where: { $0.name == member.key }) else {
                throw failure("it has a \"\(member.key.prefix(40))\" in \(table), which this version does not know")
            }
            switch (member.value, column.type) {
            case (.int(let number), "INTEGER"):
                let isTime = member.key == "at" || member.key.hasSuffix("_at")
                guard isTime ? (0...253_402_300_799_999).contains(number) : (-(1 << 53)...(1 << 53)).contains(number)
                else {
                    throw failure("a number of \(table) is out of all bounds")
                }
            case (.string(let text), "TEXT"):
                guard text.utf8.count <= Limits.bundleTextBytes else { throw failure("a text of \(table) is too long") }
                guard !text.utf8.contains(0) else { throw failure("a text of \(table) has a NUL byte in it") }
            case (.double, "REAL"): break
            default: throw failure("a \"\(member.key)\" in \(table) is \(member.value.kindInWords)")
            }
        }
        if let type = row["type"]?.string, table == "events" {
            guard type.utf8.count <= 64,
                type.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
                )
            else { throw failure("an event has a type that there is not") }
        }
        return row
    }

    static func json(_ value: JSON?) throws -> JSON {
        guard let text = value?.string, let json = try? JSONReader.read(text), json.object != nil else {
            throw failure("an event cannot be read")
        }
        return json
    }

    /// Checks, after the rows were inserted, that they make a workflow that an engine could run, with the steps of its
    /// template.
    static func refuseContradictions(in id: WorkflowID, nodes: [(id: String, kind: String)], _ db: Database) throws {
        if let fault = try Archive.fault(of: id, db) {
            throw failure("\(fault.prefix(1).lowercased())\(fault.dropFirst().dropLast())")
        }
        let steps = try Row.fetchAll(
            db, sql: "SELECT node, kind FROM steps WHERE workflow = ? ORDER BY step", arguments: [id.number])
        guard steps.count == nodes.count, zip(steps, nodes).allSatisfy({ $0["node"] == $1.id && $0["kind"] == $1.kind })
        else {
            throw failure("its steps are not those of its template")
        }
        for text in try String.fetchAll(
            db, sql: "SELECT stale_since FROM steps WHERE workflow = ? AND stale_since IS NOT NULL",
            arguments: [id.number])
        {
            guard let run = RunID(stored: text), run.step.workflow == id, (1...steps.count).contains(run.step.index)
            else {
                throw failure("a step is stale by one that is not there")
            }
        }
        if try Archive.hasJob(id, db) { throw failure("a job is under way in it") }
        let isOpen = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM awaits JOIN workflows ON workflows.id = awaits.workflow
                WHERE workflows.id = ? AND outcome IS NOT NULL AND status <> 'done')
                """, arguments: [id.number])
        if isOpen == true { throw failure("it is over, and yet something waits for a person") }
        let isStuck = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM steps WHERE workflow = ?1 AND state = 'awaitingUser' AND NOT EXISTS (SELECT 1 FROM awaits
                WHERE awaits.workflow = ?1 AND awaits.step = steps.step AND status <> 'done'))
                """, arguments: [id.number])
        if isStuck == true { throw failure("a step waits for an answer that was given elsewhere") }
        let types = try String.fetchAll(
            db, sql: "SELECT DISTINCT type FROM awaits WHERE workflow = ?", arguments: [id.number])
        guard types.allSatisfy({ AwaitType(rawValue: $0) != nil }) else {
            throw failure("something waits that there is not")
        }
        guard
            try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM decisions WHERE workflow = ? AND NOT (json_valid(call) AND json_valid(because)))",
                arguments: [id.number]) != true
        else { throw failure("a decision cannot be read") }
    }
}
