import CaseNames
import Harness
import Testing
import Vocabulary

@testable import Workflows

@Suite struct TransitionTests {
    /// `semantics.md` 1–4, 85–87: what is not here cannot happen.
    static let table: [StepState: [StepEvent: StepState]] = [
        .blocked: [.unblocked: .ready, .passedOver: .succeeded, .cancelled: .cancelled, .restored: .succeeded],
        .ready: [
            .asked: .awaitingUser, .startedLocal: .runningLocal, .submitted: .queuedRemote, .failed: .failed,
            .cancelled: .cancelled,
            .invalidated: .blocked,
        ],
        .awaitingUser: [
            .agreed: .ready, .produced: .succeeded, .failed: .failed, .cancelled: .cancelled, .invalidated: .blocked,
        ],
        .runningLocal: [.succeeded: .succeeded, .failed: .failed, .cancelled: .cancelled, .revived: .ready],
        .queuedRemote: [
            .asked: .awaitingUser, .accepted: .runningRemote, .outputsReady: .downloading, .failed: .failed,
            .cancelled: .cancelled,
        ],
        .runningRemote: [.asked: .awaitingUser, .outputsReady: .downloading, .failed: .failed, .cancelled: .cancelled],
        .downloading: [.asked: .awaitingUser, .succeeded: .succeeded, .failed: .failed, .cancelled: .cancelled],
        .succeeded: [.invalidated: .blocked, .revived: .ready],
        .failed: [.revived: .ready, .invalidated: .blocked],
        .cancelled: [.revived: .ready, .invalidated: .blocked],
    ]

    @Test(arguments: StepState.allCases, StepEvent.allCases) func theTableIsWhole(state: StepState, event: StepEvent) {
        #expect(state.after(event) == Self.table[state]?[event])
    }
}

@Suite struct BackoffTests {
    static let now = Moment(milliseconds: 1_000_000)
    static let busy = Failure("busy", "The server is busy.", isTransient: true)

    private func seconds(_ failure: Failure, tries: Int, seed: UInt64) -> Double? {
        var random = Seeded(seed)
        guard case .again(let seconds) = Backoff.verdict(on: failure, tries: tries, now: Self.now, random: &random)
        else { return nil }
        return seconds
    }

    /// Row 5: 30 s, 2 m, 8 m, ±25 %, and then no more.
    @Test(arguments: [(1, 30.0), (2, 120), (3, 480)]) func delaysGrowFourfoldWithJitter(tries: Int, delay: Double)
        throws
    {
        let delays = try (0..<500).map { try #require(seconds(Self.busy, tries: tries, seed: $0)) / delay }
        #expect(delays.allSatisfy { (0.75...1.25).contains($0) })
        #expect(delays.min()! < 0.77 && delays.max()! > 1.23)
    }

    @Test func thereAreThreeRetries() {
        var random = Seeded(1)
        guard case .giveUp(let failure) = Backoff.verdict(on: Self.busy, tries: 4, now: Self.now, random: &random)
        else {
            Issue.record("It was tried a fifth time.")
            return
        }
        #expect(failure.code == "busy" && failure.remedy?.contains("4 times") == true)
    }

    @Test func whatIsNotTransientIsNotRetried() { #expect(seconds(Failure("bad", "Bad."), tries: 1, seed: 0) == nil) }

    /// Row 6: the server's delay, jitter only upward, up to 15 minutes.
    @Test(arguments: [(5.0, 5.0...6.25), (900, 900...1125), (0, 0...0), (-7, 0...0)]) func retryAfterReplacesTheDelay(
        asked: Double, range: ClosedRange<Double>
    ) {
        let failure = Failure("busy", "Busy.", isTransient: true, retryAfterSeconds: asked)
        for seed in 0..<UInt64(200) {
            #expect(range.contains(seconds(failure, tries: 2, seed: seed) ?? .infinity))
        }
    }

    @Test(arguments: [901.0, 1e300, .infinity, .nan]) func aLongRetryAfterIsACooldown(asked: Double) {
        var random = Seeded(1)
        let failure = Failure("busy", "Busy.", isTransient: true, retryAfterSeconds: asked)
        let verdict = Backoff.verdict(on: failure, tries: 1, now: Self.now, random: &random)
        guard case .giveUp(let given) = verdict else {
            Issue.record("It waits \(verdict).")
            return
        }
        #expect(given.code == "cooldown")
        if asked == 901 { #expect(given.message.hasSuffix("\(Self.now + 901).")) }
    }
}
