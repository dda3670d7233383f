import CaseNames
import Engine
import Glibc
import Harness
import Storage
import Synchronization
import Testing
import Vocabulary

/// `semantics.md` 13: concurrency holds globally, also over several engines.
struct SharedSlotsTests {
    /// Nobody starves either: whoever waits has a turn before the others are through.
    @Test(.timeLimit(.minutes(10))) func capsHoldOverAllEnginesOfAStore() async throws {
        let order = Mutex<[WorkflowID]>([])
        // By the clock of the engines, as the turns are: how busy the machine is changes nothing.
        let rig = try EngineRig { rig, assignment, _ in
            let end = rig.state.withLock { $0.now } + 0.05
            while rig.state.withLock({ $0.now < end }) { usleep(500) }
            order.withLock { $0.append(assignment.run.step.workflow) }
            return nil
        }
        let names = ["one", "two", "three"]
        let engines = try names.map { try rig.start($0, shared: EngineRig.shared(try SlotFile(folder: rig.folder))) }
        let words = ((0..<40).map { "w\($0):Work" } + (0..<30).map { "r\($0):Remote" }).joined(separator: " ")
        var ids: [WorkflowID] = []
        for (name, engine) in zip(names, engines) {
            ids.append(try rig.make(words, owner: name, local: 9))
            engine.carry(ids.last!)
        }
        // Slots of others are asked for by the clock: it moves on when each has had a look.
        while try ids.contains(where: { try rig.outcome($0) == nil }) {
            let before = rig.state.withLock { state in
                state.now = state.now + 0.02
                return state.looks
            }
            for engine in engines { engine.look() }
            try await rig.until("a look of each") {
                rig.state.withLock { state in names.allSatisfy { state.looks[$0] ?? 0 > before[$0] ?? 0 } }
            }
        }
        for id in ids { #expect(try rig.outcome(id) == .succeeded) }
        let seen = rig.state.withLock { $0.mostRunning }
        #expect(seen[.local] == Limits.localSlots && seen[.remote]! <= Limits.remoteSlots, "\(seen)")
        let firsts = order.withLock { order in ids.map { id in order.firstIndex(of: id) ?? .max } }
        let lasts = order.withLock { order in ids.map { id in order.lastIndex(of: id) ?? .max } }
        #expect(firsts.max()! < lasts.min()!, "each had a turn before any was through")
        for engine in engines { await withCheckedContinuation { done in engine.stop { done.resume() } } }
    }

    /// What is held elsewhere is waited for in `ready`, and goes on when it is given back.
    @Test(.timeLimit(.minutes(10))) func aStepWaitsForASlotThatAnotherProcessHas() async throws {
        let rig = try EngineRig()
        let other = try SlotFile(folder: rig.folder)
        let held = [other.take(.local, of: 2), other.take(.local, of: 2)].compactMap { $0 }
        #expect(held.count == 2)
        let engine = try rig.start(shared: EngineRig.shared(try SlotFile(folder: rig.folder)))
        let id = try rig.make("a:Work b:Remote", owner: "one")
        engine.carry(id)
        try await rig.until { try rig.step(id, "b").state == .succeeded }
        #expect(try rig.step(id, "a").state == .ready && rig.step(id, "a").reason?.code == "waitingForSlot")
        #expect(other.give(held[0], of: .local), "it is known to wait")
        try await rig.until {
            rig.state.withLock { $0.now = $0.now + 0.02 }
            return try rig.outcome(id) == .succeeded
        }
        await withCheckedContinuation { done in engine.stop { done.resume() } }
    }
}
