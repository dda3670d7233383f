import CaseNames
import Engine
import Harness
import Synchronization
import Testing
import Vocabulary

@testable import Storage

/// The database takes no more at any moment of a workflow's life: the engine stops and says so; no effect begins whose
/// beginning was not stored; and the next engine brings all of it to its end. (That a full SQLite refuses whole
/// commits: `FullDiskTests`.)
@Suite(.serialized) struct FullLedgerTests {
    @Test(arguments: 0..<14, ["storageFull", "storageReadOnly"])
    func anEngineWhoseLedgerRefusesStopsAndTheNextGoesOn(commit: Int, code: String) async throws {
        let rig = try EngineRig()
        let id = try rig.make("a:Work b:Once(a) c:Once(b) d:Work(c) e:Work(a)", mode: .auto)
        let commits = Mutex(0)
        try rig.start(
            "one",
            beforeCommit: { () throws(Failure) in
                let count = commits.withLock { count in
                    count += 1
                    return count
                }
                if count > commit { throw Failure(code, "No more.", remedy: "Make room.") }
            })
        try await rig.until("an end, or a failure") {
            try rig.outcome(id) != nil
                || rig.state.withLock { $0.events.contains { if case .error = $0.kind { true } else { false } } }
        }
        let failures = rig.state.withLock {
            $0.events.compactMap { if case .error(let failure) = $0.kind { failure.code } else { nil } }
        }
        // The last of them comes after some eight commits; how many share one is the engine's business.
        #expect(failures == [code] || commit > 5 && failures.isEmpty, "\(failures)")
        // Whatever began was stored before.
        for step in try rig.archive.steps(of: id) { #expect(rig.runs(step.node) <= step.attempt, "\(step.node)") }
        rig.kill("one")
        try rig.start("two")
        if try await rig.finished(id) == .failed {
            // Stopped before its worker had begun with a step that may not be repeated: a person says what becomes of
            // it.
            let lost = try rig.archive.steps(of: id).filter { $0.state == .failed }
            #expect(lost.count == 1 && lost.allSatisfy { $0.failure?.code == "processLost" && rig.runs($0.node) == 0 })
        } else {
            for node in ["b", "c"] { #expect(rig.runs(node) == 1, "\(node)") }
        }
        #expect(try rig.archive.faults().isEmpty && rig.archive.differences(of: id).isEmpty)
    }
}
