import CaseNames
import GRDB
import Harness
import JSON
import Testing
import Vocabulary

@testable import Storage

/// Lists, the archive, revisions, and taking a workflow away.
@Suite struct ShelvingTests {
    private let scratch: ScratchFolder
    let archive: Archive
    let now = Moment(milliseconds: 1_000_000)

    init() throws {
        scratch = try ScratchFolder()
        archive = try Archive(folder: scratch.path)
    }

    private func workflow(_ title: String = "w", at moment: Moment? = nil) throws -> WorkflowID {
        let record = WorkflowRecord(
            id: WorkflowID(0), title: title, workspace: "/w", createdAt: moment ?? now, updatedAt: moment ?? now)
        return try archive.create(record, template: "{}", owner: "one") { id in
            (1...2).map { StepRecord(id: StepID(id, $0), node: "n\($0)", kind: "T", updatedAt: now) }
        }.0.id
    }

    /// Something of it in every table.
    private func fill(_ id: WorkflowID, outcome: Outcome?) throws {
        let (one, two) = (StepID(id, 1), StepID(id, 2))
        let asset = Asset(run: RunID(one, attempt: 1), port: "out", type: .any, hash: .ofNothing, bytes: 0, name: "x")
        var batch = Batch(workflow: id, fence: 1)
        batch.runsStarted = [RunRecord(id: RunID(one, attempt: 1), startedAt: now)]
        batch.runsEnded = [Batch.RunEnd(run: RunID(one, attempt: 1), at: now, ending: .succeeded([asset]))]
        _ = try archive.commit([batch])
        batch = Batch(workflow: id, fence: 1)
        batch.awaitsOpened = [
            AwaitRecord(step: two, type: .confirmCall, title: "t", reason: "r", createdAt: now, digest: .ofNothing)
        ]
        batch.decisions = [
            DecisionRecord(
                run: RunID(two, attempt: 1), digest: .ofNothing, call: [:], decision: .allow(because: []), mode: .auto,
                by: "p",
                policyEpoch: "e",
                at: now)
        ]
        batch.pins = [Batch.Pin(step: two, port: "in", asset: asset)]
        batch.template = "{\"new\":1}"
        batch.events = [
            Event(
                at: now, workflow: id, step: 1,
                .stepChanged(.succeeded, phase: nil, reason: nil, progress: nil, failure: nil))
        ]
        batch.outcome = .some(outcome)
        let number = try #require(try archive.commit([batch]).awaits.first).number
        let approval = Approval(
            digest: .ofNothing, isPlanned: false, step: two, awaitNumber: number, by: "me", at: now,
            expiresAt: now + 60, policyEpoch: "e")
        #expect(try archive.answer(number, .yes, approvals: [approval], by: "me", at: now) == .taken)
        try archive.take(try archive.waitingCommands(for: "one"), for: "one", at: now)
        try archive.write { db in
            try db.execute(sql: "INSERT INTO imports (workflow, bundle, at) VALUES (?, 'b', 0)", arguments: [id.number])
        }
    }

    private func setAside(_ id: WorkflowID) throws {
        try archive.write { db in
            try db.execute(
                sql: "INSERT INTO quarantine (workflow, cause, reason, at) VALUES (?, 'imported', 'r', 0)",
                arguments: [id.number])
        }
    }

    /// Every table with a column `workflow`, and how many rows of it are left.
    private func rows(of id: WorkflowID) throws -> [String: Int] {
        try archive.read { db in
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT m.name FROM sqlite_master AS m WHERE m.type = 'table'
                    AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) AS c WHERE c.name = 'workflow')
                    -- A kept content stands for itself.
                    AND m.name <> 'kept_assets'
                    """)
            return try Dictionary(
                uniqueKeysWithValues: tables.map { table in
                    (
                        table,
                        try Int.fetchOne(
                            db, sql: "SELECT count(*) FROM \(table) WHERE workflow = ?", arguments: [id.number]) ?? 0
                    )
                })
        }
    }

    @Test func deletingLeavesNoRowBehindAndNothingDangling() throws {
        let (gone, kept) = (try workflow(), try workflow())
        try fill(gone, outcome: .failed)
        try fill(kept, outcome: .succeeded)
        let session = try archive.begin(title: "one", workspace: "/work", at: now).id
        for id in [gone, kept] {
            try setAside(id)
            try archive.hear([HeardWorkflow(id, seq: 1, isReported: false)], in: session)
            #expect(try archive.tell(of: id, entry: 1))
        }
        let before = try rows(of: kept)
        #expect(before.values.allSatisfy { $0 > 0 }, "there is something in every table: \(before)")
        #expect(Set(before.keys) == Set(Archive.tablesOfWorkflow))
        try archive.delete(gone)
        #expect(try rows(of: gone).values.allSatisfy { $0 == 0 })
        #expect(try rows(of: kept) == before)
        #expect(try archive.read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").isEmpty })
        #expect(try archive.summaries(only: gone).isEmpty && archive.faults().isEmpty && archive.alteredRows().isEmpty)
        // Its number is not given to another.
        #expect(try workflow() == WorkflowID(3))
        #expect(throws: Failure.self) { try archive.delete(gone) }
    }

    @Test func whatIsUnderWayIsNotDeleted() throws {
        let id = try workflow()
        try fill(id, outcome: nil)
        let before = try rows(of: id)
        #expect(#expect(throws: Failure.self) { try archive.delete(id) }?.code == "workflowUnderWay")
        // Nor what somebody has just asked to be taken up again.
        var batch = Batch(workflow: id, fence: 1)
        batch.outcome = .some(.failed)
        _ = try archive.commit([batch])
        try archive.put(.retry(step: nil), for: id, by: "ana", at: now)
        #expect(#expect(throws: Failure.self) { try archive.delete(id) }?.code == "workflowUnderWay")
        #expect(try rows(of: id)["steps"] == before["steps"])
    }

    /// What was imported, or is damaged, is carried by nobody, so nobody could end it first.
    @Test func whatIsSetAsideMayGoWithoutHavingEnded() throws {
        let id = try workflow()
        try setAside(id)
        try archive.delete(id)
        #expect(try archive.summaries(only: id).isEmpty && rows(of: id).values.allSatisfy { $0 == 0 })
    }

    /// An engine that still has it in memory writes nothing any more.
    @Test func aCommitForADeletedWorkflowIsLost() throws {
        let id = try workflow()
        try fill(id, outcome: .succeeded)
        try archive.delete(id)
        var batch = Batch(workflow: id, fence: 1)
        batch.events = [Event(at: now, workflow: id, .lateResult("late"))]
        #expect(try archive.commit([batch]).lost == [id])
        #expect(try archive.events(of: id).isEmpty)
    }

    @Test func whatIsArchivedIsOutOfTheListButNotGone() throws {
        let id = try workflow()
        #expect(try archive.archive(id, true, by: "ana", at: now))
        #expect(try !archive.archive(id, true, by: "ana", at: now), "it was already")
        #expect(try archive.summaries(WorkflowQuery()).isEmpty)
        #expect(try archive.summaries(WorkflowQuery(includesArchived: true)).first?.record.archivedAt == now)
        #expect(try archive.changes(of: id).last?.body["by"]?.string == "ana")
        #expect(try archive.archive(id, false, by: "ana", at: now))
        #expect(try archive.summaries(WorkflowQuery()).map(\.record.id) == [id])
    }

    @Test(arguments: [
        (WorkflowQuery(), [4, 3, 2, 1]), (WorkflowQuery(filter: .active), [4]), (WorkflowQuery(filter: .done), [1]),
        (WorkflowQuery(filter: .failed), [3, 2]), (WorkflowQuery(order: .name), [2, 1, 4, 3]),
        (WorkflowQuery(order: .recent), [1, 4, 3, 2]),
        (WorkflowQuery(words: "CAT"), [3, 1]), (WorkflowQuery(words: "n2", limit: 1), [4]),
        (WorkflowQuery(words: "100%"), []),
    ])
    func listsAreFilteredSearchedAndSorted(query: WorkflowQuery, numbers: [Int64]) throws {
        for (place, title) in ["cat", "Ape", "wildcat", "dog"].enumerated() {
            let id = try workflow(title, at: now + Double(place))
            var batch = Batch(workflow: id, fence: 1)
            let outcome: [Outcome?] = [.succeeded, .failed, .cancelled, nil]
            batch.outcome = .some(outcome[place])
            batch.events = [Event(at: place == 0 ? now + 99 : now + Double(place), workflow: id, .lateResult(""))]
            _ = try archive.commit([batch])
        }
        #expect(try archive.summaries(query).map(\.record.id.number) == numbers)
    }

    @Test func revisionsAreKeptWithTheOneThatHolds() throws {
        let id = try workflow()
        try fill(id, outcome: .succeeded)
        let revisions = try archive.revisions(of: id)
        #expect(revisions.map(\.number) == [1, 2] && revisions.map(\.template) == ["{}", "{\"new\":1}"])
        #expect(revisions[0].replacedAt != nil && revisions[1].replacedAt == nil)
    }

    @Test func whoWantsACommandIsStoredWithIt() throws {
        let id = try workflow()
        try archive.put(.rerun(Rerun(step: 1)), for: id, by: "ana", at: now)
        try archive.put(.cancel, for: id, at: now)
        #expect(try archive.waitingCommands(for: "one").map(\.by) == ["ana", "person"])
    }
}
