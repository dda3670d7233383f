import Vocabulary

extension Limits {
    /// The most bytes of the changed lines of one file in a result.
    fileprivate static let changedLinesBytes = 3_000

    /// The characters of a changed line in a result.
    fileprivate static let changedLineCharacters = 200
}

/// The lines that an edit changed, as a model reads them: `-12<TAB>old` and `+12<TAB>new`, with the numbers of the
/// old and of the new text.
struct ChangedLines {
    private let keys: KeyFilter

    /// - Parameter keys: finds keys, whose lines are left out.
    init(_ keys: KeyFilter = KeyFilter()) { self.keys = keys }

    /// Returns the changed lines of a text. Of a new file this is the number of its lines.
    ///
    /// - Parameter before: the old text in UTF-8, or nil if the file is new.
    func text(from before: [UInt8]?, to after: [UInt8]) -> String {
        let new = String(decoding: after, as: UTF8.self)
        guard let before else { return "new, \(Self.counted(after))" }
        let change = TextChange(before: String(decoding: before, as: UTF8.self), after: new)
        guard let diff = LineDiff(change, context: 0) else { return "now \(Self.counted(after))" }
        let (oldKeys, newKeys) = (KeyLines(of: change.before ?? "", keys), KeyLines(of: new, keys))
        var (old, now, bytes, more) = (1, 1, 0, 0)
        var rows: [String] = []
        func add(_ sign: String, _ number: Int, _ line: LineDiff.Source, _ keys: KeyLines) {
            let whole = keys.holds(number - 1) ? KeyLines.mark : String(decoding: line.bytes, as: UTF8.self)
            let text = whole.prefix(Limits.changedLineCharacters)
            let row = "\(sign)\(number)\t\(text)"
            bytes += row.utf8.count
            if bytes <= Limits.changedLinesBytes { rows.append(row) } else { more += 1 }
        }
        for line in diff.lines {
            switch line {
            case .same: (old, now) = (old + 1, now + 1)
            case .unchanged(let count): (old, now) = (old + count, now + count)
            case .gone(let line):
                add("-", old, line, oldKeys)
                old += 1
            case .new(let line):
                add("+", now, line, newKeys)
                now += 1
            }
        }
        if more > 0 { rows.append("… \(more) more changed lines") }
        return rows.joined(separator: "\n")
    }

    private static func counted(_ text: [UInt8]) -> String {
        let count = count(of: text)
        return "\(count) line\(count == 1 ? "" : "s")"
    }

    private static func count(of text: [UInt8]) -> Int {
        text.count { $0 == UInt8(ascii: "\n") } + (text.last == UInt8(ascii: "\n") || text.isEmpty ? 0 : 1)
    }
}
