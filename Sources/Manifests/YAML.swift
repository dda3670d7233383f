package import JSON
package import Vocabulary
import Yams

/// A value of YAML with its place, so that a problem can be reported by file and line.
///
/// Scalars are read by the core schema of YAML 1.2. `yes`, `on` and `1:30` are texts, and so is everything in quotes.
package struct YAML: Sendable {
    package indirect enum Value: Sendable {
        case scalar(JSON)
        case list([YAML])
        case mapping([Member])
    }

    package struct Member: Sendable {
        package let key: String
        package let line: Int
        /// The column of the key, from 1.
        package let column: Int
        package let value: YAML
    }

    package let value: Value
    /// The line, counted from 1.
    package let line: Int
    /// The column of the value's first sign, which may be a quote, counted from 1.
    package let column: Int
    /// The column of the first sign of a text that stands unchanged on its line. It is `nil` if an escape or a line
    /// fold changes the text.
    package let textColumn: Int?

    /// A number as it is written, such as `1.20`, which `json` rounds. It is `nil` for other values, and if the number
    /// was not read from YAML.
    package let written: String?

    init(value: Value, line: Int, column: Int = 1, textColumn: Int? = nil, written: String? = nil) {
        (self.value, self.line, self.column, self.textColumn) = (value, line, column, textColumn)
        self.written = written
    }

    package var json: JSON {
        switch value {
        case .scalar(let scalar): scalar
        case .list(let elements): .array(elements.map(\.json))
        case .mapping(let members):
            .object(JSON.Object(members: members.map { .init(key: $0.key, value: $0.value.json) }))
        }
    }

    /// Whether there is nothing: an empty document, or a key without a value.
    var isNull: Bool { if case .scalar(.null) = value { true } else { false } }

    package subscript(key: String) -> YAML? {
        guard case .mapping(let members) = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// Returns the line of the first text or key in the value that contains some words.
    func line(holding words: String) -> Int? {
        switch value {
        case .scalar(let scalar): scalar.string?.contains(words) ?? false ? line : nil
        case .list(let elements): elements.lazy.compactMap { $0.line(holding: words) }.first
        case .mapping(let members):
            members.lazy.compactMap { $0.key.contains(words) ? $0.line : $0.value.line(holding: words) }.first
        }
    }

    /// Reads the documents of a text, in order. Signs that editors do not show (`YAMLSigns`), anchors, aliases and keys
    /// that are not texts are refused, since manifests and settings need none of them.
    ///
    /// - Throws: `badYAML` or `tooLarge`, placed by `file:line:column`.
    package static func read(_ text: String, file: String) throws(Problem) -> [YAML] {
        guard text.utf8.count <= YAMLBuilder.bytesLimit else {
            throw Problem(
                .tooLarge, at: file,
                "The file has \(text.utf8.count) bytes; at most \(YAMLBuilder.bytesLimit) are read.")
        }
        try YAMLSigns.check(text, file: file)
        do {
            var builder = YAMLBuilder(file: file)
            // The parser would read a byte order mark as the first sign of the first key.
            let marked = text.unicodeScalars
            let plain = marked.first == "\u{FEFF}" ? String(marked.dropFirst()) : text
            // Types of scalars are decided below. By itself, the parser would try seven regular expressions on each key.
            let parser = try Parser(
                yaml: YAMLStandIns.put(into: plain, file: file), resolver: .basic, encoding: .utf8)
            var documents: [YAML] = []
            while let node = try parser.nextRoot() { documents.append(try builder.build(node)) }
            return documents
        } catch let problem as Problem {
            throw problem
        } catch let error as YamlError {
            throw error.problem(in: file, of: text)
        } catch {
            throw Problem(.badYAML, at: file, "\(error)")
        }
    }
}

/// Reads one document of YAML as a JSON value, for settings and similar files. An empty text gives an empty object.
package func readYAML(_ text: some ConfigText, file: String) throws(Problem) -> JSON {
    let documents = try text.documents(file: file)
    guard documents.count < 2 else {
        throw Problem(.badYAML, at: "\(file):\(documents[1].line)", "Only one document is expected here.")
    }
    guard let document = documents.first, !document.isNull else { return .object(JSON.Object()) }
    return document.json
}

/// Turns the nodes of the parser into values, within limits.
private struct YAMLBuilder {
    static let bytesLimit = 4 << 20
    static let nodesLimit = 200_000
    /// The highest number of keys of one mapping.
    static let keysLimit = 10_000

    let file: String
    private var nodes = 0

    init(file: String) { self.file = file }

    mutating func build(_ node: Node) throws(Problem) -> YAML {
        let (line, column) = (node.mark?.line ?? 1, node.mark?.column ?? 1)
        nodes += 1
        guard nodes <= Self.nodesLimit else {
            throw Problem(.tooLarge, at: "\(file):\(line)", "The file has too many values.")
        }
        switch node {
        case .scalar(let scalar):
            let words = try words(of: scalar, line)
            let value = scalar.style == .plain ? Self.plain(words) : .string(words)
            return YAML(
                value: .scalar(value), line: line, column: column,
                textColumn: Self.textColumn(of: scalar, words, column), written: value.number == nil ? nil : words)
        case .sequence(let sequence):
            var elements: [YAML] = []
            for element in sequence { elements.append(try build(element)) }
            return YAML(value: .list(elements), line: line, column: column)
        case .mapping(let mapping):
            guard mapping.count <= Self.keysLimit else {
                throw Problem(
                    .tooLarge, at: "\(file):\(line)",
                    "There are \(mapping.count) keys in one mapping; at most \(Self.keysLimit) are read."
                )
            }
            var members: [YAML.Member] = []
            var keys: Set<String> = []
            for (key, value) in mapping {
                let keyLine = key.mark?.line ?? line
                guard case .scalar(let scalar) = key else {
                    throw Problem(.badYAML, at: "\(file):\(keyLine)", "A key must be a text.")
                }
                let name = try words(of: scalar, keyLine)
                guard keys.insert(name).inserted else {
                    throw Problem(.badYAML, at: "\(file):\(keyLine)", "A key stands there twice.")
                }
                members.append(
                    YAML.Member(key: name, line: keyLine, column: key.mark?.column ?? 1, value: try build(value)))
            }
            return YAML(value: .mapping(members), line: line, column: column)
        case .alias:
            throw Problem(.badYAML, at: "\(file):\(line)", "An alias names nothing.")
        }
    }

    /// Returns the column where a text begins, or `nil` if it has line breaks, or doubled or escaped quotes.
    private static func textColumn(of scalar: Node.Scalar, _ words: String, _ column: Int) -> Int? {
        switch scalar.style {
        case .plain where !words.contains("\n"): column
        case .singleQuoted where !words.contains("'") && !words.contains("\n"): column + 1
        case .doubleQuoted where !words.contains("\"") && !words.contains("\\") && !words.contains("\n"): column + 1
        default: nil
        }
    }

    private func words(of scalar: Node.Scalar, _ line: Int) throws(Problem) -> String {
        if scalar.style == .plain, let fault = YAMLStandIns.fault(ofPlain: scalar.string) {
            throw Problem(.badYAML, at: "\(file):\(line)", fault)
        }
        return YAMLStandIns.takenOut(of: scalar.string)
    }

    /// Reads a scalar without quotes by the core schema (YAML 1.2, chapter 10.3). Octal and hexadecimal numbers,
    /// infinities and NaN stay texts.
    static func plain(_ text: String) -> JSON {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: break
        }
        guard let first = text.utf8.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || "+-.".utf8.contains(first)
        else {
            return .string(text)
        }
        if let whole = Int(text) { return .int(whole) }
        let isNumeral = text.utf8.allSatisfy {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.eE".utf8.contains($0)
        }
        if isNumeral, let number = Double(text), number.isFinite { return .double(number) }
        return .string(text)
    }
}

extension YamlError {
    /// Returns the problem of a key that occurs twice in a mapping, with the line of the second occurrence.
    ///
    /// - Parameter mark: the place of the first occurrence.
    private static func twice(_ key: String, _ mark: Mark, in file: String, of text: String) -> Problem {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let second = lines.indices.dropFirst(mark.line).first { index in
            // In a block the second key stands below the first. In a mapping in braces it may be anywhere on a line.
            let before = lines[index].prefix(max(0, mark.column - 1))
            let written = lines[index].dropFirst(before.count)
            return before.allSatisfy { $0 == " " }
                && [key, "\"\(key)\"", "'\(key)'"].contains { words in
                    written.hasPrefix(words) && written.dropFirst(words.count).first { $0 != " " } == ":"
                }
        }
        guard let second else {
            return Problem(.badYAML, at: "\(file):\(mark.line)", "The key \"\(key)\" is there twice.")
        }
        return Problem(
            .badYAML, at: "\(file):\(second + 1)",
            "The key \"\(key)\" is there twice, the first time in line \(mark.line).")
    }

    /// Returns the problem for an error of the parser.
    ///
    /// - Parameter text: the text of the file, as the user wrote it.
    fileprivate func problem(in file: String, of text: String) -> Problem {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            Problem(
                .badYAML, at: "\(file):\(mark.line):\(mark.column)",
                problem + "."
                    + (YAMLStandIns.word(near: mark.line, in: text).map {
                        " Anchors and aliases such as \($0) are not read; write out what they stand for."
                    } ?? ""))
        case .duplicatedKeysInMapping(let duplicates, let context):
            Self.twice(YAMLStandIns.takenOut(of: duplicates.first ?? ""), context.mark, in: file, of: text)
        case .reader(let problem, _, _, _), .writer(let problem), .emitter(let problem), .representer(let problem):
            Problem(.badYAML, at: file, problem + ".")
        case .no, .memory, .dataCouldNotBeDecoded:
            Problem(.badYAML, at: file, "The text cannot be read.")
        }
    }
}
