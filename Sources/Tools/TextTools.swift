import Files
import JSON
import Sandbox
import Vocabulary

/// The tools for texts and JSON.
struct TextTools {
    let context: Builtin.Context

    init(_ context: Builtin.Context) { self.context = context }

    private var assignment: Assignment { context.assignment }

    func join() throws(Failure) -> [Asset] {
        let separator = assignment.text("separator") ?? "\n"
        var joined = BoundedText()
        let assets = assignment.inputs(variadic: "texts")
        for (index, asset) in assets.enumerated() {
            if index > 0 { try joined.append(separator[...]) }
            try joined.append(try context.readText(asset)[...])
        }
        return try context.text(
            joined.text, name: assets.first.map { Builtin.Context.name(after: $0.name, "joined", ".txt") })
    }

    func count() throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("text")
        let text = try context.readText(asset)
        let words = text.split(whereSeparator: \.isWhitespace).count
        // A last line without a line break counts as a line.
        let lines =
            text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
            - (text.last.map { $0.isNewline } ?? true ? 1 : 0)
        let (characters, bytes) = (text.count, text.utf8.count)
        let json = JSON.of([
            "words": .int(words), "lines": .int(lines), "characters": .int(characters), "bytes": .int(bytes),
        ])
        let said =
            "\(asset.name): \(counted(words, "word")), \(counted(lines, "line")), \(counted(characters, "character"))"
        return try context.told(json, said, of: asset.name, "words")
    }

    private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    func replace() throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("text")
        let find = try assignment.requiredText("find")
        guard !find.isEmpty else { throw Failure(.badParam, "\"find\" is empty: there is nothing to look for.") }
        let text = try context.readText(asset)
        return try context.text(
            Self.replaced(find, in: text, with: assignment.text("replacement") ?? ""), name: asset.name)
    }

    private static func replaced(_ find: String, in text: String, with replacement: String) throws(Failure) -> String {
        // No more places than characters, and no more characters than bytes.
        let (added, isTooMuch) = (text.utf8.count / find.count).multipliedReportingOverflow(by: replacement.utf8.count)
        if !isTooMuch, added <= Limits.readFileBytes - text.utf8.count {
            return text.replacing(find, with: replacement)
        }
        var replaced = BoundedText()
        var rest = text[...]
        while let place = rest.firstRange(of: find) {
            try replaced.append(rest[..<place.lowerBound])
            try replaced.append(replacement[...])
            rest = rest[place.upperBound...]
        }
        try replaced.append(rest)
        return replaced.text
    }

    /// Changes the case of all letters: capitals, small letters, or capitals at the start of words or sentences.
    func changeCase() throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("text")
        guard let change = CaseChange(rawValue: try assignment.requiredText("case")) else {
            throw Failure(.badParam, "\"case\" must be upper, lower, title or sentence.")
        }
        let changed = change.applied(to: try context.readText(asset))
        guard changed.utf8.count <= Limits.readFileBytes else { throw BoundedText.tooLarge("The text would have") }
        return try context.text(changed, name: asset.name)
    }

    func fillTemplate() throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("json")
        let values = try context.readJSON(asset)
        var rest = try assignment.requiredText("template")[...]
        var filled = BoundedText()
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            let name = String(rest[open.upperBound..<close.lowerBound]).split(whereSeparator: \.isWhitespace).joined(
                separator: " ")
            guard let value = Self.value(at: name, in: values) else {
                throw Failure(.missingValue, "The JSON has no value for the blank {{\(name)}}.")
            }
            try filled.append(rest[..<open.lowerBound])
            try filled.append(Self.words(value)[...])
            rest = rest[close.upperBound...]
        }
        try filled.append(rest)
        return try context.text(filled.text, name: Builtin.Context.name(after: asset.name, "filled", ".txt"))
    }

    func query() throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("json")
        let path = try assignment.requiredText("path")
        guard let value = Self.value(at: path, in: try context.readJSON(asset)) else {
            throw Failure(.missingValue, "\(asset.name) has nothing at \"\(path)\".")
        }
        return try context.told(value, Self.words(value), of: asset.name, "value")
    }

    func merge() throws(Failure) -> [Asset] {
        var merged = JSON.Object()
        var room = Limits.readFileBytes
        let assets = assignment.inputs(variadic: "values")
        for asset in assets {
            guard asset.bytes <= room else { throw BoundedText.tooLarge("The values together have") }
            room -= asset.bytes
            guard let object = try context.readJSON(asset).object else {
                throw Failure(.badJSON, "\(asset.name) is not an object, so it has no fields to merge.")
            }
            for member in object.members { merged[member.key] = member.value }
        }
        return try context.json(
            .object(merged), name: assets.first.map { Builtin.Context.name(after: $0.name, "merged", ".json") })
    }

    /// Returns the value at a path such as `items.0.name`, or `nil` if there is none. The empty path is the whole
    /// value.
    private static func value(at path: String, in json: JSON) -> JSON? {
        var value = json
        for part in path.split(separator: ".") {
            guard let next = value[String(part)] ?? Int(part).flatMap({ value[$0] }) else { return nil }
            value = next
        }
        return value
    }

    private static func words(_ value: JSON) -> String { value.string ?? (value.isNull ? "" : value.text) }
}

/// A text that is put together from pieces, and is never larger than a step can read.
struct BoundedText {
    private(set) var text = ""

    /// Appends a piece.
    ///
    /// - Throws: `tooLarge` if the text would become too large.
    mutating func append(_ piece: Substring) throws(Failure) {
        guard piece.utf8.count <= Limits.readFileBytes - text.utf8.count else {
            throw Self.tooLarge("The text would have")
        }
        text.append(contentsOf: piece)
    }

    static func tooLarge(_ what: String) -> Failure {
        Failure(
            .tooLarge, "\(what) more than \(Limits.readFileBytes >> 20) MiB, and no step reads as much.",
            remedy: "Take fewer or smaller texts.")
    }
}
