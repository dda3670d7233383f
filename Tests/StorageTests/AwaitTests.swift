import CaseNames
import Glibc
import Harness
import JSON
import Synchronization
import Testing
import Vocabulary

@testable import Storage

/// What persons do with the inbox, with the clock handed in (`semantics.md` 40–44, 148–153, 158–161).
@Suite struct AwaitTests {
    private let scratch: ScratchFolder
    var folder: String { scratch.path }
    let now = Moment(milliseconds: 1_000_000_000)

    init() throws { scratch = try ScratchFolder() }

    /// A workflow whose steps wait for a person each.
    private func inbox(_ archive: Archive, count: Int = 1, expiresAt: Moment? = nil) throws -> [Int64] {
        let record = WorkflowRecord(id: WorkflowID(0), title: "w", workspace: "/w", createdAt: now, updatedAt: now)
        let made = try archive.create(record, template: "{}", owner: "one") { id in
            (1...count).map {
                StepRecord(id: StepID(id, $0), node: "n\($0)", kind: "T", state: .awaitingUser, updatedAt: now)
            }
        }.0
        var batch = Batch(workflow: made.id, fence: 1)
        batch.awaitsOpened = (1...count).map {
            AwaitRecord(
                step: StepID(made.id, $0), type: .drawMask, title: "Mask", reason: "r", createdAt: now,
                expiresAt: expiresAt)
        }
        return try archive.commit([batch]).awaits.map(\.number)
    }

    private func status(_ archive: Archive, _ number: Int64, at moment: Moment) throws -> AwaitStatus {
        try #require(try archive.await(numbered: number)).status(at: moment)
    }

    private func claimed(_ archive: Archive, _ number: Int64, by: String = "me", at moment: Moment? = nil) throws
        -> AwaitRecord
    {
        guard case .yours(let record) = try archive.claim(number, by: by, at: moment ?? now) else {
            throw Failure("taken", "Somebody else has it.")
        }
        return record
    }

    // MARK: Claims

    @Test func aClaimIsALeaseThatItsOwnerRenewsAndNobodyElseGets() throws {
        let archive = try Archive(folder: folder)
        let number = try inbox(archive)[0]
        let mine = try claimed(archive, number)
        #expect(mine.claim == 1 && mine.until == now + 300 && mine.status(at: now + 299) == .claimed)
        #expect(try archive.claim(number, by: "other", at: now + 299) == .refused(.claimed(by: "me", until: now + 300)))
        #expect(try archive.renew(number, claim: 1, at: now + 60) == now + 360)
        #expect(try archive.renew(number, claim: 2, at: now + 60) == nil)
        #expect(try archive.claim(number, by: "other", at: now + 359) == .refused(.claimed(by: "me", until: now + 360)))
        // Its end needs nobody to write it down.
        #expect(try status(archive, number, at: now + 360) == .pending)
        #expect(try archive.renew(number, claim: 1, at: now + 360) == nil)
        #expect(try claimed(archive, number, by: "other", at: now + 360).claim == 2)
    }

    /// `semantics.md` 40: dismissing is Pending, always.
    @Test func whoLeavesTheEditorPutsItBackWithTheirDraft() throws {
        let archive = try Archive(folder: folder)
        let number = try inbox(archive)[0]
        let claim = try claimed(archive, number).claim
        try archive.release(number, claim: claim, draft: ["shapes": 1], by: "me", at: now + 5)
        let left = try #require(try archive.await(numbered: number))
        #expect(left.status(at: now + 5) == .pending && left.until == nil && left.draft == ["shapes": 1])
        #expect(try archive.events(of: left.step.workflow).map(\.type).suffix(2) == ["await.changed", "await.changed"])
    }

    @Test func aDraftIsKeptWithEachRenewalAndOutlivesWhoMadeIt() throws {
        let archive = try Archive(folder: folder)
        let number = try inbox(archive)[0]
        let claim = try claimed(archive, number).claim
        #expect(try archive.renew(number, claim: claim, draft: ["text": "half"], at: now + 60) != nil)
        // Killed here: the lease runs out, the draft is there for whoever is next.
        let next = try claimed(archive, number, by: "other", at: now + 361)
        #expect(next.draft == ["text": "half"] && next.claim == 2)
        // Who comes back does not write over what the other makes.
        #expect(try archive.renew(number, claim: claim, draft: ["text": "late"], at: now + 362) == nil)
        #expect(try archive.await(numbered: number)?.draft == ["text": "half"])
    }

    /// Who was away while another took it over leaves what that one makes alone, whether they leave or answer (row 42).
    @Test(arguments: [true, false]) func whoComesBackLateDoesNotWriteOverANewerClaim(byLeaving: Bool) throws {
        let archive = try Archive(folder: folder)
        let number = try inbox(archive)[0]
        let claim = try claimed(archive, number).claim
        let other = try claimed(archive, number, by: "other", at: now + 301).claim
        #expect(try archive.renew(number, claim: other, draft: ["text": "theirs"], at: now + 302) != nil)
        if byLeaving {
            try archive.release(number, claim: claim, draft: ["text": "old"], by: "me", at: now + 303)
        } else {
            #expect(
                try archive.complete(number, claim: claim, .skipped(), draft: ["text": "old"], by: "me", at: now + 303)
                    == .claimIsOver)
        }
        #expect(try archive.await(numbered: number)?.draft == ["text": "theirs"])
        // With nobody after them, what was made late is kept.
        try archive.release(number, claim: other, draft: ["text": "done"], by: "other", at: now + 700)
        #expect(try archive.await(numbered: number)?.draft == ["text": "done"])
    }

    @Test func anAnswerUnderAnOldClaimIsRefusedAndItsDraftKept() throws {
        let archive = try Archive(folder: folder)
        let number = try inbox(archive)[0]
        let claim = try claimed(archive, number).claim
        let late = try archive.complete(
            number, claim: claim, .skipped(), draft: ["text": "mine"], by: "me", at: now + 300)
        #expect(late == .claimIsOver)
        let kept = try #require(try archive.await(numbered: number))
        #expect(kept.status(at: now + 300) == .pending && kept.draft == ["text": "mine"] && kept.resolution == nil)
        #expect(try archive.waitingCommands(for: "one").isEmpty, "nothing was put down for the engine")
    }

    @Test func whoNeedsNoEditorIsNotLetPastSomebodyWhoHasOneOpen() throws {
        let archive = try Archive(folder: folder)
        let number = try inbox(archive)[0]
        _ = try claimed(archive, number)
        #expect(
            try archive.complete(number, claim: nil, .skipped(), by: "script", at: now + 1)
                == .refused(.claimed(by: "me", until: now + 300)))
        #expect(try archive.complete(number, claim: nil, .skipped(), by: "script", at: now + 300) == .taken)
        #expect(
            try archive.complete(number, claim: nil, .skipped(), by: "late", at: now + 301)
                == .refused(.answered(resolution: "skipped", by: "script", at: now + 300)))
        #expect(try archive.waitingCommands(for: "one").count == 1)
    }

    // MARK: Putting off

    /// A snooze lasts an hour, the sixth is refused, and the expiry stays (`semantics.md` 43, 149–151).
    @Test func snoozingLastsAnHourAndTheSixthIsRefused() throws {
        let archive = try Archive(folder: folder)
        let number = try inbox(archive, expiresAt: now + 7200)[0]
        var moment = now
        for time in 1...5 {
            #expect(try archive.snooze(number, by: "me", at: moment) == .until(moment + 3600))
            #expect(try status(archive, number, at: moment + 3599) == .snoozed)
            moment = moment + 3600
            #expect(try status(archive, number, at: moment) == .pending, "back after snooze \(time)")
        }
        #expect(try archive.snooze(number, by: "me", at: moment) == .limitReached)
        let record = try #require(try archive.await(numbered: number))
        #expect(record.snoozes == 5 && record.expiresAt == now + 7200 && record.status(at: moment) == .pending)
    }

    @Test func claimingUnsnoozesAndSomebodyElsesClaimIsNotPutOff() throws {
        let archive = try Archive(folder: folder)
        let number = try inbox(archive)[0]
        #expect(try archive.snooze(number, by: "me", at: now) == .until(now + 3600))
        #expect(try claimed(archive, number, at: now + 1).status(at: now + 1) == .claimed)
        #expect(try archive.snooze(number, by: "other", at: now + 2) == .refused(.claimed(by: "me", until: now + 301)))
        #expect(
            try archive.snooze(99, by: "me", at: now) == .refused(.unknown)
                && archive.claim(99, by: "me", at: now) == .refused(.unknown))
    }

    /// Done is cleared after 7 days, and the events stay (`semantics.md` 44, 152).
    @Test func whatIsDoneLeavesTheInboxAfterSevenDays() throws {
        let archive = try Archive(folder: folder)
        let numbers = try inbox(archive, count: 3)
        #expect(try archive.complete(numbers[0], claim: nil, .skipped(), by: "me", at: now) == .taken)
        let week = 7 * 86_400.0
        #expect(try archive.awaits(at: now).map(\.number) == Array(numbers[1...]))
        #expect(
            try archive.awaits(includingDone: true, at: now + (week - 1)).map(\.number) == [
                numbers[1], numbers[2], numbers[0],
            ])
        #expect(try archive.awaits(includingDone: true, at: now + week).map(\.number) == Array(numbers[1...]))
        #expect(try archive.await(numbered: numbers[0])?.resolution == "skipped")
    }

    // MARK: Races

    /// Eight threads on four connections, each with another wish: one answer is taken, the others are told whose.
    @Test(arguments: 0..<6) func exactlyOneOfManyAnswersWins(round: Int) async throws {
        let archives = try (0..<4).map { _ in try Archive(folder: folder) }
        let number = try inbox(archives[0])[0]
        let results = Mutex<[(String, Archive.Completed)]>([])
        let faults = Mutex<[String]>([])
        let barrier = Barrier()
        let now = now
        for thread in 0..<8 {
            inBackground {
                while !barrier.gate.load(ordering: .acquiring) { usleep(50) }
                do {
                    let completion: Completion = thread % 2 == 0 ? .skipped() : .rejected(reason: "\(thread)")
                    let result = try archives[thread % 4].complete(
                        number, claim: nil, completion, by: "thread \(thread)", at: now + Double(thread))
                    results.withLock { $0.append(("thread \(thread)", result)) }
                } catch { faults.withLock { $0.append("\(error)") } }
                barrier.done.add(1, ordering: .acquiringAndReleasing)
            }
        }
        barrier.gate.store(true, ordering: .releasing)
        #expect(try await eventually { barrier.done.load(ordering: .acquiring) == 8 })
        #expect(faults.withLock { $0 } == [])
        let all = results.withLock { $0 }
        #expect(all.count == 8)
        let winners = all.filter { $0.1 == .taken }.map(\.0)
        let winner = try #require(winners.first)
        #expect(winners.count == 1)
        let record = try #require(try archives[1].await(numbered: number))
        #expect(record.answeredBy == winner && record.status == .done)
        for (thread, result) in all where thread != winner {
            #expect(result == .refused(.answered(resolution: record.resolution!, by: winner, at: record.closedAt!)))
        }
        #expect(try archives[2].waitingCommands(for: "one").count == 1, "one command for the engine")
        #expect(try archives[0].faults().isEmpty)
    }

    /// A claim is one person's, also when eight want it at once.
    @Test func exactlyOneOfManyClaimsIsGiven() async throws {
        let archives = try (0..<4).map { _ in try Archive(folder: folder) }
        let number = try inbox(archives[0])[0]
        let given = Mutex<[Archive.Claiming]>([])
        let barrier = Barrier()
        let now = now
        for thread in 0..<8 {
            inBackground {
                while !barrier.gate.load(ordering: .acquiring) { usleep(50) }
                if let claiming = try? archives[thread % 4].claim(number, by: "thread \(thread)", at: now) {
                    given.withLock { $0.append(claiming) }
                }
                barrier.done.add(1, ordering: .acquiringAndReleasing)
            }
        }
        barrier.gate.store(true, ordering: .releasing)
        #expect(try await eventually { barrier.done.load(ordering: .acquiring) == 8 })
        let all = given.withLock { $0 }
        let owners = all.compactMap { claiming -> String? in
            if case .yours(let record) = claiming { record.claimedBy } else { nil }
        }
        let owner = try #require(owners.first)
        #expect(all.count == 8 && owners.count == 1)
        #expect(all.filter { $0 == .refused(.claimed(by: owner, until: now + 300)) }.count == 7)
    }

    /// An answer that came while the engine let the await expire goes first: the batch is not written (`semantics.md`
    /// 41, 42).
    @Test func anAnswerGoesBeforeAnExpiry() throws {
        let archive = try Archive(folder: folder)
        let number = try inbox(archive, expiresAt: now + 1)[0]
        let step = try #require(try archive.await(numbered: number)).step
        #expect(try archive.complete(number, claim: nil, .skipped(), by: "me", at: now + 1) == .taken)
        var batch = Batch(workflow: step.workflow, fence: 1)
        batch.awaitsClosed = [
            Batch.AwaitClose(number: number, resolution: "expired", by: "expiry", at: now + 1, yields: true)
        ]
        let committed = try archive.commit([batch])
        #expect(committed.overtaken == [step.workflow])
        #expect(try archive.await(numbered: number)?.resolution == "skipped")
    }
}

private final class Barrier: Sendable {
    let gate = Atomic(false)
    let done = Atomic(0)
}
