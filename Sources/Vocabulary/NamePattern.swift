/// Names by `*`, which stands for any characters, or none. Letters count as equal in both cases, as servers take them.
package struct NamePattern: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private let pieces: [[UInt8]]

    /// - Returns: `nil` if nothing, or more than a name of a model, is written.
    package init?(_ written: String) {
        guard !written.isEmpty, written.utf8.count <= Limits.modelNameBytes else { return nil }
        description = written
        pieces = written.lowercased().split(separator: "*", omittingEmptySubsequences: false).map { Array($0.utf8) }
    }

    /// What stands between two `*` is found where it comes first: later ones would leave less for the rest.
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
