import GRDB
import JSON
package import Vocabulary

/// Export of a workflow's rows for a bundle, and import of rows from one.
extension Archive {
    /// Returns the rows of a workflow for a bundle.
    ///
    /// - Parameter path: returns the path of a content in this store. Such paths are replaced.
    /// - Throws: `unknownWorkflow`, `workflowDamaged` if its rows contradict each other, `jobUnderWay`.
    package func bundleRows(of id: WorkflowID, path: @escaping (ContentHash) -> String) throws(Failure) -> BundleRows {
        try read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT * FROM workflows WHERE id = ?", arguments: [id.number])
            else {
                throw Failure(.unknownWorkflow, "There is no workflow \(id).", remedy: "See 'assent list'.")
            }
            if let fault = try Self.fault(of: id, db) {
                throw Failure(
                    .workflowDamaged, "\(id) cannot be exported: \(fault)", remedy: "Run 'assent doctor --repair'.")
            }
            if try Self.hasJob(id, db) {
                throw Failure(
                    .jobUnderWay, "\(id) has a job under way at a provider, which cannot travel.")
            }
            var rows = BundleRows(
                workflow: try Self.values(of: row, in: "workflows"), template: try Self.template(of: id, db),
                tables: [:])
            var travel = EventTravel(awaits: [:], from: path, to: nil)
            let unheard = try Self.unheardAnswers(in: id, db)
            for (name, order) in BundleRows.carried {
                let columns = try db.columns(in: name).map(\.name)
                var carried: [JSON.Object] = []
                let cursor = try Row.fetchCursor(
                    db, sql: "SELECT * FROM \"\(name)\" WHERE workflow = ? ORDER BY \(order)", arguments: [id.number])
                while let row = try cursor.next() {
                    guard carried.count < Limits.bundleRows else { throw Self.tooLarge(name) }
                    var object = try Self.values(of: row, in: name)
                    if name == "awaits" {
                        travel.awaits[Int(row["number"] as Int64)] = carried.count + 1
                        // A claim ends with its process, and a snooze belongs to one person.
                        if object["status"] != "done" || unheard.contains(row["number"]) {
                            object["status"] = "pending"
                        }
                        if object["status"] == "pending" {
                            for key in ["resolution", "answered_by", "closed_at"] { object[key] = nil }
                        }
                    }
                    // The name of a run contains the number of its workflow.
                    if let stale = object["stale_since"]?.string {
                        object["stale_since"] = .string(Self.renamed(stale, WorkflowID(1)))
                    }
                    if let question = object["question"]?.string {
                        object["question"] = .string(Self.renamed(inQuestion: question, WorkflowID(1)))
                    }
                    if name == "events", columns.contains("body") {
                        object["body"] = .string(travel.body(json(row, "body"), type: row["type"], link: nil).text)
                    }
                    carried.append(object)
                }
                rows.tables[name] = carried
            }
            return rows
        }
    }

    private static func values(of row: Row, in table: String) throws -> JSON.Object {
        let dropped = BundleRows.dropped(from: table)
        var members: [JSON.Object.Member] = []
        for (column, value) in row where !dropped.contains(column) {
            let written: JSON
            switch value.storage {
            case .null: continue
            case .int64(let number): written = .int(Int(number))
            case .double(let number): written = .double(number)
            case .string(let text): written = .string(text)
            case .blob: throw damaged("a value of \"\(column)\" is none that was ever written")
            }
            members.append(.init(key: column, value: written))
        }
        return JSON.Object(members: members.sorted { $0.key < $1.key })
    }

    /// Returns the stored name of a run, such as `w3.2.1`, with the number of another workflow.
    private static func renamed(_ run: String, _ workflow: WorkflowID) -> String {
        guard let run = RunID(stored: run) else { return run }
        return RunID(StepID(workflow, run.step.index), attempt: run.attempt).stored
    }

    /// Returns the JSON of an inbox entry with its assets (`AwaitRequest.Input.asset`, such as `w3.1.1.image`) renamed
    /// to another workflow. A question about a call names no assets, and must stay byte for byte as it was hashed.
    private static func renamed(inQuestion text: String, _ workflow: WorkflowID) -> String {
        guard var question = (try? JSONReader.read(text))?.object, AwaitRequest(json: .object(question)) != nil,
            let inputs = question["inputs"]?.array
        else { return text }
        question["inputs"] = .array(
            inputs.map { input in
                guard var object = input.object, let asset = object["asset"]?.string else { return input }
                let parts = asset.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
                guard parts.count == 4 else { return input }
                object["asset"] = .string("\(renamed(parts[..<3].joined(separator: "."), workflow)).\(parts[3])")
                return .object(object)
            })
        return JSON.object(question).text
    }

    /// Returns the numbers of the newest inbox entry of each step that still waits for its answer. If such an entry is
    /// answered, the answer is a command, which a bundle does not hold, so it is asked again after an import.
    private static func unheardAnswers(in id: WorkflowID, _ db: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            db,
            sql: """
                SELECT max(number) FROM awaits JOIN steps USING (workflow, step) WHERE workflow = ? AND state = 'awaitingUser' GROUP BY step
                """, arguments: [id.number])
    }

    /// Whether a step of the workflow has a job at a provider, which belongs to one machine.
    static func hasJob(_ id: WorkflowID, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM steps WHERE workflow = ? AND state IN ('queuedRemote', 'runningRemote', 'downloading'))
                """, arguments: [id.number]) == true
    }

    static func tooLarge(_ name: String) -> Failure {
        Failure(.tooLarge, "The workflow has more than \(Limits.bundleRows) \(name); such a one does not travel.")
    }

    // MARK: In again

    /// The values that an import gets from this machine.
    package struct Reception: Sendable {
        package var workspace: String
        package var mode: ConfirmationMode
        package var at: Moment
        /// The hash of the bundle's file, stored to tell later where the workflow came from.
        package var bundle: ContentHash
        /// The nodes of its template, in order.
        package var nodes: [(id: String, kind: String)]
        package var path: @Sendable (ContentHash) -> String

        package init(
            workspace: String, mode: ConfirmationMode, at: Moment, bundle: ContentHash,
            nodes: [(id: String, kind: String)],
            path: @escaping @Sendable (ContentHash) -> String
        ) {
            self.workspace = workspace
            self.mode = mode
            self.at = at
            self.bundle = bundle
            self.nodes = nodes
            self.path = path
        }
    }

    /// Stores a workflow from a bundle under a new number, completely or not at all. If it is unfinished, it is put
    /// into quarantine until a person releases it. No approval is imported.
    ///
    /// - Parameter isRehearsal: whether all rows are inserted and checked, then rolled back.
    /// - Throws: `badBundle`.
    package func receive(
        _ rows: BundleRows, _ reception: Reception, isRehearsal: Bool = false
    ) throws(Failure) -> (id: WorkflowID, isHeld: Bool) {
        do {
            return try write(isPrecious: !isRehearsal, isRehearsal: isRehearsal) { db in
                try Self.insert(rows, reception, db)
            }
        } catch {
            // If a row breaks a rule of its table, the bundle is wrong, not the database.
            guard error.code == .storageBroken else { throw error }
            var failure = BundleFault.failure("its rows break the rules of the database")
            failure.cause = error.cause
            throw failure
        }
    }

    private static func insert(_ rows: BundleRows, _ reception: Reception, _ db: Database) throws -> (WorkflowID, Bool)
    {
        var workflow = try BundleFault.checked(rows.workflow, of: "workflows", db)
        workflow["workspace"] = .string(reception.workspace)
        workflow["mode"] = .string(reception.mode.rawValue)
        workflow["on_ask"] = .string(OnAsk.park.rawValue)
        let id = WorkflowID(try put(workflow, into: "workflows", db))
        _ = try put(
            JSON.Object(members: [
                .init(key: "workflow", value: .int(Int(id.number))),
                .init(key: "template", value: .string(rows.template)),
            ]), into: "graphs", db)
        var travel = EventTravel(awaits: [0: 0], from: nil, to: reception.path)
        for (name, _) in BundleRows.carried {
            for (index, row) in (rows.tables[name] ?? []).enumerated() {
                var values = try BundleFault.checked(row, of: name, db)
                values["workflow"] = .int(Int(id.number))
                if let stale = values["stale_since"]?.string { values["stale_since"] = .string(renamed(stale, id)) }
                if let question = values["question"]?.string {
                    values["question"] = .string(renamed(inQuestion: question, id))
                }
                if name == "events" {
                    let type = values["type"]?.string ?? ""
                    let step = values["step"]?.int ?? 0
                    let body = travel.body(try BundleFault.json(values["body"]), type: type) { number in
                        link(StepID(id, step), number)
                    }
                    values["body"] = .string(body.text)
                }
                let rowID = try put(values, into: name, db)
                if name == "awaits" { travel.awaits[index + 1] = Int(rowID) }
            }
        }
        try BundleFault.refuseContradictions(in: id, nodes: reception.nodes, db)
        try db.execute(
            sql: "INSERT INTO imports (workflow, bundle, at) VALUES (?, ?, ?)",
            arguments: [id.number, reception.bundle.hex, reception.at.milliseconds])
        let isHeld = rows.workflow["outcome"] == nil
        if isHeld {
            try db.execute(
                sql: "INSERT INTO quarantine (workflow, cause, reason, at) VALUES (?, 'imported', ?, ?)",
                arguments: [id.number, "It was imported and is not over.", reception.at.milliseconds])
        }
        return (id, isHeld)
    }

    private static func link(_ step: StepID, _ number: Int) -> String {
        AwaitRecord(
            number: Int64(number), step: step, type: .confirmCall, title: "", reason: "",
            createdAt: Moment(milliseconds: 0)
        ).link
    }

    private static func put(_ values: JSON.Object, into table: String, _ db: Database) throws -> Int64 {
        let names = values.members.map { "\"\($0.key)\"" }.joined(separator: ", ")
        let places = values.members.map { _ in "?" }.joined(separator: ", ")
        let arguments = values.members.map { member -> DatabaseValue in
            switch member.value {
            case .int(let number): number.databaseValue
            case .double(let number): number.databaseValue
            case .string(let text): text.databaseValue
            case .null, .bool, .array, .object: .null
            }
        }
        try db.cachedStatement(sql: "INSERT INTO \"\(table)\" (\(names)) VALUES (\(places))").execute(
            arguments: StatementArguments(arguments))
        return db.lastInsertedRowID
    }
}
