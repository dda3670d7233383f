import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// What is cancelled, by a person or because its time is over: `semantics.md` 7, 10, 15, 66.
extension FlowJobTests {
    // MARK: Over its time

    private static let late: [(JobStatus.State, Double, String)] = [
        (.queued, 1801.0, "queueTimeout"), (.running, 7201, "runTimeout"),
    ]

    private func overdue(_ state: JobStatus.State, _ seconds: Double, _ terms: JobTerms = JobTerms(provider: "p"))
        -> FlowRig
    {
        var rig = accepted(terms)
        rig.hear(0, .status, .status(JobStatus(state)))
        _ = rig.takeIntents()
        rig.now = rig.now + seconds
        return rig
    }

    /// It may run on and be billed, so it is cancelled first; a crash between does not forget that.
    @Test(arguments: late) func whatTakesTooLongIsCancelledAndHasFailed(
        state: JobStatus.State, seconds: Double, code: String
    ) {
        var rig = overdue(state, seconds)
        rig.hear(0, .status, .status(JobStatus(state)))
        #expect(
            rig.states[0].isRunning && rig.flow.jobs[0]?.record.phase == .cancelRequested
                && rig.takeRequests() == [.cancel])
        rig.restart()
        #expect(rig.takeRequests() == [.cancel, .status])
        rig.hear(0, .cancel, .cancelTaken)
        rig.hear(0, .status, .status(JobStatus(.cancelled)))
        #expect(rig.states[0] == .failed && rig.flow.steps[0].failure?.code == code)
        #expect(rig.flow.steps[0].failure?.message.contains("It was cancelled there.") == true)
    }

    @Test(arguments: late) func aCancelOfWhatTookTooLongThatNobodyConfirmsIsSaid(
        state: JobStatus.State, seconds: Double, code: String
    ) {
        var rig = overdue(state, seconds)
        rig.hear(0, .status, .status(JobStatus(state)))
        rig.hear(0, .cancel, .cancelTaken)
        rig.pass(seconds: 601, due: 0)
        #expect(rig.states[0] == .failed && rig.flow.steps[0].failure?.code == code)
        #expect(rig.flow.steps[0].failure?.message.contains("may still run and be billed") == true)
        var other = overdue(state, seconds, JobTerms(provider: "p", cancelling: .unsupported))
        other.hear(0, .status, .status(JobStatus(state)))
        #expect(other.flow.steps[0].failure?.code == code && other.takeRequests().isEmpty)
        #expect(other.flow.steps[0].failure?.message.contains("may be billed") == true)
    }

    /// It was done after all, and paid: that is not thrown away.
    @Test(arguments: late) func whatIsDoneAllTheSameIsTaken(state: JobStatus.State, seconds: Double, code: String) {
        var rig = overdue(state, seconds)
        rig.hear(0, .status, .status(JobStatus(state)))
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        rig.hear(0, .collect, .collected([rig.asset(of: 0)]))
        #expect(rig.states[0] == .succeeded)
    }

    /// Rows 7 and 66: after a long sleep the first check may find no network. That says nothing about the job.
    @Test(arguments: late, ["offline", "networkFailed"])
    func aCheckThatFailsAfterALongSleepEndsNothing(late: (JobStatus.State, Double, String), code: String) {
        var rig = overdue(late.0, late.1)
        rig.hear(0, .status, .unreachable(Failure(code, "There is no network.", isTransient: true)))
        #expect(rig.states[0].isRunning && rig.flow.steps[0].reason?.code == "reconnecting")
        #expect(rig.flow.jobs[0]?.record.phase == .submitted)
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        #expect(rig.states[0] == .downloading)
    }

    // MARK: Cancelling

    @Test func aCancelIsOneOnlyWhenTheProviderSaysSo() {
        var rig = accepted()
        rig.feed(.cancel)
        #expect(rig.states[0] == .queuedRemote && rig.flow.jobs[0]?.record.phase == .cancelRequested)
        #expect(rig.takeRequests().contains(.cancel))
        rig.hear(0, .cancel, .cancelTaken)
        #expect(rig.states[0] == .queuedRemote)
        rig.hear(0, .status, .status(JobStatus(.cancelled)))
        #expect(rig.states[0] == .cancelled && rig.outcomes == [.cancelled])
    }

    /// Cancel without effect: it was done after all, and the truth is that it succeeded.
    @Test func aJobThatFinishesAllTheSameHasSucceeded() {
        var rig = accepted()
        rig.feed(.cancel)
        rig.hear(0, .cancel, .cancelTaken)
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        rig.hear(0, .collect, .collected([rig.asset(of: 0)]))
        #expect(rig.states == [.succeeded, .cancelled])
    }

    @Test func aCancelThatIsNeverConfirmedSaysSo() {
        var rig = accepted()
        rig.feed(.cancel)
        rig.hear(0, .cancel, .cancelTaken)
        rig.hear(0, .status, .status(JobStatus(.running)))
        rig.pass(seconds: 601, due: 0)
        #expect(rig.states[0] == .cancelled && rig.flow.steps[0].failure?.code == "cancelUnconfirmed")
    }

    @Test func aProviderThatCannotCancelIsNotAsked() {
        var rig = accepted(JobTerms(provider: "p", cancelling: .unsupported))
        _ = rig.takeIntents()
        rig.feed(.cancel)
        #expect(rig.states[0] == .cancelled && rig.flow.steps[0].failure?.code == "cancelUnsupported")
        #expect(rig.takeRequests().isEmpty)
    }

    @Test func aCancelBeforeTheAnswerCancelsWhatTheAnswerBrings() {
        var rig = rig()
        rig.feed(.cancel)
        #expect(rig.states[0] == .queuedRemote)
        _ = rig.takeIntents()
        rig.hear(0, .submit, .accepted(captured: JSON.Object(), nil))
        #expect(rig.takeRequests() == [.cancel] && rig.flow.jobs[0]?.record.phase == .cancelRequested)
        var other = self.rig()
        other.feed(.cancel)
        other.hear(0, .submit, .notTaken(Self.busy))
        #expect(other.states[0] == .cancelled)
    }

    @Test func aCancelInTheWaitNeedsNobody() {
        var rig = rig()
        rig.hear(0, .submit, .notTaken(Self.busy))
        rig.feed(.cancel)
        #expect(rig.states[0] == .cancelled && rig.outcomes == [.cancelled])
    }

    // MARK: Cancelling under our own name

    private func waiting() -> FlowRig {
        rig(JobTerms(provider: "p", idempotency: .put, cancelling: .immediate, cancelsUnnamed: true))
    }

    /// A submission that is answered when the job is done is cancelled at once; its own answer says what became of it.
    @Test(arguments: [(JobStatus.State.cancelled, StepState.cancelled), (.succeeded, .succeeded)])
    func aCancelDoesNotWaitForTheAnswer(state: JobStatus.State, end: StepState) {
        var rig = waiting()
        _ = rig.takeIntents()
        rig.feed(.cancel)
        #expect(rig.takeRequests() == [.cancel])
        rig.hear(0, .cancel, .cancelTaken)
        #expect(rig.states[0] == .queuedRemote, "the job itself has not answered")
        rig.hear(0, .submit, .accepted(captured: JSON.Object(), JobStatus(state)))
        if state == .succeeded { rig.hear(0, .collect, .collected([rig.asset(of: 0)])) }
        #expect(rig.states[0] == end, "what was done is not called cancelled")
    }

    @Test func aCancelAheadOfItsJobIsSentAgain() {
        var rig = waiting()
        rig.feed(.cancel)
        rig.hear(0, .cancel, .cancelRefused(Failure("nothingToCancel", "P does not know the job.")))
        _ = rig.takeIntents()
        rig.hear(0, .submit, .accepted(captured: JSON.Object(), JobStatus(.running)))
        #expect(rig.takeRequests() == [.cancel] && rig.flow.jobs[0]?.record.phase == .cancelRequested)
    }

    @Test func anAnswerThatNeverComesEndsTheWaitForACancel() {
        var rig = waiting()
        rig.feed(.cancel)
        _ = rig.takeIntents()
        rig.hear(0, .cancel, .cancelTaken)
        let delay = rig.takeAlarm(0)!
        rig.pass(seconds: delay, due: 0)
        #expect(rig.states[0] == .cancelled && rig.flow.steps[0].failure?.code == "cancelUnconfirmed")
    }

    /// To submit it again could make anew what nobody wants.
    @Test(arguments: [
        (JobAnswer.cancelTaken, "cancelled"), (.cancelRefused(Failure("nothingToCancel", "404")), "submitUnknown"),
    ])
    func afterACrashWhatIsNotWantedIsNotSubmittedAgain(answer: JobAnswer, code: String) {
        var rig = waiting()
        rig.feed(.cancel)
        rig.restart()
        #expect(rig.takeRequests() == [.cancel])
        rig.hear(0, .cancel, answer)
        #expect(rig.states[0] == .cancelled && rig.flow.steps[0].failure?.code == code)
    }
}
