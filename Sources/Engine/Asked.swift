import JSON
import Vocabulary

extension Command.Verb {
    /// The reason that the history records for a command, and the step that the command names. `nil` for answers, since
    /// the end of their await is recorded.
    var asked: (Reason, step: Int?)? {
        switch self {
        case .cancel: (Reason(.cancelAsked, "A cancel was asked for."), nil)
        case .retry(let step): (Reason(.retryAsked, "A retry was asked for, with the inputs it had."), step)
        case .rerun(let rerun): (Reason(.rerunAsked, rerun.words), rerun.step)
        case .poll(let isOn):
            isOn
                ? (Reason(.resumeAsked, "Status checks were asked to go on."), nil)
                : (Reason(.pauseAsked, "Status checks were asked to pause; the remote job goes on."), nil)
        case .pin(let step, let port, let attempt):
            (
                Reason(
                    .pinAsked,
                    "Input \"\(port)\" was asked to take \(attempt.map { "attempt \($0)" } ?? "the newest")."), step
            )
        case .revise: (Reason(.editAsked, "An edit of the graph was asked for."), nil)
        case .answer, .complete: nil
        }
    }
}

extension AskTerms {
    /// The reason that the history records when these terms begin to hold.
    var reason: Reason {
        let words =
            switch onAsk {
            case .inline: "is asked at the terminal"
            case .deny: "is denied"
            case .park: "waits in the inbox"
            case .fail: "fails"
            }
        return Reason(.termsChanged, "From now on it is decided in \(mode.rawValue) mode; what would ask \(words).")
    }
}

extension Rerun {
    fileprivate var words: String {
        let edited = edits.map { " and other \($0.keys.joined(separator: ", "))" } ?? ""
        return
            "A re-run was asked for, with the latest inputs\(edited)\(isBelow ? ", and of what comes after it" : "")."
    }
}
