import JSON
import Vocabulary

/// Stories in calm weather that are played again and again, each time with a crash somewhere else.
enum Reference: String, CaseIterable, Sendable {
    /// One step of each kind.
    case kinds
    /// A job of each mode of idempotency, and two engines.
    case jobs
    /// What persons want of what goes on and of what has ended, and what they leave until it expires.
    case wishes

    var scenario: Scenario {
        switch self {
        case .kinds: Self.kindsScenario
        case .jobs: Self.jobsScenario
        case .wishes: Self.wishesScenario
        }
    }

    private static func node(_ id: String, _ kind: Plan.Kind, _ producers: Int...) -> Plan.Node {
        let inputs = producers.enumerated().map { Plan.Input(port: "in\($0)", producer: $1, isOptional: false) }
        return Plan.Node(id: id, kind: kind, inputs: inputs, value: 1, isBlunt: false, fate: .succeeds, isAllowed: true)
    }

    private static func provider(
        _ id: String, _ idempotency: JobTerms.Idempotency, _ ambiguity: JobTerms.Ambiguity = .ask
    ) -> ProviderScript {
        ProviderScript(terms: JobTerms(provider: id, idempotency: idempotency, ambiguity: ambiguity), needsKey: false)
    }

    private static let kindsScenario: Scenario = {
        var gated = node("gated", .work, 1)
        gated.wait = Plan.Wait(type: .confirmParams, says: .agrees(7), expiresSeconds: nil, onTimeout: .cancel)
        var drawn = node("drawn", .human(.drawMask), 0)
        drawn.wait = Plan.Wait(type: .drawMask, says: .agrees(nil), expiresSeconds: nil, onTimeout: .cancel)
        var slow = node("slow", .delay)
        slow.seconds = 30
        var busy = node("busy", .work)
        busy.fate = .busy(1)
        let one = Plan(
            nodes: [
                node("photo", .load), node("once", .once, 0), gated, drawn, node("kept", .job(0), 1, 3),
                node("asked", .job(1), 0),
                node("saved", .write, 4), node("passed", .pass, 2, 5),
            ], isFailFast: false, local: 2, remote: 2, asksAlways: false)
        let other = Plan(
            nodes: [slow, busy, node("after", .once, 0, 1)], isFailFast: true, local: 1, remote: 1, asksAlways: false)
        return Scenario(
            workflows: [one, other], providers: [provider("p0", .header), provider("p1", .none)], engines: 1,
            localSlots: 2,
            remoteSlots: 2, weather: Weather())
    }()

    private static let jobsScenario: Scenario = {
        let modes = JobTerms.Idempotency.allCases
        var providers = modes.enumerated().map { provider("p\($0)", $1) }
        providers.append(provider("p\(modes.count)", .none, .retry))
        let nodes = [node("photo", .load)] + providers.indices.map { node("job\($0)", .job($0), 0) }
        return Scenario(
            workflows: [Plan(nodes: nodes, isFailFast: false, local: 1, remote: 8, asksAlways: false)],
            providers: providers, engines: 2,
            localSlots: 1, remoteSlots: 8, weather: Weather())
    }()

    private static let wishesScenario: Scenario = {
        func waiting(_ id: String, _ onTimeout: OnTimeout, _ producers: Int...) -> Plan.Node {
            var node = node(id, .human(.choose))
            node.inputs = producers.enumerated().map { Plan.Input(port: "in\($0)", producer: $1, isOptional: false) }
            node.wait = Plan.Wait(type: .choose, says: .never, expiresSeconds: 60, onTimeout: onTimeout)
            return node
        }
        var broken = node("broken", .work, 0)
        broken.fate = .fails
        var above = node("above", .work, 0)
        above.value = 2
        var changed = Plan(
            nodes: [
                node("photo", .load), above, node("below", .once, 1), broken, node("bought", .job(0), 0),
                waiting("default", .autoDefault, 0),
                waiting("skipped", .skip), waiting("late", .cancel),
            ], isFailFast: false, local: 2, remote: 2, asksAlways: false)
        let first = changed
        changed.nodes.append(node("new", .work, 1))
        let stopped = Plan(
            nodes: [node("photo", .load), node("job", .job(0), 0), node("after", .once, 1)], isFailFast: false,
            local: 1, remote: 1,
            asksAlways: false)
        var edits = JSON.Object()
        edits["v"] = .int(5)
        let orders: [Scenario.Order] = [
            .init(milliseconds: 4000, workflow: 1, verb: .cancel),
            .init(milliseconds: 5000, workflow: 0, verb: .poll(false)),
            .init(milliseconds: 70_000, workflow: 0, verb: .poll(true)),
            .init(milliseconds: 90_000, workflow: 1, verb: .retry(step: nil)),
            .init(milliseconds: 100_000, workflow: 0, verb: .retry(step: 4)),
            .init(milliseconds: 120_000, workflow: 0, verb: .rerun(Rerun(step: 2, edits: edits, isBelow: true))),
            .init(milliseconds: 200_000, workflow: 0, verb: .pin(step: 3, port: "in0", attempt: 1)),
            .init(milliseconds: 210_000, workflow: 0, verb: .rerun(Rerun(step: 3))),
            .init(milliseconds: 300_000, workflow: 0, verb: .revise(template: changed.text)),
        ]
        return Scenario(
            workflows: [first, stopped], providers: [provider("p0", .put)], engines: 1, localSlots: 2, remoteSlots: 2,
            weather: Weather(),
            orders: orders, revisions: [changed])
    }()
}
