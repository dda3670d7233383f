import JSON
package import Vocabulary

/// Reads the document of a file with decisions of the user, such as `settings.yaml`.
///
/// - Returns: `nil` if the text is empty, or has only comments.
/// - Throws: `badYAML` with the place. A second document is refused.
package func readConfigDocument(_ text: some ConfigText, file: String) throws(Problem) -> YAML? {
    let documents = try text.documents(file: file)
    guard documents.count < 2 else {
        throw Problem(.badYAML, at: "\(file):\(documents[1].line)", "Only one document is expected here.")
    }
    return documents.first.flatMap { $0.isNull ? nil : $0 }
}

extension Fields {
    /// Reads the mapping under a key. A key with nothing, or only comments, below it counts as absent.
    mutating func nestedIfSaid(_ key: String, _ read: (inout Fields) -> Void) { if isSaid(key) { nested(key, read) } }

    /// Returns the members of the mapping under a key. The list is empty if the key is missing, or has nothing below
    /// it.
    mutating func mappingIfSaid(_ key: String) -> [YAML.Member] { isSaid(key) ? mapping(key) : [] }

    /// Whether something stands behind a key. The key counts as known.
    private mutating func isSaid(_ key: String) -> Bool { take(key).map { !$0.isNull } ?? false }
}
