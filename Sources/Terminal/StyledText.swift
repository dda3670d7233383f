/// The meaning of a piece of text. Its colours are among the terminal's sixteen, so the user's theme is respected.
package struct Style: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let bold = Style(rawValue: 1 << 0)
    package static let dim = Style(rawValue: 1 << 1)
    package static let italic = Style(rawValue: 1 << 2)
    package static let underline = Style(rawValue: 1 << 3)
    package static let strikethrough = Style(rawValue: 1 << 4)
    package static let success = Style(rawValue: 1 << 5)
    package static let failure = Style(rawValue: 1 << 6)
    package static let warning = Style(rawValue: 1 << 7)
    package static let running = Style(rawValue: 1 << 8)
    package static let accent = Style(rawValue: 1 << 9)
    package static let question = Style(rawValue: 1 << 10)

    private static let codes: [(Style, String)] = [
        (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.strikethrough, "9"),
        (.success, "32"), (.failure, "31"), (.warning, "33"), (.running, "34"), (.accent, "36"), (.question, "35"),
    ]

    /// The SGR sequence that turns this style on, or an empty text for plain text.
    var sgr: String {
        let codes = Self.codes.filter { contains($0.0) }.map(\.1)
        return codes.isEmpty ? "" : "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}

/// A line of text with its styles. Every text that is added is made visible first, so a `StyledText` never holds a
/// control character, whatever the source of the text.
package struct StyledText: Hashable, Sendable {
    package struct Span: Hashable, Sendable {
        package internal(set) var text: String
        package let style: Style
    }

    package private(set) var spans: [Span] = []

    package init() {}

    package init(_ text: String, _ style: Style = []) { append(text, style) }

    package init(_ parts: [StyledText]) { parts.forEach { append($0) } }

    package mutating func append(_ text: String, _ style: Style = []) { join(VisibleText.line(text), style) }

    package mutating func append(_ other: StyledText) { other.spans.forEach { join($0.text, $0.style) } }

    package static func + (left: StyledText, right: StyledText) -> StyledText { StyledText([left, right]) }

    package static func += (left: inout StyledText, right: StyledText) { left.append(right) }

    /// The text without styles.
    package var plain: String { spans.map(\.text).joined() }

    /// The cells of the text in one row.
    package var width: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    package var isEmpty: Bool { spans.isEmpty }

    /// Returns the bytes for a terminal, or the plain text if there is no colour.
    package func rendered(hasColour: Bool) -> String {
        guard hasColour else { return plain }
        return spans.reduce(into: "") { out, span in
            let sgr = span.style.sgr
            out += sgr.isEmpty ? span.text : sgr + span.text + "\u{1B}[0m"
        }
    }

    /// Returns the same text with one more style on all of it.
    package func styled(_ style: Style) -> StyledText {
        var copy = self
        copy.spans = spans.map { Span(text: $0.text, style: $0.style.union(style)) }
        return copy
    }

    /// Returns the text filled with spaces to `width` cells.
    package func padded(to width: Int, _ alignment: DisplayWidth.Alignment = .leading) -> StyledText {
        let (left, right) = DisplayWidth.padding(self.width, to: width, alignment)
        return StyledText([StyledText(spaces: left), self, StyledText(spaces: right)])
    }

    init(spaces: Int) { self.init(String(repeating: " ", count: max(0, spaces))) }

    /// Adds text that is visible already. Neighbours of the same style become one span.
    mutating func join(_ visible: String, _ style: Style) {
        guard !visible.isEmpty else { return }
        if spans.last?.style == style {
            spans[spans.count - 1].text += visible
        } else {
            spans.append(Span(text: visible, style: style))
        }
    }
}

extension StyledText: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }
}

extension StyledText: CustomStringConvertible {
    package var description: String { plain }
}
