import JSON
import Services
import Storage
import Vocabulary

extension Limits {
    /// The most differences that one message names.
    fileprivate static let differencesTold = 5

    /// The most characters of an answer that a message names.
    fileprivate static let answerCharacters = 60
}

/// A step whose stored answer is not the one that a file gives.
struct AnswerDifference {
    let step: StepRecord
    /// The answer of the file, in a few words.
    let wanted: String
    /// The stored answer, in a few words.
    let stored: String

    /// Returns the failure that names the stored answers beside those of the file.
    static func failure(_ all: [AnswerDifference], in workflow: WorkflowID) -> Failure {
        let shown = all.prefix(Limits.differencesTold).map {
            "\($0.step.node) is \($0.wanted), and \($0.stored) is stored"
        }
        let rest = all.count > shown.count ? ["\(all.count - shown.count) more"] : []
        return Failure(
            .badAnswers,
            "Answers of the file differ from those of \(workflow): \((shown + rest).joined(separator: "; ")).",
            remedy: "Change the file, or add --replace, which answers these steps again.")
    }
}

/// The comparison of the answers of a file with the stored ones.
struct AnswerComparison {
    let run: GuideRun
    let file: AnswersFile
    let answers: GuideAnswers

    /// Returns the answered steps for which the file gives another answer, in the order of the guide.
    func differences() async throws(Failure) -> [AnswerDifference] {
        let done = try run.shared.archive.get().awaits(includingDone: true).filter {
            $0.step.workflow == run.workflow && $0.request != nil
        }
        let newest = Dictionary(done.map { ($0.step, $0) }) { $0.number > $1.number ? $0 : $1 }
        var found: [AnswerDifference] = []
        for entry in try run.record().entries where entry.state == .answered || entry.state == .skipped {
            guard let wanted = file[entry.step.id]?.answer, let record = newest[entry.record.id],
                try await !isEqual(wanted, entry, record)
            else { continue }
            found.append(
                AnswerDifference(step: entry.record, wanted: Self.words(wanted), stored: Self.words(of: entry)))
        }
        return found
    }

    private func isEqual(_ wanted: AnswersFile.Answer, _ entry: GuideRecord.Entry, _ record: AwaitRecord)
        async throws(Failure) -> Bool
    {
        switch wanted {
        case .skip(let words): return entry.state == .skipped && (words.isEmpty || words == entry.skipWords)
        // Which photograph the camera would take now is not known.
        case .camera: return entry.state == .answered
        case .value(let value):
            guard entry.state == .answered, let intake = Intake(record, answers) else { return false }
            let read = intake.read(value.string ?? value.text, chosen: value.array == nil ? nil : value, isExact: true)
            guard case .success(let answer) = read else { return false }
            if case .number = entry.step.kind, let one = answer.string, let other = entry.value?.string {
                return ExactNumber(one) == ExactNumber(other)
            }
            return answer == entry.value
        case .pictures(let pictures):
            guard entry.state == .answered, pictures.count == entry.media.count else { return false }
            return try await areEqual(pictures, entry.media, record)
        }
    }

    private func areEqual(_ pictures: [AnswersFile.Picture], _ media: [GuideRecord.Medium], _ record: AwaitRecord)
        async throws(Failure) -> Bool
    {
        for (place, picture) in pictures.enumerated() {
            let part = picture.part.map(GuideStep.part)
            let stored = part.flatMap { part in media.first { $0.part == part } } ?? media[place]
            guard let path = picture.path else { continue }
            let asset = try await answers.store(.file(path), for: Port(stored.asset.port, .image), of: record)
            guard asset.hash == stored.asset.hash else { return false }
        }
        return true
    }

    private static func words(_ answer: AnswersFile.Answer) -> String {
        switch answer {
        case .value(let value): quoted(value)
        case .camera: "a photograph"
        case .pictures(let pictures):
            NameList.words(
                pictures.map { $0.path.flatMap { $0.split(separator: "/").last }.map(String.init) ?? "a photograph" })
        case .skip(let words): words.isEmpty ? "skipped" : "skipped (\(cut(words)))"
        }
    }

    private static func words(of entry: GuideRecord.Entry) -> String {
        if entry.state == .skipped { return words(.skip(words: entry.skipWords)) }
        if let value = entry.value { return quoted(value) }
        return NameList.words(entry.media.map { cut($0.asset.name) })
    }

    private static func cut(_ words: String) -> String {
        words.count > Limits.answerCharacters ? words.prefix(Limits.answerCharacters) + "…" : words
    }

    private static func quoted(_ value: JSON) -> String {
        let words = value.array?.compactMap(\.string).joined(separator: ", ") ?? value.string ?? value.text
        return "\"\(cut(words))\""
    }
}
