import Vocabulary

/// The place at which questions are put to the person.
protocol QuestionPlace: Sendable {
    /// Puts a question, and returns the task that waits for its answer. Returns nil if the person is not asked here.
    func put(_ record: AwaitRecord) -> Task<Void, Never>?
}

/// The questions that the person is still to be asked, one at a time.
struct StandingQuestions {
    let place: any QuestionPlace
    private var waiting: [AwaitRecord] = []
    private var standing: (question: Standing, task: Task<Void, Never>)?
    /// The digests of calls that a yes to their plan covers, by step.
    private var covered: [Int: ContentHash] = [:]
    /// The questions about these calls, which the engine opened before it saw that yes, and closes.
    private var aside: [AwaitRecord] = []
    /// The await that was answered with a yes to the plan, until the engine has closed it.
    private var unseenYes: Int64?

    /// A question that the person was asked.
    struct Standing: Equatable {
        let record: AwaitRecord
        /// Whether the await was closed before the person's answer arrived here. The answer may have closed it.
        var isWithdrawn = false
    }

    init(at place: any QuestionPlace) { self.place = place }

    /// Whether no question is left here, and the engine has seen each yes to a plan.
    var isEmpty: Bool {
        (standing?.question.isWithdrawn ?? true) && waiting.isEmpty && (unseenYes == nil || aside.isEmpty)
    }

    mutating func ask(_ record: AwaitRecord) {
        let isKnown =
            standing?.question.record.number == record.number
            || (waiting + aside).contains { $0.number == record.number }
        guard !isKnown else { return }
        if let digest = record.digest, covered[record.step.index] == digest { return aside.append(record) }
        waiting.append(record)
        putNext()
    }

    /// Removes the question whose answer has arrived.
    ///
    /// - Returns: the question, or nil if it is not open.
    mutating func answered(_ number: Int64) -> Standing? {
        guard let question = standing?.question, question.record.number == number else { return nil }
        standing = nil
        return question
    }

    /// Records the calls that a yes to their plan covers. The engine closes their awaits, or opens others. The person
    /// is not asked about an await that the engine opens before it has seen the yes.
    mutating func cover(_ plan: [Question.Planned], by yes: Standing) {
        if !yes.isWithdrawn { unseenYes = yes.record.number }
        for call in plan { covered[call.step] = call.digest }
        let steps = Set(plan.map(\.step))
        waiting.removeAll { $0.type == .confirmCall && steps.contains($0.step.index) }
    }

    /// Puts the open questions that a yes seemed to cover, after the workflow waits for nothing else. Does nothing
    /// until the engine has read that yes, since the workflow may still wait for the calls that it covers.
    mutating func putCovered() {
        guard unseenYes == nil else { return }
        waiting += aside
        (aside, covered) = ([], [:])
        putNext()
    }

    /// Withdraws the question of a closed await. If it is open, the next question follows after its task has ended. The
    /// person's answer may have closed the await, and may cover the next question, too.
    mutating func withdraw(_ number: Int64) {
        if unseenYes == number { unseenYes = nil }
        waiting.removeAll { $0.number == number }
        aside.removeAll { $0.number == number }
        guard standing?.question.record.number == number else { return }
        standing?.task.cancel()
        standing?.question.isWithdrawn = true
    }

    mutating func withdrawAll() {
        (waiting, aside) = ([], [])
        standing?.task.cancel()
        standing = nil
    }

    /// Puts the next question, unless a question is open.
    mutating func putNext() {
        while standing == nil, !waiting.isEmpty {
            let next = waiting.removeFirst()
            standing = place.put(next).map { (Standing(record: next), $0) }
        }
    }
}
