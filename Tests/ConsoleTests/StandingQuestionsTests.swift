import Actions
import JSON
import Synchronization
import Testing
import Vocabulary

@testable import Actions
@testable import Console

/// Questions are put one at a time, and none that a yes to the plan covers.
struct StandingQuestionsTests {
    private final class Put: QuestionPlace {
        private let numbers = Mutex<[Int64]>([])
        var all: [Int64] { numbers.withLock { $0 } }
        func put(_ record: AwaitRecord) -> Task<Void, Never>? {
            numbers.withLock { $0.append(record.number) }
            return Task {}
        }
    }

    private typealias Standing = StandingQuestions.Standing

    private static let call = Call(tool: "Gate", toolVersion: .ofNothing, params: JSON.Object())
    private static let planned = Question.Planned(step: 2, call: call, digest: ContentHash(digest: [9]))

    private static func record(_ number: Int64, step: Int, digest: ContentHash) -> AwaitRecord {
        var record = AwaitRecord(
            number: number, step: StepID(WorkflowID(1), step), type: .confirmCall, title: "t", reason: "r",
            createdAt: now, question: nil)
        record.digest = digest
        return record
    }

    /// The engine looks at each step by itself: it may open the question of a step that the yes to the plan covers
    /// before it has seen that yes.
    @Test func aYesToThePlanIsAskedForOnce() {
        let put = Put()
        var questions = StandingQuestions(at: put)
        let (first, digest) = (Self.record(1, step: 1, digest: ContentHash(digest: [1])), Self.planned.digest)
        questions.ask(first)
        questions.ask(Self.record(2, step: 2, digest: digest))
        #expect(questions.answered(1) == Standing(record: first))
        questions.cover([Self.planned], by: Standing(record: first))
        questions.putNext()
        questions.ask(Self.record(3, step: 2, digest: digest))
        // The workflow waited before the engine saw the yes.
        questions.putCovered()
        #expect(put.all == [1] && !questions.isEmpty)
        // The engine sees it and closes both, and the workflow waits for nothing more.
        questions.withdraw(1)
        questions.withdraw(3)
        questions.putCovered()
        #expect(put.all == [1] && questions.isEmpty)
    }

    /// The engine may close the await before the answer that closed it has come through here.
    @Test func aYesThatComesAfterItsAwaitWasClosedCoversThePlan() {
        let put = Put()
        var questions = StandingQuestions(at: put)
        let first = Self.record(1, step: 1, digest: ContentHash(digest: [1]))
        questions.ask(first)
        questions.ask(Self.record(2, step: 2, digest: Self.planned.digest))
        questions.withdraw(1)
        #expect(put.all == [1])
        #expect(questions.answered(1) == Standing(record: first, isWithdrawn: true))
        questions.cover([Self.planned], by: Standing(record: first, isWithdrawn: true))
        questions.putNext()
        #expect(put.all == [1] && questions.isEmpty)
        // What stays open although the engine has seen the yes is asked.
        questions.ask(Self.record(3, step: 2, digest: Self.planned.digest))
        questions.putCovered()
        #expect(put.all == [1, 3])
    }

    /// A question that was answered elsewhere makes room for the next one, and keeps nobody waiting.
    @Test func theNextQuestionFollowsOneThatWasAnsweredElsewhere() {
        let put = Put()
        var questions = StandingQuestions(at: put)
        questions.ask(Self.record(1, step: 1, digest: ContentHash(digest: [1])))
        questions.withdraw(1)
        #expect(questions.isEmpty)
        questions.ask(Self.record(2, step: 2, digest: ContentHash(digest: [2])))
        #expect(put.all == [1] && !questions.isEmpty)
        #expect(questions.answered(1)?.isWithdrawn == true)
        questions.putNext()
        #expect(put.all == [1, 2])
    }

    /// Another call than the one that was shown with the plan is asked about, and so is one that stays open.
    @Test func whatTheYesDoesNotCoverIsAsked() {
        let put = Put()
        var questions = StandingQuestions(at: put)
        questions.cover(
            [Self.planned],
            by: Standing(record: Self.record(1, step: 1, digest: Self.planned.digest), isWithdrawn: true))
        questions.ask(Self.record(4, step: 2, digest: Self.planned.digest))
        questions.ask(Self.record(5, step: 2, digest: ContentHash(digest: [5])))
        #expect(put.all == [5])
        #expect(questions.answered(5) != nil)
        questions.putCovered()
        #expect(put.all == [5, 4])
    }
}
