import CaseNames
import GRDB
import Glibc
import Harness
import JSON
import Testing
import Vocabulary

@testable import Storage

/// A database file that something has happened to: words, or what can still be read; never a crash, never a hang.
@Suite struct DamageTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// Of the newest version, with data, closed and whole.
    static func sound(in folder: String) throws -> (folder: String, bytes: [UInt8]) {
        try Fixture.fill(folder, 5)
        let archive = try Archive(folder: folder)
        // Enough that rows lie on pages of their own.
        let session = try archive.begin(title: "long", workspace: "/w", at: Moment(milliseconds: 5)).id
        for number in 0..<60 {
            try archive.append(
                ChatMessage(.user, String(repeating: "words ", count: number * 20)), to: session, turn: number,
                at: Moment(milliseconds: 5))
        }
        for _ in 0..<5 {
            _ = try store(
                archive, contents: [hash("a"), hash("b")], outcome: nil, at: Moment(milliseconds: 1_700_000_000_000))
        }
        archive.close()
        return (folder, try #require(ScratchFolder.bytes(folder + "/assent.db")))
    }

    private func sound() throws -> (folder: String, bytes: [UInt8]) { try Self.sound(in: scratch.folder()) }

    /// What a seed does to it.
    private static func damage(_ bytes: inout [UInt8], _ random: inout Seeded) -> String {
        let page = 4096
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            return "bit"
        case 1:
            for _ in 0..<20 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            return "bytes"
        case 2:
            // In the heads of cells and records, where types and sizes stand.
            let start = place / page * page
            for _ in 0..<8 {
                bytes[start + Int.random(in: 0..<120, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            return "head"
        case 3:
            let start = place / page * page
            for index in start..<min(start + page, bytes.count) { bytes[index] = 0 }
            return "page of nothing"
        case 4:
            let (from, to) = (place / page * page, Int.random(in: 0..<bytes.count / page, using: &random) * page)
            bytes.replaceSubrange(to..<to + page, with: bytes[from..<from + page])
            return "another page"
        default:
            bytes.removeLast(bytes.count - place)
            return "cut"
        }
    }

    /// Everything that is ever read, and a write. Whatever is thrown is a `Failure` by its type.
    private static func useAll(of folder: String) -> [String] {
        var codes: [String] = []
        func trying(_ body: () throws(Failure) -> Void) {
            do throws(Failure) { try body() } catch { codes.append(error.code.text) }
        }
        let archive: Archive
        do throws(Failure) { archive = try Archive(folder: folder) } catch { return [error.code.text] }
        defer { archive.close() }
        let now = Moment(milliseconds: 1_700_000_000_000)
        trying { () throws(Failure) in _ = try archive.summaries() }
        for number in 1...11 as ClosedRange<Int64> {
            let id = WorkflowID(number)
            trying { () throws(Failure) in _ = try archive.loadSound(id) }
            trying { () throws(Failure) in _ = try archive.load(id) }
            trying { () throws(Failure) in for step in try archive.steps(of: id) { _ = try archive.runs(of: step.id) } }
            trying { () throws(Failure) in
                _ = (try archive.assets(of: id), try archive.events(of: id), try archive.decisions(of: id))
            }
            trying { () throws(Failure) in _ = (try archive.differences(of: id), try archive.fault(of: id)) }
            trying { () throws(Failure) in _ = try archive.bundleRows(of: id) { $0.hex } }
        }
        trying { () throws(Failure) in _ = try archive.awaits(includingDone: true) }
        trying { () throws(Failure) in
            for session in try archive.sessions() { _ = try archive.messages(of: session.id) }
        }
        trying { () throws(Failure) in
            _ = (try archive.references(), try archive.keptAssets(), try archive.quarantined())
        }
        trying { () throws(Failure) in _ = try archive.supportFacts(events: 100) }
        trying { () throws(Failure) in _ = try archive.claim(for: "me") { _ in false } }
        trying { () throws(Failure) in _ = try archive.waitingCommands(for: "me") }
        trying { () throws(Failure) in _ = try archive.begin(title: "after", workspace: "/w", at: now) }
        trying { () throws(Failure) in _ = try archive.faults() }
        return codes
    }

    /// In processes of their own, so that a crash is seen as one; a hang is ended.
    @Test(.process, arguments: 0..<6) func aDamagedFileIsSaidAndNeverCrashedAt(batch: Int) async throws {
        await #expect(processExitsWith: .success) { [batch = batch as Int, path = scratch.path as String] in
            alarm(600)
            let (folder, whole) = try DamageTests.sound(in: path)
            var refused = 0
            for seed in batch * 40..<batch * 40 + 40 {
                var random = Seeded(UInt64(seed))
                var bytes = whole
                let what = DamageTests.damage(&bytes, &random)
                for name in ["assent.db-wal", "assent.db-shm"] { unlink("\(folder)/\(name)") }
                try ScratchFolder.write(bytes, to: folder + "/assent.db")
                let codes = DamageTests.useAll(of: folder)
                if !codes.isEmpty { refused += 1 }
                for code in codes {
                    guard
                        [
                            "storageBroken", "storageFull", "storageReadOnly", "storageNewer", "workflowDamaged",
                            "unknownWorkflow",
                        ].contains(
                            code)
                    else {
                        fatalError("seed \(seed), \(what): \(code)")
                    }
                }
            }
            guard refused > 5 else { fatalError("only \(refused) were seen") }
        }
    }

    /// What can be read is written anew, and what comes out is whole; however little that is.
    @Test(.process, arguments: 0..<3) func whatCanBeReadIsSalvaged(batch: Int) async throws {
        await #expect(processExitsWith: .success) { [batch = batch as Int, path = scratch.path as String] in
            alarm(600)
            let (folder, whole) = try DamageTests.sound(in: path)
            for seed in 1000 + batch * 15..<1000 + batch * 15 + 15 {
                var random = Seeded(UInt64(seed))
                var bytes = whole
                _ = DamageTests.damage(&bytes, &random)
                for name in ["assent.db-wal", "assent.db-shm"] { unlink("\(folder)/\(name)") }
                try ScratchFolder.write(bytes, to: folder + "/assent.db")
                let target = "\(path)/\(seed)"
                try ScratchFolder.makeFolder(target)
                do throws(Failure) {
                    _ = try Salvage(of: folder, into: target)
                } catch {
                    guard error.code.exit == .storage else { fatalError("seed \(seed): \(error)") }
                    continue
                }
                let archive = try Archive(folder: target)
                let faults = try archive.faults() + archive.orphans()
                guard faults.isEmpty else { fatalError("seed \(seed): \(faults)") }
            }
        }
    }

    @Test func allOfASoundDatabaseIsSalvaged() throws {
        let (folder, _) = try sound()
        let target = try scratch.folder()
        let salvage = try Salvage(of: folder, into: target)
        #expect(salvage.tables.allSatisfy(\.isComplete) && salvage.orphans == 0)
        let (old, new) = (try Fixture.contents(of: folder), try Fixture.contents(of: target))
        for (table, rows) in old where table != "checksums" {
            #expect(new[table].map { Set($0) } == Set(rows), "\(table)")
        }
        #expect(try Archive(folder: target).alteredRows().isEmpty)
        let failure = #expect(throws: Failure.self) { _ = try Salvage(of: folder, into: target) }
        #expect(failure?.code == "targetExists")
    }

    /// A value that nobody would read is not carried over: the new database has none.
    @Test func aValueOutOfAllBoundsIsNotSalvaged() throws {
        let (folder, _) = try sound()
        let queue = try DatabaseQueue(path: folder + "/assent.db")
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "UPDATE awaits SET expires_at = -5 WHERE number = (SELECT max(number) FROM awaits)")
        }
        try queue.close()
        let target = try scratch.folder()
        let salvage = try Salvage(of: folder, into: target)
        #expect(salvage.tables.filter { !$0.isComplete }.map(\.name) == ["awaits"])
        let archive = try Archive(folder: target)
        for summary in try archive.summaries() {
            #expect(try archive.fault(of: summary.record.id)?.contains("expires_at") != true)
        }
    }

    @Test func aPageInTheMiddleCostsOnlyWhatIsOnIt() throws {
        let (folder, whole) = try sound()
        let queue = try DatabaseQueue(path: folder + "/assent.db")
        // A leaf of the messages in the middle.
        let pages = try queue.read { db -> [Int] in
            try Int.fetchAll(db, sql: "SELECT rootpage FROM sqlite_master WHERE name IN ('messages', 'workflows')")
        }
        try queue.close()
        #expect(pages.count == 2)
        var bytes = whole
        let place = try #require(bytes.firstRange(of: Array(String(repeating: "words ", count: 500).utf8))?.lowerBound)
        let page = place / 4096 * 4096
        for index in page..<page + 4096 { bytes[index] = 0xFF }
        try ScratchFolder.write(bytes, to: folder + "/assent.db")
        let target = try scratch.folder()
        let salvage = try Salvage(of: folder, into: target)
        let messages = try #require(salvage.tables.first { $0.name == "messages" })
        #expect(!messages.isComplete && messages.saved > 20 && messages.saved < 63)
        let archive = try Archive(folder: target)
        #expect(try archive.summaries().count == 9 && (archive.faults() + archive.orphans()).isEmpty)
    }

    // MARK: Single cases

    private func expectBroken(_ folder: String, _ location: SourceLocation = #_sourceLocation) {
        let failure = #expect(throws: Failure.self, sourceLocation: location) {
            _ = try Archive(folder: folder).summaries()
        }
        #expect(
            failure?.code == "storageBroken" && failure?.remedy != nil, "\(failure as Any)", sourceLocation: location)
    }

    @Test(arguments: [1, 99, 100, 511, 4095, 4096, 8192, 40_960]) func aFileThatWasCutIsSaid(bytes: Int) throws {
        let (folder, whole) = try sound()
        try ScratchFolder.write(Array(whole.prefix(bytes)), to: folder + "/assent.db")
        expectBroken(folder)
        #expect(ScratchFolder.bytes(folder + "/assent.db")?.count == bytes, "left as it was")
    }

    /// SQLite would take it for a new one.
    @Test func anEmptyFileInPlaceOfADatabaseIsNoBeginning() throws {
        let (folder, _) = try sound()
        try ScratchFolder.write("", to: folder + "/assent.db")
        expectBroken(folder)
        #expect(ScratchFolder.bytes(folder + "/assent.db")?.isEmpty == true)
        // One that a first start left which was killed is.
        let fresh = try scratch.folder()
        try ScratchFolder.write("", to: fresh + "/assent.db")
        #expect(try Archive(folder: fresh).summaries().isEmpty)
    }

    /// A value of a type that its column cannot have ends no process.
    @Test(arguments: [
        "UPDATE workflows SET title = NULL", "UPDATE workflows SET created_at = 'x'",
        "UPDATE workflows SET created_at = -5",
        "UPDATE workflows SET updated_at = 9223372036854775807", "UPDATE workflows SET fence = 'one'",
        "UPDATE graphs SET template = x'FF'",
        "UPDATE workflows SET cancel_requested = 'yes'", "UPDATE workflows SET id = 9223372036854775807",
    ])
    func aValueOfAnotherTypeIsDamage(sql: String) throws {
        let folder = try scratch.folder()
        let archive = try Archive(folder: folder)
        _ = try store(archive, contents: [], outcome: nil, at: Moment(milliseconds: 5))
        archive.close()
        let queue = try DatabaseQueue(path: folder + "/assent.db")
        try queue.writeWithoutTransaction { db in
            // As if bytes had changed: the table forgets its rules.
            try db.execute(
                sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON")
            try db.execute(
                sql: """
                    UPDATE sqlite_master SET sql = replace(replace(sql, ') STRICT', ')'), 'NOT NULL', '') WHERE name IN ('workflows', 'graphs')
                    """)
        }
        try queue.close()
        let loose = try DatabaseQueue(path: folder + "/assent.db")
        try loose.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: sql)
        }
        try loose.close()
        let damaged = try Archive(folder: folder)
        let id = try #require(try damaged.read { try Int64.fetchOne($0, sql: "SELECT id FROM workflows") })
        func code(_ body: () throws(Failure) -> Void) -> String {
            do throws(Failure) { try body() } catch { return error.code.text }; return ""
        }
        let codes = [
            code { () throws(Failure) in _ = try damaged.graph(of: WorkflowID(id)) },
            code { () throws(Failure) in _ = try damaged.load(WorkflowID(id)) },
        ]
        #expect(Set(codes).isSubset(of: ["workflowDamaged", ""]), "\(codes)")
        // It is listed, and marked.
        let listed = try #require(try damaged.summaries().first)
        #expect(listed.damage != nil || codes.contains("workflowDamaged"))
        // (That a column may not be empty is what this table has forgotten.)
        #expect(try damaged.fault(of: WorkflowID(id)) != nil || sql.hasSuffix("NULL"))
    }

    /// The next start after a crash looks the whole file over, once, and refuses what it crashed at.
    @Test func afterACrashAFaultyDatabaseIsRefusedAndASoundOneIsOpened() throws {
        let (folder, whole) = try sound()
        let note = CrashNote(folder: folder)
        try ScratchFolder.write("", to: note.path)
        try Archive(folder: folder).close()
        #expect(!note.isThere)
        let place = try #require(whole.firstRange(of: Array(String(repeating: "words ", count: 500).utf8))?.lowerBound)
        var bytes = whole
        for index in place / 4096 * 4096..<place / 4096 * 4096 + 100 { bytes[index] = 0xFF }
        try ScratchFolder.write(bytes, to: folder + "/assent.db")
        #expect(try Archive(folder: folder).summaries().count == 9, "nobody looks there")
        try ScratchFolder.write("", to: note.path)
        for _ in 0..<2 { expectBroken(folder) }
        #expect(note.isThere)
    }

    @Test("finding 10: a database that is gone is a loss, not a beginning") func aDatabaseThatIsGoneIsNoBeginning()
        throws
    {
        let (folder, whole) = try sound()
        unlink(folder + "/assent.db")
        for _ in 0..<2 {
            let failure = #expect(throws: Failure.self) { _ = try Archive(folder: folder) }
            #expect(failure?.code == "storageBroken" && failure?.message.contains("gone") == true)
            #expect(failure?.remedy?.contains("move the folder \(folder) away") == true)
            #expect(access(folder + "/assent.db", F_OK) != 0)
        }
        try ScratchFolder.write(whole, to: folder + "/assent.db")
        try Archive(folder: folder).close()
    }

    /// Whatever has become of the lock, which remembers that there was one.
    @Test(arguments: [("assets/ab", true), ("assets/tmp", false), ("runs/ab", false)])
    func contentsWithoutADatabaseAreALoss(name: String, isLoss: Bool) throws {
        let folder = try scratch.folder()
        try ScratchFolder.makeFolder("\(folder)/\(name.split(separator: "/")[0])")
        try ScratchFolder.makeFolder("\(folder)/\(name)")
        guard isLoss else { return try Archive(folder: folder).close() }
        #expect(throws: Failure.self) { _ = try Archive(folder: folder) }
    }
}
