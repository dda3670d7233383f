package import Vocabulary

extension JobPhase {
    /// The words for a phase, or nil if the state of the step says as much.
    package var words: String? {
        switch self {
        case .submitIntent: "submitting"
        case .submitUnknown: "whether it was submitted is not known"
        case .cancelRequested: "cancelling"
        case .submitted, .collecting: nil
        }
    }
}
