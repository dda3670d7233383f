import CaseNames
import Consent
import GRDB
import Harness
import Vocabulary

@testable import Engine
@testable import Storage
@testable import Workflows

/// One life of one engine: its loop is driven from outside, one round at a time. Its death is that nobody drives it any
/// more.
final class SimulatedEngine: @unchecked Sendable {
    let owner: String
    let archive: Archive
    private(set) var engine: Engine!
    private var loop: Loop!
    /// The steps that hold its slots, of workflows that it believes to carry.
    func heldElsewhere(_ isElsewhere: (WorkflowID) -> Bool) -> [StepID] {
        loop.carried.filter { isElsewhere($0.key) }.flatMap { workflow, carried in
            carried.slots.keys.map { StepID(workflow, $0 + 1) }
        }
    }
    unowned let simulation: Simulation
    /// As it was when it started: a program reads its tools once.
    let catalogue: Catalogue
    /// When it looked at which tools there are.
    let startedAt: Int
    /// The wall time when the simulation had begun, as it seemed when it started: its own clock counts from there.
    let wallAtZero: Int64
    let slots: SimulatedSlots?

    var isDead = false
    /// Stopped in the middle of a round, as by SIGSTOP; others may think that it is dead.
    var isPaused = false
    /// What others took over from it while it lived.
    var overthrown: Set<WorkflowID> = []
    private(set) var isInRound = false
    private(set) var hasBegun = false
    private var hasCommitted = false
    /// Somebody called while it was in a round, which may have been a long one.
    private var isMissed = false
    /// When it is driven next, and once more after that.
    private var nextRound: Int?
    private var laterRound: Int?
    /// The run that the next piece of work is for; a look at a call has none.
    var expected: RunID?
    /// Of the planted fault: what it has acted on, and not committed.
    private var held: [Batch] = []
    /// When its last commit was, by the wall's clock.
    private(set) var committedAt = 0
    /// After its last round: where it waits for slots that others have.
    private(set) var waitsFor: Set<SlotPlace> = []
    /// Steps that it had taken over by then while there was no slot for them.
    private(set) var isBeyondSlots: Set<StepID> = []
    private(set) var transfersHeld = 0
    /// What began in this round, and what it ever began itself.
    private var begun: [Batch] = []
    private var ownRuns: Set<RunID> = []
    private var hasClaimed = false
    /// Looks at calls that are under way.
    var looks = 0

    init(owner: String, in simulation: Simulation) throws(Failure) {
        self.owner = owner
        self.simulation = simulation
        catalogue = simulation.toolsNow
        startedAt = simulation.clock.elapsed
        wallAtZero = simulation.clock.wall.milliseconds - Int64(simulation.clock.elapsed)
        archive = try Archive(folder: simulation.folder)
        slots =
            simulation.scenario.sharesSlots && simulation.planted != .slotsOfItsOwn
            ? try SimulatedSlots(of: simulation) : nil
        engine = Engine(world: world())
        loop = Loop(engine: engine, takesOver: true, onIdle: {})
    }

    /// Whether it is about to be driven: then it does not rest.
    var hasPlans: Bool { isInRound || (nextRound.map { $0 <= simulation.clock.elapsed + 1000 } ?? false) }

    // MARK: Rounds

    /// To be driven within so many milliseconds.
    func wake(within milliseconds: Int) {
        let at = simulation.clock.elapsed + milliseconds
        guard !isDead, nextRound.map({ $0 > at }) ?? true else { return }
        nextRound = at
        simulation.clock.after(milliseconds) { [unowned self] in
            guard nextRound == at else { return }
            nextRound = nil
            round()
        }
    }

    /// Something was changed by others: as it looks every 200 ms and claims every 400 ms, it is driven twice within
    /// that.
    func wakeAsOthersChanged() {
        guard !isDead else { return }
        wake(within: simulation.dice(1...200))
        let at = simulation.clock.elapsed + 620
        // By then it claims again, whenever it did last; so it does in a round that is planned already, if that is late
        // enough.
        guard laterRound.map({ $0 < at - 220 }) ?? true else { return }
        laterRound = at
        simulation.clock.after(620) { [unowned self] in wake(within: 0) }
    }

    private func round() {
        guard !isDead else { return }
        guard !isInRound else {
            isMissed = true
            return
        }
        isInRound = true
        (hasCommitted, isMissed, begun) = (false, !hasBegun, [])
        do throws(Failure) {
            if hasBegun {
                try loop.round(heard())
            } else {
                try loop.begin()
                hasBegun = true
            }
        } catch {
            simulation.kill(self, "\(error.code)")
        }
        isInRound = false
        guard !isDead else { return }
        forget()
        if loop.isStopping { return simulation.kill(self, "stopped") }
        (waitsFor, isBeyondSlots, transfersHeld) = (Set(loop.closed.keys), Set(loop.unshared.keys), loop.transfersHeld)
        if hasCommitted { simulation.checks.checkSlots(of: begun, self) }
        let patience = asksInVain ? 200 : Int(loop.patience)
        if isMissed { return wake(within: 0) }
        if hasCommitted || patience < 200 { return wake(within: max(patience, simulation.dice(0...2))) }
        if let next = loop.timers.next { wake(within: max(1, Int(next.milliseconds - now.milliseconds))) }
        if let next = loop.expiries.next { wake(within: max(1, simulation.clock.milliseconds(until: next))) }
    }

    /// Whether all that it is to do soon is to ask for slots of which none was given back since: that would be days of
    /// asking.
    private var asksInVain: Bool {
        guard let slots, !loop.closed.isEmpty, loop.instant.isEmpty, loop.intents.isEmpty else { return false }
        return slots.wereAskedInVain(loop.closed.keys)
    }

    /// Somebody has set the clock: it may have to be driven sooner.
    func clockWasSet() { if !isInRound { wake(within: 200) } }

    func carry(_ workflow: WorkflowID) {
        engine.carry(workflow)
        wake(within: simulation.dice(0...5))
    }

    func focus(_ workflow: WorkflowID?) {
        engine.focus(workflow)
        wake(within: simulation.dice(0...5))
    }

    /// As its process asks it before it ends.
    func stop() {
        engine.stop {}
        wake(within: simulation.dice(0...5))
    }

    func poke() {
        engine.look()
        wake(within: simulation.dice(0...5))
    }

    // MARK: Its world

    /// Its own clock, which cannot be set.
    private var now: Moment { Moment(milliseconds: wallAtZero + Int64(simulation.clock.elapsed)) }

    private func world() -> World {
        let tools = World.Tools(
            catalogue: { [unowned self] in catalogue },
            prepare: { [unowned self] in .success(simulation.tools.look(at: $0)) },
            run: { [unowned self] assignment, _ in simulation.tools.run(assignment, owner) },
            recover: { [unowned self] in simulation.tools.recover($0, owner) },
            expect: { [unowned self] in expected = $0 },
            kill: { [unowned self] run in simulation.tools.kill(run, self) },
            job: { [unowned self] request, reply in
                simulation.providers[request.job.provider]!.ask(request, by: self, reply)
            },
            isOffline: { [unowned self] in simulation.storm.isOffline },
            isInstant: { $0.kind == "Pass" || $0.kind == "Delay" },
            holds: { [unowned self] _ in !simulation.isContentLost("pinnedInputMissing") },
            keep: { [unowned self] text in
                simulation.isContentLost("no room for a text") ? nil : Content.hash("kept \(text)")
            })
        return World(
            now: { [unowned self] in now },
            clocks: { [unowned self] in
                ClockReading(
                    wall: simulation.clock.wall, sinceBoot: Int64(simulation.clock.elapsed), boot: "simulated")
            }, ledger: ledger(), tools: tools,
            onWorker: { [unowned self] work in simulation.tools.queue(work, for: self) },
            emit: { [unowned self] event in simulation.checks.emitted(event, by: self) },
            reach: { [unowned self] point throws(Failure) in try simulation.storm.reach(point.rawValue, self) },
            policy: { [unowned self] _ in simulation.policy }, surroundings: { Surroundings(workspace: $0) },
            random: Seeded(simulation.random.next()),
            slots: World.Slots(local: simulation.scenario.localSlots, remote: simulation.scenario.remoteSlots),
            shared: slots?.shared(by: self) ?? World.SharedSlots(), jobPrefix: "sim")
    }

    private func ledger() -> World.Ledger {
        let archive = archive
        return World.Ledger(
            commit: { [unowned self] batches throws(Failure) in try commit(batches) },
            claim: { [unowned self] () throws(Failure) in
                let claimed = try archive.claim(for: owner) { [unowned self] in simulation.isThoughtAlive($0) }
                hasClaimed = hasClaimed || !claimed.isEmpty
                if !claimed.isEmpty { try simulation.storm.reach("afterClaim", self) }
                return claimed
            },
            ownedByOthers: { [unowned self] ids throws(Failure) in try archive.owned(byOthersThan: owner, of: ids) },
            load: { [unowned self] id throws(Failure) in
                try simulation.storm.reach("beforeLoad", self)
                return try archive.loadSound(id, for: owner)
            },
            waitingCommands: { [unowned self] () throws(Failure) in
                let commands = try archive.waitingCommands(for: owner)
                if !commands.isEmpty { try simulation.storm.reach("afterHearing", self) }
                return commands
            },
            take: { [unowned self] commands throws(Failure) in
                let waiting = commands.filter(simulation.wishes.isWaiting)
                try archive.take(commands, for: owner, at: simulation.clock.wall)
                simulation.wishes.checkDismissed(waiting, by: self)
            },
            approvals: { id throws(Failure) in try archive.approvals(of: id) },
            history: { id throws(Failure) in try archive.history(of: id) },
            await: { [unowned self] number throws(Failure) in
                let record = try archive.await(numbered: number)
                simulation.people.race(for: number)
                return record
            },
            isJobHeld: { [unowned self] provider, id, key throws(Failure) in
                guard simulation.planted != .jobsOfOthers else { return false }
                let isHeld = try archive.isJobHeld(provider: provider, id: id, key: key)
                if isHeld { simulation.checks.mark("misnamed") }
                return isHeld
            },
            expiries: { [unowned self] () throws(Failure) in try archive.expiries(for: owner) },
            putAside: { [unowned self] workflow, failure throws(Failure) in try putAside(workflow, failure) },
            version: { () throws(Failure) in try archive.dataVersion() },
            lostRuns: { run throws(Failure) in try archive.lostRuns(before: run) },
            spendingOfTurn: { id throws(Failure) in try archive.spendingOfTurn(of: id) })
    }

    /// Whether it knows the tool of a step.
    func hasTool(of step: StepID) -> Bool { catalogue[simulation.node(step).kind.tool] != nil }

    /// Only what no longer fits the tools is set aside: no row is ever damaged here.
    private func putAside(_ workflow: WorkflowID, _ failure: Failure) throws(Failure) {
        guard failure.code == "workflowUnreadable",
            simulation.scenario.toolChanges.contains(where: { $0.what == .otherPorts })
        else {
            return simulation.checks.fail("\(workflow) was put aside: \(failure)")
        }
        simulation.note("\(owner) sets \(workflow) aside")
        simulation.checks.mark("set aside")
        try archive.quarantine(workflow, reason: failure.message, at: simulation.clock.wall)
        simulation.databaseChanged(by: self)
    }

    private func commit(_ batches: [Batch]) throws(Failure) -> Committed {
        var batches = batches
        if simulation.planted == .noFence {
            for place in batches.indices { batches[place].fence = simulation.checks.fence(of: batches[place].workflow) }
        }
        try simulation.storm.reach("commitRefused", self)
        if simulation.planted == .effectBeforeCommit, mayWait(batches) {
            held += batches
            simulation.clock.after(20) { [unowned self] in try? writeHeld() }
            hasCommitted = true
            return Committed()
        }
        try writeHeld()
        let committed = try simulation.storm.isDiskFull() ? commitToFullDisk(batches) : archive.commit(batches)
        hasCommitted = true
        for batch in batches { ownRuns.formUnion(batch.runsStarted.map(\.id)) }
        begun += batches.filter { !$0.runsStarted.isEmpty && !committed.lost.contains($0.workflow) }
        committedAt = Int(simulation.clock.wall.milliseconds)
        simulation.checks.committed(batches, committed, by: self)
        try simulation.storm.reach("commitUnheard", self)
        simulation.databaseChanged(by: self)
        return committed
    }

    /// No page more than the file has: whatever needs one is refused, as by a disk without room.
    private func commitToFullDisk(_ batches: [Batch]) throws(Failure) -> Committed {
        simulation.note("\(owner) commits to a full disk")
        setMostPages("(SELECT page_count FROM pragma_page_count())")
        defer { setMostPages("1073741823") }
        return try archive.commit(batches)
    }

    private func setMostPages(_ pages: String) {
        try? archive.writer.writeWithoutTransaction { db in
            let most = try Int.fetchOne(db, sql: "SELECT \(pages)") ?? 0
            _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(most)")
        }
    }

    // MARK: Planted faults: of what is heard, and of what is forgotten

    private func heard() -> [Engine.Message] {
        let messages = engine.mailbox.take(waiting: 0)
        guard simulation.planted == .answersOfOthers else { return messages }
        return messages.map { message in
            guard case .answered(let run, let verb, let request, let answer) = message else { return message }
            let newest = loop.carried[run.step.workflow]?.flow.jobs[run.step.index - 1]?.requests[verb]
            return .answered(run, verb, request: newest ?? request, answer)
        }
    }

    private func forget() {
        switch simulation.planted {
        case .lostPlaceInLine:
            for workflow in loop.carried.keys.sorted() where simulation.chance(50) {
                for queue in Queue.allCases {
                    if let carried = loop.carried[workflow], let lane = carried.lanes(of: queue).first {
                        _ = carried.nextWaiting(in: lane)
                    }
                }
            }
        case .uncountedTakeover:
            guard hasClaimed else { return }
            hasClaimed = false
            for carried in loop.carried.values {
                for index in carried.slots.keys
                where carried.flow.steps[index].state == .runningLocal && !ownRuns.contains(carried.run(index)) {
                    loop.release(index, of: carried)
                }
            }
        case .noFence, .effectBeforeCommit, .retryWithoutIdempotency, .slotsOfItsOwn, .answersOfOthers, .jobsOfOthers,
            .followsIgnored, nil:
            break
        }
    }

    // MARK: The planted fault: it acts, and commits afterwards

    private func mayWait(_ batches: [Batch]) -> Bool {
        batches.contains { !$0.runsStarted.isEmpty }
            && batches.allSatisfy { $0.awaitsOpened.isEmpty && $0.commandsTaken.isEmpty }
    }

    private func writeHeld() throws(Failure) {
        guard !held.isEmpty, !isDead else { return }
        let batches = held
        held = []
        simulation.checks.committed(batches, try archive.commit(batches), by: self)
    }
}

extension Carried {
    fileprivate func run(_ index: Int) -> RunID { RunID(flow.steps[index].id, attempt: flow.steps[index].attempt) }
}
