import Actions
import Terminal
import Vocabulary

extension Limits {
    /// The last lines of what a command printed that its question shows.
    fileprivate static let printedLines = 5
}

/// The end of what a rehearsed command printed, in its question.
struct PrintedRows {
    private let call: Call
    private let last: [Substring]
    private let count: Int

    init(_ printed: String?, of call: Call) {
        self.call = call
        let lines = (printed ?? "").split(whereSeparator: \.isNewline)
        (last, count) = (Array(lines.suffix(Limits.printedLines)), lines.count)
    }

    /// Returns no rows if nothing was printed.
    func rows(columns: Int) -> [StyledText] {
        guard case .done(let played) = call.rehearsal, !last.isEmpty else { return [] }
        let code = "exit \(played.exitCode)"
        let more = count > last.count ? ", the last \(last.count) of \(Amounts.count(count, "line"))" : ""
        let label = call.tool == "Edit" ? "check" : "printed"
        let left = StyledText(Layout.spaces(min(Detail.indent, columns / 4))) + Detail.gutter
        let head = Detail.lines(
            of: [Detail(label: label, value: code + more, style: .dim)], columns: columns, rowsLimit: nil)
        return head.flatMap(\.rows)
            + last.map { (left + StyledText(VisibleText.unforged(String($0)), .dim)).truncated(to: columns) }
    }
}
