import JSON
import Synchronization
import Testing
import Vocabulary

@testable import Console

/// Questions are put one at a time, and none that a yes to the plan covers.
struct StandingQuestionsTests {
    private final class Put: Sendable {
        private let numbers = Mutex<[Int64]>([])
        var all: [Int64] { numbers.withLock { $0 } }
        func put(_ record: AwaitRecord) -> Task<Void, Never> {
            numbers.withLock { $0.append(record.number) }
            return Task {}
        }
    }

    private static let call = Call(tool: "Gate", toolVersion: .ofNothing, params: JSON.Object())
    private static let planned = Question.Planned(step: 2, call: call, digest: ContentHash(digest: [9]))

    private static func record(_ number: Int64, step: Int, digest: ContentHash) -> AwaitRecord {
        var record = AwaitRecord(
            number: number, step: StepID(WorkflowID(1), step), type: .confirmCall, title: "t", reason: "r", createdAt: now, question: nil)
        record.digest = digest
        return record
    }

    /// The engine looks at each step by itself: it may open the question of a step that the yes to the plan covers before it has seen that yes.
    @Test func aYesToThePlanIsAskedForOnce() {
        let put = Put()
        var questions = StandingQuestions(put: put.put)
        let (first, digest) = (Self.record(1, step: 1, digest: ContentHash(digest: [1])), Self.planned.digest)
        questions.ask(first)
        questions.ask(Self.record(2, step: 2, digest: digest))
        #expect(questions.answered(1) == first)
        questions.cover([Self.planned])
        questions.putNext()
        questions.ask(Self.record(3, step: 2, digest: digest))
        #expect(put.all == [1] && questions.isEmpty)
        // The engine closes it; and the workflow waits for nothing more.
        questions.withdraw(3)
        questions.putCovered()
        #expect(put.all == [1] && questions.isEmpty)
    }

    /// Another call than the one that was shown with the plan is asked about, and so is one that stays open.
    @Test func whatTheYesDoesNotCoverIsAsked() {
        let put = Put()
        var questions = StandingQuestions(put: put.put)
        questions.cover([Self.planned])
        questions.ask(Self.record(4, step: 2, digest: Self.planned.digest))
        questions.ask(Self.record(5, step: 2, digest: ContentHash(digest: [5])))
        #expect(put.all == [5])
        #expect(questions.answered(5) != nil)
        questions.putCovered()
        #expect(put.all == [5, 4])
    }
}
