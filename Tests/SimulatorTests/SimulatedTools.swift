import CaseNames
import JSON
import Vocabulary
import Workflows

@testable import Engine

/// Tools on this machine. An attempt is a child: its effect happens at one moment, it may outlive its engine, and it
/// may leave a record.
final class SimulatedTools {
    private final class Child {
        let run: RunID?
        let engine: SimulatedEngine
        let work: @Sendable () -> Void
        var isKilled = false
        var endsAt: Int

        init(_ run: RunID?, _ engine: SimulatedEngine, endsAt: Int, _ work: @escaping @Sendable () -> Void) {
            (self.run, self.engine, self.endsAt, self.work) = (run, engine, endsAt, work)
        }
    }

    unowned let simulation: Simulation
    private var children: [Child] = []
    private var records: [RunID: RunEnding] = [:]
    /// How often the effect of each run has happened.
    private(set) var effects: [RunID: Int] = [:]
    /// Steps of which nothing was found after a crash.
    private(set) var lost: Set<StepID> = []
    /// How often in a row a step said that it is busy.
    private var busy: [StepID: Int] = [:]
    /// Run and engine whose child was killed before its effect.
    private var killed: Set<String> = []

    init(_ simulation: Simulation) { self.simulation = simulation }

    // MARK: Children

    func queue(_ work: @escaping @Sendable () -> Void, for engine: SimulatedEngine) {
        let run = engine.expected
        engine.expected = nil
        if run == nil { engine.looks += 1 }
        // Whoever looks for a child that still runs waits for its end.
        let orphan = children.first { $0.run != nil && $0.run == run && $0.engine !== engine }
        let sooner = orphan.map { max(0, $0.endsAt - simulation.clock.elapsed) + 1 } ?? 0
        let child = Child(run, engine, endsAt: 0, work)
        children.append(child)
        simulation.note(
            "\(engine.owner) queues \(run.map { "\($0)" } ?? "a look")\(orphan == nil ? "" : ", behind another's")")
        end(child, after: sooner + simulation.duration(longest: run == nil ? 100 : 60_000))
    }

    private func end(_ child: Child, after milliseconds: Int) {
        let at = simulation.clock.elapsed + milliseconds
        child.endsAt = at
        simulation.clock.after(milliseconds) { [unowned self] in
            guard child.endsAt == at, children.contains(where: { $0 === child }) else { return }
            // A thread of a paused process stands still with it.
            if child.engine.isPaused, child.run == nil { return end(child, after: 500) }
            children.removeAll { $0 === child }
            if child.run == nil { child.engine.looks -= 1 }
            if let run = child.run, child.isKilled {
                killed.insert("\(run) \(child.engine.owner)")
                children.removeAll { $0.run == run && $0.engine.isDead }
            }
            child.work()
            child.engine.wake(within: simulation.dice(0...20))
        }
    }

    func kill(_ run: RunID, _ engine: SimulatedEngine) {
        guard let child = children.first(where: { $0.run == run && $0.engine === engine }), !child.isKilled else {
            return
        }
        // Some do not hear it in time.
        guard simulation.chance(900) else { return }
        child.isKilled = true
        simulation.note("\(engine.owner) kills \(run)")
        end(child, after: simulation.dice(1...3000))
    }

    /// Its process is gone: what it did itself ends with it, its children may go on.
    func died(_ engine: SimulatedEngine) {
        children.removeAll { $0.engine === engine && ($0.run == nil || simulation.chance(500)) }
    }

    // MARK: What tools do

    func look(at assignment: Assignment) -> Call {
        let effect = assignment.manifest.effects.first ?? .reads
        let path = assignment.params["path"]?.string ?? "/w/\(assignment.run.step)"
        let before: Call.Before =
            effect == .overwrites ? .file(device: 1, inode: 1, size: 1, modifiedNanoseconds: 0, hash: nil) : .absent
        let target = Call.Target(effect, .path(path), reach: .workspace, before: before)
        return Call(
            tool: assignment.manifest.kind, toolVersion: assignment.manifest.version, params: assignment.params,
            inputs: assignment.inputs.map { Call.Input(port: $0.port, from: $0.from, hash: $0.asset?.hash) },
            targets: assignment.manifest.effects.isEmpty ? [] : [target], effects: assignment.manifest.effects)
    }

    func run(_ assignment: Assignment, _ owner: String) -> RunEnding {
        let run = assignment.run
        let node = simulation.node(run.step)
        if killed.contains("\(run) \(owner)") { return .cancelled }
        if node.kind == .delay || node.kind == .pass { return .succeeded(assets(of: assignment)) }
        simulation.note("effect \(run) by \(owner)")
        simulation.checks.acts(run, "did", for: owner)
        perform(run)
        let ending = fated(assignment, node)
        if simulation.chance(700) { records[run] = ending }
        return ending
    }

    private func fated(_ assignment: Assignment, _ node: Plan.Node) -> RunEnding {
        let step = assignment.run.step
        switch simulation.isHealed ? .succeeds : node.fate {
        case .fails: return .failed(Failure("broken", "It broke."))
        case .busy(let times) where busy[step, default: 0] < times:
            busy[step, default: 0] += 1
            let wait = simulation.chance(200) ? Double(simulation.dice(1...60)) : nil
            return .failed(Failure("busy", "Busy.", isTransient: true, retryAfterSeconds: wait))
        case .killed where !busy.keys.contains(step):
            busy[step] = 1
            return .failed(Failure(.processKilled, "sh was ended by signal 9."))
        case .told:
            return .succeeded(
                assets(of: assignment).map { asset in
                    var asset = asset
                    asset.meta["exit"] = .int(1)
                    return asset
                })
        default: return .succeeded(assets(of: assignment))
        }
    }

    private func perform(_ run: RunID) {
        effects[run, default: 0] += 1
        if effects[run]! > 1, simulation.node(run.step).kind == .once {
            simulation.checks.fail("the effect of \(run), which may not be repeated, happened \(effects[run]!) times")
        }
    }

    func recover(_ assignment: Assignment, _ owner: String) -> RunEnding {
        if let record = records[assignment.run] { return record }
        if killed.contains("\(assignment.run) \(owner)") { return .cancelled }
        lost.insert(assignment.run.step)
        return .lost
    }

    func assets(of assignment: Assignment) -> [Asset] {
        let inputs = assignment.inputs.compactMap { input in input.asset.map { (input.port, $0.hash) } }
        let hash = Content.made(
            by: simulation.node(assignment.run.step), value: assignment.params["v"]?.int ?? 0, inputs: inputs)
        return assignment.outputs.map {
            Asset(run: assignment.run, port: $0.name, type: $0.type, hash: hash, bytes: 1, name: "x")
        }
    }
}
