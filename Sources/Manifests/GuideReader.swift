import JSON
package import Vocabulary

extension Limits {
    /// The most steps of a guide, with those in groups.
    fileprivate static let guideSteps = 200

    /// How deep the steps of a guide may be nested in groups and `otherwise`.
    fileprivate static let guideDepth = 4

    /// The most bytes of the title of a guide or a step.
    fileprivate static let guideTitleBytes = 200
}

/// Reads a guide.
///
/// - Parameter file: how the file is called in problems (`plate.yaml:3:5`).
/// - Returns: the guide as far as it can be read, and everything that is wrong with it. A guide with a problem cannot
///   be run.
package func readGuide(_ text: String, file: String) -> (guide: Guide?, problems: [Problem]) {
    guard text.utf8.count <= Limits.guideBytes else {
        let words = "A guide has at most \(Limits.guideBytes) bytes; this one has \(text.utf8.count)."
        return (nil, [Problem(.tooLarge, at: "\(file):1:1", words)])
    }
    let read: YAML?
    do throws(Problem) { read = try readConfigDocument(text, file: file) } catch { return (nil, [error]) }
    guard let document = read, var fields = Fields(document, file: file, subject: "The guide", hasColumns: true) else {
        return (nil, [Problem(.badGuide, at: "\(file):1:1", "A guide begins with \"guide: \(Guide.schema)\".")])
    }
    var reader = GuideReader(file: file)
    let guide = reader.guide(&fields)
    let problems = fields.problems + reader.problems
    guard problems.isEmpty else { return (guide, problems.sorted(byPlaceIn: file)) }
    return (guide, GuideCheck(guide, file: file).problems().sorted(byPlaceIn: file))
}

/// Reads the parts of a guide that consist of several fields.
struct GuideReader {
    let file: String
    private(set) var problems: [Problem] = []
    private var defaults = Defaults()

    /// The limits that a guide sets for all its captures.
    private struct Defaults {
        /// The limits for pictures. `nil` if the guide has none, so that the measured ones apply.
        var picture: GuideStep.Accept.Picture?
        var attempts = Limits.guideAttempts
    }

    init(file: String) { self.file = file }

    mutating func guide(_ fields: inout Fields) -> Guide {
        let schema = fields.requiredText("guide")
        if !schema.isEmpty, schema != Guide.schema {
            fields.report(
                .badGuide, at: "guide", "\"\(schema.prefix(40))\" is not known; this program reads \(Guide.schema).")
        }
        let id = fields.requiredText("id")
        if !id.isEmpty, !ConditionWords.isID(id) || id.contains("_") || Self.verbs.contains(id) {
            fields.report(
                .badID, at: "id",
                "\"\(id.prefix(40))\" is no id: letters, digits and hyphens, and none of the words of 'assent guide'.")
        }
        let title = fields.requiredText("title")
        if title.utf8.count > Limits.guideTitleBytes {
            fields.report(.tooLarge, at: "title", "A title has at most \(Limits.guideTitleBytes) bytes.")
        }
        var guide = Guide(id: id, title: title, steps: [])
        guide.version = fields.number("version", within: 1...1_000_000) ?? 1
        guide.about = fields.shortText("about") ?? ""
        guide.place = fields.choice("place", Guide.Place.self) ?? .never
        guide.metadata = fields.choice("exif", Guide.Metadata.self) ?? .cut
        guide.speaks = fields.flag("speak") ?? false
        guide.hasReview = fields.flag("review") ?? true
        fields.nested("defaults") { inner in
            defaults.attempts = inner.number("attempts", within: 1...Limits.mostGuideAttempts) ?? Limits.guideAttempts
            inner.nested("accept") { defaults.picture = $0.picture(over: GuideStep.Accept.Picture()) }
        }
        fields.nested("export") { guide.export = $0.export() }
        let list = fields.list("steps")
        if list.isEmpty {
            fields.report(.missingField, at: "steps", "\"steps\" is missing: a guide has at least one.")
        }
        guide.steps = steps(list, depth: 1)
        if guide.place == .ask { guide.steps.append(Self.placeStep(at: fields)) }
        if guide.allSteps.count > Limits.guideSteps {
            fields.report(
                .tooLarge, at: "steps",
                "A guide has at most \(Limits.guideSteps) steps; this one has \(guide.allSteps.count).")
        }
        fields.refuseTheRest()
        return guide
    }

    /// Makes the step that `place: ask` puts behind all others.
    private static func placeStep(at fields: Fields) -> GuideStep {
        let place = GuideStep.Place(line: fields.line(of: "place"), column: 1)
        var step = GuideStep(
            id: "place", kind: .text, title: "Place", instruction: "Where were the pictures taken?", place: place)
        step.skip = GuideStep.Skip(words: "The place is not told.")
        step.isRequired = false
        return step
    }

    /// The words of `assent guide`, which no guide can be called.
    static let verbs: Set<String> = ["list", "check", "show", "run", "export", "add", "propose"]

    // MARK: Steps

    private mutating func steps(_ list: [YAML], depth: Int) -> [GuideStep] {
        guard depth <= Limits.guideDepth else {
            report(.tooLarge, list.first, "Groups stand in each other at most \(Limits.guideDepth) deep.")
            return []
        }
        return list.compactMap { step($0, id: nil, depth: depth) }
    }

    /// Reads a step.
    ///
    /// - Parameter id: the id of a step that replaces another, which has no id of its own.
    private mutating func step(_ yaml: YAML, id: String?, depth: Int) -> GuideStep? {
        let name = id ?? yaml["id"]?.json.string ?? "a step"
        guard var fields = Fields(yaml, file: file, subject: name, hasColumns: true) else {
            report(
                .badField, yaml,
                "A step is keys with values, such as {id: plate, capture: Licence plate.}, not \(yaml.json.kindInWords)."
            )
            return nil
        }
        defer { problems += fields.problems }
        let own = id ?? fields.requiredText("id")
        if id == nil, !own.isEmpty, !ConditionWords.isID(own) || ConditionWords.reserved.contains(own) {
            fields.report(
                .badID, at: "id",
                "\"\(own.prefix(40))\" is no id: a letter first, then letters, digits, _ and hyphens, and no word of conditions."
            )
        }
        guard let (kind, instruction) = kind(&fields, depth: depth) else {
            fields.refuseTheRest()
            return nil
        }
        var step = GuideStep(
            id: own, kind: kind, title: "", instruction: instruction,
            place: GuideStep.Place(line: yaml.line, column: yaml.column))
        step.title = fields.shortText("title") ?? Self.title(of: instruction)
        if step.title.utf8.count > Limits.guideTitleBytes {
            fields.report(.tooLarge, at: "title", "A title has at most \(Limits.guideTitleBytes) bytes.")
        }
        step.hint = fields.shortText("hint")
        step.example = fields.example()
        step.skip = fields.skip()
        step.isRequired = (fields.flag("required") ?? true) && step.skip == nil
        step.after = fields.texts("after")
        step.attempts = fields.number("attempts", within: 1...Limits.mostGuideAttempts) ?? defaults.attempts
        step.isAnnotated = fields.annotates()
        step.accept = fields.accept(of: kind, over: defaults.picture)
        step.initial = fields.initial(of: kind)
        if let (condition, place) = fields.when() { (step.when, step.whenPlace) = (condition, place) }
        if let yaml = fields.take("otherwise") {
            if step.when == nil {
                fields.report(
                    .badField, at: yaml,
                    "\"otherwise\" replaces a step whose \"when\" is false, and there is no \"when\".")
            }
            if depth >= Limits.guideDepth {
                report(.tooLarge, yaml, "Steps stand in each other at most \(Limits.guideDepth) deep.")
            }
            step.otherwise = [self.step(yaml, id: own + ".otherwise", depth: depth + 1)].compactMap(\.self)
        }
        fields.refuseTheRest()
        return step
    }

    /// Reads the kind of a step with its instruction. Returns `nil` if there is no kind, or more than one.
    private mutating func kind(_ fields: inout Fields, depth: Int) -> (GuideStep.Kind, instruction: String)? {
        let words = ["capture", "text", "number", "date", "choose", "code", "note", "group"]
        let said = words.filter { fields.has($0) }
        guard let word = said.first, said.count == 1 else {
            fields.know(
                words + [
                    "ask", "title", "hint", "example", "skip", "required", "default", "when", "otherwise", "after",
                    "accept",
                ])
            fields.know(["attempts", "annotate", "unit", "several", "count", "each", "source"])
            let fault =
                said.isEmpty
                ? "has none of \(words.joined(separator: ", "))" : "is more than one of \(said.joined(separator: ", "))"
            fields.report(.badStep, "The step \(fault).")
            return nil
        }
        switch word {
        case "capture": return (.capture(fields.capture()), fields.instruction("capture"))
        case "text": return (.text, fields.instruction("text"))
        case "number": return (.number(unit: fields.shortText("unit") ?? ""), fields.instruction("number"))
        case "date": return (.date, fields.instruction("date"))
        case "code": return (.code, fields.instruction("code"))
        case "note": return (.note, fields.instruction("note"))
        case "choose":
            let choices = fields.choices()
            return (.choose(choices, isSeveral: fields.flag("several") ?? false), fields.instruction("ask"))
        default:
            let list = fields.list("group")
            if list.isEmpty { fields.report(.badField, at: "group", "A group has at least one step.") }
            return (.group(steps(list, depth: depth + 1)), fields.shortText("ask") ?? "")
        }
    }

    /// Returns the first words of an instruction, up to its first comma or the end of its first sentence.
    private static func title(of instruction: String) -> String {
        let first = instruction.prefix { !$0.isNewline && !",;:?!".contains($0) }
        let sentence = first.firstRange(of: ". ").map { first[..<$0.lowerBound] } ?? first
        let words = sentence.hasSuffix(".") ? sentence.dropLast() : sentence
        return words.count <= Limits.titleCharacters ? String(words) : words.prefix(Limits.titleCharacters - 1) + "…"
    }

    private mutating func report(_ code: Code, _ yaml: YAML?, _ message: String) {
        problems.append(Problem(code, at: "\(file):\(yaml?.line ?? 1):\(yaml?.column ?? 1)", message))
    }
}

extension [Problem] {
    /// Returns the problems in the order of their lines and columns.
    func sorted(byPlaceIn file: String) -> [Problem] {
        func place(_ problem: Problem) -> [Int] {
            problem.place.dropFirst(file.count + 1).split(separator: ":").compactMap { Int($0) }
        }
        return enumerated().sorted { one, other in
            let (left, right) = (place(one.element), place(other.element))
            return left == right ? one.offset < other.offset : left.lexicographicallyPrecedes(right)
        }.map(\.element)
    }
}
