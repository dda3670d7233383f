/// A path to one value of a JSON: `items.0.name`, `users[0].name`. A key with a dot in it stands in quotes:
/// `x."lodash.merge"`, or in brackets: `["a.b"].c`.
package struct ValuePath: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        /// A key of an object, or the place of an element in a list.
        case either(String)
        /// A key in quotes.
        case key(String)
        case element(Int)
        /// All elements or members. The first one that has the rest of the path counts.
        case any
    }

    private var parts: [Part] = []
    /// Whether there is nothing between two dots, or behind the last one, as in `a..b`.
    package private(set) var hasEmptyPart = false

    /// Reads a path. The empty one is the whole value. What is no part in quotes or brackets is read as a key.
    package init(_ text: String) {
        var rest = text.unicodeScalars[...]
        if rest.first == "$", let second = rest.dropFirst().first, second == "." || second == "[" { rest.removeFirst() }
        var isAfterDot = false
        while let sign = rest.first {
            defer { isAfterDot = sign == "." }
            if sign == "." {
                rest.removeFirst()
                hasEmptyPart = hasEmptyPart || isAfterDot || rest.isEmpty
            } else if let (part, after) = Self.quoted(rest) ?? Self.bracket(rest) {
                parts.append(part)
                rest = after
            } else {
                let end = rest.indices.dropFirst().first { index in
                    rest[index] == "." || rest[index] == "[" && Self.bracket(rest[index...]) != nil
                }
                let name = String(rest[..<(end ?? rest.endIndex)])
                parts.append(name == "*" ? .any : .either(name))
                rest = rest[(end ?? rest.endIndex)...]
            }
        }
    }

    private typealias Read = (part: Part, rest: Substring.UnicodeScalarView)

    /// Reads a key in quotes, with the escapes of JSON.
    private static func quoted(_ text: Substring.UnicodeScalarView) -> Read? {
        guard text.first == "\"" else { return nil }
        var isEscaped = false
        let end = text.indices.dropFirst().first { index in
            defer { isEscaped = !isEscaped && text[index] == "\\" }
            return text[index] == "\"" && !isEscaped
        }
        guard let end, let key = (try? JSONReader.read(String(text[...end])))?.string else { return nil }
        let rest = text[text.index(after: end)...]
        guard rest.isEmpty || rest.first == "." || rest.first == "[" else { return nil }
        return (.key(key), rest)
    }

    /// Reads `["a.b"]`, `['a.b']`, `[0]` or `[*]`.
    private static func bracket(_ text: Substring.UnicodeScalarView) -> Read? {
        guard text.first == "[", let sign = text.dropFirst().first else { return nil }
        let inner = text.dropFirst()
        if sign == "\"" || sign == "'" {
            let closing = inner.indices.dropFirst().first { index in
                inner[index] == sign && inner[inner.index(after: index)...].first == "]"
            }
            guard let closing else { return nil }
            let key = String(inner[inner.index(after: inner.startIndex)..<closing])
            return (.key(key), inner[closing...].dropFirst(2))
        }
        guard let end = inner.firstIndex(of: "]") else { return nil }
        let rest = inner[end...].dropFirst()
        let words = String(inner[..<end])
        if words == "*" { return (.any, rest) }
        guard words.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let place = Int(words) else { return nil }
        return (.element(place), rest)
    }

    /// Returns the value at the path, or `nil` if there is none.
    package func value(in json: WrittenJSON) -> WrittenJSON? { Self.value(parts[...], in: json) }

    private static func value(_ parts: ArraySlice<Part>, in json: WrittenJSON) -> WrittenJSON? {
        guard let part = parts.first else { return json }
        let rest = parts.dropFirst()
        let next: WrittenJSON? =
            switch part {
            case .key(let key): json[key]
            case .either(let word): json[word] ?? Int(word).flatMap { element($0, of: json) }
            case .element(let place): element(place, of: json)
            case .any: nil
            }
        if case .any = part {
            let all = json.elements ?? json.members?.map(\.value) ?? []
            return all.lazy.compactMap { value(rest, in: $0) }.first
        }
        return next.flatMap { value(rest, in: $0) }
    }

    private static func element(_ place: Int, of json: WrittenJSON) -> WrittenJSON? {
        guard let elements = json.elements, elements.indices.contains(place) else { return nil }
        return elements[place]
    }

    /// Returns how a path has to be written that divides keys at their dots: `x."lodash.merge"` for `x.lodash.merge`.
    ///
    /// - Returns: `nil` if the JSON has no such keys.
    package static func withQuotes(_ text: String, in json: WrittenJSON) -> String? {
        withQuotes(text.split(separator: ".").prefix(mostParts).map(String.init)[...], in: json)?.joined(separator: ".")
    }

    /// The most parts of a path for which keys with dots are looked for.
    private static let mostParts = 16

    private static func withQuotes(_ parts: ArraySlice<String>, in json: WrittenJSON) -> [String]? {
        guard !parts.isEmpty else { return [] }
        for count in (1...parts.count).reversed() {
            let key = parts.prefix(count).joined(separator: ".")
            guard let inner = json[key] ?? (count == 1 ? Int(key).flatMap { element($0, of: json) } : nil),
                let rest = withQuotes(parts.dropFirst(count), in: inner)
            else { continue }
            return [count > 1 ? JSON.string(key).text : key] + rest
        }
        return nil
    }
}
