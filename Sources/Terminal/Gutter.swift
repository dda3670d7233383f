/// The sign in front of every row that others wrote: a model, a tool, a template, a file. None of our own rows begins
/// with it, so a text of others cannot pass for a question or a prompt of ours.
package enum Gutter {
    package static let sign = "┆ "
    package static let mark = StyledText(sign, .dim)
    static let cells = 2

    /// Returns the rows of a line of others, broken at the margin, with the sign in front of each.
    static func rows(_ line: StyledText, columns: Int) -> [StyledText] {
        line.rows(of: columns - cells).map { mark + $0 }
    }
}
