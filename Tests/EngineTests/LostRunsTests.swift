import CaseNames
import Storage
import Synchronization
import Testing
import Vocabulary

@testable import Engine

/// A step that ends its engine each time does not do so for ever.
struct LostRunsTests {
    @Test func aStepWhoseProcessIsLostAgainAndAgainFails() async throws {
        let rig = try EngineRig()
        let id = try rig.make("a:Work b:Work")
        // Each engine finds the attempt of the one before lost, and is gone before its own begins.
        for life in 0...3 * Limits.lostRuns
        where try !["a", "b"].contains(where: { try rig.step(id, $0).state.isTerminal }) {
            let owner = "engine \(life)"
            try rig.start(owner, crash: (.beforeAct, life == 0 ? 1 : 3))
            try await rig.until("the end of \(owner)") {
                try rig.state.withLock { !$0.living.contains(owner) }
                    || ["a", "b"].contains { try rig.step(id, $0).state.isTerminal }
            }
        }
        try rig.start("the last")
        try await rig.until("the end") { try rig.outcome(id) != nil }
        let steps = try rig.archive.steps(of: id)
        let failed = try #require(steps.first { $0.state == .failed })
        #expect(
            failed.failure?.code == "processLost"
                && failed.failure?.message.contains("\(Limits.lostRuns + 1) times in a row") == true)
        #expect(failed.failure?.remedy?.contains("retry step \(failed.id.index)") == true)
        #expect(failed.attempt == Limits.lostRuns + 1)
        // A person's word tries again, and counts anew.
        try rig.archive.put(.retry(step: nil), for: id, at: Moment(milliseconds: 1))
        try await rig.until("the retry") { try rig.outcome(id) == .succeeded }
        #expect(try rig.archive.lostRuns(before: RunID(failed.id, attempt: failed.attempt + 2)) == 0)
    }

    /// Whoever crashes at it can say so (`World.working`).
    @Test func aWorkerSaysWhichStepItIsAt() async throws {
        let said = Mutex<[StepID?]>([])
        let rig = try EngineRig()
        let id = try rig.make("a:Work")
        try rig.start(working: { step in said.withLock { $0.append(step) } })
        _ = try await rig.finished(id)
        let step = StepID(id, 1)
        // Nothing is left when it is done.
        #expect(said.withLock { $0 } == [step, nil])
    }
}
