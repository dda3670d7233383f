import CaseNames
import Consent
import Harness
import JSON
import Storage
import Synchronization
import Testing
import Vocabulary
import Workflows

@testable import Engine

/// Clocks that are set while a workflow waits, and between two engines (`semantics.md` 230).
@Suite struct ClockTests {
    /// A machine with a wall clock that can be set, and a clock since its boot.
    private final class Machine: Sendable {
        private struct State {
            var wall: Int64 = 1_800_000_000_000
            var sinceBoot: Int64 = 50_000
            var boot = "first"
        }

        private let state = Mutex(State())

        var clocks: ClockReading {
            state.withLock {
                ClockReading(wall: Moment(milliseconds: $0.wall), sinceBoot: $0.sinceBoot, boot: $0.boot)
            }
        }

        func pass(seconds: Double) {
            state.withLock { state in
                state.wall += Int64(seconds * 1000)
                state.sinceBoot += Int64(seconds * 1000)
            }
        }

        func setClock(by seconds: Double) { state.withLock { $0.wall += Int64(seconds * 1000) } }

        func restart() { state.withLock { ($0.boot, $0.sinceBoot) = ($0.boot + " next", 1000) } }
    }

    private final class Notes: Sendable {
        let runs = Mutex(0)
        let events = Mutex<[Event]>([])
    }

    /// One engine, driven round by round.
    private final class Life {
        let notes: Notes
        private let engine: Engine
        private var loop: Loop

        init(_ archive: Archive, on machine: Machine, _ notes: Notes, owner: String) {
            self.notes = notes
            let started = machine.clocks
            let now: @Sendable () -> Moment = {
                started.wall + Double(machine.clocks.sinceBoot - started.sinceBoot) / 1000
            }
            let ledger = World.Ledger(
                commit: { batches throws(Failure) in try archive.commit(batches) },
                claim: { () throws(Failure) in try archive.claim(for: owner) { $0 == owner } },
                ownedByOthers: { ids throws(Failure) in try archive.owned(byOthersThan: owner, of: ids) },
                load: { id throws(Failure) in try archive.loadSound(id, for: owner) },
                waitingCommands: { () throws(Failure) in try archive.waitingCommands(for: owner) },
                take: { commands throws(Failure) in try archive.take(commands, for: owner, at: machine.clocks.wall) },
                approvals: { id throws(Failure) in try archive.approvals(of: id) },
                history: { id throws(Failure) in try archive.history(of: id) },
                await: { number throws(Failure) in try archive.await(numbered: number) },
                isJobHeld: { _, _, _ throws(Failure) in false },
                expiries: { () throws(Failure) in try archive.expiries(for: owner) },
                putAside: { _, failure throws(Failure) in throw failure },
                version: { () throws(Failure) in try archive.dataVersion() },
                lostRuns: { run throws(Failure) in try archive.lostRuns(before: run) },
                spendingOfTurn: { id throws(Failure) in try archive.spendingOfTurn(of: id) })
            let tools = World.Tools(
                catalogue: { EngineRig.catalogue },
                prepare: { .success(Call(tool: $0.manifest.kind, toolVersion: .ofNothing)) },
                run: { assignment, _ in
                    guard assignment.manifest.kind == "Work" else { return .succeeded([]) }
                    let count = notes.runs.withLock { runs in
                        runs += 1
                        return runs
                    }
                    return count == 1 ? .failed(Failure("busy", "Busy.", isTransient: true)) : .succeeded([])
                },
                recover: { _ in .lost }, kill: { _ in },
                job: { request, reply in
                    switch request.verb {
                    case .submit, .find: reply(.accepted(captured: JSON.Object(), nil))
                    case .status, .collect: reply(.status(JobStatus(.queued)))
                    case .cancel: reply(.cancelTaken)
                    }
                },
                isInstant: { $0.kind == "Delay" })
            engine = Engine(
                world: World(
                    now: now, clocks: { machine.clocks }, ledger: ledger, tools: tools, onWorker: { $0() },
                    emit: { event in notes.events.withLock { $0.append(event) } },
                    policy: { _ in .modesOnly }, surroundings: { Surroundings(workspace: $0) }, random: Seeded(7)))
            loop = Loop(engine: engine, takesOver: true, onIdle: {})
        }

        func begin() throws {
            try loop.begin()
            try rounds()
        }

        func rounds() throws { for _ in 0..<8 { try loop.round(engine.mailbox.take(waiting: 0)) } }

        /// How long it would sleep, in milliseconds.
        var patience: Int32 { loop.patience }
    }

    /// Somebody sets the clock back or on: in the run, between two engines of one boot, or over a restart of the
    /// machine.
    enum Mishap: CaseIterable { case inTheRun, betweenEngines, overARestart }

    /// What waits.
    enum Wait: CaseIterable {
        case delay, retry, limit

        var node: String {
            switch self {
            case .delay: "a:Delay"
            case .retry: "a:Work"
            case .limit: "a:Job"
            }
        }

        /// When it is surely not over, and when it surely is, in seconds from the start.
        var bounds: (early: Double, late: Double) {
            switch self {
            case .delay: (600 - 2, 600 + 2)
            case .retry: (20, 40)
            case .limit: (JobTerms(provider: "p").queuedSeconds - 30, JobTerms(provider: "p").queuedSeconds + 120)
            }
        }

        func isOver(_ step: StepRecord) -> Bool {
            switch self {
            case .delay, .retry: step.state == .succeeded
            case .limit: step.failure?.code == "queueTimeout" || step.reason?.code == "cancelRequested"
            }
        }
    }

    private static let cases: [(Wait, Mishap)] = Wait.allCases.flatMap { wait in Mishap.allCases.map { (wait, $0) } }

    @Test(arguments: cases, [-3 * 86_400, -7200, 0, 7200, 3 * 86_400] as [Double])
    func aWaitIsAsLongAsItWasMeant(what: (Wait, Mishap), setBy: Double) throws {
        let (wait, mishap) = what
        let rig = try EngineRig()
        let (machine, notes) = (Machine(), Notes())
        let params = wait == .delay ? ["a": #"{"seconds":600}"#] : [:]
        let id = try rig.make(wait.node, owner: "nobody", mode: .auto, params: params)
        func step() throws -> StepRecord { try #require(try rig.archive.steps(of: id).first) }
        var life = Life(rig.archive, on: machine, notes, owner: "one")
        try life.begin()
        #expect(try !wait.isOver(step()))
        machine.pass(seconds: 5)
        try life.rounds()
        machine.setClock(by: setBy)
        if mishap == .overARestart { machine.restart() }
        if mishap != .inTheRun {
            life = Life(rig.archive, on: machine, notes, owner: "two")
            try life.begin()
        }
        try life.rounds()
        // After a restart only the wall clock tells what is left; set back, it never waits longer than the whole.
        let isToldByWall = mishap == .overARestart
        if isToldByWall, setBy > 0 {
            machine.pass(seconds: 1)
            try life.rounds()
            let isOver = try wait.isOver(step())
            #expect(isOver || setBy < wait.bounds.late)
            return
        }
        let spent = isToldByWall && setBy < 0 ? 0 : 5.0
        machine.pass(seconds: wait.bounds.early - spent - 5)
        try life.rounds()
        #expect(try !wait.isOver(step()), "too early")
        machine.pass(seconds: wait.bounds.late - wait.bounds.early + 5)
        for _ in 0..<3 {
            try life.rounds()
            machine.pass(seconds: 15)
        }
        try life.rounds()
        let last = try step()
        #expect(wait.isOver(last), "\(last)")
    }

    /// The date of an expiry was told to a person: it holds by the wall clock.
    @Test(arguments: [-7200.0, 0, 7200]) func anExpiryIsADateOfTheWallClock(setBy: Double) throws {
        let rig = try EngineRig()
        let (machine, notes) = (Machine(), Notes())
        let ask = #"{"type":"confirmParams","expiresIn":"PT1H"}"#
        let id = try rig.make("a:Work", owner: "nobody", mode: .auto, awaits: ["a": ask])
        func isOver() throws -> Bool { try rig.archive.steps(of: id).first?.failure?.code == "awaitExpired" }
        let life = Life(rig.archive, on: machine, notes, owner: "one")
        try life.begin()
        let told = try #require(try rig.archive.awaits().first?.expiresAt)
        #expect(told == machine.clocks.wall + 3600)
        machine.setClock(by: setBy)
        try life.rounds()
        #expect(try isOver() == (setBy > 3600))
        machine.pass(seconds: max(0, told.seconds(since: machine.clocks.wall) - 1))
        try life.rounds()
        #expect(try isOver() == (setBy > 3600))
        machine.pass(seconds: 2)
        try life.rounds()
        #expect(try isOver())
    }
}

/// What is left of a stored deadline.
@Suite struct DeadlineTests {
    private static func clocks(_ wall: Int64, _ sinceBoot: Int64, _ boot: String = "a") -> ClockReading {
        ClockReading(wall: Moment(milliseconds: wall), sinceBoot: sinceBoot, boot: boot)
    }

    @Test(
        arguments: [
            // The same boot: the wall clock says nothing.
            (1_000_000, 5000, "a", 5000), (0, 5000, "a", 5000), (9_000_000, 9999, "a", 1), (0, 20_000, "a", 0),
            // Another boot: by the wall clock, and never more than the whole.
            (1_004_000, 1, "b", 6000), (500, 1, "b", 10_000), (2_000_000, 1, "b", 0),
            // A clock since the boot that is behind cannot be of this boot; the whole is the most.
            (1_000_000, -70_000, "a", 10_000),
        ] as [(Int64, Int64, String, Int64)])
    func whatIsLeftIsWithinTheWhole(wall: Int64, sinceBoot: Int64, boot: String, left: Int64) {
        let deadline = Deadline(after: 10_000, at: Self.clocks(1_000_000, 0))
        #expect(deadline.left(at: Self.clocks(wall, sinceBoot, boot)) == left)
    }
}
