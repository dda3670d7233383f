import JSON
import Vocabulary

/// A step of a guide, with all values of it for a package.
struct PackedStep {
    var entry: GuideRecord.Entry
    var media: [PackedMedium]
    var refusals: [Refused]
    /// The answers that were accepted although they did not meet the requirements.
    var taken: [Taken]
    var annotations: [GuidePackage.Annotation]
    /// The time when the step ended. It is `nil` if the step is open, or if it was not asked. `endedBy` is the person
    /// who ended it.
    var endedAt: Moment?
    var endedBy: String?

    /// A refused answer.
    struct Refused: Hashable {
        /// The number of the attempt, from 1.
        var attempt: Int
        var check: String
        var code: FailureCode
        var words: String
        var figures: JSON?
    }

    /// An answer that a person accepted although it did not meet the requirements.
    struct Taken: Hashable {
        var why: String
        /// The person, or `nil` if the events do not name one.
        var by: String?
    }

    var id: String { entry.step.id }

    /// Returns the steps of a guide except its notes, in order.
    static func all(of rows: GuidePackage.Rows, media: [PackedMedium]) -> [PackedStep] {
        let events = Dictionary(
            grouping: rows.events.filter { $0.type.hasPrefix("await.") && $0.step != nil }, by: \.step)
        let media = Dictionary(grouping: media, by: \.step)
        let annotations = Dictionary(grouping: rows.annotations, by: \.step)
        return rows.record.entries.filter { $0.step.kind != .note }.map { entry in
            PackedStep(
                entry, media: media[entry.step.id] ?? [], events: events[entry.record.id.index] ?? [],
                annotations: annotations[entry.step.id] ?? [])
        }
    }

    private init(
        _ entry: GuideRecord.Entry, media: [PackedMedium], events: [EventRecord], annotations: [GuidePackage.Annotation]
    ) {
        (self.entry, self.media, self.annotations) = (entry, media, annotations)
        refusals = events.filter { $0.type == "await.refused" }.prefix(Limits.packageRefusals).map { event in
            func text(_ key: String) -> String { event.body[key]?.string ?? "" }
            return Refused(
                attempt: event.body["attempt"]?.int ?? 0, check: text("check"), code: FailureCode(text("code")),
                words: text("words"),
                figures: event.body["figures"])
        }
        // An accepted answer that was given again later is left out.
        let reasons = Set(media.compactMap(\.taken) + [entry.taken].compactMap(\.self))
        let told = events.filter { $0.type == "await.taken" }.compactMap { event in
            event.body["why"]?.string.map { Taken(why: $0, by: event.body["by"]?.string) }
        }
        taken = reasons.sorted().map { reason in told.last { $0.why == reason } ?? Taken(why: reason) }
        switch entry.state {
        case .answered, .skipped:
            let end = events.last { $0.type == "await.closed" }
            (endedAt, endedBy) = (end?.at ?? entry.record.updatedAt, end?.body["by"]?.string)
        case .open, .asked, .notAsked, .failed: (endedAt, endedBy) = (nil, nil)
        }
    }

    /// The reason why the step was skipped, or an empty text.
    var skipWords: String { entry.skipWords }

    /// Returns a value that reads the same in every language.
    private func exact(_ value: JSON) -> JSON {
        if case .number = entry.step.kind, let plain = value.string { return TypedNumber.unambiguous(plain) }
        return value
    }

    /// The answer in the form of a file of answers, or `nil` if there is none.
    var answer: AnswersFile.Step? {
        switch entry.state {
        case .skipped: return AnswersFile.Step(id: id, answer: .skip(words: skipWords))
        case .open, .asked, .notAsked, .failed: return nil
        case .answered: break
        }
        guard !media.isEmpty else {
            return entry.value.map { AnswersFile.Step(id: id, answer: .value(exact($0)), take: entry.taken) }
        }
        guard case .capture(let capture) = entry.step.kind else {
            return AnswersFile.Step(
                id: id, answer: .pictures([AnswersFile.Picture(path: media[0].file, take: media[0].taken)]))
        }
        // A file is not an answer if the guide requires the camera.
        if capture.source == .camera {
            return AnswersFile.Step(id: id, answer: .camera, take: media.lazy.compactMap(\.taken).first)
        }
        let pictures = media.map { medium in
            AnswersFile.Picture(part: capture.each.isEmpty ? nil : medium.part, path: medium.file, take: medium.taken)
        }
        return AnswersFile.Step(id: id, answer: .pictures(pictures))
    }
}

extension Limits {
    /// The most refused answers of a step that a package lists.
    fileprivate static let packageRefusals = 1000
}
