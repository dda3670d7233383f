/// A picture of a terminal window as SVG, drawn from a transcript with the marks of `GoldenTranscript`.
///
/// Each piece of text has its own column and is stretched to its cells. The alignment of columns therefore does not
/// depend on the font that the reader's machine has. The same transcript always gives the same bytes.
package struct SessionPicture: Sendable {
    /// The number of cells in a row of the window.
    package static let columns = 100

    private let title: String
    private let rows: [[Piece]]

    /// Reads a transcript. Throws `ScriptFailure` if a style is unknown or if a row is longer than the window.
    ///
    /// - Parameters:
    ///   - title: What a screen reader says in place of the picture.
    ///   - transcript: Rows of text, each character one cell wide.
    package init(title: String, transcript: String) throws {
        self.title = title
        rows = try transcript.split(separator: "\n", omittingEmptySubsequences: false).map {
            try Self.pieces(of: String($0))
        }
        for piece in rows.joined() where piece.column + piece.text.count > Self.columns {
            throw ScriptFailure("\"\(piece.text)\" ends beyond column \(Self.columns)")
        }
    }

    // MARK: - Reading

    /// How a piece of text looks.
    package struct Style: Hashable, Sendable {
        /// The colours of the transcript.
        package enum Hue: Sendable { case green, cyan }

        package var isBold = false
        package var isDim = false
        /// The colour, or nil for that of plain text.
        package var hue: Hue?

        package init(isBold: Bool = false, isDim: Bool = false, hue: Hue? = nil) {
            (self.isBold, self.isDim, self.hue) = (isBold, isDim, hue)
        }

        /// Reads parameters of SGR, for example `1;32`. Throws `ScriptFailure` if one of them is unknown.
        package init(parameters: some StringProtocol) throws {
            for parameter in parameters.split(separator: ";") {
                switch parameter {
                case "1": isBold = true
                case "2": isDim = true
                case "22": (isBold, isDim) = (false, false)
                case "32": hue = .green
                case "36": hue = .cyan
                default: throw ScriptFailure("the picture has no style for SGR \(parameter)")
                }
            }
        }
    }

    /// Text of one style without two spaces in a row, and the column of its first character, counted from 0.
    package struct Piece: Hashable, Sendable {
        package var text: String
        package var column: Int
        package var style: Style

        package init(_ text: String, column: Int, style: Style = Style()) {
            (self.text, self.column, self.style) = (text, column, style)
        }
    }

    /// Returns the pieces of a row with marks, from left to right. A change of style and a gap of two spaces each begin
    /// a new piece.
    package static func pieces(of row: String) throws -> [Piece] {
        var pieces: [Piece] = []
        var (column, style) = (0, Style())
        func add(_ run: Substring) {
            var gap = 2
            for character in run {
                if character == " " {
                    gap += 1
                } else if gap >= 2 {
                    pieces.append(Piece(String(character), column: column, style: style))
                } else {
                    pieces[pieces.count - 1].text += String(repeating: " ", count: gap) + String(character)
                }
                if character != " " { gap = 0 }
                column += 1
            }
        }
        var rest = row[...]
        while let mark = rest.firstMatch(of: /<([0-9;]*)>/) {
            add(rest[..<mark.range.lowerBound])
            style = try Style(parameters: mark.output.1)
            rest = rest[mark.range.upperBound...]
        }
        add(rest)
        return pieces
    }

    // MARK: - Drawing

    /// The colours of a picture, for a page with a light or a dark background.
    package enum Theme: String, CaseIterable, Sendable {
        case light, dark

        /// The name of the committed picture in `docs/images`.
        package var fileName: String { "session-\(rawValue).svg" }

        fileprivate var window: String { self == .light ? "#ffffff" : "#161b22" }
        fileprivate var bar: String { self == .light ? "#f6f8fa" : "#21262d" }
        fileprivate var frame: String { self == .light ? "#d1d9e0" : "#3d444d" }
        fileprivate var dots: String { self == .light ? "#c8d0d8" : "#484f58" }
        fileprivate var plain: String { self == .light ? "#1f2328" : "#e6edf3" }
        fileprivate var dim: String { self == .light ? "#656d76" : "#8b949e" }

        fileprivate func colour(of style: Style) -> String? {
            switch style.hue {
            case .green: self == .light ? "#1a7f37" : "#3fb950"
            case .cyan: self == .light ? "#0a7285" : "#39c5cf"
            case nil: style.isDim ? dim : nil
            }
        }
    }

    /// Lengths in tenths of a pixel, so that no fraction is rounded. 8.4 of 14 pixels is the usual advance of a
    /// monospace font.
    private enum Tenths {
        static let cell = 84
        static let row = 200
        static let bar = 300
        static let margin = 200
        /// How far the first baseline lies below the title bar.
        static let baseline = 290
    }

    /// Returns the picture as an SVG document that ends with a newline. The document has no scripts, links or fonts of
    /// its own.
    package func svg(_ theme: Theme) -> String {
        let width = Self.pixels(2 * Tenths.margin + Self.columns * Tenths.cell)
        let height = Self.pixels(Tenths.bar + rows.count * Tenths.row + 300)
        let bar = Self.pixels(Tenths.bar)
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" viewBox="0 0 \#(width) \#(height)" role="img">"#,
            "<title>\(Self.escaped(title))</title>",
            #"<clipPath id="window"><rect width="\#(width)" height="\#(height)" rx="10"/></clipPath>"#,
            #"<g clip-path="url(#window)">"#,
            #"<rect width="\#(width)" height="\#(height)" fill="\#(theme.window)"/>"#,
            #"<rect width="\#(width)" height="\#(bar)" fill="\#(theme.bar)"/>"#,
            #"<path d="M0 \#(bar)h\#(width)" stroke="\#(theme.frame)"/>"#,
            #"<rect width="\#(width)" height="\#(height)" rx="10" fill="none" stroke="\#(theme.frame)" stroke-width="2"/>"#,
            "</g>",
            #"<g fill="\#(theme.dots)"><circle cx="20" cy="15" r="5"/><circle cx="36" cy="15" r="5"/><circle cx="52" cy="15" r="5"/></g>"#,
            #"<g font-family="\#(Self.fonts)" font-size="14" fill="\#(theme.plain)">"#,
        ]
        for (index, row) in rows.enumerated() {
            let y = Self.pixels(Tenths.bar + Tenths.baseline + index * Tenths.row)
            lines += row.map { piece in
                let x = Self.pixels(Tenths.margin + piece.column * Tenths.cell)
                let length = Self.pixels(piece.text.count * Tenths.cell)
                let colour = theme.colour(of: piece.style).map { #" fill="\#($0)""# } ?? ""
                let weight = piece.style.isBold ? #" font-weight="bold""# : ""
                let place = #"x="\#(x)" y="\#(y)" textLength="\#(length)" lengthAdjust="spacingAndGlyphs""#
                return "<text \(place)\(colour)\(weight)>\(Self.escaped(piece.text))</text>"
            }
        }
        return (lines + ["</g>", "</svg>", ""]).joined(separator: "\n")
    }

    private static let fonts =
        "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

    /// Returns the text with the characters that have a meaning in XML replaced by entities.
    package static func escaped(_ text: String) -> String {
        let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        return text.map { entities[$0] ?? String($0) }.joined()
    }

    private static func pixels(_ tenths: Int) -> String {
        tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension SessionPicture {
    /// Returns the picture of the golden transcript. Throws `ScriptFailure` if the transcript has a style that the
    /// picture lacks.
    package static func golden() throws -> SessionPicture {
        try SessionPicture(
            title:
                "A session with Assent: one sentence becomes a plan of three steps, and then a new file, which undo can delete",
            transcript: GoldenTranscript.example)
    }
}
