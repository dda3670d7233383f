import Storage
import Vocabulary

@testable import Engine

/// The slots of the store as one process sees them: real locks, which end with it. It knows whether asking again can
/// bring anything else.
final class SimulatedSlots: @unchecked Sendable {
    private let file: SlotFile
    private unowned let simulation: Simulation
    /// How often a slot of each place had been given back when it was asked for one last.
    private var asked: [SlotPlace: Int] = [:]

    init(of simulation: Simulation) throws(Failure) {
        self.simulation = simulation
        file = try SlotFile(folder: simulation.folder)
    }

    func shared(by engine: SimulatedEngine) -> World.SharedSlots {
        World.SharedSlots(
            take: { [unowned self] place, cap in
                asked[place] = simulation.timesFreed(place)
                return file.take(place, of: cap)
            },
            give: { [unowned self, unowned engine] place, slot in
                let isWaitedFor = file.give(slot, of: place)
                simulation.slotWasFreed(place, by: engine)
                return isWaitedFor
            },
            stopWaiting: { [unowned self] place in file.stopWaiting(for: place) })
    }

    /// Whether nothing was given back since each of them was asked.
    func wereAskedInVain(_ places: some Sequence<SlotPlace>) -> Bool {
        places.allSatisfy { asked[$0] == simulation.timesFreed($0) }
    }

    /// For who only looks.
    func isFree(_ place: SlotPlace, of cap: Int) -> Bool {
        defer { file.stopWaiting(for: place) }
        guard let slot = file.take(place, of: cap) else { return false }
        _ = file.give(slot, of: place)
        return true
    }

    /// Its process is gone.
    func close() { file.close() }
}
