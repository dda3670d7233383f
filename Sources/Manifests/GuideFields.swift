import JSON
import Vocabulary

extension Limits {
    /// The most bytes of a word of a choice.
    fileprivate static let guideChoiceBytes = 200
}

/// The fields of a guide and of its steps.
extension Fields {
    /// Reads a whole number in a range. Returns `nil` if it is missing or wrong.
    mutating func number(_ key: String, within range: ClosedRange<Int>) -> Int? {
        guard let yaml = take(key) else { return nil }
        if let number = yaml.json.int, range.contains(number) { return number }
        report(
            .badField, at: yaml, "\"\(key)\" must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        return nil
    }

    /// Reads a text of at most `Limits.guideTextBytes`. A number is read as it is written.
    mutating func shortText(_ key: String) -> String? {
        guard let yaml = take(key) else { return nil }
        guard let text = yaml.json.string ?? yaml.json.int.map({ String($0) }) else {
            report(.badField, at: yaml, "\"\(key)\" must be text, not \(yaml.json.kindInWords).")
            return nil
        }
        if text.utf8.count <= Limits.guideTextBytes { return text }
        report(.tooLarge, at: yaml, "\"\(key)\" has at most \(Limits.guideTextBytes) bytes.")
        return nil
    }

    /// Reads a text that must be present and not empty.
    mutating func instruction(_ key: String) -> String {
        let before = problems.count
        if let text = shortText(key), !text.isEmpty { return text }
        if problems.count == before {
            report(.missingField, at: key, "\"\(key)\" must say what the person is to do, or is asked.")
        }
        return ""
    }

    // MARK: Kinds

    mutating func choices() -> [String] {
        let words = texts("choose") ?? []
        if !(1...Limits.guideChoices).contains(words.count) || words.contains("") || Set(words).count < words.count {
            report(
                .badField, at: "choose", "\"choose\" must be a list of 1 to \(Limits.guideChoices) different words.")
        }
        if words.contains(where: { $0.utf8.count > Limits.guideChoiceBytes }) {
            report(.tooLarge, at: "choose", "A word of \"choose\" has at most \(Limits.guideChoiceBytes) bytes.")
        }
        return words
    }

    mutating func capture() -> GuideStep.Capture {
        var capture = GuideStep.Capture()
        capture.source = choice("source", GuideStep.Capture.Source.self) ?? .any
        if let yaml = take("count") {
            if let range = Self.range(yaml.json), range.lowerBound >= 1, range.upperBound <= Limits.guidePictures {
                capture.count = range
            } else {
                report(
                    .badField, at: yaml,
                    "\"count\" must be a number or a range such as 1..8, at most \(Limits.guidePictures).")
            }
        }
        guard has("each") else { return capture }
        capture.each = texts("each") ?? []
        let parts = capture.each.map(GuideStep.part)
        if has("count") { report(.badField, at: "each", "A capture has either \"count\" or \"each\".") }
        if !(1...Limits.guidePictures).contains(parts.count) || Set(parts).count < parts.count
            || !parts.allSatisfy(ConditionWords.isID)
        {
            report(
                .badField, at: "each",
                "\"each\" must be a list of 1 to \(Limits.guidePictures) different names that begin with a letter.")
        }
        return capture
    }

    /// Reads `4`, or `1..8`.
    private static func range(_ json: JSON) -> ClosedRange<Int>? {
        if let number = json.int { return number...number }
        guard let text = json.string, let dots = text.firstRange(of: "..") else { return nil }
        guard let low = Int(text[..<dots.lowerBound]), let high = Int(text[dots.upperBound...]), low <= high else {
            return nil
        }
        return low...high
    }

    mutating func skip() -> GuideStep.Skip? {
        guard let yaml = take("skip") else { return nil }
        if let words = yaml.json.string, ["no", "false"].contains(words.lowercased()) {
            report(
                .badField, at: yaml,
                "\"skip\" must be the words that are offered; a step without \"skip\" cannot be skipped.")
            return nil
        }
        if let words = yaml.json.string, !words.isEmpty { return GuideStep.Skip(words: words) }
        guard var fields = Fields(yaml, file: file, subject: "\(subject), skip", hasColumns: hasColumns) else {
            report(.badField, at: yaml, "\"skip\" must be the words that are offered, or {say: …, then: STEP}.")
            return nil
        }
        let skip = GuideStep.Skip(words: fields.instruction("say"), then: fields.text("then"))
        fields.refuseTheRest()
        add(fields.problems)
        return skip
    }

    /// Reads the path of a picture relative to the guide. The path must not leave the guide's folder.
    mutating func example() -> String? {
        guard let yaml = take("example"), let path = shortText("example") else { return nil }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        let isInside = !names.contains { ["", ".."].contains($0) } && !path.hasPrefix("~")
        guard isInside, !path.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            report(
                .badField, at: yaml,
                "\"example\" must be the path of a picture in the folder of the guide, such as plate.jpg.")
            return nil
        }
        return path
    }

    /// Reads `annotate: true`, or `annotate: [text]`.
    mutating func annotates() -> Bool {
        guard let yaml = take("annotate") else { return false }
        if let flag = yaml.json.bool { return flag }
        if yaml.json.array == [.string("text")] { return true }
        report(.badField, at: yaml, "\"annotate\" must be true, false or [text].")
        return false
    }

    /// Reads the answer that is offered as a default.
    mutating func initial(of kind: GuideStep.Kind) -> JSON? {
        guard let yaml = take("default") else { return nil }
        let json = yaml.json
        let fits: Bool =
            switch kind {
            case .text: json.string != nil
            case .number: ExactNumber(json.string ?? json.text) != nil
            case .date: json.string.map { $0 == "today" || CivilDate($0) != nil } ?? false
            case .choose(let words, isSeveral: false): json.string.map { words.contains($0) } ?? false
            case .choose(let words, isSeveral: true):
                json.array.map { $0.allSatisfy { words.contains($0.string ?? "") } } ?? false
            case .capture, .code, .note, .group: false
            }
        if fits { return json }
        report(.wrongType, at: yaml, "This \"default\" is no answer to the step.")
        return nil
    }

    // MARK: Conditions

    mutating func when() -> (condition: Condition, place: GuideStep.Place)? {
        guard let yaml = take("when") else { return nil }
        guard let text = yaml.json.string else {
            report(
                .badField, at: yaml,
                "\"when\" must be a condition, such as hurt = 'somebody', not \(yaml.json.kindInWords).")
            return nil
        }
        return condition(text, at: yaml).map { ($0, yaml.placeOfText) }
    }

    private mutating func condition(_ text: String, at yaml: YAML) -> Condition? {
        do throws(ConditionFault) { return try Condition.read(text) } catch {
            report(error, at: yaml)
            return nil
        }
    }

    /// Reports an error in a condition, at the exact sign if the text is unchanged from the file.
    private mutating func report(_ fault: ConditionFault, at yaml: YAML) {
        let place = yaml.placeOfText.moved(by: fault.offset)
        report(fault.code, line: place.line, column: place.column, fault.message)
    }

    /// Reads `accept`: limits for pictures of a capture, tests for another answer.
    ///
    /// A capture without `accept` gets the measured limits, unless the guide has limits of its own. `accept: {}` checks
    /// nothing.
    ///
    /// - Parameter usual: the limits that the guide sets for all its pictures. `nil` if it sets none.
    mutating func accept(of kind: GuideStep.Kind, over usual: GuideStep.Accept.Picture?) -> GuideStep.Accept {
        switch kind {
        case .capture:
            guard has("accept") else { return GuideStep.Accept(picture: usual ?? .measured) }
            var accept = GuideStep.Accept(picture: usual ?? GuideStep.Accept.Picture())
            nested("accept") { accept.picture = $0.picture(over: accept.picture) }
            return accept
        case .text, .number, .date, .choose, .code: return GuideStep.Accept(tests: tests(of: kind))
        case .note, .group:
            if let yaml = take("accept") {
                report(.badField, at: yaml, "A note and a group have no answer to accept.")
            }
            return GuideStep.Accept()
        }
    }

    /// Reads `{test: CONDITION, say: WORDS}`, or a list of these.
    private mutating func tests(of kind: GuideStep.Kind) -> [GuideStep.Accept.Test] {
        guard let yaml = take("accept") else { return [] }
        let list: [YAML] = if case .list(let elements) = yaml.value { elements } else { [yaml] }
        guard list.count <= Limits.guideChoices else {
            report(
                .tooLarge, at: yaml, "\"accept\" has at most \(Limits.guideChoices) tests; there are \(list.count).")
            return []
        }
        let type = GuideStep(id: "answer", kind: kind, title: "", instruction: "").answers.first?.type
        return list.compactMap { element in
            guard var fields = Fields(element, file: file, subject: "\(subject), accept", hasColumns: hasColumns) else {
                report(
                    .badField, at: element,
                    "\"accept\" must be {test: \"answer > 0\", say: \"…\"}, or a list of these.")
                return nil
            }
            defer { add(fields.problems) }
            let words = fields.instruction("say")
            let text = fields.requiredText("test")
            let condition = text.isEmpty ? nil : fields.take("test").flatMap { fields.condition(text, at: $0) }
            if let condition, let place = fields.take("test") {
                for fault in condition.faults(types: type.map { ["answer": $0] } ?? [:]) {
                    fields.report(fault, at: place)
                }
            }
            fields.refuseTheRest()
            return condition.map { GuideStep.Accept.Test(condition: $0, words: words) }
        }
    }

    // MARK: Pictures

    /// Reads `{sharp: 90, bright: 40..210, clipped: 25%, minimum: 1280x960, different: 8}`. `false` switches one off.
    mutating func picture(over usual: GuideStep.Accept.Picture) -> GuideStep.Accept.Picture {
        var picture = usual
        limit("sharp", "a number from 1 to 10000", { picture.sharp = $0 }) {
            $0.int.flatMap { (1...10_000).contains($0) ? $0 : nil }
        }
        limit("bright", "a range such as 40..210, from 0 to 255", { picture.bright = $0 }) { json in
            Self.range(json).flatMap { (0...255).contains($0.lowerBound) && $0.upperBound <= 255 ? $0 : nil }
        }
        limit("clipped", "a share such as 25%", { picture.clipped = $0 }) { json in
            json.string.flatMap { $0.hasSuffix("%") ? Int($0.dropLast()) : nil }.flatMap {
                (0...100).contains($0) ? $0 : nil
            }
        }
        limit("different", "a number from 1 to 64", { picture.different = $0 }) {
            $0.int.flatMap { (1...64).contains($0) ? $0 : nil }
        }
        limit(
            "minimum", "a size such as 1280x960",
            { (size: (Int, Int)?) in (picture.width, picture.height) = (size?.0, size?.1) }
        ) {
            json in
            let sides = (json.string ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            return sides.count == 2 && sides.allSatisfy { (1...100_000).contains($0) } ? (sides[0], sides[1]) : nil
        }
        return picture
    }

    private mutating func limit<Value>(_ key: String, _ form: String, _ put: (Value?) -> Void, _ read: (JSON) -> Value?)
    {
        guard let yaml = take(key) else { return }
        if yaml.json == .bool(false) { return put(nil) }
        guard let value = read(yaml.json) else {
            return report(.badField, at: yaml, "\"\(key)\" must be \(form), or false.")
        }
        put(value)
    }

    // MARK: Export

    mutating func export() -> Guide.Export {
        var export = Guide.Export()
        if let yaml = take("zip") {
            let name = yaml.json.string ?? ""
            let isName =
                name.hasSuffix(".zip") && name.count > 4 && !name.hasPrefix(".") && !name.contains("/")
                && name.utf8.count <= 200
            if isName && !name.unicodeScalars.contains(where: { $0.value < 0x20 }) {
                export.name = name
            } else {
                report(
                    .badField, at: yaml,
                    "\"zip\" must be the name of a file that ends with .zip, such as damage-{date}.zip.")
            }
        }
        export.hasReport = flag("report") ?? true
        export.hasOriginals = flag("originals") ?? true
        return export
    }
}

extension YAML {
    /// The place where a text begins.
    fileprivate var placeOfText: GuideStep.Place {
        GuideStep.Place(line: line, column: textColumn ?? column, isExact: textColumn != nil)
    }
}
