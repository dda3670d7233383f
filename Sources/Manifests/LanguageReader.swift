import JSON
package import Vocabulary

/// Reads a language of the built-in planner (`assent.planner/v1`), with everything that is wrong with its form. Whether
/// its patterns can be used is known when the planner reads them.
///
/// - Parameter file: how the file is called in problems (`en.yaml:12`).
package func readPlannerLanguage(_ text: some ConfigText, file: String) -> (
    language: PlannerLanguage, problems: [Problem]
) {
    var language = PlannerLanguage()
    let documents: [YAML]
    do throws(Problem) { documents = try text.documents(file: file) } catch { return (language, [error]) }
    guard documents.count == 1, var fields = Fields(documents[0], file: file, subject: "The language") else {
        return (language, [Problem(.badManifest, at: file, "One document with words is expected.")])
    }
    if fields.text("planner") != "assent.planner/v1" {
        fields.report(.badSchema, at: "planner", "\"planner\" must be assent.planner/v1; this version reads no other.")
    }
    language.id = fields.requiredText("language")
    language.idle = fields.words("idle")
    if language.idle.count > Limits.idleWords {
        fields.report(.tooLarge, at: "idle", "There are more than \(Limits.idleWords) words that carry nothing.")
    }
    language.inner = fields.words("inner")
    language.hasStems = fields.flag("stems") ?? false
    language.references = fields.words("references")
    language.spellings = fields.dictionary("spellings") { $0.string }
    language.numbers = fields.dictionary("numbers") { $0.number }
    language.units = fields.dictionary("units") { $0.string }
    language.signs = fields.dictionary("signs") { $0.string }
    for member in fields.mapping("nouns") {
        for word in member.value.json.words { language.nouns[word] = member.key }
    }
    language.plurals = fields.dictionary("plurals") { $0.string }
    language.answers = fields.dictionary("answers") { $0.string }
    language.translations = fields.dictionary("translations", splits: false) { $0.string }
    language.sayings = fields.dictionary("sayings") { $0.string }
    language.thread = fields.dictionary("thread") { $0.string.map { [$0] } ?? $0.array?.compactMap(\.string) }
    language.runners = fields.dictionary("runners") { $0.string }
    language.groups = fields.dictionary("groups") { $0.string.map { [$0] } ?? $0.array?.compactMap(\.string) }
    language.phrases = fields.list("phrases").compactMap { fields.phrase($0) }
    fields.refuseTheRest()
    return (language, fields.problems)
}

extension JSON {
    /// The words of a text or of a list of texts, parted by spaces.
    fileprivate var words: [String] {
        let texts = array?.compactMap(\.string) ?? string.map { [$0] } ?? []
        return texts.flatMap { $0.split(separator: " ").map(String.init) }
    }
}

extension Fields {
    fileprivate mutating func words(_ key: String) -> [String] { take(key)?.json.words ?? [] }

    /// Reads values by words.
    ///
    /// - Parameter splits: whether a key is several words, parted by spaces, which share the value: `px pixel: px`.
    fileprivate mutating func dictionary<Value>(
        _ key: String, splits: Bool = true, _ read: (JSON) -> Value?
    ) -> [String: Value] {
        var found: [String: Value] = [:]
        for member in mapping(key) {
            for word in splits ? member.key.split(separator: " ") : [member.key[...]] {
                guard let value = read(member.value.json) else {
                    report(
                        .badField, line: member.line,
                        "\"\(member.key)\" has a value of another kind than its neighbours.")
                    continue
                }
                found[String(word)] = value
            }
        }
        return found
    }

    fileprivate mutating func phrase(_ yaml: YAML) -> PlannerLanguage.Phrase? {
        guard var meaning = yaml.json.object, let say = meaning["say"] else {
            report(.badField, line: yaml.line, "A phrase must be an object with \"say\".")
            return nil
        }
        meaning["say"] = nil
        let patterns = say.string.map { [$0] } ?? say.array?.compactMap(\.string) ?? []
        return PlannerLanguage.Phrase(patterns: patterns, meaning: meaning, place: "\(file):\(yaml.line)")
    }
}
