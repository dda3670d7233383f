import Synchronization
import Testing
import Vocabulary

/// Where a crash is told apart from its neighbours, each place is tried: the reference scenario once for each (point, hit).
@Suite(.serialized) struct FailPoints {
    /// One step of each kind, in calm weather.
    static let reference: Scenario = {
        func node(_ id: String, _ kind: Plan.Kind, _ producers: Int...) -> Plan.Node {
            let inputs = producers.enumerated().map { Plan.Input(port: "in\($0)", producer: $1, isOptional: false) }
            return Plan.Node(id: id, kind: kind, inputs: inputs, value: 1, isBlunt: false, fate: .succeeds, isAllowed: true)
        }
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
                node("photo", .load), node("once", .once, 0), gated, drawn, node("kept", .job(0), 1, 3), node("asked", .job(1), 0),
                node("saved", .write, 4), node("passed", .pass, 2, 5),
            ], isFailFast: false, local: 2, remote: 2, asksAlways: false)
        let other = Plan(nodes: [slow, busy, node("after", .once, 0, 1)], isFailFast: true, local: 1, remote: 1, asksAlways: false)
        func provider(_ id: String, _ idempotency: JobTerms.Idempotency) -> ProviderScript {
            ProviderScript(terms: JobTerms(provider: id, idempotency: idempotency), needsKey: false)
        }
        return Scenario(
            workflows: [one, other], providers: [provider("p0", .header), provider("p1", .none)], engines: 1, localSlots: 2,
            remoteSlots: 2, weather: Weather())
    }()

    @Test func everyHitOfEveryPointIsSurvived() async throws {
        let calm = try Simulation(seed: 1, scenario: Self.reference)
        #expect(calm.play() == nil)
        let hits = calm.storm.hits
        let pairs = Storm.points.flatMap { point in (0..<(hits[point] ?? 0)).map { (point, $0 + 1) } }
        for point in Storm.points { #expect(hits[point] ?? 0 > 10, "\(point) is hardly reached") }
        let left = Mutex(pairs)
        let faults = Mutex<[String]>([])
        try await Seeds.atOnce {
            while let (point, hit) = left.withLock({ $0.popLast() }) {
                let simulation = try Self.crash(at: point, hit)
                let violation = simulation.play()
                if let violation { faults.withLock { $0.append("\(point) \(hit): \(violation)") } }
                if simulation.crashes != 1 { faults.withLock { $0.append("\(point) \(hit) was not reached") } }
            }
        }
        #expect(faults.withLock { $0 } == [])
        let counts = Storm.points.map { "\($0) \(hits[$0] ?? 0)" }.joined(separator: ", ")
        print("fail points: \(pairs.count) pairs of point and hit (\(counts))")
    }

    private static func crash(at point: String, _ hit: Int) throws -> Simulation {
        var scenario = reference
        // So that the interpreter allows for what a crash may leave: a process that is lost, a job of which nobody knows.
        scenario.weather.crash = 1
        let simulation = try Simulation(seed: 1, scenario: scenario)
        simulation.storm.planned = (point, hit)
        return simulation
    }
}
