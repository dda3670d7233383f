package import JSON
package import Vocabulary

/// A value in a `settings.yaml`: a text, a number, a flag or a list, but never a mapping.
package struct WrittenValue: Hashable, Sendable {
    /// The keys that lead to the value, joined by full stops.
    package let name: String
    package let value: JSON
    /// The line of its key, from 1.
    package let line: Int

    /// The value in the form that a user reads.
    package var words: String {
        value.string ?? value.array.map { $0.map { $0.string ?? $0.text }.joined(separator: " ") } ?? value.text
    }

    /// Returns all values of a settings file, in its order, without a check of their meaning.
    ///
    /// - Throws: `badYAML` with the place.
    package static func all(in text: String, file: String) throws(Problem) -> [WrittenValue] {
        guard let document = try readConfigDocument(text, file: file) else { return [] }
        return values(of: document, below: "")
    }

    private static func values(of yaml: YAML, below name: String) -> [WrittenValue] {
        guard case .mapping(let members) = yaml.value else { return [] }
        return members.flatMap { member in
            let name = name.isEmpty ? member.key : name + "." + member.key
            if case .mapping = member.value.value { return values(of: member.value, below: name) }
            return member.value.json.isNull
                ? [] : [WrittenValue(name: name, value: member.value.json, line: member.line)]
        }
    }
}
