/// A pattern for names in which `*` stands for any number of characters. Upper and lower case are equal, as for
/// servers.
package struct NamePattern: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private let pieces: [[UInt8]]

    /// Reads a pattern.
    ///
    /// - Returns: `nil` if the text is empty, or longer than a model's name may be.
    package init?(_ written: String) {
        guard !written.isEmpty, written.utf8.count <= Limits.modelNameBytes else { return nil }
        description = written
        pieces = written.lowercased().split(separator: "*", omittingEmptySubsequences: false).map { Array($0.utf8) }
    }

    /// Returns whether a name matches the pattern. A piece between two `*` is matched at its first place, which leaves
    /// the most text for the next pieces.
    package func matches(_ name: String) -> Bool {
        var rest = Array(name.lowercased().utf8)[...]
        guard let first = pieces.first, let last = pieces.last, rest.starts(with: first) else { return false }
        guard pieces.count > 1 else { return rest.count == first.count }
        rest = rest.dropFirst(first.count)
        guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last) else { return false }
        rest = rest.dropLast(last.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.indices.first(where: { rest[$0...].starts(with: piece) }) else { return false }
            rest = rest[(found + piece.count)...]
        }
        return true
    }
}
