package import Vocabulary

/// The part of a front end that puts the question of an await to the user, and stores the answer.
package protocol Questioner: Sendable {
    /// Asks the user about an await.
    ///
    /// - Returns: the answer, which may come from another process.
    func ask(_ record: AwaitRecord) async -> QuestionOutcome

    /// Asks the user about an await, below a sentence about what the user has refused before.
    func ask(_ record: AwaitRecord, after refusal: String?) async -> QuestionOutcome
}

extension Questioner {
    /// Asks the user without the sentence.
    package func ask(_ record: AwaitRecord, after refusal: String?) async -> QuestionOutcome { await ask(record) }
}

/// The end of a question that was put to the user.
package enum QuestionOutcome: Hashable, Sendable {
    case answered(Answer)
    /// The user pressed Ctrl-C or Esc, or the input ended. This is neither a yes nor a no, and the await stays in the
    /// inbox.
    case unanswered
    /// An await that does not ask about a call was completed, skipped or rejected.
    case done

    /// The exit status of a command that only asked.
    package var status: ExitStatus {
        switch self {
        case .unanswered: .waiting
        case .answered(.no): .denied
        case .answered, .done: .succeeded
        }
    }
}
