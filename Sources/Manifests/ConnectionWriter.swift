import JSON
package import Vocabulary

/// Changes to a `connections.yaml` that leave the rest of the file as the user wrote it. They skip members in braces or
/// in any form other than a line each, so the caller must read the result before it stores it.
package enum ConnectionWriter {
    /// Returns the text with another default connection, in the place of the old one or at the end.
    ///
    /// - Parameter name: a connection, or `built-in`.
    package static func settingDefault(_ name: String, in text: String) -> String {
        SettingsWriter.setting(["default"], to: name, in: text)
    }

    /// Returns the text with a connection. It is inserted in front of the others, or replaces the changed lines of the
    /// connection of its name.
    ///
    /// - Parameter old: the connection of that name as the text has it. Lines whose value is the same in both stay as
    ///   they are.
    package static func putting(_ connection: ModelConnection, over old: ModelConnection? = nil, in text: String)
        -> String
    {
        var lines = ConfigLines(text)
        if let range = range(of: connection.name, in: lines.words) {
            if let old {
                change(old, to: connection, of: range, in: &lines)
            } else {
                let depth = indent(lines.words[range.lowerBound])
                lines.insert(block(connection, depth), at: range.upperBound)
                lines.remove(range)
            }
        } else if let head = head(in: lines.words) {
            let member = ConfigMember(lines.words[head])
            if let member, member.value == "{}" { lines.replace(head, with: member.line(withValue: "")) }
            // The new connection is indented like the others, if there are any.
            let next = lines.words.dropFirst(head + 1).lazy.compactMap { indent($0) }.first
            lines.insert(block(connection, next), at: head + 1)
        } else {
            lines.append(["connections:"] + block(connection, nil))
        }
        return lines.text
    }

    /// Returns the text without a connection, and without the default if it names that connection.
    package static func removing(_ name: String, in text: String) -> String {
        var lines = ConfigLines(text)
        if let range = range(of: name, in: lines.words) { lines.remove(range) }
        let place = lines.words.firstIndex { line in
            ConfigMember(line).map { $0.indent == 0 && $0.key == "default" && unquoted($0.value) == name } ?? false
        }
        if let place { lines.remove(place..<place + 1) }
        return lines.text
    }

    // MARK: Lines

    /// Changes the lines of a connection whose values differ, and inserts missing ones below its name.
    private static func change(
        _ old: ModelConnection, to new: ModelConnection, of range: Range<Int>, in lines: inout ConfigLines
    ) {
        var range = range
        let depth = indent(lines.words[range.lowerBound]) ?? 0
        let inner = lines.words[range].dropFirst().lazy.compactMap { indent($0) }.first ?? depth + 2
        for ((name, before), (_, after)) in zip(members(of: old), members(of: new)) where before != after {
            let place = range.dropFirst().first { index in
                ConfigMember(lines.words[index]).map { $0.indent == inner && $0.key == name } ?? false
            }
            switch (place, after) {
            case (let place?, let value?):
                if let member = ConfigMember(lines.words[place]) {
                    lines.replace(place, with: member.line(withValue: value.text))
                }
            case (let place?, nil):
                lines.remove(place..<place + 1)
                range = range.lowerBound..<range.upperBound - 1
            case (nil, let value?):
                lines.insert(
                    ["\(String(repeating: " ", count: inner))\(name): \(value.text)"], at: range.lowerBound + 1)
                range = range.lowerBound..<range.upperBound + 1
            case (nil, nil): break
            }
        }
    }

    private static func unquoted(_ value: String) -> String {
        guard let first = value.first, first == "\"" || first == "'", value.last == first, value.count > 1 else {
            return value
        }
        return String(value.dropFirst().dropLast())
    }

    /// Returns the index of the line `connections:` that has no value, or an empty mapping, behind it.
    private static func head(in lines: [String]) -> Int? {
        lines.firstIndex { line in
            guard let member = ConfigMember(line), member.indent == 0, member.key == "connections" else { return false }
            return member.value.isEmpty || member.value == "{}"
        }
    }

    /// Returns the lines of a connection: up to the next line that is not indented more than its name.
    private static func range(of name: String, in lines: [String]) -> Range<Int>? {
        guard let head = head(in: lines) else { return nil }
        let below = lines.indices.dropFirst(head + 1)
        let end = below.first { indent(lines[$0]) == 0 } ?? lines.endIndex
        guard
            let start = below.first(where: {
                $0 < end && ConfigMember(lines[$0])?.key == name && isMember(lines[$0], of: lines[(head + 1)..<end])
            })
        else { return nil }
        let depth = indent(lines[start]) ?? 0
        let next = (start + 1..<end).first { (indent(lines[$0]) ?? .max) <= depth } ?? end
        // Blank lines and comments behind the last member belong to what follows, or to nothing.
        let last = (start..<next).last { indent(lines[$0]) != nil } ?? start
        return start..<last + 1
    }

    /// Returns whether a line is indented like the first member, so that it is not a member of a member.
    private static func isMember(_ line: String, of lines: ArraySlice<String>) -> Bool {
        indent(line) == lines.lazy.compactMap { indent($0) }.first
    }

    /// Returns the indentation of a line in spaces, or `nil` for blank lines and comments.
    private static func indent(_ line: String) -> Int? {
        let rest = line.drop { $0 == " " }
        return rest.isEmpty || rest.hasPrefix("#") ? nil : line.count - rest.count
    }

    /// Returns the members that are written, by name, in the order in which they are written.
    private static func members(of connection: ModelConnection) -> [(name: String, value: JSON?)] {
        let settings = connection.settings
        return [
            ("profile", connection.profile.map { .string($0) }), ("url", connection.url.map { .string($0) }),
            ("model", .string(connection.model)), ("key", connection.keyName.map { .string($0) }),
            ("fallback", connection.fallback.map { .string($0) }),
            ("dialect", settings.dialect.map { .string($0.rawValue) }),
            ("effort", settings.effort.map { .string($0) }), ("window", settings.window.map { .int($0) }),
            ("max_tokens", settings.maxTokens.map { .int($0) }),
            ("usage_in_stream", settings.usageInStream.map { .bool($0) }),
            ("tools", settings.hasTools.map { .bool($0) }), ("vision", settings.hasVision.map { .bool($0) }),
        ]
    }

    /// Returns the lines of a new connection.
    ///
    /// - Parameter depth: the number of spaces in front of its name, or 0 or `nil` if there is no other connection to
    ///   align with.
    private static func block(_ connection: ModelConnection, _ depth: Int?) -> [String] {
        let margin = String(repeating: " ", count: depth.flatMap { $0 == 0 ? nil : $0 } ?? 2)
        return ["\(margin)\(connection.name):"]
            + members(of: connection).compactMap { name, value in value.map { "\(margin)  \(name): \($0.text)" } }
    }
}
