/// The sign in front of every row that others wrote: a model, a tool, a template, a file. Nothing of ours begins with
/// it, so what is made to look like a question or a prompt of ours does not.
package enum Gutter {
    package static let sign = "┆ "
    package static let mark = StyledText(sign, .dim)
    static let cells = 2

    /// A line of others: broken at the margin, the sign in front of each row.
    static func rows(_ line: StyledText, columns: Int) -> [StyledText] {
        line.rows(of: columns - cells).map { mark + $0 }
    }
}
