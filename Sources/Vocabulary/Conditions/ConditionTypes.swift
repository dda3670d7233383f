/// The type of an answer, as conditions know it. No type becomes another by itself.
package enum AnswerType: Hashable, Sendable {
    /// A text, or the text of a code.
    case text
    case number, date
    /// A choice of one of these words.
    case choice([String])
    /// A choice of any of these words.
    case choices([String])
    /// Pictures, videos or sounds: one or several.
    case media

    /// The type as a problem names it.
    package var words: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .date: "a day"
        case .choice: "a choice"
        case .choices: "several choices"
        case .media: "media"
        }
    }

    /// The words that can be chosen, or `nil` if the type is not a choice.
    fileprivate var choices: [String]? {
        switch self {
        case .choice(let words), .choices(let words): words
        case .text, .number, .date, .media: nil
        }
    }
}

extension Condition {
    /// Returns everything that is wrong with the types of a condition, in its order.
    ///
    /// - Parameter types: the types of the answers that can be named, by their names.
    package func faults(types: [String: AnswerType]) -> [ConditionFault] {
        ConditionTyping(types: types).faults(of: self)
    }
}

/// A check of the parts of a condition against the types of the answers.
private struct ConditionTyping {
    let types: [String: AnswerType]

    private func type(_ name: String) -> AnswerType? { types[name] }

    func faults(of condition: Condition) -> [ConditionFault] {
        let unknown = condition.allNames.filter { type($0.text) == nil }
        guard unknown.isEmpty else { return unknown.map(unknownName) }
        switch condition {
        case .any(let parts), .all(let parts): return parts.flatMap(faults)
        case .not(let part): return faults(of: part)
        case .exists: return []
        case .selected(let name, let word): return selected(name, word)
        case .matches(let name, _):
            return type(name.text) == .text
                ? [] : [fault(name, "\(name.text) is \(words(name)): a pattern fits a text only.")]
        case .compare(let one, let comparison, let other): return compared(one, comparison, other)
        case .isIn(let value, _, let list):
            return list.lazy.compactMap { compared(value, .equal, .literal($0)).first }.prefix(1) + []
        }
    }

    private func selected(_ name: ConditionName, _ word: String) -> [ConditionFault] {
        guard let choices = type(name.text)?.choices else {
            return [fault(name, "\(name.text) is \(words(name)): nothing is selected there.")]
        }
        return choices.contains(word) ? [] : [noChoice(word, choices, name)]
    }

    private func compared(_ one: Condition.Value, _ comparison: Condition.Comparison, _ other: Condition.Value)
        -> [ConditionFault]
    {
        for name in [one, other].compactMap(counted) where ![.media].contains(type(name.text)) && !isChoices(name) {
            return [fault(name, "\(name.text) is \(words(name)): only several choices and media are counted.")]
        }
        let place = one.name ?? other.name
        let (left, right) = (typeOf(one), typeOf(other))
        if comparison.isOrder {
            let isOrdered = left == right && (left == .number || left == .date)
            return isOrdered
                ? []
                : [
                    fault(
                        place,
                        "\"\(comparison.rawValue)\" stands between two numbers or two days, not \(left.words) and \(right.words)."
                    )
                ]
        }
        // The empty text may stand against any type: it asks whether something was answered.
        if [one, other].contains(.literal(.text(""))) { return [] }
        for (value, literal) in [(one, other), (other, one)] {
            guard case .name(let name) = value, case .choice(let choices) = type(name.text),
                case .literal(.text(let word)) = literal
            else {
                continue
            }
            return choices.contains(word) ? [] : [noChoice(word, choices, name)]
        }
        let isSame: Bool =
            switch (left, right) {
            case (.text, .text), (.number, .number), (.date, .date), (.choice, .choice): true
            default: false
            }
        if isSame { return [] }
        if let name = [one, other].compactMap(\.name).first(where: { isChoices($0) }), counted(one) == nil,
            counted(other) == nil
        {
            return [fault(name, "\(name.text) is several choices: write selected(\(name.text), '…').")]
        }
        return [fault(place, "\(left.words) is never \(right.words): nothing is converted.")]
    }

    private func typeOf(_ value: Condition.Value) -> AnswerType {
        switch value {
        case .name(let name): type(name.text) ?? .text
        case .count, .literal(.number): .number
        case .literal(.text): .text
        case .literal(.date): .date
        }
    }

    private func counted(_ value: Condition.Value) -> ConditionName? {
        if case .count(let name) = value { name } else { nil }
    }

    private func isChoices(_ name: ConditionName) -> Bool { if case .choices = type(name.text) { true } else { false } }

    private func words(_ name: ConditionName) -> String { type(name.text)?.words ?? "" }

    private func fault(_ name: ConditionName?, _ message: String) -> ConditionFault {
        ConditionFault(
            code: .wrongType, message: message.prefix(1).uppercased() + message.dropFirst(), offset: name?.offset ?? 0)
    }

    private func noChoice(_ word: String, _ choices: [String], _ name: ConditionName) -> ConditionFault {
        let hint = NearestWord.hint(for: word, among: choices)
        return ConditionFault(
            code: .unknownChoice, message: "\"\(word.prefix(40))\" is none of the choices of \(name.text). \(hint)",
            offset: name.offset)
    }

    private func unknownName(_ name: ConditionName) -> ConditionFault {
        ConditionFault(
            code: .unknownStep,
            message: "No earlier step is called \(name.text). \(NearestWord.hint(for: name.text, among: types.keys))",
            offset: name.offset)
    }
}
