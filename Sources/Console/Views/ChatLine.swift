import Terminal

/// A line of the user as it stands above the answer, and as it waits for its turn.
enum ChatLine {
    /// Returns the rows of a line whose turn begins.
    static func rows(_ line: String) -> [StyledText] {
        VisibleText.lines(line).enumerated().map {
            ($0 == 0 ? StyledText("› ", .accent) : StyledText("  ")) + StyledText($1)
        }
    }

    /// Returns the row about lines that wait, such as `1 line waits: zip the photos · ↑ takes it back`.
    static func waiting(_ lines: [String], columns: Int) -> [StyledText] {
        guard let newest = lines.last else { return [] }
        let after = " · ↑ takes \(lines.count == 1 ? "it" : "the newest") back"
        let before = lines.count == 1 ? "  1 line waits: " : "  \(lines.count) lines wait, the newest: "
        let room = max(8, columns - 1 - StyledText(before + after).width)
        return [(StyledText(before, .dim) + StyledText(VisibleText.cut(newest, to: room)) + StyledText(after, .dim))]
    }
}
