import JSON
import Vocabulary

/// Reads the document of a file that says what the user decided, such as `settings.yaml`.
///
/// - Returns: `nil` if the text says nothing, or has only comments.
/// - Throws: `badYAML` with the place. A second document is refused, and so is a sign that ends a line for YAML but not for an editor: what
///   looks like a comment would say something.
func readConfigDocument(_ text: String, file: String) throws(Problem) -> YAML? {
    var line = 1
    for scalar in text.unicodeScalars {
        if scalar == "\n" { line += 1 }
        guard scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}" else { continue }
        let hex = String(scalar.value, radix: 16, uppercase: true)
        let code = String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        throw Problem("badYAML", at: "\(file):\(line)", "The sign U+\(code) ends a line here, which editors do not show. Remove it.")
    }
    let documents = try YAML.read(text, file: file)
    guard documents.count < 2 else { throw Problem("badYAML", at: "\(file):\(documents[1].line)", "Only one document is expected here.") }
    return documents.first.flatMap { $0.json.isNull ? nil : $0 }
}

extension Fields {
    /// Reads the mapping under a key. A key with nothing, or only comments, below it counts as absent.
    mutating func nestedIfSaid(_ key: String, _ read: (inout Fields) -> Void) { if isSaid(key) { nested(key, read) } }

    /// Returns the members of the mapping under a key; empty if the key is absent, or has nothing below it.
    mutating func mappingIfSaid(_ key: String) -> [YAML.Member] { isSaid(key) ? mapping(key) : [] }

    /// Whether something stands behind a key. The key counts as known.
    private mutating func isSaid(_ key: String) -> Bool { take(key).map { !$0.json.isNull } ?? false }
}
