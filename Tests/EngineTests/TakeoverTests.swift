import Consent
import Harness
import Storage
import Synchronization
import Testing
import Vocabulary
import Workflows

@testable import Engine

/// Two engines of one store that take a workflow from each other, each driven round by round.
@Suite struct TakeoverTests {
    /// What all of them share: the time, and who takes everybody else for dead when it looks.
    private final class Setting: Sendable {
        let now = Mutex(Moment(milliseconds: 1_000_000_000))
        let taker = Mutex("")

        var time: Moment { now.withLock { $0 } }
    }

    /// What its tools were asked for, and what waits for its workers.
    private final class Notes: Sendable {
        let work = Mutex<[@Sendable () -> Void]>([])
        let acts = Mutex<[String]>([])

        func act(_ words: String) { acts.withLock { $0.append(words) } }
    }

    private final class Driven {
        let notes = Notes()
        private let engine: Engine
        private var loop: Loop

        init(_ owner: String, _ archive: Archive, _ setting: Setting, slots: SlotFile? = nil) {
            let notes = notes
            let ledger = World.Ledger(
                commit: { batches throws(Failure) in try archive.commit(batches) },
                claim: { () throws(Failure) in
                    setting.taker.withLock { $0 } == owner ? try archive.claim(for: owner) { $0 == owner } : []
                },
                ownedByOthers: { ids throws(Failure) in try archive.owned(byOthersThan: owner, of: ids) },
                load: { id throws(Failure) in try archive.loadSound(id, for: owner) },
                waitingCommands: { () throws(Failure) in try archive.waitingCommands(for: owner) },
                take: { commands throws(Failure) in try archive.take(commands, for: owner, at: setting.time) },
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
                prepare: { assignment in .success(Call(tool: assignment.manifest.kind, toolVersion: .ofNothing)) },
                run: { assignment, _ in
                    notes.act("run \(assignment.run)")
                    return .succeeded([])
                },
                recover: { assignment in
                    notes.act("recover \(assignment.run)")
                    return .lost
                }, kill: { _ in }, job: { _, _ in })
            engine = Engine(
                world: World(
                    now: { setting.time }, ledger: ledger, tools: tools,
                    onWorker: { work in notes.work.withLock { $0.append(work) } },
                    policy: { _ in .modesOnly }, surroundings: { Surroundings(workspace: $0) },
                    shared: slots.map(EngineRig.shared) ?? World.SharedSlots()))
            loop = Loop(engine: engine, takesOver: true, onIdle: {})
        }

        func carry(_ workflow: WorkflowID) { engine.carry(workflow) }

        func round() throws { try loop.round(engine.mailbox.take(waiting: 0)) }

        /// Its workers do what they were given so far.
        func workers() {
            let given = notes.work.withLock { work in
                defer { work = [] }
                return work
            }
            for work in given { work() }
        }
    }

    /// What it had decided to run was of the rows of before: the other has begun that meanwhile.
    @Test func whatIsTakenBackIsRecoveredAndNotRunAgain() throws {
        let rig = try EngineRig()
        let setting = Setting()
        let id = try rig.make("a:Once", owner: "one", mode: .auto)
        let one = Driven("one", try Archive(folder: rig.folder), setting)
        let two = Driven("two", try Archive(folder: rig.folder), setting)
        one.carry(id)
        try one.round()
        // It has looked at the call, and stands still before it hears of that.
        one.workers()
        setting.taker.withLock { $0 = "two" }
        try two.round()
        two.workers()
        try two.round()
        #expect(try rig.step(id, "a").state == .runningLocal)
        two.workers()
        #expect(two.notes.acts.withLock { $0 } == ["run w1.1.1"])
        // It goes on, and takes the other for dead in the round in which it would begin.
        setting.taker.withLock { $0 = "one" }
        setting.now.withLock { $0 = $0 + 10 }
        try one.round()
        one.workers()
        #expect(one.notes.acts.withLock { $0 } == ["recover w1.1.1"])
    }

    /// Checks of the job are paused, so there is nothing to commit that would tell the one that stood still; and its
    /// provider takes one job.
    @Test func aJobThatAnotherEngineHasTakenOverHoldsNoSlotHere() throws {
        let rig = try EngineRig()
        let setting = Setting()
        let id = try rig.make("a:Job", owner: "one", mode: .auto)
        let other = try SlotFile(folder: rig.folder)
        func isFree() -> Bool {
            guard let number = other.take(.provider("p"), of: 1) else { return false }
            _ = other.give(number, of: .provider("p"))
            return true
        }
        let one = Driven("one", try Archive(folder: rig.folder), setting, slots: try SlotFile(folder: rig.folder))
        let two = Driven("two", try Archive(folder: rig.folder), setting)
        one.carry(id)
        for _ in 1...3 {
            try one.round()
            one.workers()
        }
        #expect(try rig.step(id, "a").state == .queuedRemote && !isFree())
        setting.taker.withLock { $0 = "two" }
        try two.round()
        setting.now.withLock { $0 = $0 + 10 }
        try one.round()
        #expect(isFree())
    }
}
