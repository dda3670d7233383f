import JSON
import Vocabulary

/// The members of a mapping, which are read one by one. Members that are never read are reported as unknown keys.
/// Problems are collected and never thrown.
struct Fields {
    let file: String
    let line: Int
    /// The thing that the mapping describes, as messages name it, such as "Resize" or "Resize, parameter \"width\"".
    let subject: String
    /// Whether problems name the column, too.
    let hasColumns: Bool
    private let column: Int
    private let members: [YAML.Member]
    private var taken: Set<String> = []
    private(set) var problems: [Problem] = []

    init?(_ yaml: YAML, file: String, subject: String, hasColumns: Bool = false) {
        guard case .mapping(let members) = yaml.value else { return nil }
        self.file = file
        self.hasColumns = hasColumns
        (line, column) = (yaml.line, yaml.column)
        self.subject = subject
        self.members = members
    }

    mutating func report(
        _ code: Code, line: Int? = nil, column: Int? = nil, _ message: String, fix: Problem.Fix? = nil
    ) {
        let end = hasColumns ? ":\(column ?? (line == nil ? self.column : 1))" : ""
        var problem = Problem(code, at: "\(file):\(line ?? self.line)\(end)", "\(subject): \(message)")
        problem.fix = fix
        problems.append(problem)
    }

    /// Reports a problem at the place of a value.
    mutating func report(_ code: Code, at yaml: YAML, _ message: String) {
        report(code, line: yaml.line, column: yaml.column, message)
    }

    /// Reports a problem at the key of a member, or at the mapping if that is missing.
    mutating func report(_ code: Code, at key: String, _ message: String) {
        let member = members.first { $0.key == key }
        report(code, line: member?.line ?? line, column: member?.column ?? column, message)
    }

    /// Marks keys as known although their values are not read.
    mutating func know(_ keys: [String]) { taken.formUnion(keys) }

    /// The keys of the mapping, in order.
    var keys: [String] { members.map(\.key) }

    func has(_ key: String) -> Bool { members.contains { $0.key == key } }

    mutating func add(_ problems: [Problem]) { self.problems += problems }

    /// Returns the line of the member at a path of keys, or of the last member on the path that exists.
    func line(of keys: String...) -> Int {
        var (found, line) = (YAML(value: .mapping(members), line: line), line)
        for key in keys {
            guard case .mapping(let members) = found.value, let member = members.first(where: { $0.key == key }) else {
                break
            }
            (found, line) = (member.value, member.line)
        }
        return line
    }

    /// Returns the line of the first text at a path of keys that contains some words, or the line of the last key if
    /// none does.
    func line(of keys: String..., holding words: String) -> Int {
        var found = YAML(value: .mapping(members), line: line)
        for key in keys {
            guard let inner = found[key] else { break }
            found = inner
        }
        return found.line(holding: words) ?? found.line
    }

    mutating func take(_ key: String) -> YAML? {
        taken.insert(key)
        return members.first { $0.key == key }?.value
    }

    /// Returns the value of a member if `read` accepts it. Reports a problem if not, and returns `nil` if the member is
    /// missing or wrong.
    private mutating func take<Value>(_ key: String, _ kind: String, _ read: (JSON) -> Value?) -> Value? {
        guard let yaml = take(key) else { return nil }
        guard let value = read(yaml.json) else {
            report(.badField, at: yaml, "\"\(key)\" must be \(kind), not \(yaml.json.kindInWords).")
            return nil
        }
        return value
    }

    mutating func text(_ key: String) -> String? { take(key, "text") { $0.string } }
    mutating func flag(_ key: String) -> Bool? { take(key, "true or false") { $0.bool } }
    mutating func number(_ key: String) -> Double? { take(key, "a number") { $0.number } }

    /// Returns a list of texts. Whole numbers in it are read as they are written, as in `choices: [1, 2]`.
    mutating func texts(_ key: String) -> [String]? {
        take(key, "a list of texts") { json in
            guard let elements = json.array else { return nil }
            let texts = elements.compactMap { element in element.string ?? element.int.map { String($0) } }
            return texts.count == elements.count ? texts : nil
        }
    }

    mutating func requiredText(_ key: String) -> String {
        let before = problems.count
        if let value = text(key), !value.isEmpty { return value }
        if problems.count == before { report(.missingField, "\"\(key)\" is missing.") }
        return ""
    }

    mutating func choice<Value: RawRepresentable & CaseIterable>(_ key: String, _: Value.Type) -> Value?
    where Value.RawValue == String {
        guard let yaml = take(key) else { return nil }
        if let word = yaml.json.string, let value = Value(rawValue: word) { return value }
        let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
        report(.badField, at: yaml, "\"\(key)\" must be one of \(choices).")
        return nil
    }

    /// Returns the members of a mapping under a key, or an empty list if the key is missing.
    mutating func mapping(_ key: String) -> [YAML.Member] {
        guard let yaml = take(key) else { return [] }
        if case .mapping(let members) = yaml.value { return members }
        if case .list(let elements) = yaml.value, elements.isEmpty { return [] }
        report(.badField, at: yaml, "\"\(key)\" must be an object, not \(yaml.json.kindInWords).")
        return []
    }

    mutating func list(_ key: String) -> [YAML] {
        guard let yaml = take(key) else { return [] }
        if case .list(let elements) = yaml.value { return elements }
        report(.badField, at: yaml, "\"\(key)\" must be a list, not \(yaml.json.kindInWords).")
        return []
    }

    /// Returns the fix for a misspelled key: the known key that was meant, unless the mapping has it, too.
    private func fix(of member: YAML.Member) -> Problem.Fix? {
        guard let right = NearestWord.of(member.key, among: taken), !has(right) else { return nil }
        return Problem.Fix(line: member.line, column: member.column, wrong: member.key, right: right)
    }

    /// Reports every member that was not read. It must be called last.
    mutating func refuseTheRest() {
        for member in members where !taken.contains(member.key) {
            let hint = NearestWord.hint(for: member.key, among: taken)
            report(
                .unknownKey, line: member.line, column: member.column, "\"\(member.key)\" is not known here. \(hint)",
                fix: fix(of: member)
            )
        }
    }
}
