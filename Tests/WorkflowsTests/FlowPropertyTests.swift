import CaseNames
import Harness
import Testing
import Vocabulary

@testable import Workflows

/// Random graphs with random fates: what must hold however it goes.
@Suite struct FlowPropertyTests {
    struct Fate {
        var endings: [RunEnding]
        var asks: Bool
        var says: Answer
    }

    private struct World {
        var rig: FlowRig
        var fates: [Fate]
        var starts: [Int]
        /// Steps that wait for a slot, an answer, an alarm.
        var waiting: Set<Int> = []
        var alarms: [Int: Moment] = [:]

        mutating func absorb() {
            for intent in rig.takeIntents() {
                switch intent {
                case .consider(let index): waiting.insert(index)
                case .wake(let index, let moment), .wakeByWall(let index, let moment): alarms[index] = moment
                case .run, .recover, .kill, .job, .expire, .finished: break
                }
            }
        }
    }

    private func world(seed: UInt64) -> World {
        var random = Seeded(seed)
        let count = Int.random(in: 1...14, using: &random)
        let nodes = (0..<count).map { FlowRig.node("n\($0)", isIdempotent: Int.random(in: 0..<4, using: &random) > 0) }
        var edges: [(Int, Int)] = []
        for to in 1..<max(2, count) where to < count {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                edges.append((Int.random(in: 0..<to, using: &random), to))
            }
        }
        let fates = (0..<count).map { _ in
            let endings = (0..<6).map { _ -> RunEnding in
                switch Int.random(in: 0..<12, using: &random) {
                case 0: .failed(Failure("broken", "It broke."))
                case 1: .failed(Failure("busy", "Busy.", isTransient: true))
                case 2: .lost
                default: .succeeded([])
                }
            }
            // The last one holds for all further attempts, so it must be an end.
            return Fate(
                endings: endings.dropLast() + [.succeeded([])], asks: Int.random(in: 0..<5, using: &random) == 0,
                says: Bool.random(using: &random) ? .yes : .no(reason: ""))
        }
        let policy: Template.ErrorPolicy = Bool.random(using: &random) ? .failFast : .isolateNode
        return World(
            rig: FlowRig(nodes: nodes, edges: edges, policy: policy), fates: fates,
            starts: Array(repeating: 0, count: count))
    }

    /// - Parameter crash: how often, out of 100 moves, the flow is thrown away and made anew from its rows.
    private func play(_ world: inout World, seed: UInt64, crash: Int, cancels: Bool) {
        var random = Seeded(seed &+ 77)
        var asked: Set<Int> = []
        for _ in 0..<2_000 {
            world.absorb()
            check(world.rig)
            guard world.rig.record.outcome == nil else { return }
            if Int.random(in: 0..<100, using: &random) < crash {
                (world.waiting, world.alarms) = ([], [:])
                world.rig.restart()
                continue
            }
            if cancels, Int.random(in: 0..<60, using: &random) == 0 {
                world.rig.feed(.cancel)
                continue
            }
            let running = world.rig.states.indices.filter { world.rig.states[$0] == .runningLocal }
            let people = world.rig.states.indices.filter { world.rig.states[$0] == .awaitingUser }
            let ready = world.waiting.filter { world.rig.states[$0] == .ready }.sorted()
            let canStart = !ready.isEmpty && !world.rig.flow.isHalted
            if canStart, Bool.random(using: &random) || (running.isEmpty && people.isEmpty) {
                let index = ready.randomElement(using: &random)!
                world.waiting.remove(index)
                if world.fates[index].asks, asked.insert(index).inserted {
                    world.rig.ask(index)
                } else {
                    world.starts[index] += 1
                    world.rig.admit(index)
                    #expect(world.rig.states[index] == .runningLocal)
                }
            } else if let index = running.randomElement(using: &random) {
                let fate = world.fates[index].endings[min(5, world.rig.flow.steps[index].attempt - 1)]
                if case .succeeded = fate { world.rig.succeed(index) } else { world.rig.end(index, fate) }
            } else if let index = people.first {
                world.rig.feed(.answered(index, world.fates[index].says, by: "me"))
            } else if let (index, moment) = world.alarms.min(by: { $0.key < $1.key }) {
                world.alarms[index] = nil
                world.rig.now = max(world.rig.now, moment)
                world.rig.feed(.due(index))
            } else {
                Issue.record("seed \(seed): it stands still in \(world.rig.states)")
                return
            }
        }
        Issue.record("seed \(seed): it never ends")
    }

    /// What holds after every commit.
    private func check(_ rig: FlowRig) {
        let flow = rig.flow
        #expect(rig.steps == flow.steps, "the rows say what the flow says")
        for (index, node) in rig.graph.nodes.enumerated() {
            let unsettled = node.inputs.count { input in
                input.producer.map { flow.steps[$0.node].state != .succeeded } ?? false
            }
            #expect(flow.pending[index] == unsettled)
            if flow.steps[index].state.isRunning || flow.steps[index].state == .ready { #expect(unsettled == 0) }
            let isOpen = rig.openAwaits.contains { $0.step == flow.steps[index].id }
            #expect(isOpen == (flow.steps[index].state == .awaitingUser))
        }
        #expect(
            flow.runningCount == flow.steps.count { $0.state.isRunning }
                && flow.readyCount == flow.steps.count { $0.state == .ready })
        #expect(
            flow.failedCount == flow.steps.count { $0.state == .failed }
                && flow.awaitingCount == flow.steps.count { $0.state == .awaitingUser })
    }

    /// What holds at the end.
    private func checkEnd(_ rig: FlowRig) {
        #expect(rig.outcomes.count == 1 && rig.flow.runningCount == 0 && rig.openAwaits.isEmpty)
        #expect(rig.runs.values.allSatisfy { $0 == "ended" })
        let states = rig.states
        switch rig.outcomes.first {
        case .succeeded: #expect(states.allSatisfy { $0 == .succeeded })
        case .failed: #expect(states.contains(.failed))
        case .cancelled: #expect(states.contains(.cancelled) && !states.contains(.failed))
        case .waiting, nil: Issue.record("\(rig.outcomes) is no end")
        }
        for index in states.indices where states[index] == .failed || states[index] == .cancelled {
            for consumer in rig.graph.consumers[index] {
                #expect(
                    states[consumer] == .cancelled
                        || (states[consumer] == .blocked && rig.flow.steps[consumer].reason?.code == "upstreamFailed"))
            }
        }
        // Everything that waits has a reason.
        #expect(rig.flow.steps.allSatisfy { $0.state != .blocked || $0.reason != nil || rig.flow.isHalted })
        #expect(rig.events.count { if case .workflowFinished = $0.kind { true } else { false } } == 1)
    }

    @Test(arguments: [0, 30]) func everyPlayComesToOneEnd(crash: Int) {
        for seed in 0..<UInt64(300) {
            var world = world(seed: seed)
            play(&world, seed: seed, crash: crash, cancels: seed % 3 == 0)
            checkEnd(world.rig)
        }
    }

    /// Under isolate-node the end does not depend on the order in which things happen, nor on crashes.
    @Test func crashesDoNotChangeTheEnd() {
        for seed in 0..<UInt64(200) {
            var one = world(seed: seed)
            guard one.rig.graph.options.errorPolicy == .isolateNode else { continue }
            var other = one
            play(&one, seed: seed, crash: 0, cancels: false)
            play(&other, seed: seed &+ 1000, crash: 40, cancels: false)
            #expect(one.rig.states == other.rig.states && one.rig.outcomes == other.rig.outcomes, "seed \(seed)")
            #expect(one.rig.steps.map(\.attempt) == other.rig.steps.map(\.attempt))
        }
    }

    /// Retry until all has succeeded: nothing is left behind, and what has succeeded is not run again.
    @Test func retriesLeadToTheEnd() {
        for seed in 0..<UInt64(200) {
            var world = world(seed: seed)
            play(&world, seed: seed, crash: 10, cancels: true)
            for index in world.fates.indices {
                world.fates[index].says = .yes
                world.fates[index].endings = Array(repeating: .succeeded([]), count: 6)
            }
            for _ in 0..<20 where world.rig.record.outcome != .succeeded {
                let done = world.rig.steps.filter { $0.state == .succeeded }
                world.rig.restart()
                world.rig.feed(.retry(nil))
                #expect(world.rig.record.outcome == nil)
                play(&world, seed: seed, crash: 10, cancels: false)
                #expect(done.allSatisfy { world.rig.steps[$0.id.index - 1] == $0 })
            }
            #expect(world.rig.record.outcome == .succeeded, "seed \(seed)")
        }
    }

    /// 10 times the steps may cost 40 times the time: room for a busy machine, none for a square.
    @Test(arguments: ["chain", "fan", "join"]) func aFlowIsLinear(shape: String) {
        func seconds(_ count: Int) -> Double {
            let edges: [(Int, Int)] =
                switch shape {
                case "chain": (1..<count).map { ($0 - 1, $0) }
                case "fan": (1..<count).map { (0, $0) }
                default: (0..<count - 1).map { ($0, count - 1) }
                }
            let nodes = (0..<count).map { FlowRig.node("n\($0)") }
            let graph = FlowRig(nodes: nodes, edges: edges).graph
            let now = Moment(milliseconds: 0)
            let record = WorkflowRecord(id: WorkflowID(1), title: "w", workspace: "/w", createdAt: now, updatedAt: now)
            return threadSeconds {
                var flow = Flow(
                    graph: graph, record: record, steps: Flow.initialSteps(of: graph, workflow: record.id, at: now))
                var transition = Transition(
                    now: now, random: Seeded(1), batch: Batch(workflow: record.id, fence: 1))
                flow.step(.begin, in: &transition)
                var next = 0
                while next < transition.intents.count {
                    switch transition.intents[next] {
                    case .consider(let index): flow.step(.admitted(index, callDigest: nil), in: &transition)
                    case .run(let index, let attempt):
                        flow.step(.ended(index, attempt: attempt, .succeeded([])), in: &transition)
                    case .recover, .kill, .job, .expire, .wake, .wakeByWall, .finished: break
                    }
                    next += 1
                }
                #expect(flow.outcome == .succeeded)
            }
        }
        let small = (0..<3).map { _ in seconds(500) }.min()!
        #expect((0..<3).map { _ in seconds(5000) }.min()! < 40 * max(small, 0.001))
    }
}
