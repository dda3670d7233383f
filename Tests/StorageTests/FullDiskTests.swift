import CaseNames
import GRDB
import Harness
import JSON
import Testing
import Vocabulary

@testable import Storage

/// A disk that is full at any commit: what was acknowledged is there, what was refused is wholly absent, and after
/// there is room again all goes on as if nothing had been.
@Suite struct FullDiskTests {
    private let scratch: ScratchFolder
    private let now = Moment(milliseconds: 1_700_000_000_000)

    init() throws { scratch = try ScratchFolder() }

    /// What a workflow's life writes, in commits. Each is refused whole or done whole.
    private func commits() -> [(Archive) throws -> Void] {
        let id = WorkflowID(1)
        let step = StepID(id, 1)
        let run = RunID(step, attempt: 1)
        let long = String(repeating: "words ", count: 3000)
        let asset = Asset(run: run, port: "out", type: .text, hash: hash("a"), bytes: 5, name: long)
        func batch(_ change: (inout Batch) -> Void) -> Batch {
            var batch = Batch(workflow: id, fence: 1)
            batch.isPrecious = true
            change(&batch)
            return batch
        }
        func changed(_ state: StepState) -> Event {
            Event(
                at: now, workflow: id, step: 1, run: run,
                .stepChanged(state, phase: long, reason: nil, progress: nil, failure: nil))
        }
        func record(_ state: StepState, attempt: Int) -> StepRecord {
            StepRecord(
                id: step, node: "n", kind: "T", state: state, reason: Reason("why", long), attempt: attempt,
                tries: attempt, updatedAt: now)
        }
        return [
            { archive in
                let made = WorkflowRecord(id: id, title: "w", workspace: "/w", createdAt: now, updatedAt: now)
                _ = try archive.create(made, template: long, owner: "one") { _ in [record(.blocked, attempt: 0)] }
            },
            { archive in
                _ = try archive.commit([
                    batch {
                        $0.steps = [record(.awaitingUser, attempt: 0)]
                        $0.awaitsOpened = [
                            AwaitRecord(
                                step: step, type: .confirmCall, title: long, reason: "r", createdAt: now,
                                digest: hash("d"),
                                question: ["q": 1])
                        ]
                        $0.events = [changed(.awaitingUser)]
                    }
                ])
            },
            { archive in
                let approval = Approval(
                    digest: hash("d"), isPlanned: false, step: step, awaitNumber: 1, by: long, at: now,
                    expiresAt: now + 60,
                    policyEpoch: "e")
                guard try archive.answer(1, .yes, approvals: [approval], by: long, at: now) == .taken else {
                    throw Failure("test", "It was answered already.")
                }
            },
            { archive in
                _ = try archive.commit([
                    batch {
                        $0.steps = [record(.runningLocal, attempt: 1)]
                        $0.runsStarted = [
                            RunRecord(
                                id: run, startedAt: now,
                                params: JSON.Object(members: [.init(key: "p", value: .string(long))]))
                        ]
                        $0.approvalsUsed = [Batch.ApprovalUse(awaitNumber: 1, step: step, digest: hash("d"))]
                        $0.events = [changed(.runningLocal)]
                        $0.commandsTaken = [1]
                    }
                ])
            },
            { archive in
                _ = try archive.commit([
                    batch {
                        $0.steps = [record(.succeeded, attempt: 1)]
                        $0.runsEnded = [Batch.RunEnd(run: run, at: now, ending: .succeeded([asset]))]
                        $0.events = [
                            changed(.succeeded),
                            Event(at: now, workflow: id, .workflowFinished(.succeeded, outputs: [])),
                        ]
                        $0.outcome = .some(.succeeded)
                    }
                ])
            },
            { archive in _ = try archive.keep(asset, at: now) },
            { archive in try archive.quarantine(id, reason: long, at: now) },
            { archive in
                let session = try archive.begin(title: long, workspace: "/w", at: now).id
                try archive.append(ChatMessage(.user, long), to: session, turn: 1, at: now)
            },
        ]
    }

    private func limit(_ archive: Archive, pagesMore: Int?) throws {
        try archive.writer.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pagesMore.map { pages + $0 } ?? 1_000_000)")
        }
    }

    private func everything(_ folder: String) throws -> [String: [[String: DatabaseValue]]] {
        // Each has made up a name of its own, which is in the sum of what belongs to no workflow.
        var contents = try Fixture.contents(of: folder).filter { $0.key != "house" }
        contents["checksums"]?.removeAll { $0["subject"] == 0.databaseValue }
        return contents
    }

    @Test(arguments: 0..<8) func aDiskThatIsFullAtAnyCommitLosesNothing(full: Int) throws {
        // What it should come to.
        let reference = try scratch.folder()
        let well = try Archive(folder: reference)
        for commit in commits() { try commit(well) }
        let expected = try everything(reference)

        var refusals = 0
        for pages in 0..<6 {
            let folder = try scratch.folder()
            let archive = try Archive(folder: folder)
            for (index, commit) in commits().enumerated() {
                guard index == full else {
                    try commit(archive)
                    continue
                }
                let before = try everything(folder)
                try limit(archive, pagesMore: pages)
                var failure: Failure?
                do { try commit(archive) } catch { failure = error as? Failure }
                try limit(archive, pagesMore: nil)
                guard let failure else { continue }
                refusals += 1
                #expect(failure.code == "storageFull" && failure.remedy != nil)
                // The conversation's commit is two: the first may have been done.
                if index != 7 { #expect(try everything(folder) == before, "\(full) with \(pages) pages more") }
                #expect(try (archive.faults() + archive.orphans()).isEmpty)
                if index == 7 {
                    try archive.write {
                        try $0.execute(sql: "DELETE FROM sessions; DELETE FROM sqlite_sequence WHERE name = 'sessions'")
                    }
                }
                try commit(archive)
            }
            #expect(try everything(folder) == expected)
            #expect(try archive.alteredRows().isEmpty)
        }
        #expect(refusals > 0)
    }
}
