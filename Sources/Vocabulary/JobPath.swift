package import JSON

extension Limits {
    /// The most steps of a path into an answer of a provider.
    fileprivate static let jobPathSteps = 16

    /// The most values that a path into an answer of a provider returns.
    package static let jobPathValues = 1_000
}

/// A path to values in an answer, in a subset of JSONPath with `$.a.b[0]`, `[*]`, `.*` and `['odd name']`. A final `?`
/// says that the value may be missing. There are no filters, no descent and no scripts, so that a path visits each
/// value at most once.
package struct JobPath: Hashable, Sendable, CustomStringConvertible {
    package enum Step: Hashable, Sendable {
        case member(String)
        case element(Int)
        /// All elements of a list, all members of an object.
        case all
    }

    package let steps: [Step]
    package let isOptional: Bool
    package let description: String

    /// Reads a path. Returns `nil` if the text does not have this form.
    package init?(_ text: String) {
        description = text
        isOptional = text.hasSuffix("?")
        var rest = text.unicodeScalars.dropLast(isOptional ? 1 : 0)[...]
        guard text.utf8.count <= 512, rest.popFirst() == "$" else { return nil }
        var steps: [Step] = []
        while let sign = rest.popFirst() {
            guard steps.count < Limits.jobPathSteps else { return nil }
            switch sign {
            case ".":
                let name = String(String.UnicodeScalarView(rest.prefix { !".[]'\"? ".unicodeScalars.contains($0) }))
                guard !name.isEmpty else { return nil }
                rest = rest.dropFirst(name.unicodeScalars.count)
                steps.append(name == "*" ? .all : .member(name))
            case "[":
                guard let end = rest.firstIndex(of: "]"), let step = Self.bracket(String(rest[..<end])) else {
                    return nil
                }
                rest = rest[rest.index(after: end)...]
                steps.append(step)
            default: return nil
            }
        }
        self.steps = steps
    }

    private static func bracket(_ inner: String) -> Step? {
        if inner == "*" { return .all }
        if inner.count > 2, let quote = inner.first, quote == "'" || quote == "\"", inner.last == quote {
            return .member(String(inner.dropFirst().dropLast()))
        }
        return inner.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int(inner).map { .element($0) } : nil
    }

    /// Returns the values at the path, in their order. Nulls count as missing.
    package func values(in json: JSON, atMost most: Int = Limits.jobPathValues) -> [JSON] {
        var found = [json]
        for step in steps {
            switch step {
            case .member(let name): found = found.compactMap { $0[name] }
            case .element(let place): found = found.compactMap { $0[place] }
            case .all:
                found = Array(
                    found.lazy.flatMap { $0.array ?? $0.object?.members.map(\.value) ?? [] }.prefix(most))
            }
        }
        return found.filter { !$0.isNull }
    }

    package func first(in json: JSON) -> JSON? { values(in: json).first }
}
