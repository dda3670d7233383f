import CaseNames
import GRDB
import Glibc
import Harness
import JSON
import Testing
import Vocabulary

@testable import Storage

/// Upgrades from every earlier version, with data.
@Suite struct MigrationTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// "and from now on each": whoever adds a migration puts down what the version before it looked like.
    @Test func everyEarlierVersionHasAFixture() {
        let numbers = Schema.migrator.migrations.compactMap { Int($0.prefix { $0.isNumber }) }
        #expect(
            numbers == numbers.sorted() && Set(numbers).count == numbers.count
                && numbers.count == Schema.migrator.migrations.count)
        #expect(Set(numbers.dropLast()).isSubset(of: Fixture.numbers), "dump a database of it to Fixtures/schema-N.sql")
    }

    @Test(arguments: Fixture.numbers) func anEarlierVersionIsUpgradedAndNothingIsLost(version: Int) throws {
        let folder = try Fixture.make(version, in: scratch)
        let before = try Fixture.contents(of: folder)
        #expect(before["workflows"]?.count == 4 && before["events"].map { $0.count > 20 } == true)
        // Once, and again: the second finds nothing to do.
        for _ in 0..<2 {
            let archive = try Archive(folder: folder)
            #expect(try archive.read { try Schema.migrator.appliedIdentifiers($0) } == Set(Schema.migrator.migrations))
            #expect(try (archive.faults() + archive.orphans()).isEmpty)
            archive.close()
            var after = try Fixture.contents(of: folder, tables: Array(before.keys) + ["graphs"])
            // The graph of a workflow has a table of its own since version 13.
            let graphs = Dictionary(
                uniqueKeysWithValues: (after["graphs"] ?? []).compactMap { row in row["workflow"].map { ($0, row) } })
            after["workflows"] = after["workflows"]?.map { row in
                row.merging(["template": row["id"].flatMap { graphs[$0]?["template"] } ?? .null]) { $1 }
            }
            // The sums are made anew: of the new schema, and of rows that have more columns now.
            for (table, rows) in before where table != "checksums" {
                let kept = try #require(after[table])
                #expect(kept.count == rows.count, "\(table)")
                for row in rows {
                    // A column may come, none may go or change.
                    #expect(kept.contains { other in row.allSatisfy { other[$0.key] == $0.value } }, "\(table) \(row)")
                }
            }
        }
    }

    @Test(arguments: Fixture.numbers) func whatWasUpgradedCanBeUsed(version: Int) throws {
        let archive = try Archive(folder: try Fixture.make(version, in: scratch))
        #expect(try archive.summaries().map(\.record.id.number) == [5, 3, 2, 1])
        let one = try #require(try archive.load(WorkflowID(1)))
        #expect(
            one.steps.map(\.state) == [.succeeded, .succeeded] && one.assets.count == 2
                && one.record.outcome == .succeeded)
        #expect(one.template.contains("app.workflow"))
        let two = try #require(try archive.steps(of: WorkflowID(2)).last)
        #expect(two.failure?.remedy == "Mend it." && two.attempt == 2)
        #expect(try archive.runs(of: two.id).map(\.ending) == ["lost", "failed"])
        #expect(try archive.runs(of: two.id).last?.inputs["text"]?.bytes == 5)
        #expect(try archive.events(of: WorkflowID(1)).last?.body["outcome"]?.string == "succeeded")
        #expect(try archive.sessions().map(\.title) == (version < 3 ? [] : ["ü", "make a note"]))
        #expect(
            try archive.search("propose_work", limit: 5).map(\.session.title) == (version < 3 ? [] : ["make a note"]))
        #expect(try !archive.hasDamagedIndex())
        #expect(try archive.awaits().map(\.number) == (version < 2 ? [] : [4]))
        // An engine takes up what is open; a new workflow gets a number that nobody had.
        #expect(try Set(archive.claim(for: "me") { _ in false }.map(\.id.number)).isSuperset(of: [3, 5]))
        for number in [1, 2, 3, 5] as [Int64] { #expect(try archive.loadSound(WorkflowID(number)) != nil) }
        let record = WorkflowRecord(
            id: WorkflowID(0), title: "new", workspace: "/w", createdAt: Moment(milliseconds: 5),
            updatedAt: Moment(milliseconds: 5))
        #expect(try archive.create(record, template: "{}", owner: "me") { _ in [] }.0.id.number == 6)
        #expect(try (archive.faults() + archive.orphans()).isEmpty)
    }

    /// Killed at the n-th statement of the upgrade: the next start finds the old version whole, and upgrades it.
    @Test(.process, arguments: [1, 3, 8, 15, 21]) func anUpgradeThatIsKilledIsDoneAgainFromTheStart(statement: Int)
        async throws
    {
        let folder = try Fixture.make(1, in: scratch)
        let before = try Fixture.contents(of: folder)
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, statement = statement as Int] in
            let queue = try DatabaseQueue(path: folder + "/assent.db")
            nonisolated(unsafe) var count = 0
            queue.inDatabase { db in
                db.trace { event in
                    guard "\(event)".contains("CREATE") || "\(event)".contains("INSERT") else { return }
                    count += 1
                    if count == statement { kill(getpid(), SIGKILL) }
                }
            }
            try Schema.migrator.migrate(queue)
        }
        let queue = try DatabaseQueue(path: folder + "/assent.db")
        let applied = try await queue.read { try Schema.migrator.appliedIdentifiers($0) }
        #expect(applied.contains("1 workflows") && !applied.contains("6 keeping"))
        try queue.close()
        let archive = try Archive(folder: folder)
        #expect(
            try (archive.faults() + archive.orphans()).isEmpty
                && archive.read { try Schema.migrator.hasCompletedMigrations($0) })
        archive.close()
        let after = try Fixture.contents(of: folder, tables: Array(before.keys))
        #expect(after.mapValues(\.count) == before.mapValues(\.count))
    }

    /// The upgrade of version 8 adds a column, and needs no page.
    @Test(arguments: Fixture.numbers.filter { $0 < 8 })
    func anUpgradeOnAFullDiskIsSaidAndLeavesTheOldVersion(version: Int) throws {
        let folder = try Fixture.make(version, in: scratch)
        let before = try Fixture.contents(of: folder)
        let queue = try DatabaseQueue(path: folder + "/assent.db")
        #expect(throws: DatabaseError.self) {
            try queue.writeWithoutTransaction { db in
                // The newest wants no more than one.
                let (pages, free) = try (
                    Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0, Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                )
                #expect(free == 0)
                try db.execute(sql: "PRAGMA max_page_count = \(pages)")
            }
            try Schema.migrator.migrate(queue)
        }
        try queue.close()
        let archive = try Archive(folder: folder)
        #expect(try (archive.faults() + archive.orphans()).isEmpty)
        archive.close()
        #expect(
            try Fixture.contents(of: folder, tables: Array(before.keys)).mapValues(\.count) == before.mapValues(\.count)
        )
    }
}
