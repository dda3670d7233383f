import Vocabulary

/// The step, or the picture of a step, to which a person writes a note at the review: `3 TEXT`, or `3.2 TEXT`.
struct NotePlace {
    let text: String
    private let number: Int
    /// The number of the picture, from 1.
    private let picture: Int?

    /// Reads the place before a text.
    ///
    /// - Returns: `nil` if no number stands before the text.
    init?(_ words: String) {
        let parts = words.split(separator: " ", maxSplits: 1)
        let numbers = parts.first?.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) } ?? []
        guard parts.count == 2, (1...2).contains(numbers.count), let number = numbers[0], !numbers.contains(nil) else {
            return nil
        }
        (self.number, picture, text) = (number, numbers.count == 2 ? numbers[1] : nil, String(parts[1]))
    }

    /// Returns the entry with the number, or `nil` if there is no such entry, or no such picture in it.
    func entry(of record: GuideRecord) -> GuideRecord.Entry? {
        record.entries.last { entry in
            entry.number == number && entry.state != .notAsked
                && picture.map { entry.media.indices.contains($0 - 1) } ?? true
        }
    }

    /// Returns the name of the picture, or its number. `nil` stands for the whole step.
    func part(of entry: GuideRecord.Entry) -> String? { picture.map { entry.media[$0 - 1].part ?? String($0) } }
}
