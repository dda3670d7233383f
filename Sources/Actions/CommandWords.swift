package import Vocabulary

extension Command.Verb {
    /// The command in a few words, such as `rerun of step 2`.
    package var words: String {
        switch self {
        case .cancel: "cancel"
        case .retry(let step): "retry" + Self.of(step)
        case .rerun(let rerun): "rerun" + Self.of(rerun.step)
        case .answer(_, let number, _, _), .complete(_, let number, _, _): "the answer to \(number)"
        case .poll(let isOn): isOn ? "resume of status checks" : "pause of status checks"
        case .pin(let step, let port, _): "pin of \(step).\(port)"
        case .revise: "edit of the graph"
        }
    }

    /// The number of the step that the command changes, or nil if it changes several.
    package var changedStep: Int? {
        switch self {
        case .retry(let step): step
        case .rerun(let rerun): rerun.step
        case .answer(let step, _, _, _), .complete(let step, _, _, _), .pin(let step, _, _): step
        case .cancel, .poll, .revise: nil
        }
    }

    /// Whether steps run again that have ended.
    package var runsAgain: Bool {
        switch self {
        case .retry, .rerun: true
        case .cancel, .answer, .complete, .poll, .pin, .revise: false
        }
    }

    /// Whether the command is a rerun.
    package var isRerun: Bool { if case .rerun = self { true } else { false } }

    private static func of(_ step: Int?) -> String { step.map { " of step \($0)" } ?? "" }
}
