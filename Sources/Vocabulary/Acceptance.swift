package import JSON

/// The demands on an answer of a person at a step: its form, its limits, and the treatment of an answer that does not
/// meet them (`semantics.md` 200–205).
package struct Acceptance: Hashable, Sendable {
    /// The form of the answer.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        case text, number, date
        /// A choice of one word (`choice`), or of any number of words (`choices`).
        case choice, choices
        /// The text of a code in a picture, such as a QR code.
        case code
        case media
        /// A text that is read, and left with Enter.
        case note
        /// A form that no answer has. It replaces the demands of a stored step if they cannot be read.
        case nothing
    }

    /// Demands that no answer meets.
    package static let nothing = Acceptance(.nothing)

    package var form: Form
    /// The words behind a number, such as `kWh`.
    package var unit = ""
    package var attempts = Limits.guideAttempts
    /// The words with which a person skips the step, or `nil` if it cannot be skipped.
    package var skip: String?
    package var demands = GuideStep.Accept()
    package var capture = GuideStep.Capture()
    /// The answer that is offered as a default.
    package var initial: JSON?
    /// The path of a picture that serves as an example.
    package var example: String?
    package var isAnnotated = false

    /// Creates demands that accept any answer of a form.
    package init(_ form: Form) { self.form = form }

    /// Returns the type of the answer, as conditions know it.
    ///
    /// - Parameter choices: the words that can be chosen.
    package func type(choices: [String]) -> AnswerType? {
        switch form {
        case .text, .code: .text
        case .number: .number
        case .date: .date
        case .choice: .choice(choices)
        case .choices: .choices(choices)
        case .media: .media
        case .note, .nothing: nil
        }
    }
}

// MARK: - As JSON

extension Acceptance {
    package var json: JSON {
        .of([
            "answer": .string(form.rawValue), "unit": unit.isEmpty ? nil : .string(unit), "attempts": .int(attempts),
            "skip": skip.map { .string($0) }, "example": example.map { .string($0) }, "default": initial,
            "annotate": isAnnotated ? true : nil,
            "tests": demands.tests.isEmpty
                ? nil
                : .array(demands.tests.map { ["test": .string($0.condition.description), "say": .string($0.words)] }),
            "picture": demands.picture == GuideStep.Accept.Picture() ? nil : demands.picture.json,
            "count": capture.each.isEmpty && capture.count != 1...1
                ? [.int(capture.count.lowerBound), .int(capture.count.upperBound)] : nil,
            "each": capture.each.isEmpty ? nil : .array(capture.each.map { .string($0) }),
            "source": capture.source == .any ? nil : .string(capture.source.rawValue),
        ])
    }

    /// An error in an acceptance that is written as JSON, with its key.
    package struct Fault: Error, Hashable, Sendable {
        package let key: String
        package let words: String
    }

    private static let keys = [
        "answer", "unit", "attempts", "skip", "example", "default", "annotate", "tests", "picture", "count", "each",
        "source",
    ]

    /// Reads an acceptance strictly.
    ///
    /// - Throws: the first fault.
    package init(json: JSON) throws(Fault) {
        guard let object = json.object else {
            throw Fault(key: "", words: "What is accepted is an object; this is \(json.kindInWords).")
        }
        if let key = object.keys.first(where: { !Self.keys.contains($0) }) {
            throw Fault(
                key: key, words: "\"\(key)\" is not known here; known are \(Self.keys.joined(separator: ", ")).")
        }
        guard let word = object["answer"]?.string, let form = Form(rawValue: word) else {
            let known = Form.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(key: "answer", words: "The form of an answer is one of \(known).")
        }
        self.init(form)
        unit = try Self.text(object["unit"], "unit") ?? ""
        skip = try Self.text(object["skip"], "skip")
        example = try Self.text(object["example"], "example")
        initial = object["default"]
        isAnnotated = object["annotate"]?.bool ?? false
        if let written = object["attempts"] {
            guard let number = written.int, (1...Limits.mostGuideAttempts).contains(number) else {
                throw Fault(
                    key: "attempts", words: "A whole number from 1 to \(Limits.mostGuideAttempts) belongs here.")
            }
            attempts = number
        }
        if let written = object["tests"] { demands.tests = try Self.tests(written) }
        if let written = object["picture"] { demands.picture = try GuideStep.Accept.Picture(json: written) }
        if let written = object["each"] {
            let names = (written.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
            guard names.count == written.array?.count, (1...Limits.guidePictures).contains(names.count),
                Set(names).count == names.count
            else {
                throw Fault(key: "each", words: "A list of 1 to \(Limits.guidePictures) different names belongs here.")
            }
            capture.each = names
            capture.count = names.count...names.count
        } else if let written = object["count"] {
            let pair = (written.array ?? []).compactMap(\.int)
            guard pair.count == 2, pair[0] >= 1, pair[0] <= pair[1], pair[1] <= Limits.guidePictures else {
                throw Fault(
                    key: "count", words: "The least and the greatest number of pictures belong here, such as [1, 8].")
            }
            capture.count = pair[0]...pair[1]
        }
        if let written = object["source"] {
            guard let source = written.string.flatMap(GuideStep.Capture.Source.init(rawValue:)) else {
                throw Fault(key: "source", words: "The source is any or camera.")
            }
            capture.source = source
        }
    }

    private static func text(_ json: JSON?, _ key: String) throws(Fault) -> String? {
        guard let json else { return nil }
        guard let text = json.string, text.utf8.count <= Limits.guideTextBytes else {
            throw Fault(key: key, words: "A text of at most \(Limits.guideTextBytes) bytes belongs here.")
        }
        return text
    }

    private static func tests(_ json: JSON) throws(Fault) -> [GuideStep.Accept.Test] {
        guard let list = json.array, list.count <= Limits.guideChoices else {
            throw Fault(key: "tests", words: "A list of {\"test\", \"say\"} belongs here.")
        }
        var tests: [GuideStep.Accept.Test] = []
        for item in list {
            guard let written = item["test"]?.string, let words = item["say"]?.string, item.object?.keys.count == 2
            else {
                throw Fault(key: "tests", words: "A test is {\"test\": a condition on answer, \"say\": words}.")
            }
            do throws(ConditionFault) {
                tests.append(GuideStep.Accept.Test(condition: try Condition.read(written), words: words))
            } catch {
                throw Fault(key: "tests", words: error.message)
            }
        }
        return tests
    }
}

extension GuideStep.Accept.Picture {
    /// The limits as a guide writes them, such as `sharp: 90, bright: 40..210`. Empty if nothing is checked.
    package var words: String {
        let parts: [String?] = [
            sharp.map { "sharp: \($0)" }, bright.map { "bright: \($0.lowerBound)..\($0.upperBound)" },
            clipped.map { "clipped: \($0)%" },
            width.flatMap { width in height.map { "minimum: \(width)x\($0)" } },
            different.map { "different: \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    fileprivate var json: JSON {
        .of([
            "sharp": sharp.map { .int($0) }, "bright": bright.map { [.int($0.lowerBound), .int($0.upperBound)] },
            "clipped": clipped.map { .int($0) },
            "minimum": width.flatMap { width in height.map { [.int(width), .int($0)] } },
            "different": different.map { .int($0) },
        ])
    }

    fileprivate init(json: JSON) throws(Acceptance.Fault) {
        self.init()
        guard let object = json.object else {
            throw Acceptance.Fault(key: "picture", words: "The limits of a picture are an object.")
        }
        for member in object.members {
            let pair = (member.value.array ?? []).compactMap(\.int)
            let isPair = pair.count == 2 && pair.allSatisfy { (0...1_000_000).contains($0) }
            switch (member.key, member.value.int) {
            case ("sharp", let number?) where (0...1_000_000).contains(number): sharp = number
            case ("clipped", let number?) where (0...100).contains(number): clipped = number
            case ("different", let number?) where (0...64).contains(number): different = number
            case ("bright", nil) where isPair && pair[0] <= pair[1]: bright = pair[0]...pair[1]
            case ("minimum", nil) where isPair: (width, height) = (pair[0], pair[1])
            default:
                throw Acceptance.Fault(
                    key: "picture.\(member.key)",
                    words: "Known are sharp, clipped, different, bright [from, to] and minimum [width, height].")
            }
        }
    }
}
