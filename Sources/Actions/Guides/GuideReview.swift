import Vocabulary

/// The last step of a guide, at which the person looks over all answers.
struct GuideReview {
    let step: StepRecord
    /// Whether a step was answered again after the review.
    let isOld: Bool

    /// Creates the review of a workflow.
    ///
    /// - Returns: `nil` if the guide has no review.
    init?(of steps: [StepRecord]) {
        guard let review = steps.first(where: { $0.node == Guide.reviewID }) else { return nil }
        step = review
        isOld = review.state == .succeeded && steps.contains { $0.updatedAt > review.updatedAt }
    }
}
