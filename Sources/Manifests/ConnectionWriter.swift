import JSON
package import Vocabulary

/// Changes of a `connections.yaml` that leave the rest of it as the person wrote it. What is written in braces, or otherwise than a line a
/// member, is not changed by them: whoever stores the result reads it first.
package enum ConnectionWriter {
    /// - Parameter name: a connection, or `built-in`.
    package static func settingDefault(_ name: String, in text: String) -> String {
        var lines = lines(of: text)
        let line = "default: \(name)"
        if let place = lines.firstIndex(where: { $0.hasPrefix("default:") }) { lines[place] = line } else { lines.append(line) }
        return joined(lines)
    }

    /// Puts a connection in the place of the one of its name, or in front of the others.
    package static func putting(_ connection: ModelConnection, in text: String) -> String {
        var lines = lines(of: text)
        if let range = range(of: connection.name, in: lines) {
            lines.replaceSubrange(range, with: block(connection, indent(lines[range.lowerBound])))
        } else if let head = head(in: lines) {
            lines[head] = "connections:"
            // As far to the right as the others, if there are some.
            let next = lines.dropFirst(head + 1).lazy.compactMap { indent($0) }.first
            lines.insert(contentsOf: block(connection, next), at: head + 1)
        } else {
            lines += ["connections:"] + block(connection, nil)
        }
        return joined(lines)
    }

    package static func removing(_ name: String, in text: String) -> String {
        var lines = lines(of: text)
        if let range = range(of: name, in: lines) { lines.removeSubrange(range) }
        if let place = lines.firstIndex(of: "default: \(name)") { lines.remove(at: place) }
        return joined(lines)
    }

    // MARK: Lines

    private static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    private static func joined(_ lines: [String]) -> String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

    /// `connections:` with nothing, or an empty mapping, behind it.
    private static func head(in lines: [String]) -> Int? {
        lines.firstIndex { line in
            guard line.hasPrefix("connections:") else { return false }
            let rest = line.dropFirst("connections:".count).prefix { $0 != "#" }.filter { !$0.isWhitespace }
            return rest.isEmpty || rest == "{}"
        }
    }

    /// The lines of one connection: up to the next that is indented as little.
    private static func range(of name: String, in lines: [String]) -> Range<Int>? {
        guard let head = head(in: lines) else { return nil }
        let below = lines.indices.dropFirst(head + 1)
        let end = below.first { indent(lines[$0]) == 0 } ?? lines.endIndex
        guard let start = below.first(where: { $0 < end && key(of: lines[$0]) == name && isMember(lines[$0], of: lines[(head + 1)..<end]) })
        else { return nil }
        let depth = indent(lines[start]) ?? 0
        let next = (start + 1..<end).first { (indent(lines[$0]) ?? .max) <= depth } ?? end
        return start..<next
    }

    /// Whether it stands as far to the left as the first: not a member of a member.
    private static func isMember(_ line: String, of lines: ArraySlice<String>) -> Bool {
        indent(line) == lines.lazy.compactMap { indent($0) }.first
    }

    /// `nil` for lines that say nothing.
    private static func indent(_ line: String) -> Int? {
        let rest = line.drop { $0 == " " }
        return rest.isEmpty || rest.hasPrefix("#") ? nil : line.count - rest.count
    }

    private static func key(of line: String) -> String? {
        let rest = line.drop { $0 == " " }
        guard let colon = rest.firstIndex(of: ":") else { return nil }
        return rest[..<colon].filter { $0 != "\"" && $0 != "'" && $0 != " " }
    }

    /// - Parameter depth: spaces in front of its name; 0 and `nil` are none of another connection.
    private static func block(_ connection: ModelConnection, _ depth: Int?) -> [String] {
        let margin = String(repeating: " ", count: depth.flatMap { $0 == 0 ? nil : $0 } ?? 2)
        let settings = connection.settings
        let members: [(String, JSON?)] = [
            ("profile", connection.profile.map { .string($0) }), ("url", connection.url.map { .string($0) }),
            ("model", .string(connection.model)), ("key", connection.keyName.map { .string($0) }),
            ("fallback", connection.fallback.map { .string($0) }), ("dialect", settings.dialect.map { .string($0.rawValue) }),
            ("effort", settings.effort.map { .string($0) }), ("window", settings.window.map { .int($0) }),
            ("max_tokens", settings.maxTokens.map { .int($0) }), ("usage_in_stream", settings.usageInStream.map { .bool($0) }),
            ("tools", settings.hasTools.map { .bool($0) }), ("vision", settings.hasVision.map { .bool($0) }),
        ]
        return ["\(margin)\(connection.name):"] + members.compactMap { name, value in value.map { "\(margin)  \(name): \($0.text)" } }
    }
}
