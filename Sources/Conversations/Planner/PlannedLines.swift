import Synchronization
import Vocabulary

extension Limits {
    /// The most lines whose answers are kept. A turn looks at a few dozen.
    fileprivate static let keptLines = 200
}

/// The answers to the lines that a planner has read for one listing of the files. Within a turn the same line is asked
/// about several times: whether it is understood, whether it speaks of the last order, and what is to be done.
final class PlannedLines: Sendable {
    typealias Answered = Result<BuiltInPlanner.Answer, Refusal>

    private struct Line: Hashable {
        let text: String
        let explains: Bool
    }

    private struct Kept {
        var listing: Listing?
        var answers: [Line: Answered] = [:]
    }

    private let kept = Mutex(Kept())

    /// Returns the answer to a line, which `read` gives if it is not known yet.
    ///
    /// - Parameter explains: whether a refusal names the words that stand in the way.
    func answer(to text: String, listing: Listing, explains: Bool, read: () -> Answered) -> Answered {
        let line = Line(text: text, explains: explains)
        if let known = kept.withLock({ $0.listing == listing ? $0.answers[line] : nil }) { return known }
        let answer = read()
        kept.withLock { kept in
            if kept.listing != listing || kept.answers.count >= Limits.keptLines { kept = Kept(listing: listing) }
            kept.answers[line] = answer
            if case .success = answer { kept.answers[Line(text: text, explains: !explains)] = answer }
        }
        return answer
    }
}
