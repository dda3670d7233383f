import Conversations
import Vocabulary

extension Limits {
    /// The most bytes of lines that one `read` of a result gives.
    fileprivate static let resultLinesBytes = 16 << 10
}

/// The lines of a stored result, as `read` gives those of a file: a heading, then `  12<TAB>text`.
struct ResultLines {
    let text: String
    let name: String

    /// Returns the lines of a range.
    ///
    /// - Throws: `badArguments` if the range begins behind the last line.
    func page(_ range: LineRange) throws(Failure) -> String {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let count = lines.last?.isEmpty ?? true ? lines.count - 1 : lines.count
        guard count > 0 else { return "\(name) · empty" }
        guard range.from <= count else {
            throw Failure(.badArguments, "\(name) has \(count) lines, so it has no line \(range.from).")
        }
        var (rows, left, next) = ([String](), Limits.resultLinesBytes, range.from)
        let last = min(count, range.from + min(range.lines, count) - 1)
        while next <= last {
            let whole = String(Substring(lines[next - 1]))
            let line = next == range.from && range.offset > 0 ? TextCut(whole).page(from: range.offset, room: .max).text : whole
            if line.utf8.count > left {
                guard rows.isEmpty else { break }
                let page = TextCut(line).page(from: 0, room: left)
                let offset = range.offset + page.range.upperBound
                rows.append("\(Self.number(next))\t\(page.text)")
                return heading(range.from, next, count, rows)
                    + "\n… line \(next) goes on: read \"from\": \(next), \"offset\": \(offset) …"
            }
            rows.append("\(Self.number(next))\t\(line)")
            left -= line.utf8.count + 7
            next += 1
        }
        let rest = next <= last ? "\n… lines \(next) to \(last) do not fit: read \"from\": \(next) …" : ""
        return heading(range.from, next - 1, count, rows) + rest
    }

    private func heading(_ from: Int, _ to: Int, _ count: Int, _ rows: [String]) -> String {
        (["\(name) · lines \(from) to \(to) of \(count)"] + rows).joined(separator: "\n")
    }

    private static func number(_ line: Int) -> String {
        let digits = String(line)
        return String(repeating: " ", count: max(0, 4 - digits.count)) + digits
    }
}
