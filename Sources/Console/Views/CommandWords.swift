import Vocabulary

extension Command.Verb {
    /// The command in a few words, such as `rerun of step 2`.
    var words: String {
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

    var isRerun: Bool { if case .rerun = self { true } else { false } }

    private static func of(_ step: Int?) -> String { step.map { " of step \($0)" } ?? "" }
}
