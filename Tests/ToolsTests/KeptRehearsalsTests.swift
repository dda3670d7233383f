import CaseNames
import Glibc
import Harness
import Testing
import Vocabulary

@testable import Tools

/// What is kept of commands goes when it is too old or too much; what is being applied never does.
@Suite(.process, .enabled(if: Sandbox.here.reasonForNone == nil)) struct KeptRehearsalsTests {
    private let lab: Lab
    private static let now = 1_800_000_000

    init() throws { lab = try Lab() }

    /// - Parameter age: seconds.
    private func kept(_ name: String, age: Int, hasPlan: Bool = false, isApplied: Bool = false) throws -> RehearsalFolder {
        let folder = RehearsalFolder(path: "\(lab.own.data)/rehearsals/w1/\(name)")
        try folder.make()
        try writeWhole([1, 2, 3], to: "\(folder.upper)/file")
        try folder.note(
            RehearsalFolder.About(
                call: .of("call"), workspace: lab.workspace, started: 1, exitCode: 0, output: .of(""), outputBytes: 0, lastError: nil))
        if hasPlan { try folder.write(RehearsalFolder.Plan(steps: [], locked: [:])) }
        if isApplied { try folder.note(.applied) }
        var times = [timespec(tv_sec: Self.now - age, tv_nsec: 0), timespec(tv_sec: Self.now - age, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, folder.path, &times, 0) == 0)
        return folder
    }

    private func purge() {
        lab.toolbox.purgeRehearsals(in: [lab.workspace], now: Moment(milliseconds: Int64(Self.now) * 1000))
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
        purge()
        #expect((access(folder.path, F_OK) == 0) == stays)
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
