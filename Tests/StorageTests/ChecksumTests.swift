import CaseNames
import GRDB
import Glibc
import Harness
import Testing
import Vocabulary

@testable import Storage

/// Finding 10 of the review of the engine: `doctor` sees each bit of what is stored that has changed by itself.
@Suite struct ChecksumTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// All that can be asked of a database, in the words of SQLite.
    private static func told(by folder: String) -> [String]? {
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: folder + "/assent.db", configuration: configuration) else {
            return nil
        }
        defer { try? queue.close() }
        return try? queue.read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            )
            // What is in the index of words can be made anew: it tells its faults itself (`hasDamagedIndex`).
            .filter { !$0.hasPrefix(SearchIndex.name) }
            return try (["sqlite_master", "sqlite_sequence"] + tables).flatMap { table in
                let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
                let values = columns.filter { $0 != "rootpage" }.map { "quote(\"\($0)\")" }.joined(separator: "||','||")
                return try String.fetchAll(db, sql: "SELECT \(values) FROM \"\(table)\"").sorted()
            }
        }
    }

    /// What `doctor` looks at.
    private static func isSeen(in folder: String) -> Bool {
        guard let archive = try? Archive(folder: folder) else { return true }
        defer { archive.close() }
        guard let faults = try? archive.faults() + archive.orphans(), let altered = try? archive.alteredRows() else {
            return true
        }
        return !faults.isEmpty || !altered.isEmpty
    }

    /// `FLIP_SEED` and `FLIP_COUNT` choose others: `make soak` begins elsewhere each time.
    @Test("finding 10: a bit that matters does not change unseen", .process) func noFlippedBitIsSilent() async throws {
        let (seed, flips) = (Self.number("FLIP_SEED") ?? 1, Self.number("FLIP_COUNT") ?? 300)
        print("\(flips) flipped bits: FLIP_SEED=\(seed)")
        let ending = await #expect(processExitsWith: .success) {
            [seed = seed as UInt64, flips = flips as UInt64, path = scratch.path as String] in
            alarm(3600)
            var random = Seeded(seed)
            let (folder, whole) = try DamageTests.sound(in: path)
            let before = ChecksumTests.told(by: folder)
            guard before != nil, !ChecksumTests.isSeen(in: folder) else { fatalError("it is not sound") }
            var seen = 0
            for flip in 0..<flips {
                var bytes = whole
                let (place, bit) = (
                    Int.random(in: 0..<bytes.count, using: &random), UInt8.random(in: 0..<8, using: &random)
                )
                bytes[place] ^= 1 << bit
                for name in ["assent.db-wal", "assent.db-shm"] { unlink("\(folder)/\(name)") }
                try ScratchFolder.write(bytes, to: folder + "/assent.db")
                let isAltered = ChecksumTests.told(by: folder) != before
                let isSeen = ChecksumTests.isSeen(in: folder)
                guard isSeen || !isAltered else {
                    fatalError("seed \(seed), flip \(flip): bit \(bit) of byte \(place)")
                }
                if isSeen { seen += 1 }
            }
            guard seen > flips / 3 else { fatalError("seed \(seed): only \(seen) were seen") }
        }
        guard ending == nil else { return }
        Issue.record("FLIP_SEED=\(seed)")
    }

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    /// Every statement of ours is heard; what comes past us is not.
    @Test func whatIsWrittenPastUsIsSeenAndNamed() throws {
        let (folder, _) = try DamageTests.sound(in: scratch.folder())
        for (sql, expected) in [
            (
                "UPDATE runs SET params = '{\"text\":\"hullo\"}' WHERE workflow = 2",
                AlteredRows(workflows: [WorkflowID(2)], others: false)
            ),
            ("UPDATE events SET at = at + 1 WHERE seq = 20", AlteredRows(workflows: [WorkflowID(3)], others: false)),
            ("UPDATE messages SET text = 'x' WHERE id = 7", AlteredRows(workflows: [], others: true)),
            ("DELETE FROM decisions", AlteredRows(workflows: [WorkflowID(1)], others: false)),
        ] {
            let archive = try Archive(folder: folder)
            #expect(try archive.alteredRows().isEmpty)
            let copy = try scratch.folder()
            archive.close()
            try ScratchFolder.write(try #require(ScratchFolder.bytes(folder + "/assent.db")), to: copy + "/assent.db")
            let queue = try DatabaseQueue(path: copy + "/assent.db")
            try queue.write { db in try db.execute(sql: sql) }
            try queue.close()
            let altered = try Archive(folder: copy)
            #expect(try altered.alteredRows() == expected, "\(sql)")
            for id in expected.workflows {
                #expect(try altered.fault(of: id)?.contains("not what was written") == true)
            }
            altered.close()
        }
    }

    /// A refused transaction leaves nothing behind that the next would store.
    @Test func aTransactionThatFailsChangesNoSum() throws {
        let archive = try Archive(folder: try DamageTests.sound(in: scratch.folder()).folder)
        for _ in 0..<3 {
            #expect(throws: Failure.self) {
                try archive.write { db in
                    try db.execute(sql: "UPDATE steps SET tries = tries + 1; DELETE FROM decisions")
                    throw Failure("stop", "Stop.")
                }
            }
            try archive.write { db in try db.execute(sql: "UPDATE messages SET text = text || 'x' WHERE id < 5") }
            #expect(try archive.alteredRows().isEmpty)
        }
        archive.close()
    }

    @Test func whatBelongsToNoWorkflowCanBeTakenAsItIs() throws {
        let (folder, _) = try DamageTests.sound(in: scratch.folder())
        let queue = try DatabaseQueue(path: folder + "/assent.db")
        try queue.write { db in try db.execute(sql: "UPDATE messages SET text = 'x' WHERE id = 7") }
        try queue.close()
        let archive = try Archive(folder: folder)
        #expect(try archive.alteredRows().others)
        try archive.accept(nil)
        #expect(try archive.alteredRows().isEmpty)
        archive.close()
    }

    /// The table of sums is of the same file.
    @Test(arguments: ["events = events | 4503599627370496", "rows = rows - 9223372036854775807", "\"check\" = 0"])
    func sumsThatWereAlteredAreToldAndMadeAnew(change: String) throws {
        let (folder, _) = try DamageTests.sound(in: scratch.folder())
        let queue = try DatabaseQueue(path: folder + "/assent.db")
        // Another value, whatever it was.
        let changed = change.replacing(
            "events | 4503599627370496", with: "(events | 4503599627370496) - (events & 4503599627370496)")
        try queue.write { db in try db.execute(sql: "UPDATE checksums SET \(changed) WHERE subject = 2") }
        try queue.close()
        let archive = try Archive(folder: folder)
        #expect(try archive.fault(of: WorkflowID(2))?.contains("checksums of it") == true)
        #expect(try archive.fault(of: WorkflowID(1)) == nil && archive.faults().isEmpty)
        try archive.mendSums()
        #expect(try archive.alteredRows().isEmpty && archive.fault(of: WorkflowID(2)) == nil)
        archive.close()
    }

    /// A rebuild that brings back what was written is known by its sum (`DoctorTests` has such); one that cannot is
    /// told.
    @Test(arguments: [
        "UPDATE steps SET attempt = 9, kind = 'Other' WHERE workflow = 2 AND step = 1",
        "UPDATE steps SET attempt = 9 WHERE workflow = 2; UPDATE runs SET params = '{}' WHERE workflow = 2 AND step = 1",
    ])
    func aRebuildBlessesNothing(sql: String) throws {
        let (folder, _) = try DamageTests.sound(in: scratch.folder())
        let queue = try DatabaseQueue(path: folder + "/assent.db")
        try queue.write { db in try db.execute(sql: sql) }
        try queue.close()
        let archive = try Archive(folder: folder)
        let id = WorkflowID(2)
        #expect(try archive.fault(of: id) != nil)
        #expect(try archive.rebuild(id, nodes: [], at: Moment(milliseconds: 5)) > 0)
        #expect(try archive.differences(of: id).isEmpty)
        #expect(try archive.fault(of: id)?.contains("not what was written") == true)
        try archive.accept(id)
        #expect(try archive.alteredRows().isEmpty)
        archive.close()
    }
}
