import Consent
import Glibc
import Harness
import Storage
import Synchronization
import Vocabulary
import Workflows

@testable import Engine

/// One seed, from its first workflow to the end of its last, on one thread: virtual time, one real database, everything
/// else scripted.
final class Simulation: @unchecked Sendable {
    /// Faults of ours that the checks must find.
    enum Planted: String, CaseIterable {
        case noFence, effectBeforeCommit, retryWithoutIdempotency, slotsOfItsOwn
        /// An answer counts for whatever was asked last.
        case answersOfOthers
        /// A job that a person names is not held against those of other runs.
        case jobsOfOthers
        /// A step that waits in line is forgotten.
        case lostPlaceInLine
        /// What was taken over is not counted beside what starts.
        case uncountedTakeover
        /// The engine does not know which steps stand after others because of their files.
        case followsIgnored
    }

    let seed: UInt64
    let scenario: Scenario
    let planted: Planted?
    private let scratch: ScratchFolder
    var folder: String { scratch.path }
    /// The scenario as the engines are told it.
    private let told: Scenario
    /// The tools as they should be.
    let catalogue: Catalogue
    var random: Seeded
    var clock = VirtualClock()
    private(set) var plans: [WorkflowID: Plan] = [:]
    private(set) var engines: [SimulatedEngine] = []
    private var lives = 0
    /// Processes that exist: also those that are paused.
    private var living: Set<String> = []
    private(set) var tools: SimulatedTools!
    private(set) var providers: [String: SimulatedProvider] = [:]
    private(set) var storm: Storm!
    private(set) var people: SimulatedPeople!
    private(set) var wishes: Wishes!
    private(set) var checks: Checks!
    let archive: Archive
    /// Whatever failed by fate succeeds from now on.
    private(set) var isHealed = false
    /// How often a slot that all share was given back.
    private var slotsFreed: [SlotPlace: Int] = [:]
    /// What happened to whom: the interpreter allows for it.
    var crashes = 0
    private var isTraced: Bool
    private(set) var trace: [String] = []
    private var lastRest = -1
    private var ordersLeft = 0

    init(seed: UInt64, scenario: Scenario? = nil, planted: Planted? = nil, isTraced: Bool = false) throws {
        self.seed = seed
        self.planted = planted
        self.isTraced = isTraced
        let scenario = scenario ?? Scenario(seed: seed)
        self.scenario = scenario
        var told = scenario
        if planted == .retryWithoutIdempotency {
            // It is told that the provider knows a name that it has seen, which it does not.
            for place in told.providers.indices where told.providers[place].terms.idempotency == .none {
                told.providers[place].terms.idempotency = .header
            }
        }
        self.told = told
        catalogue = told.catalogue()
        random = Seeded(seed)
        scratch = try EmptyDatabase.copy()
        archive = try Archive(folder: scratch.path)
        tools = SimulatedTools(self)
        for script in scenario.providers { providers[script.terms.provider] = SimulatedProvider(script, self) }
        storm = Storm(self)
        people = SimulatedPeople(self)
        wishes = Wishes(self)
        checks = Checks(self)
    }

    /// What rules hold: none, or that nothing is overwritten.
    private(set) lazy var policy: Policy =
        scenario.deniesWriting
        ? Policy(
            rules: [
                Rule(.deny, Conditions(tools: [Plan.Kind.write.tool]), reason: "not here", source: "policy.yaml:1")
            ], epoch: "deny")
        : .modesOnly

    /// The tools as an engine that starts now finds them.
    var toolsNow: Catalogue { isHealed || told.toolChanges.isEmpty ? catalogue : told.catalogue(at: clock.elapsed) }

    /// Whether what is asked for in the asset store is not there just now.
    func isContentLost(_ mark: String) -> Bool {
        guard storm.isOn, chance(scenario.lostContents) else { return false }
        checks.mark(mark)
        return true
    }

    // MARK: Chance

    func dice(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func chance(_ perMille: Int) -> Bool { perMille > 0 && dice(0...999) < perMille }

    /// Mostly short, now and then long.
    func duration(longest: Int) -> Int { dice(1...max(1, longest >> dice(0...12))) }

    func note(_ words: @autoclosure () -> String) {
        guard isTraced else { return }
        trace.append("\(clock.elapsed) \(words())")
    }

    // MARK: Playing

    /// - Returns: what was violated, or `nil`.
    func play() -> String? {
        defer { tearDown() }
        storm.begin()
        for _ in 0..<scenario.engines { clock.after(dice(0...500)) { [unowned self] in startEngine() } }
        for plan in scenario.workflows {
            clock.after(dice(0...scenario.weather.stormMilliseconds / 20)) { [unowned self] in make(plan) }
        }
        ordersLeft = scenario.orders.count
        for order in scenario.orders {
            clock.after(order.milliseconds) { [unowned self] in
                ordersLeft -= 1
                put(order.verb, plans.keys.sorted()[order.workflow])
            }
        }
        people.begin()
        interfere()
        clock.after(max(scenario.weather.stormMilliseconds, 90_000) + 1000) { [unowned self] in
            // Nobody else would.
            for workflow in plans.keys.sorted() where scenario.weather.wishes.contains(.pause) {
                put(.poll(true), workflow)
            }
        }
        run("the storm") { [unowned self] in
            plans.count == scenario.workflows.count && people.hasNoWish && ordersLeft == 0 && checks.isAllOver
        }
        if storm.isOn { storm.end() }
        settle()
        checks.atRest()
        checks.ends()
        if checks.violation == nil { heal() }
        return checks.violation
    }

    /// What happens to engines and tools besides the weather.
    private func interfere() {
        let length = scenario.weather.stormMilliseconds
        for _ in 0..<scenario.looks {
            clock.after(dice(0...length)) { [unowned self] in
                engines.filter { !$0.isDead }.randomElement(using: &random)?.focus(
                    plans.keys.sorted().randomElement(using: &random))
            }
        }
        for _ in 0..<scenario.stops {
            clock.after(dice(0...length)) { [unowned self] in
                engines.filter { !$0.isDead }.randomElement(using: &random)?.stop()
            }
        }
        for change in scenario.toolChanges {
            for moment in [change.from, change.to] {
                clock.after(moment + 1) { [unowned self] in
                    note("\(change.kind.tool): \(change.what) at \(moment)")
                    for engine in engines where !engine.isDead { engine.stop() }
                    mend()
                }
            }
        }
    }

    /// The tools are others, and the programs are started again: what was set aside for the old ones is taken up again,
    /// until it stays.
    private func mend() {
        do throws(Failure) {
            for one in try archive.quarantined() where try archive.release(one.workflow) {
                note("\(one.workflow) is released")
                checks.mark("released")
            }
        } catch { checks.fail("\(error)") }
        databaseChanged(by: nil)
        // One that was paused when they changed may set aside what it took over, whenever it goes on.
        let lastChange = toolChanges.filter { $0 <= clock.elapsed }.max() ?? 0
        let isOldLeft = engines.contains { !$0.isDead && $0.startedAt < lastChange }
        if storm.isOn || checks.hasQuarantined || isOldLeft { clock.after(60_000) { [unowned self] in mend() } }
    }

    /// Milliseconds at which a tool becomes another one, or goes or comes.
    private var toolChanges: [Int] { scenario.toolChanges.flatMap { [$0.from, $0.to] } }

    /// What failed is taken up again until nothing is left: it must come to the one end that the graph has.
    private func heal() {
        guard checks.canBeHealed else { return }
        isHealed = true
        // A round in which programs end because of their tools heals nothing.
        while checks.violation == nil, clock.elapsed <= toolChanges.max() ?? 0, step() {}
        if !scenario.toolChanges.isEmpty { for engine in engines where !engine.isDead { engine.stop() } }
        // What succeeded while something above it was stale becomes stale when that has run again: so twice.
        for round in 1...6 where checks.violation == nil && !checks.isAllWell {
            note("healing \(round)")
            for workflow in checks.unwell {
                let changed = round % 3 == 2 ? checks.stepsOfOtherTools(workflow) : []
                for step in changed { put(.rerun(Rerun(step: step)), workflow) }
                if changed.isEmpty { put(round % 3 == 1 ? .retry(step: nil) : .rerun(Rerun()), workflow) }
            }
            run("healing") { [unowned self] in checks.isAllOver }
            settle()
        }
        if checks.violation == nil { checks.healed() }
    }

    /// Lets everything happen until then.
    private func run(_ what: String, until isOver: () -> Bool) {
        let deadline = clock.elapsed + scenario.weather.stormMilliseconds + 10 * 86_400_000
        var events = 0
        while checks.violation == nil {
            if checks.hasChanged, isOver() { return }
            events += 1
            guard step(), clock.elapsed < deadline, events < 60_000 else {
                return checks.fail("\(what) does not end: \(checks.whatIsLeft)")
            }
        }
    }

    /// What is still under way comes in, too late as it may be.
    private func settle() {
        let end = clock.elapsed + 600_000
        while checks.violation == nil, let next = clock.next, next < end { _ = step() }
    }

    private func step() -> Bool {
        if let next = clock.next, next > clock.elapsed + 1000, lastRest != checks.commits {
            lastRest = checks.commits
            checks.atRest()
        }
        guard let event = clock.take() else { return false }
        event()
        return true
    }

    private func tearDown() {
        clock.clear()
        engines = []
        archive.close()
        checks.close()
        // What is left in memory of twenty thousand seeds would fill it.
        ScratchFolder.remove(folder)
    }

    // MARK: Workflows

    private func make(_ plan: Plan) {
        let now = clock.wall
        let carrier = engines.filter { !$0.isDead && !$0.isPaused }.randomElement(using: &random)
        do {
            let text = text(of: plan)
            guard let template = TemplateReader.read(Array(text.utf8), isStored: true).0,
                let graph = Workflows.check(template, against: catalogue).0
            else { return checks.fail("the scenario's own template is bad: \(text)") }
            let record = WorkflowRecord(
                id: WorkflowID(0), title: "w", workspace: "/w",
                mode: plan.asksAlways ? .alwaysAsk : plan.isAuto ? .auto : .adaptive, onAsk: plan.onAsk, createdAt: now,
                updatedAt: now)
            let id = try archive.create(record, template: text, owner: carrier?.owner ?? "nobody") {
                Flow.initialSteps(of: graph, workflow: $0, at: now)
            }.0.id
            plans[id] = plan
            // A step that finds its tool missing, or another one, comes to another end than its plan says.
            if !scenario.toolChanges.isEmpty { wishes.touch(id) }
            note("\(id) is made for \(carrier?.owner ?? "nobody")")
            carrier?.carry(id)
            databaseChanged(by: carrier)
        } catch { checks.fail("it cannot be made: \(error)") }
    }

    /// The template of a plan as the engines read it.
    func text(of plan: Plan) -> String { planted == .followsIgnored ? plan.withoutFollowing.text : plan.text }

    /// Whether the loader takes a template, with the tools of whichever engine: persons may write a graph that it
    /// refuses.
    func isSound(_ text: String) -> Bool {
        guard let template = TemplateReader.read(Array(text.utf8), isStored: true).0 else { return false }
        return ([catalogue, toolsNow] + engines.map(\.catalogue)).allSatisfy {
            Workflows.check(template, against: $0, isStored: true).0 != nil
        }
    }

    func node(_ step: StepID) -> Plan.Node { plans[step.workflow]!.nodes[step.index - 1] }

    /// What happened to a step that its plan does not know.
    func mishaps(of step: StepID) -> ReferenceInterpreter.Mishap {
        var mishaps: ReferenceInterpreter.Mishap = []
        if tools.lost.contains(step) { mishaps.insert(.lost) }
        if people.saidLetBe.contains(step) { mishaps.insert(.letBe) }
        guard let provider = node(step).kind.provider.flatMap({ providers[scenario.providers[$0].terms.provider] })
        else { return mishaps }
        if provider.unclear.contains(step) || crashes > 0 || !engines.allSatisfy(\.overthrown.isEmpty) {
            mishaps.insert(.unclear)
        }
        if provider.refusals[step, default: 0] > Limits.retries { mishaps.insert(.trouble) }
        return mishaps
    }

    func change(_ workflow: WorkflowID, to plan: Plan) { plans[workflow] = plan }

    func put(_ verb: Command.Verb, _ workflow: WorkflowID) {
        note("\(workflow): \(verb)")
        do throws(Failure) {
            try archive.put(verb, for: workflow, at: clock.wall)
            checks.commandWasPut()
            wishes.put(verb, workflow)
        } catch { checks.fail("\(error)") }
        databaseChanged(by: nil)
    }

    // MARK: Engines

    func startEngine() {
        guard engines.count(where: { !$0.isDead }) < scenario.engines else { return }
        lives += 1
        do throws(Failure) {
            let engine = try SimulatedEngine(owner: "e\(lives)", in: self)
            engines.append(engine)
            living.insert(engine.owner)
            note("\(engine.owner) starts")
            engine.wake(within: 0)
        } catch { checks.fail("\(error)") }
    }

    /// Its process is gone.
    func kill(_ engine: SimulatedEngine, _ why: String) {
        guard !engine.isDead else { return }
        // Without room it stops, as its process does (exit 6); somebody makes room and starts it again.
        if why == "storageFull", storm.isOn {
            checks.mark(why)
        } else if why == "stopped" {
            checks.mark(why)
        } else if why != "crash" {
            return checks.fail("\(engine.owner) gave up: \(why)")
        }
        note("\(engine.owner) dies")
        crashes += 1
        engine.isDead = true
        living.remove(engine.owner)
        tools.died(engine)
        engine.slots?.close()
        databaseChanged(by: nil)
        clock.after(dice(0...storm.restartMilliseconds)) { [unowned self] in startEngine() }
    }

    /// Stops it where it stands; everybody else goes on.
    func pause(_ engine: SimulatedEngine, for milliseconds: Int, at point: String) throws(Failure) {
        note("\(engine.owner) is stopped for \(milliseconds) ms at \(point)")
        engine.isPaused = true
        let end = clock.elapsed + milliseconds
        databaseChanged(by: nil)
        clock.after(milliseconds) {}
        while clock.elapsed < end, checks.violation == nil, step() {}
        engine.isPaused = false
        note("\(engine.owner) goes on")
    }

    func isThoughtAlive(_ owner: String) -> Bool {
        guard living.contains(owner) else { return false }
        guard scenario.weather.isPausedTakenOver, let engine = engines.first(where: { $0.owner == owner }),
            engine.isPaused
        else {
            return true
        }
        engine.overthrown.formUnion(plans.keys.filter { checks.owner(of: $0) == owner })
        return false
    }

    /// Whoever dies gives everything back.
    func timesFreed(_ place: SlotPlace) -> Int { crashes + slotsFreed[place, default: 0] }

    func slotWasFreed(_ place: SlotPlace, by engine: SimulatedEngine) {
        slotsFreed[place, default: 0] += 1
        // Of one in the middle of a round nobody knows yet.
        for other in engines where other !== engine && (other.waitsFor.contains(place) || other.isInRound) {
            other.wake(within: dice(0...100))
        }
    }

    func databaseChanged(by engine: SimulatedEngine?) {
        for other in engines where other !== engine { other.wakeAsOthersChanged() }
    }
}
