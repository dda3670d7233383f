package import JSON

/// The state of each step of a guide, as a function of the rows that are stored.
package struct GuideRecord: Hashable, Sendable {
    package var guide: Guide
    package var workflow: WorkflowID
    package var entries: [Entry]

    package enum State: String, Hashable, Sendable {
        /// Not reached yet, and asked now.
        case open, asked
        case answered
        /// The step was left out: by the person (`skipped`), or by a condition (`notAsked`).
        case skipped, notAsked
        case failed
    }

    /// A picture that a person gave, with its measured figures.
    package struct Medium: Hashable, Sendable {
        /// The name of the picture among several, or `nil` if it has none.
        package var part: String?
        package var asset: Asset
        package var figures: PictureFigures? { asset.meta[Asset.figuresKey].flatMap { PictureFigures(json: $0) } }
        /// The person's reason for a picture that was accepted although it does not fit.
        package var taken: String? { asset.meta[Asset.takenKey]?["why"]?.string }
    }

    package struct Entry: Hashable, Sendable {
        package var step: GuideStep
        /// The number of the step as users see it, or `nil` for a note.
        package var number: Int?
        package var record: StepRecord
        package var state: State
        /// The answer: a text, a number or a day as it was written, or the chosen words. It is `nil` for pictures, and
        /// if there is no answer.
        package var value: JSON?
        package var media: [Medium]
        /// The person's reason for an answer that was accepted although it does not fit.
        package var taken: String?

        /// The words with which the step was skipped: the person's own, or else those of the guide. They are empty if
        /// there are none.
        package var skipWords: String {
            let words = record.reason?.words ?? ""
            return words.isEmpty || words == Reason.skippedWords ? step.skip?.words ?? "" : words
        }
    }

    /// Creates the record of a workflow that was made from a guide.
    ///
    /// - Parameter assets: the outputs of its steps. For each step only the last run counts.
    package init(guide: Guide, workflow: WorkflowID, steps: [StepRecord], assets: [Asset]) {
        (self.guide, self.workflow) = (guide, workflow)
        let numbers = guide.numbers
        let records = Dictionary(steps.map { ($0.node, $0) }) { first, _ in first }
        let made = Dictionary(grouping: assets, by: \.run.step)
        entries = guide.askedSteps.compactMap { step in
            guard let record = records[step.id] else { return nil }
            // A skip is a run that gives nothing, whatever was given before.
            let given = (made[record.id] ?? []).filter { $0.run.attempt == record.attempt }
            let media = given.filter { $0.type == .image }.sorted { Self.place($0.port) < Self.place($1.port) }
            return Entry(
                step: step, number: numbers[step.id], record: record, state: Self.state(of: record),
                value: given.lazy.compactMap { $0.meta[Asset.answerKey] }.first,
                media: media.map { Medium(part: $0.meta[Asset.partKey]?.string, asset: $0) },
                taken: given.lazy.compactMap { $0.meta[Asset.takenKey]?["why"]?.string }.first)
        }
    }

    private static func state(of record: StepRecord) -> State {
        switch record.state {
        case .blocked: .open
        case .succeeded where record.reason?.code == Code.notAsked: .notAsked
        case .succeeded where record.reason?.code == Code.skipped: .skipped
        case .succeeded: .answered
        case .failed, .cancelled: .failed
        case .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading: .asked
        }
    }

    /// Returns the place of a picture among several: `image.2` is the second.
    private static func place(_ port: String) -> Int { port.split(separator: ".").last.flatMap { Int($0) } ?? 0 }

    /// The entries that are answered, in their order.
    package var answered: [Entry] { entries.filter { $0.state == .answered } }
}

extension Reason {
    /// The codes of steps that are over without an answer: the person skipped it, or its condition does not hold.
    /// The words of a skip if the person gave none.
    package static let skippedWords = "It was skipped."
}
