import CaseNames
import Harness
import JSON
import Vocabulary

@testable import Workflows

/// A run of a random plan by a real flow over files in memory. Chance decides which ready step is next, how long each
/// step takes, in which order questions are answered, and where the engine is killed.
struct RandomPlanRun {
    enum Mode: CaseIterable { case auto, adaptive, alwaysAsk }

    /// A fault that is planted to see that the comparison finds it.
    enum Fault: CaseIterable {
        case noOrder
        case noOrderAfterKill
        case commandsTouchNothing
    }

    private let plan: RandomPlan
    private let mode: Mode
    private var random: Seeded
    private var rig: FlowRig
    private var files: [String: String]
    private var made: [[String: String]]
    private var words: [Int: String] = [:]
    private var ready: [Int] = []
    private var running: [Int] = []
    private var agreed: Set<Int> = []
    private let killAt: Int?
    private let fault: Fault?

    /// - Parameter kills: whether the engine is killed once, after a number of commits that chance decides.
    init?(_ plan: RandomPlan, _ mode: Mode, kills: Bool, fault: Fault? = nil) {
        var catalogue = Catalogue(RandomPlan.tools)
        if fault == .commandsTouchNothing {
            catalogue = Catalogue(
                RandomPlan.tools.map { tool in
                    var tool = tool
                    if tool.kind == "Shell" { tool.touches = .nothing }
                    return tool
                })
        }
        guard var graph = plan.graph(catalogue) else { return nil }
        if fault == .noOrder { graph.setOrder([]) }
        (self.plan, self.mode, self.fault) = (plan, mode, fault)
        random = Seeded(plan.seed &* 31 &+ UInt64(mode.hashIndex))
        killAt = kills ? Int.random(in: 1...max(2, plan.steps.count * 2), using: &random) : nil
        rig = FlowRig(graph: graph)
        files = plan.before
        made = Array(repeating: [:], count: plan.steps.count)
    }

    /// Runs the plan until nothing moves.
    mutating func result() -> RandomPlan.Result {
        var commits = 0
        collect()
        while let act = acts().randomElement(using: &random) {
            perform(act)
            commits += 1
            if commits == killAt { kill() }
            collect()
        }
        let states = rig.flow.steps.indices.map { index in
            switch rig.flow.steps[index].state {
            case .succeeded: words[index] ?? "ok"
            case .failed: "failed"
            case .cancelled: "declined"
            default: "held"
            }
        }
        return RandomPlan.Result(files: files, steps: states)
    }

    private enum Act { case start(Int), end(Int), answer(Int) }

    private func acts() -> [Act] {
        let questions = rig.flow.steps.indices.filter { rig.flow.steps[$0].state == .awaitingUser }
        let slots = running.count < 4
        return (slots ? ready.map(Act.start) : []) + running.map(Act.end) + questions.map(Act.answer)
    }

    private mutating func perform(_ act: Act) {
        switch act {
        case .start(let index):
            ready.removeAll { $0 == index }
            guard rig.flow.steps[index].state == .ready else { return }
            if isAsked(index), !agreed.contains(index) { return rig.ask(index) }
            rig.admit(index)
        case .answer(let index):
            if plan.declined.contains(index) { return rig.feed(.answered(index, .no(reason: ""), by: "me")) }
            agreed.insert(index)
            rig.feed(.answered(index, .yes, by: "me"))
        case .end(let index):
            running.removeAll { $0 == index }
            end(index)
        }
    }

    /// Whether a question is asked before a step. In adaptive mode these are the steps that could hurt.
    private func isAsked(_ index: Int) -> Bool {
        let step = plan.steps[index]
        if step.kind == "DeleteFile", !plan.isThere(index, files) { return false }
        return switch mode {
        case .auto: false
        case .adaptive: step.kind == "DeleteFile" || step.params["overwrite"] == true || step.isCommand
        case .alwaysAsk: true
        }
    }

    private mutating func end(_ index: Int) {
        let run = RandomPlan.run(plan.steps[index], made, &files)
        guard run.word != "failed" else { return rig.end(index, .failed(Failure("broken", "It broke."))) }
        words[index] = run.word
        made[index] = run.outputs
        let code = run.word == "ok" ? 0 : Int(run.word.dropFirst(5)) ?? 0
        let assets = run.outputs.map { port, content in
            var asset = rig.asset(of: index)
            (asset.port, asset.hash) = (port, ContentHash(hex: content.utf8.map { String($0, radix: 16) }.joined()))
            if plan.steps[index].isCommand { asset.meta["exit"] = .int(code) }
            return asset
        }
        rig.end(index, .succeeded(assets))
    }

    /// A new engine reads the rows. What ran goes on, as an adopted program does.
    private mutating func kill() {
        if fault == .noOrderAfterKill { rig.graph.setOrder([]) }
        ready = []
        running = []
        rig.restart()
    }

    private mutating func collect() {
        for intent in rig.takeIntents() {
            switch intent {
            case .consider(let index): if !ready.contains(index) { ready.append(index) }
            case .run(let index, _), .recover(let index, _): if !running.contains(index) { running.append(index) }
            case .kill, .job, .wake, .wakeByWall, .expire, .finished: break
            }
        }
    }
}

extension RandomPlanRun.Mode {
    /// A number for each mode, for the seed of its chance.
    var hashIndex: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
