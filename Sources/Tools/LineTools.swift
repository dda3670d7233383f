import Files
import Sandbox
import Vocabulary

/// Tools that work on the lines of a text: they sort, filter, number and reverse them, and add some.
struct LineTools {
    let context: Builtin.Context

    init(_ context: Builtin.Context) { self.context = context }

    private typealias Line = TextLines.Line

    private var assignment: Assignment { context.assignment }

    /// Stores the result of `change` for the input's lines, under the input's name.
    private func changing(_ change: (TextLines) throws(Failure) -> [Line]) throws(Failure) -> [Asset] {
        let asset = try assignment.requiredInput("text")
        let read = try context.encodedText(asset)
        let text = try TextLines(read.utf8)
        return try context.text(try text.text(of: try change(text)), in: read.form, name: asset.name)
    }

    /// Sorts by code points, or by the first number of each line. Equal lines keep their order.
    func sort() throws(Failure) -> [Asset] {
        let isDescending = assignment.flag("descending")
        let (isNumeric, isCaseIgnored) = (assignment.flag("numeric"), assignment.flag("ignoreCase"))
        return try changing { (text) in
            guard !isNumeric else { return Self.sortedByNumber(text.lines, isDescending) }
            let keys = text.lines.map { isCaseIgnored ? Self.withoutCase($0.content) : $0.content }
            return Self.sorted(text.lines, by: keys, isDescending) { $0.lexicographicallyPrecedes($1) }
        }
    }

    /// Sorts by the first number. Lines without a number follow in the order they have.
    private static func sortedByNumber(_ lines: [Line], _ isDescending: Bool) -> [Line] {
        var (numbered, numbers, others): ([Line], [LineNumber], [Line]) = ([], [], [])
        for line in lines {
            guard let number = LineNumber(firstIn: line.content) else {
                others.append(line)
                continue
            }
            numbered.append(line)
            numbers.append(number)
        }
        return sorted(numbered, by: numbers, isDescending, <) + others
    }

    private static func sorted<Key>(
        _ lines: [Line], by keys: [Key], _ isDescending: Bool, _ precedes: (Key, Key) -> Bool
    ) -> [Line] {
        let order = lines.indices.sorted { one, other in
            let (first, second) = isDescending ? (other, one) : (one, other)
            if precedes(keys[first], keys[second]) { return true }
            return !precedes(keys[second], keys[first]) && one < other
        }
        return order.map { lines[$0] }
    }

    private static func withoutCase(_ content: TextLines.Bytes) -> TextLines.Bytes {
        Array(String(decoding: content, as: UTF8.self).withoutCase.utf8)[...]
    }

    /// Keeps the first of equal lines, wherever they stand.
    func keepFirstOfEqual() throws(Failure) -> [Asset] {
        try changing { (text) in
            var seen: Set<TextLines.Bytes> = []
            return text.lines.filter { seen.insert($0.content).inserted }
        }
    }

    func reverse() throws(Failure) -> [Asset] { try changing { (text) in text.lines.reversed() } }

    /// Puts each line's number in front of it, as wide as the widest number, with two spaces between.
    func number() throws(Failure) -> [Asset] {
        let start = assignment.integer("start") ?? 1
        return try changing { (text) throws(Failure) in
            guard let last = text.lines.indices.last else { return [] }
            let (end, isTooLarge) = start.addingReportingOverflow(last)
            guard !isTooLarge else {
                throw Failure(
                    .badParam, "The lines cannot be numbered from \(start) on: the numbers would be too large.")
            }
            let width = max("\(start)".utf8.count, "\(end)".utf8.count)
            // This is reported before the text is built.
            guard text.lines.count <= Limits.readFileBytes / (width + 2) else {
                throw BoundedText.tooLarge("The text would have")
            }
            return text.lines.enumerated().map { index, line in
                let number = "\(start + index)"
                let front = String(repeating: " ", count: width - number.utf8.count) + number + "  "
                return Line(content: Array(front.utf8) + line.content, end: line.end)
            }
        }
    }

    /// Keeps the lines that contain, begin with or end with a text, or drops them.
    func filter() throws(Failure) -> [Asset] {
        let search = try LiteralSearch(try assignment.requiredText("text"), ignoringCase: assignment.flag("ignoreCase"))
        let place = assignment.text("place").flatMap { LiteralSearch.Place(rawValue: $0) } ?? .contains
        let isDropping = assignment.flag("drop")
        var (found, all) = (0, 0)
        let assets = try changing { (text) in
            let matching = text.lines.map { search.matches($0.content, at: place) }
            (found, all) = (matching.count { $0 }, matching.count)
            return zip(text.lines, matching).filter { $0.1 != isDropping }.map(\.0)
        }
        if found == 0 {
            let (text, name) = (try assignment.requiredText("text"), try assignment.requiredInput("text").name)
            try context.requireFound("No line of \(name) has “\(text)”. Nothing is filtered, and no file is made.")
        }
        return assets.noting("\(isDropping ? all - found : found) of \(all) lines")
    }

    /// Keeps the first or the last lines, or drops them. A text with fewer lines is kept, or dropped, as a whole.
    func take() throws(Failure) -> [Asset] {
        guard let count = assignment.integer("count"), count >= 1 else {
            throw Failure(.badParam, "Take lines needs a \"count\" of at least 1.")
        }
        let (isFromEnd, isDropping) = (assignment.text("from") == "end", assignment.flag("drop"))
        var (taken, all) = (0, 0)
        let assets = try changing { (text) in
            let lines = text.lines
            let kept =
                switch (isFromEnd, isDropping) {
                case (false, false): Array(lines.prefix(count))
                case (false, true): Array(lines.dropFirst(count))
                case (true, false): Array(lines.suffix(count))
                case (true, true): Array(lines.dropLast(count))
                }
            (taken, all) = (kept.count, lines.count)
            return kept
        }
        return assets.noting("\(taken) of \(all) lines")
    }

    /// Adds a line, or several, at the end or the start. Their ends are those of the text.
    func append() throws(Failure) -> [Asset] {
        let added = try TextLines(Array(try assignment.requiredText("text").utf8)).lines
        let isAtStart = assignment.text("place") == "start"
        return try changing { (text) in
            let more = (added.isEmpty ? [Line(content: [], end: [])] : added).map {
                Line(content: $0.content, end: text.usualEnd)
            }
            return isAtStart ? more + text.lines : text.lines + more
        }
    }
}
