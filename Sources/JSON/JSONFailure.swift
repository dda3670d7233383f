extension JSONReader {
    /// The reason why a text cannot be read as JSON, with its place.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// `repeatedKey` is JSON in which a key stands twice, so that readers do not agree on its value.
        package enum Code: String, Sendable { case badJSON, repeatedKey, tooLarge }
        package let code: Code
        package let message: String
        /// The line, counted from 1, and the column, counted from 1 in bytes, as editors count for ASCII.
        package let line: Int
        package let column: Int

        package var description: String { "\(message) (line \(line), column \(column))" }

        /// Returns a sentence about the text of a name: that it is not JSON, or else why its JSON cannot be read.
        package func sentence(about name: String) -> String {
            "\(name) \(code == .badJSON ? "is not JSON" : "cannot be read"): \(self)."
        }
    }
}
