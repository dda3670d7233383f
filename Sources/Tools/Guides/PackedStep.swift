import JSON
import Vocabulary

/// A step of a guide with everything that a package says about it.
struct PackedStep {
    var entry: GuideRecord.Entry
    var media: [PackedMedium]
    var refusals: [Refused]
    /// The answers that did not fit and were taken as they are.
    var taken: [Taken]
    var annotations: [GuidePackage.Annotation]
    /// The time when the step ended, and the person who ended it; `nil` if it is open, or if nobody was asked.
    var endedAt: Moment?
    var endedBy: String?

    /// An answer that was refused.
    struct Refused: Hashable {
        /// Counts from 1.
        var attempt: Int
        var check: String
        var code: String
        var words: String
        var figures: JSON?
    }

    /// An answer that a person took although it did not fit.
    struct Taken: Hashable {
        var why: String
        /// The person; `nil` if the events do not say.
        var by: String?
    }

    var id: String { entry.step.id }

    /// Returns the steps of a guide but for its notes, in their order.
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
                attempt: event.body["attempt"]?.int ?? 0, check: text("check"), code: text("code"),
                words: text("words"),
                figures: event.body["figures"])
        }
        // An answer that was taken and then given again is no longer there.
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

    /// The words by which the step was left out; empty if there are none.
    var skipWords: String { entry.skipWords }

    /// The answer as a file of answers has it; `nil` if there is none.
    var answer: AnswersFile.Step? {
        switch entry.state {
        case .skipped: return AnswersFile.Step(id: id, answer: .skip(words: skipWords))
        case .open, .asked, .notAsked, .failed: return nil
        case .answered: break
        }
        guard !media.isEmpty else {
            return entry.value.map { AnswersFile.Step(id: id, answer: .value($0), take: entry.taken) }
        }
        guard case .capture(let capture) = entry.step.kind else {
            return AnswersFile.Step(
                id: id, answer: .pictures([AnswersFile.Picture(path: media[0].file, take: media[0].taken)]))
        }
        // A file is no answer where the guide wants the camera.
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
    /// Refused answers of one step that a package names.
    fileprivate static let packageRefusals = 1000
}
