import JSON
import Vocabulary

/// Changes of one value in a `settings.yaml` that leave every other line as it is. The result must be read before it is
/// stored, since a file of an unusual form may have changed otherwise, or not at all.
package enum SettingsWriter {
    /// Returns the text with another value of a setting, in the place of the old one or at the end of its block.
    ///
    /// - Parameters:
    ///   - path: the keys that lead to the setting.
    ///   - value: the value as it is written in YAML. `nil` removes the setting, and the keys above it that lead to
    ///     nothing else.
    package static func setting(_ path: [String], to value: String?, in text: String) -> String {
        var lines = ConfigLines(text)
        var (block, indent) = (0..<lines.words.count, 0)
        var parents: [Int] = []
        for (depth, key) in path.enumerated() {
            guard let index = member(key, at: indent, in: block, of: lines) else {
                guard let value else { return text }
                lines.insert(
                    new(path[depth...], to: value, at: indent), at: end(of: block, in: lines, isTop: depth == 0))
                return lines.text
            }
            guard let found = ConfigMember(lines.words[index]) else { return text }
            let below = index + 1..<endOfBlock(below: index, indent, in: lines)
            let rest = path[(depth + 1)...]
            if rest.isEmpty, let value {
                lines.replace(index, with: found.line(withValue: value))
                if found.value.isEmpty { lines.remove(below) }
                return lines.text
            }
            if rest.isEmpty {
                lines.remove(index..<below.upperBound)
                removeEmpty(parents, from: &lines)
                return lines.text
            }
            if !found.value.isEmpty {
                guard let changed = flow(found.value, rest, to: value) else { return text }
                if changed.isEmpty {
                    lines.remove(index..<index + 1)
                    removeEmpty(parents, from: &lines)
                } else {
                    lines.replace(index, with: found.line(withValue: changed))
                }
                return lines.text
            }
            parents.append(index)
            let inner = below.lazy.compactMap { ConfigMember(lines.words[$0])?.indent }.first
            (block, indent) = (below, inner ?? indent + 2)
        }
        return lines.text
    }

    /// Returns a typed value as YAML: a number, a flag, a list in brackets, or else a text.
    package static func written(_ typed: String) -> String {
        let isList = typed.hasPrefix("[") && typed.hasSuffix("]")
        let isPlain =
            !typed.isEmpty && typed.unicodeScalars.allSatisfy { "-._/+".unicodeScalars.contains($0) || isWordSign($0) }
        guard isList || isPlain, let read = try? YAML.read(typed, file: "").first else {
            return JSON.string(typed).text
        }
        switch read.json {
        case .array: return isList ? typed : JSON.string(typed).text
        case .object, .null: return JSON.string(typed).text
        case .string(let text): return text == typed ? typed : JSON.string(typed).text
        case .bool, .int, .double: return typed
        }
    }

    // MARK: Lines

    private static func member(_ key: String, at indent: Int, in block: Range<Int>, of lines: ConfigLines) -> Int? {
        block.first { ConfigMember(lines.words[$0]).map { $0.indent == indent && $0.key == key } ?? false }
    }

    private static func new(_ path: ArraySlice<String>, to value: String, at indent: Int) -> [String] {
        path.enumerated().map { depth, key in
            String(repeating: " ", count: indent + 2 * depth) + written(key) + ":"
                + (depth == path.count - 1 ? " " + value : "")
        }
    }

    /// Returns the index behind the last line of a block that has content, or the end of the text for the top block.
    private static func end(of block: Range<Int>, in lines: ConfigLines, isTop: Bool) -> Int {
        isTop ? lines.words.count : (block.last { !isSilent(lines.words[$0]) } ?? block.lowerBound - 1) + 1
    }

    /// Returns the line behind what belongs to the key at `index`. Comments behind it belong to what follows.
    private static func endOfBlock(below index: Int, _ indent: Int, in lines: ConfigLines) -> Int {
        var end = index + 1
        for (place, words) in lines.words.enumerated().dropFirst(index + 1) where !isSilent(words) {
            let spaces = words.prefix { $0 == " " }.count
            // The elements of a list may stand as far left as its key.
            guard spaces > indent || spaces == indent && words.dropFirst(spaces).hasPrefix("-") else { break }
            end = place + 1
        }
        return end
    }

    /// Removes the keys that have no values any more, the innermost first.
    private static func removeEmpty(_ parents: [Int], from lines: inout ConfigLines) {
        for index in parents.reversed() {
            guard let parent = ConfigMember(lines.words[index]),
                endOfBlock(below: index, parent.indent, in: lines) == index + 1
            else {
                return
            }
            lines.remove(index..<index + 1)
        }
    }

    /// Returns whether a line is empty, or a comment alone.
    private static func isSilent(_ words: String) -> Bool {
        words.drop { $0 == " " || $0 == "\t" }.first.map { $0 == "#" } ?? true
    }

    private static func isWordSign(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9") ~= scalar)
    }

    // MARK: Mappings in one line

    /// Returns a mapping in braces with another value. It is empty if nothing is left in it, and `nil` if the text is
    /// not a mapping that ends on its line.
    private static func flow(_ text: String, _ path: ArraySlice<String>, to value: String?) -> String? {
        guard text.hasPrefix("{"), let read = try? YAML.read(text, file: "").first?.json.object else { return nil }
        let changed = setting(path, to: value, in: read)
        return changed.members.isEmpty ? "" : flow(.object(changed))
    }

    private static func setting(_ path: ArraySlice<String>, to value: String?, in object: JSON.Object) -> JSON.Object {
        guard let key = path.first else { return object }
        var changed = object
        if path.count == 1 {
            changed[key] = value.flatMap { try? YAML.read($0, file: "").first?.json }
        } else {
            let inner = setting(path.dropFirst(), to: value, in: object[key]?.object ?? JSON.Object())
            changed[key] = inner.members.isEmpty ? nil : .object(inner)
        }
        return changed
    }

    /// Returns a value of a file of the user as YAML on one line, in the form that people write: `{width: 800}`.
    static func flow(_ json: JSON) -> String {
        switch json {
        case .object(let object):
            "{" + object.members.map { "\(written($0.key)): \(flow($0.value))" }.joined(separator: ", ") + "}"
        case .array(let elements): "[" + elements.map(flow).joined(separator: ", ") + "]"
        case .string(let text): quoted(text)
        case .null, .bool, .int, .double: json.text
        }
    }

    /// Returns a text in a form that YAML reads as a text again, even if it looks like a number or a flag.
    private static func quoted(_ text: String) -> String {
        let plain = written(text)
        if case .string? = (try? YAML.read(plain, file: "").first)?.json { return plain }
        return JSON.string(text).text
    }
}
