import Vocabulary

/// The look over everything at the end of a guide.
struct GuideReview {
    let step: StepRecord
    /// Whether a step was answered again after it.
    let isOld: Bool

    /// - Returns: `nil` if the guide has no review.
    init?(of steps: [StepRecord]) {
        guard let review = steps.first(where: { $0.node == Guide.reviewID }) else { return nil }
        step = review
        isOld = review.state == .succeeded && steps.contains { $0.updatedAt > review.updatedAt }
    }
}

/// The step, or the picture of a step, to which a person writes a note at the review: `3 TEXT`, or `3.2 TEXT`.
struct NotePlace {
    let text: String
    private let number: Int
    /// Counts from 1.
    private let picture: Int?

    /// - Returns: `nil` if no number stands before the text.
    init?(_ words: String) {
        let parts = words.split(separator: " ", maxSplits: 1)
        let numbers = parts.first?.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) } ?? []
        guard parts.count == 2, (1...2).contains(numbers.count), let number = numbers[0], !numbers.contains(nil) else {
            return nil
        }
        (self.number, picture, text) = (number, numbers.count == 2 ? numbers[1] : nil, String(parts[1]))
    }

    /// Returns the entry that is meant; `nil` if there is none with such a number, or no such picture in it.
    func entry(of record: GuideRecord) -> GuideRecord.Entry? {
        record.entries.last { entry in
            entry.number == number && entry.state != .notAsked
                && picture.map { entry.media.indices.contains($0 - 1) } ?? true
        }
    }

    /// Returns the name of the picture that is meant, or its number; `nil` for the whole step.
    func part(of entry: GuideRecord.Entry) -> String? { picture.map { entry.media[$0 - 1].part ?? String($0) } }
}
