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
        var texts: [EncodedText] = []
        for asset in assets { texts.append(try context.encodedText(asset)) }
        let lineEnd = separator == "\n" ? try Self.usualEnd(of: texts.first) : nil
        for (index, text) in texts.enumerated() {
            if let lineEnd {
                if !joined.endsWithLineEnd { try joined.append(lineEnd[...]) }
            } else if index > 0 {
                try joined.append(separator[...])
            }
            try joined.append(String(decoding: text.utf8, as: UTF8.self)[...])
        }
        let (form, warning) = TextForm.common(of: texts)
        return try context.text(
            Array(joined.text.utf8), in: form,
            name: assets.first.map { Builtin.Context.name(after: $0.name, "joined", ".txt") }, warning: warning)
    }

    private static func usualEnd(of text: EncodedText?) throws(Failure) -> String {
        String(decoding: try TextLines(text?.utf8 ?? []).usualEnd, as: UTF8.self)
    }

    func count() throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("text")
        let read = try context.encodedText(asset)
        let text = String(decoding: read.utf8, as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace).count
        let lines = try TextLines(read.utf8).lines.count
        let encoding = read.form.encoding == .utf8 ? nil : read.form.encoding.name
        let json = JSON.of([
            "words": .int(words), "lines": .int(lines), "characters": .int(text.count), "bytes": .int(asset.bytes),
            "encoding": encoding.map { .string($0) },
        ])
        let said =
            "\(asset.name)\(asset.note.map { " (\($0))" } ?? ""): \(counted(words, "word")), \(counted(lines, "line")), \(counted(text.count, "character"))"
            + (encoding.map { " (\($0))" } ?? "")
        return try context.told(json, said, of: asset.name, "words")
    }

    private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    func replace() throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("text")
        let find = try assignment.requiredText("find")
        guard !find.isEmpty else { throw Failure(.badParam, "\"find\" is empty: there is nothing to look for.") }
        let read = try context.encodedText(asset)
        let replaced = try ReplacedText(read.utf8, find: find, with: assignment.text("replacement") ?? "")
        if replaced.count == 0 {
            try context.requireFound("“\(find)” is nowhere in \(asset.name). Nothing is replaced, and no file is made.")
        }
        return try context.text(replaced.utf8, in: read.form, name: asset.name).noting("\(replaced.count) replaced")
    }

    /// Changes the case of all letters: capitals, small letters, or capitals at the start of words or sentences.
    func changeCase() throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("text")
        guard let change = CaseChange(rawValue: try assignment.requiredText("case")) else {
            throw Failure(.badParam, "\"case\" must be upper, lower, title or sentence.")
        }
        let read = try context.encodedText(asset)
        let changed = Array(change.applied(to: String(decoding: read.utf8, as: UTF8.self)).utf8)
        return try context.text(changed, in: read.form, name: asset.name)
    }

    func fillTemplate() throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("json")
        let values = try context.readWrittenJSON(asset)
        var rest = try assignment.requiredText("template")[...]
        var filled = BoundedText()
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            let name = String(rest[open.upperBound..<close.lowerBound]).split(whereSeparator: \.isWhitespace).joined(
                separator: " ")
            guard let value = ValuePath(name).value(in: values) else {
                throw Failure(
                    .missingValue, "The JSON has no value for the blank {{\(name)}}.",
                    remedy: Self.remedy(for: name, in: values))
            }
            guard !value.isHalfText else {
                throw Failure(
                    .notText, "The value for the blank {{\(name)}} has half of a sign in it: \(value.text).",
                    remedy: "Correct the JSON.")
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
        let json = try context.readWrittenJSON(asset)
        guard let value = ValuePath(path).value(in: json) else {
            throw Failure(
                .missingValue, "\(asset.name) has nothing at \"\(path)\".", remedy: Self.remedy(for: path, in: json))
        }
        return try context.told(Array(value.written), Self.words(value), of: asset.name, "value")
    }

    func merge() throws(Failure) -> [Asset] {
        var merged = MergedMembers()
        var room = Limits.readFileBytes
        let assets = assignment.inputs(variadic: "values")
        for asset in assets {
            guard asset.bytes <= room else { throw BoundedText.tooLarge("The values together have") }
            room -= asset.bytes
            guard let members = try context.readWrittenJSON(asset).members else {
                throw Failure(.badJSON, "\(asset.name) is not an object, so it has no fields to merge.")
            }
            for member in members { merged.set(member) }
        }
        return try context.json(
            WrittenJSON.object(merged.members),
            name: assets.first.map { Builtin.Context.name(after: $0.name, "merged", ".json") })
    }

    /// Returns a remedy that writes the path with quotes, if a key with dots is meant.
    private static func remedy(for path: String, in json: WrittenJSON) -> String? {
        ValuePath.withQuotes(path, in: json).map { "A key with a dot stands in quotes: \($0)" }
    }

    /// Returns a value in a text. A string with half of a surrogate pair stays JSON.
    private static func words(_ value: WrittenJSON) -> String { value.string ?? (value.isNull ? "" : value.text) }
}

/// The members of several objects, with the last value of each key at the place of its first.
private struct MergedMembers {
    private(set) var members: [WrittenJSON.Member] = []
    /// The places of the keys. Keys with halves of surrogate pairs may share one.
    private var places: [ExactText: [Int]] = [:]

    mutating func set(_ member: WrittenJSON.Member) {
        let key = ExactText(member.key)
        if let place = places[key]?.first(where: { members[$0].hasKey(of: member) }) {
            let first = members[place]
            members[place] = WrittenJSON.Member(key: first.key, writtenKey: first.writtenKey, value: member.value)
        } else {
            places[key, default: []].append(members.count)
            members.append(member)
        }
    }
}

/// A text that is put together from pieces, and is never larger than a step can read.
struct BoundedText {
    private(set) var text = ""

    /// Whether a line begins here: the text is empty, or its last line has an end.
    var endsWithLineEnd: Bool { text.utf8.last.map { $0 == 0x0A || $0 == 0x0D } ?? true }

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
