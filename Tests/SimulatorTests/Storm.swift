import CaseNames
import Vocabulary

@testable import Engine

/// What goes wrong with engines, the clock and the network, and when it is over.
final class Storm {
    unowned let simulation: Simulation
    private(set) var isOn = false
    private(set) var isOffline = false
    /// When everybody has looked again whether there is a network.
    private(set) var offlineIsForgottenAt = 0
    private var crashesLeft: Int
    private var pausesLeft = 4
    /// Where the reference scenario is to crash, and how often each place was reached.
    var planned: [(point: String, hit: Int)] = []
    private(set) var hits: [String: Int] = [:]

    static let points = FailPoint.allCases.map(\.rawValue) + ["commitRefused", "commitUnheard"] + ledger
    /// Between what the ledger has said and what comes of it.
    private static let ledger = ["afterClaim", "beforeLoad", "afterHearing"]

    init(_ simulation: Simulation) {
        self.simulation = simulation
        crashesLeft = simulation.scenario.weather.crashes
    }

    /// Whether there is no room on the disk just now.
    func isDiskFull() -> Bool { isOn && simulation.chance(simulation.scenario.fullDisk) }

    /// How long it may take until somebody starts another engine.
    var restartMilliseconds: Int { isOn ? simulation.duration(longest: 60_000) : 1000 }

    private var weather: Weather { simulation.scenario.weather }

    func begin() {
        guard weather.stormMilliseconds > 0 else { return }
        isOn = true
        let length = weather.stormMilliseconds
        simulation.clock.after(length) { [unowned self] in end() }
        for _ in 0..<weather.jumps { simulation.clock.after(simulation.dice(0...length)) { [unowned self] in jump() } }
        if weather.offline > 0 {
            simulation.clock.after(simulation.dice(0...length / 2)) { [unowned self] in isOffline = true }
        }
    }

    func end() {
        isOn = false
        // Every ten seconds, by a clock that cannot be set.
        if isOffline { offlineIsForgottenAt = simulation.clock.elapsed + (Int(Limits.pollSeconds) + 1) * 1000 }
        isOffline = false
        simulation.note("the storm is over")
    }

    private func jump() {
        guard isOn else { return }
        // Back by an hour at most: whoever waits for a time on the wall waits that much longer.
        let seconds = [1, 60, 600, 3600, 86_400, -1, -60, -600, -3600].randomElement(using: &simulation.random)!
        simulation.note("the clock is set by \(seconds) s")
        simulation.clock.set(aheadBy: seconds * 1000)
        for engine in simulation.engines { engine.clockWasSet() }
    }

    /// A place where a crash is told apart from its neighbours.
    func reach(_ point: String, _ engine: SimulatedEngine) throws(Failure) {
        hits[point, default: 0] += 1
        if let next = planned.first, next.point == point, next.hit == hits[point] {
            planned.removeFirst()
            // Of two crashes the second is counted from the first.
            hits = [:]
            throw Failure("crash", "It crashed at \(point).")
        }
        guard isOn, !Self.ledger.contains(point) || simulation.scenario.isThorough else { return }
        let isCommit = point.hasPrefix("commit")
        if crashesLeft > 0, simulation.chance(isCommit ? weather.commitFault : weather.crash) {
            crashesLeft -= 1
            throw Failure("crash", "It crashed at \(point).")
        }
        guard pausesLeft > 0, !isCommit, simulation.chance(weather.pause) else { return }
        pausesLeft -= 1
        try simulation.pause(engine, for: simulation.duration(longest: 120_000), at: point)
    }
}
