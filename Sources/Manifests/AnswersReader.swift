import JSON
package import Vocabulary

/// Reads a file of answers to a guide, which is YAML or JSON.
///
/// - Parameters:
///   - file: how the file is called in problems (`answers.yaml:3:5`).
///   - guide: the guide that is answered.
///   - groupSigns: the signs before three digits that can divide thousands for the person who wrote the file.
/// - Returns: the answers as far as they can be read, and everything that is wrong with them. If there is a problem, no
///   step may begin.
package func readAnswers(
    _ text: String, file: String, guide: Guide, groupSigns: Set<Character> = [","]
) -> (answers: AnswersFile?, problems: [Problem]) {
    guard text.utf8.count <= Limits.answersBytes else {
        let words = "A file of answers has at most \(Limits.answersBytes) bytes; this one has \(text.utf8.count)."
        return (nil, [Problem(.tooLarge, at: "\(file):1:1", words)])
    }
    let read: YAML?
    do throws(Problem) { read = try readConfigDocument(AnswersReader.joiningSurrogates(in: text), file: file) } catch {
        return (nil, [error])
    }
    guard let document = read, var fields = Fields(document, file: file, subject: "The answers", hasColumns: true)
    else {
        return (
            nil,
            [
                Problem(
                    .badAnswers, at: "\(file):1:1", "A file of answers begins with \"answers: \(AnswersFile.schema)\"."
                )
            ]
        )
    }
    var reader = AnswersReader(guide: guide, file: file, groupSigns: groupSigns)
    let answers = reader.answers(&fields)
    return (answers, (fields.problems + reader.problems).sorted(byPlaceIn: file))
}

extension Limits {
    /// The most bytes of a file of answers to a guide.
    fileprivate static let answersBytes = 2 << 20

    /// The most bytes of a path in a file of answers.
    static let answerPathBytes = 4096
}

/// Reads the answers one by one, each by the kind of its step.
struct AnswersReader {
    let guide: Guide
    let file: String
    /// The signs before three digits that can divide thousands.
    private let groupSigns: Set<Character>
    private(set) var problems: [Problem] = []

    init(guide: Guide, file: String, groupSigns: Set<Character>) {
        (self.guide, self.file, self.groupSigns) = (guide, file, groupSigns)
    }

    mutating func answers(_ fields: inout Fields) -> AnswersFile {
        let schema = fields.requiredText("answers")
        if !schema.isEmpty, schema != AnswersFile.schema {
            fields.report(
                .badAnswers, at: "answers",
                "\"\(schema.prefix(40))\" is not known; this program reads \(AnswersFile.schema).")
        }
        let id = fields.requiredText("guide")
        if !id.isEmpty, id != guide.id {
            fields.report(
                .otherGuide, at: "guide", "These are answers to \(id.prefix(40)), and the guide is \(guide.id).")
        }
        let members = fields.mapping("steps")
        let notes = fields.has("notes") ? fields.list("notes") : []
        if !fields.has("steps") {
            fields.report(.missingField, "\"steps\" is missing: it has an answer for each step.")
        }
        fields.refuseTheRest()
        let steps = Dictionary(guide.allSteps.map { ($0.id, $0) }) { first, _ in first }
        let asked = guide.askedSteps.filter { $0.kind != .note }.map(\.id)
        var answers = AnswersFile(guide: id, steps: [])
        for member in members {
            let place = GuideStep.Place(line: member.line, column: member.column)
            switch steps[member.key] {
            case nil:
                let hint = NearestWord.hint(for: member.key, among: asked)
                report(.unknownStep, at: place, "The guide has no step \(member.key.prefix(40)). \(hint)")
            case let step? where !step.inner.isEmpty:
                report(.wrongAnswer, at: place, "\(step.id) is a group: answer the steps inside it.")
            case let step? where step.kind == .note:
                report(.wrongAnswer, at: place, "\(step.id) is a note, which needs no answer.")
            case let step?:
                guard let (answer, take) = answer(member.value, to: step) else { continue }
                answers.steps.append(AnswersFile.Step(id: step.id, answer: answer, take: take, place: place))
            }
        }
        answers.notes = notes.prefix(Self.mostNotes).compactMap { note($0, steps.filter { asked.contains($0.key) }) }
        if notes.count > Self.mostNotes {
            report(.tooLarge, at: notes[Self.mostNotes], "A file has at most \(Self.mostNotes) notes.")
        }
        return answers
    }

    private static let mostNotes = 1000

    /// Reads `{step: STEP, part: NAME, text: WORDS}`.
    ///
    /// - Parameter steps: those that can have notes.
    private mutating func note(_ yaml: YAML, _ steps: [String: GuideStep]) -> AnswersFile.Note? {
        guard var fields = Fields(yaml, file: file, subject: "A note", hasColumns: true) else {
            report(.badField, at: yaml, "A note is {step: STEP, text: WORDS}, not \(yaml.json.kindInWords).")
            return nil
        }
        let note = AnswersFile.Note(
            step: fields.requiredText("step"), part: fields.shortText("part"), text: fields.instruction("text"))
        if let step = steps[note.step] {
            if let part = note.part, !step.hasPicture(part) {
                fields.report(.unknownPart, at: "part", "\(step.id) has no picture \"\(part.prefix(40))\".")
            }
        } else if !note.step.isEmpty {
            let hint = NearestWord.hint(for: note.step, among: Array(steps.keys))
            fields.report(.unknownStep, at: "step", "The guide has no step \(note.step.prefix(40)). \(hint)")
        }
        fields.refuseTheRest()
        problems += fields.problems
        return fields.problems.isEmpty ? note : nil
    }

    // MARK: One answer

    private typealias Read = (answer: AnswersFile.Answer, take: String?)

    private mutating func answer(_ yaml: YAML, to step: GuideStep) -> Read? {
        switch step.kind {
        case .capture(let capture):
            var pictures = AnswerPictures(step: step, capture: capture, file: file)
            defer { problems += pictures.problems }
            if !pictures.isParts(yaml), let control = control(yaml, step, besides: ["file"]) { return control }
            return pictures.read(yaml).map { (.pictures($0), nil) }
        case .code:
            if let control = control(yaml, step, besides: ["file", "value"]) { return control }
            if yaml["file"] != nil {
                var pictures = AnswerPictures(step: step, capture: GuideStep.Capture(), file: file)
                defer { problems += pictures.problems }
                return pictures.read(yaml).map { (.pictures($0), nil) }
            }
            return valued(yaml, to: step)
        case .text, .number, .date, .choose:
            if let control = control(yaml, step, besides: ["value"]) { return control }
            return valued(yaml, to: step)
        case .note, .group: return nil
        }
    }

    /// Reads `{skip: WORDS}` and `{camera: true}`.
    ///
    /// - Parameter besides: the keys that an answer of the step may have instead.
    /// - Returns: `nil` if the answer is another one, and `.some(nil)` if it is wrong.
    private mutating func control(_ yaml: YAML, _ step: GuideStep, besides: [String]) -> Read?? {
        guard var fields = Fields(yaml, file: file, subject: step.id, hasColumns: true) else { return nil }
        if besides.contains(where: fields.has) { return nil }
        defer { problems += fields.problems }
        if fields.has("skip") {
            let words = fields.shortText("skip")
            fields.refuseTheRest()
            guard step.skip != nil || !step.isRequired else {
                fields.report(.cannotSkip, at: "skip", "The guide needs an answer here: the step cannot be skipped.")
                return .some(nil)
            }
            return .some(words.map { (.skip(words: $0), nil) })
        }
        if fields.has("camera") {
            let isOn = fields.flag("camera")
            let take = fields.reason()
            fields.refuseTheRest()
            switch step.kind {
            case .capture, .code: break
            default:
                fields.report(
                    .wrongAnswer, at: "camera", "A picture is no answer here: \(step.answerInWords) is wanted.")
            }
            if isOn == false { fields.report(.badField, at: "camera", "\"camera\" can only be true.") }
            return .some(isOn == true ? (.camera, take) : nil)
        }
        fields.know(besides + ["skip", "take"] + (step.takesPictures ? ["camera"] : []))
        fields.refuseTheRest()
        if fields.problems.isEmpty {
            fields.report(.wrongAnswer, "\(step.answerInWords) is wanted here.".capitalisedFirst)
        }
        return .some(nil)
    }

    /// Reads a value, or `{value: …, take: WORDS}`.
    private mutating func valued(_ yaml: YAML, to step: GuideStep) -> Read? {
        guard var fields = Fields(yaml, file: file, subject: step.id, hasColumns: true) else {
            return value(yaml, to: step).map { (.value($0), nil) }
        }
        let written = fields.take("value")
        let take = fields.reason()
        fields.refuseTheRest()
        problems += fields.problems
        return written.flatMap { value($0, to: step) }.map { (.value($0), take) }
    }

    private mutating func value(_ yaml: YAML, to step: GuideStep) -> JSON? {
        let json = yaml.json
        switch step.kind {
        case .text, .code:
            if let text = json.string ?? json.int.map({ yaml.written ?? String($0) }) { return .string(text) }
        case .number(let unit):
            // A number without quotes is exact: YAML and JSON have a point before the decimals.
            if json.number != nil {
                let plain = yaml.written.flatMap { ExactNumber($0) == nil ? nil : $0 } ?? json.text
                if ExactNumber(plain) != nil { return .string(plain) }
                break
            }
            switch json.string.map({ TypedNumber($0, unit: unit, groupedBy: groupSigns) }) {
            case .exact(let plain): return .string(plain)
            case .ambiguous(let large, let small):
                let text = "\"\((json.string ?? "").prefix(40))\""
                report(
                    .ambiguous, at: yaml,
                    "\(step.id): \(text) can be read in two ways: write \(large) or \(small).")
                return nil
            case .some(.none), nil: break
            }
        case .date:
            if let day = json.string, CivilDate(day) != nil { return json }
        case .choose(let words, let isSeveral):
            let chosen = isSeveral ? (json.array ?? [json]).map(\.word) : [json.word]
            guard !chosen.isEmpty else {
                report(
                    .wrongAnswer, at: yaml,
                    "\(step.id): The list is empty: choose at least one of \(words.joined(separator: ", ")).")
                return nil
            }
            guard chosen.allSatisfy({ $0 != nil }) else { break }
            let known = chosen.compactMap(\.self).filter { words.contains($0) }
            if known.count == chosen.count, Set(known).count == known.count {
                return isSeveral ? .array(known.map { .string($0) }) : .string(known[0])
            }
            let other = chosen.compactMap(\.self).first { !words.contains($0) }
            let fault = other.map { "\"\($0.prefix(40))\" is none of the choices: \(words.joined(separator: ", "))." }
            report(.wrongAnswer, at: yaml, "\(step.id): \(fault ?? "A word is chosen twice.")")
            return nil
        case .capture, .note, .group: return nil
        }
        report(
            .wrongAnswer, at: yaml,
            "\(step.id): \(step.answerInWords.capitalisedFirst) is wanted here, not \(json.kindInWords).")
        return nil
    }

    private mutating func report(_ code: Code, at yaml: YAML, _ message: String) {
        report(code, at: GuideStep.Place(line: yaml.line, column: yaml.column), message)
    }

    private mutating func report(_ code: Code, at place: GuideStep.Place, _ message: String) {
        problems.append(Problem(code, at: "\(file):\(place.line):\(place.column)", message))
    }
}

extension Fields {
    /// Reads `take`, the reason to take an answer as it is.
    mutating func reason() -> String? { has("take") ? instruction("take") : nil }
}

extension GuideStep {
    fileprivate var takesPictures: Bool {
        switch kind {
        case .capture, .code: true
        case .text, .number, .date, .choose, .note, .group: false
        }
    }

    /// Returns whether the step can have a picture of a name, or of a number from 1.
    fileprivate func hasPicture(_ part: String) -> Bool {
        switch kind {
        case .capture(let capture):
            capture.each.contains { Self.part($0) == Self.part(part) }
                || Int(part).map { (1...capture.wanted.upperBound).contains($0) } ?? false
        case .code: part == "1"
        case .text, .number, .date, .choose, .note, .group: false
        }
    }

    /// The kind of answer that a step wants, in words.
    var answerInWords: String {
        switch kind {
        case .capture: "the path of a picture"
        case .text: "a text"
        case .number: "a number such as 1202.5"
        case .date: "a day such as 2026-11-25"
        case .code: "the text of a code, or {file: PATH}"
        case .choose(let words, isSeveral: false): "one of \(words.joined(separator: ", "))"
        case .choose(let words, isSeveral: true): "a list of \(words.joined(separator: ", "))"
        case .note, .group: "nothing"
        }
    }
}

extension JSON {
    /// The value as a word of a choice: numbers and flags as they are written.
    fileprivate var word: String? { string ?? (int != nil || bool != nil ? text : nil) }
}

extension String {
    fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
