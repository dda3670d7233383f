import JSON
import Vocabulary

extension Limits {
    /// The most rules for damage in a manifest, and the most texts in a list of them.
    fileprivate static let errorRules = 64

    /// The least bytes, and the most, of a text that a rule for standard error looks for.
    fileprivate static let leastErrorRuleBytes = 4
    fileprivate static let errorRuleBytes = 200

    /// The most texts with which a manifest says what a tool drops.
    fileprivate static let drops = 16

    /// The most bytes of a text with which a manifest says what a tool drops.
    package static let dropBytes = 200
}

/// The fields of a manifest about warnings and damage, and about what its tool drops.
extension Fields {
    /// Reads `damage: [{text: "Premature end", says: "{file} ends too early."}]` and `harmless: ["known incorrect sRGB
    /// profile"]`.
    mutating func errorRules() -> ErrorRules {
        let written = list("damage")
        if written.count > Limits.errorRules {
            report(.badField, at: "damage", "\"damage\" has more than \(Limits.errorRules) rules.")
        }
        return ErrorRules(
            damage: written.prefix(Limits.errorRules).compactMap { damage($0) }, harmless: errorTexts("harmless"))
    }

    /// Returns the words for the parts of its input that a tool drops.
    mutating func drops() -> [String] {
        let drops = texts("drops") ?? []
        if drops.count > Limits.drops || drops.contains(where: { $0.isEmpty || $0.utf8.count > Limits.dropBytes }) {
            report(
                .badField, at: "drops",
                "\"drops\" must be at most \(Limits.drops) texts of 1 to \(Limits.dropBytes) bytes.")
        }
        return drops
    }

    private mutating func damage(_ yaml: YAML) -> ErrorRules.Damage? {
        guard var fields = Fields(yaml, file: file, subject: "\(subject), damage") else {
            report(.badField, line: yaml.line, "A rule of \"damage\" is {text: …, says: …}.")
            return nil
        }
        let texts = fields.errorTexts("text")
        let says = fields.requiredText("says")
        if texts.isEmpty, fields.problems.isEmpty { fields.report(.missingField, "\"text\" is missing.") }
        if says.utf8.count > Limits.errorRuleBytes || !says.isEmpty && !says.contains("{file}") {
            fields.report(
                .badField, at: "says",
                "\"says\" must have {file} in it, for the name of the file, and at most \(Limits.errorRuleBytes) bytes."
            )
        }
        fields.refuseTheRest()
        add(fields.problems)
        return ErrorRules.Damage(texts: texts, says: says)
    }

    /// Returns the texts that are looked for on standard error. A manifest gives a single text or a list.
    private mutating func errorTexts(_ key: String) -> [String] {
        var found: [String] = []
        if let text = take(key)?.json.string { found = [text] } else { found = texts(key) ?? [] }
        let range = Limits.leastErrorRuleBytes...Limits.errorRuleBytes
        if found.count > Limits.errorRules || found.contains(where: { !range.contains($0.utf8.count) }) {
            report(
                .badField, at: key,
                "\"\(key)\" must be at most \(Limits.errorRules) texts of \(range.lowerBound) to \(range.upperBound) bytes."
            )
        }
        return found
    }
}
