import CaseNames
@testable import Files
import Glibc
import Harness
@testable import Rehearsal
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// What is kept of commands goes when it is too old or too much; what is being applied never does.
@Suite(.process, .enabled(if: Isolation.here.reasonForNone == nil)) struct KeptRehearsalsTests {
    private let lab: Lab
    private static let now = 1_800_000_000

    init() throws { lab = try Lab() }

    /// - Parameter age: seconds.
    private func kept(_ name: String, age: Int, hasPlan: Bool = false, isApplied: Bool = false) throws
        -> RehearsalFolder
    {
        let folder = RehearsalFolder(path: "\(lab.own.data)/rehearsals/w1/\(name)")
        try folder.make()
        try writeWhole([1, 2, 3], to: "\(folder.upper)/file")
        try folder.note(
            RehearsalFolder.About(
                call: .of("call"), workspace: lab.workspace, started: 1, exitCode: 0,
                output: AssetStore.Content(hash: .of(""), bytes: 0),
                lastError: nil))
        if hasPlan { try folder.write(RehearsalFolder.Plan(steps: [], locked: [:])) }
        if isApplied { try folder.note(.applied) }
        var times = [timespec(tv_sec: Self.now - age, tv_nsec: 0), timespec(tv_sec: Self.now - age, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, folder.path, &times, 0) == 0)
        return folder
    }

    private func purge(isFirstLook: Bool = false) {
        let now = Moment(milliseconds: Int64(Self.now) * 1000)
        lab.toolbox.purgeRehearsals(in: [lab.workspace], now: now, aged: isFirstLook ? nil : now)
    }

    @Test(
        arguments: [
            (false, false, 3600, true), (false, false, 6 * 86_400, true), (false, false, 8 * 86_400, false),
            (true, true, 8 * 86_400, true), (true, true, 31 * 86_400, false),
            // It is being applied: whoever comes after a crash goes on with it, whenever that is.
            (true, false, 400 * 86_400, true),
        ])
    func whatIsTooOldGoes(hasPlan: Bool, isApplied: Bool, age: Int, stays: Bool) throws {
        try makeFolders("\(lab.own.data)/rehearsals/turns")
        let folder = try kept("1-1", age: age, hasPlan: hasPlan, isApplied: isApplied)
        purge(isFirstLook: true)
        #expect(access(folder.path, F_OK) == 0, "A first look removes nothing for its age.")
        purge()
        #expect((access(folder.path, F_OK) == 0) == stays)
    }

    /// A crash cut it in the middle: it has no end, and no process works on it.
    @Test func whatACrashHasCutGoesAtTheNextStart() throws {
        let folder = RehearsalFolder(path: "\(lab.own.data)/rehearsals/w1/1-1")
        try folder.make(for: lab.workspace)
        let waiting = try kept("2-1", age: 10)
        let turn = try WorkspaceTurn.take(lab.workspace, in: lab.own.data, cancel: Cancellation())
        lab.toolbox.purgeLeftRehearsals(in: [lab.workspace]) { _ in false }
        #expect(access(folder.path, F_OK) == 0, "It is rehearsed right now.")
        turn.end()
        lab.toolbox.purgeLeftRehearsals(in: [lab.workspace]) { _ in false }
        #expect(access(folder.path, F_OK) != 0 && access(waiting.path, F_OK) == 0)
    }

    /// Nobody can answer for a workflow that is over. What it replaced can still be put back.
    @Test func whatIsOverIsCountedAndGoes() throws {
        try makeFolders("\(lab.own.data)/rehearsals/turns")
        let (waiting, applied) = (try kept("1-1", age: 10), try kept("2-1", age: 10, hasPlan: true, isApplied: true))
        let now = Moment(milliseconds: Int64(Self.now) * 1000)
        func purge(_ isDryRun: Bool) -> [Int] {
            lab.toolbox.purgeRehearsals(in: [lab.workspace], now: now, aged: nil, isDryRun: isDryRun) {
                $0 == WorkflowID(1)
            }
        }
        #expect(purge(true).count == 1 && access(waiting.path, F_OK) == 0)
        let freed = purge(false)
        #expect(freed.count == 1 && freed[0] > 0 && access(waiting.path, F_OK) != 0 && access(applied.path, F_OK) == 0)
        #expect(purge(false).isEmpty)
    }

    /// Empty files have no bytes, and take room all the same.
    @Test func entriesAreBoundedToo() throws {
        try makeFolders("\(lab.own.data)/rehearsals/turns")
        let many = try kept("1-1", age: 20)
        let few = try kept("2-1", age: 10)
        for index in 1...20 { try writeWhole([], to: "\(many.upper)/\(index)") }
        var times = [timespec(tv_sec: Self.now - 20, tv_nsec: 0), timespec(tv_sec: Self.now - 20, tv_nsec: 0)]
        utimensat(AT_FDCWD, many.path, &times, 0)
        var rehearsals = KeptRehearsals(states: ["\(lab.own.data)/rehearsals"], data: lab.own.data)
        rehearsals.mostWaiting.entries = 30
        rehearsals.purge(now: Self.now, aged: nil)
        #expect(access(many.path, F_OK) == 0)
        rehearsals.mostWaiting.entries = 20
        rehearsals.purge(now: Self.now, aged: nil)
        #expect(access(many.path, F_OK) != 0 && access(few.path, F_OK) == 0)
    }

    /// What a cancelled workflow left is not kept for an hour.
    @Test(arguments: [true, false]) func whatIsOverGoesAtTheNextStart(isOver: Bool) throws {
        try makeFolders("\(lab.own.data)/rehearsals/turns")
        let (waiting, applied) = (try kept("1-1", age: 10), try kept("2-1", age: 10, hasPlan: true, isApplied: true))
        lab.toolbox.purgeLeftRehearsals(in: [lab.workspace]) { isOver && $0 == WorkflowID(1) }
        #expect((access(waiting.path, F_OK) == 0) == !isOver && access(applied.path, F_OK) == 0)
    }

    /// The process that has just rehearsed holds the turn of the workspace: the older ones there go all the same. The
    /// newest counts, and stays even if it alone is too large.
    @Test(arguments: [(40, [3, 4]), (31, [4]), (20, [4]), (100, [1, 2, 3, 4])])
    func theBoundHoldsInOneWorkspace(kilobytes: Int, stay: [Int]) throws {
        let turn = try WorkspaceTurn.take(lab.workspace, in: lab.own.data, cancel: Cancellation())
        defer { turn.end() }
        let folders = try (1...4).map { index in
            let folder = try kept("\(index)-1", age: 0)
            try writeWhole([UInt8](repeating: 1, count: 16 << 10), to: "\(folder.upper)/file")
            var times = [
                timespec(tv_sec: Self.now + index, tv_nsec: 0), timespec(tv_sec: Self.now + index, tv_nsec: 0),
            ]
            #expect(utimensat(AT_FDCWD, folder.path, &times, 0) == 0)
            return folder
        }
        var rehearsals = KeptRehearsals(states: ["\(lab.own.data)/rehearsals"], data: lab.own.data)
        rehearsals.held = lab.workspace
        rehearsals.mostWaiting.bytes = kilobytes << 10
        rehearsals.trim(but: folders[3])
        #expect((1...4).filter { access(folders[$0 - 1].path, F_OK) == 0 } == stay)
        // Without the turn nothing of it is touched.
        rehearsals.held = nil
        rehearsals.mostWaiting.bytes = 0
        rehearsals.trim(but: folders[3])
        #expect((1...4).filter { access(folders[$0 - 1].path, F_OK) == 0 } == stay)
    }

    @Test func whatSomebodyWorksOnStays() throws {
        let folder = try kept("1-1", age: 8 * 86_400)
        let turn = try WorkspaceTurn.take(lab.workspace, in: lab.own.data, cancel: Cancellation())
        purge()
        #expect(access(folder.path, F_OK) == 0)
        turn.end()
        purge()
        #expect(access(folder.path, F_OK) != 0)
    }
}
