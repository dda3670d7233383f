import JSON
import Testing
import Vocabulary

@testable import Workflows

/// The run of a job by itself: its state, and the phase in its ledger line.
@Suite struct JobRunTests {
    private static func run(_ phase: JobPhase) -> JobRun {
        JobRun(JobRecord(provider: "p", phase: phase, key: "k", intendedAt: Moment(milliseconds: 0)))
    }

    @Test(arguments: JobPhase.allCases) func theStateOfAStoredJobFollowsFromItsPhase(phase: JobPhase) {
        let run = Self.run(phase)
        #expect(run.state.phase == phase && run.record.phase == phase && !run.waitsForSlot)
    }

    @Test func thePhaseFollowsTheState() {
        var run = Self.run(.submitIntent)
        for (state, phase) in [
            (JobRun.State.unknown(waitsForSlot: true), JobPhase.submitUnknown),
            (.submitted(earlyChecks: 3), .submitted), (.cancelling(earlyChecks: nil), .cancelRequested),
            (.collecting(waitsForSlot: false), .collecting), (.intended(waitsForSlot: false), .submitIntent),
        ] {
            run.state = state
            #expect(run.record.phase == phase)
        }
    }

    /// A job that the provider works on has nothing to send or to fetch.
    @Test(arguments: JobPhase.allCases) func onlyWhatIsSentOrFetchedWaitsForASlot(phase: JobPhase) {
        var run = Self.run(phase)
        run.waitForSlot(true)
        #expect(run.waitsForSlot == (phase != .submitted && phase != .cancelRequested))
        run.waitForSlot(false)
        #expect(!run.waitsForSlot && run.record.phase == phase)
    }

    @Test func earlyChecksBecomeRarerUntilThePeriod() {
        var run = Self.run(.submitted)
        let period = Limits.firstPollSeconds * 6
        #expect(run.secondsToNextCheck(period: period) == period, "a stored job is not checked early")
        run.state = .submitted(earlyChecks: 0)
        #expect(run.secondsToNextCheck(period: period) == Limits.firstPollSeconds)
        run.cancel()
        #expect(run.state == .cancelling(earlyChecks: 1))
        #expect((0..<3).map { _ in run.secondsToNextCheck(period: period) / Limits.firstPollSeconds } == [2, 4, 6])
        #expect(run.state == .cancelling(earlyChecks: nil))
    }
}
