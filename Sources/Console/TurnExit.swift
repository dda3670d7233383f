import Conversations
import Vocabulary

extension ExitStatus {
    /// Creates the exit status of a turn.
    ///
    /// - Parameter ending: `nil` if there was no turn.
    init(of ending: Turn.Ending?) {
        switch ending {
        case .completed, nil: self = .succeeded
        case .declined: self = .denied
        case .interrupted: self = .interrupted
        case .refused: self = .badUsage
        case .waiting: self = .waiting
        case .failed(let failure): self = failure.code.exit
        }
    }
}
