package import Vocabulary

package enum AnswerOutcome: Hashable, Sendable {
    case taken
    case alreadyAnswered(resolution: String, by: String, at: Moment)
}
