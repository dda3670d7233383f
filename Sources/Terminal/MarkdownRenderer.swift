/// A renderer of Markdown nodes as lines of at most `width` cells. Code is not broken, so that it can be copied.
struct MarkdownRenderer {
    typealias Node = MarkdownTree.Node
    let width: Int
    var depth = 0

    /// Returns the lines of a list of blocks, with an empty line between them unless they are close (in a list).
    func lines(of blocks: [Node], areClose: Bool = false) -> [StyledText] {
        var lines: [StyledText] = []
        for block in blocks {
            let more = self.lines(of: block)
            if !lines.isEmpty, !more.isEmpty, !areClose { lines.append(StyledText()) }
            lines += more
        }
        return lines
    }

    private func lines(of block: Node) -> [StyledText] {
        if depth > TerminalLimits.markdownDepth { return verbatim(block.source) }
        switch block.kind {
        case "document": return lines(of: block.children)
        case "paragraph": return paragraph(block)
        case "heading": return heading(block)
        case "code_block": return code(block)
        case "block_quote": return quote(block)
        case "list": return list(block)
        case "thematic_break": return [StyledText(String(repeating: "─", count: max(3, min(width, 40))), .dim)]
        case "html_block": return verbatim(block.literal)
        case "table": return MarkdownTable(block, renderer: self).lines(width: width)
        default: return block.literal.isEmpty ? lines(of: block.children) : verbatim(block.literal)
        }
    }

    private func paragraph(_ block: Node, style: Style = []) -> [StyledText] {
        inline(block, style: style).flatMap { $0.wrapped(to: width) }
    }

    private func heading(_ block: Node) -> [StyledText] {
        paragraph(block, style: block.headingLevel == 1 ? [.bold, .underline] : [.bold])
    }

    private func code(_ block: Node) -> [StyledText] {
        let label = block.fenceInfo.isEmpty ? [] : [Self.codeLabel(block.fenceInfo)]
        return label + VisibleText.lines(block.literal).map(Self.codeLine)
    }

    static func codeLine(_ text: String) -> StyledText { StyledText(spaces: 2) + StyledText(text, .accent) }

    static func codeLabel(_ info: String) -> StyledText { StyledText(spaces: 2) + StyledText(info, .dim) }

    private func quote(_ block: Node) -> [StyledText] {
        inner(2).lines(of: block.children).map { StyledText("│ ", .dim) + $0 }
    }

    private func inner(_ indent: Int) -> MarkdownRenderer {
        MarkdownRenderer(width: max(8, width - indent), depth: depth + 1)
    }

    private func verbatim(_ text: String) -> [StyledText] {
        VisibleText.lines(text).flatMap { StyledText($0, .dim).wrapped(to: width) }
    }

    // MARK: Lists

    private func list(_ block: Node) -> [StyledText] {
        let items = block.children
        let start = block.listStart
        let markerWidth = block.isOrdered ? "\(start + items.count - 1). ".count : 2
        return items.enumerated().flatMap { index, node in
            let marker = block.isOrdered ? "\(start + index). " : "• "
            return item(node, marker: DisplayWidth.pad(marker, to: markerWidth, .trailing))
        }
    }

    private func item(_ node: Node, marker: String) -> [StyledText] {
        var head = StyledText(marker, .accent)
        if node.kind == "tasklist" {
            head += StyledText(node.isChecked ? "☑ " : "☐ ", node.isChecked ? .success : .dim)
        }
        let body = inner(head.width).lines(of: node.children, areClose: true)
        guard !body.isEmpty else { return [head] }
        let indent = StyledText(spaces: head.width)
        return body.enumerated().map { ($0 == 0 ? head : $1.isEmpty ? StyledText() : indent) + $1 }
    }

    // MARK: Inline

    /// Returns the inline children of a block. There is more than one line if the author broke it.
    func inline(_ block: Node, style: Style = []) -> [StyledText] {
        var lines = [StyledText()]
        append(block.children, style: style, level: 0, to: &lines)
        return lines
    }

    private func append(_ nodes: [Node], style: Style, level: Int, to lines: inout [StyledText]) {
        for node in nodes { append(node, style: style, level: level, to: &lines) }
    }

    private func append(_ node: Node, style: Style, level: Int, to lines: inout [StyledText]) {
        if level > TerminalLimits.markdownDepth {
            return put(node.source.split(separator: "\n").joined(separator: " "), style, &lines)
        }
        switch node.kind {
        case "text", "html_inline": put(node.literal, style, &lines)
        case "code": put(node.literal, style.union(.accent), &lines)
        case "softbreak": put(" ", style, &lines)
        case "linebreak": lines.append(StyledText())
        case "strong": append(node.children, style: style.union(.bold), level: level + 1, to: &lines)
        case "emph": append(node.children, style: style.union(.italic), level: level + 1, to: &lines)
        case "strikethrough": append(node.children, style: style.union(.strikethrough), level: level + 1, to: &lines)
        case "link", "image": link(node, style: style, level: level, to: &lines)
        default: append(node.children, style: style, level: level + 1, to: &lines)
        }
    }

    /// Adds the words of a link, then its address, since a user must be able to read an address before following it.
    private func link(_ node: Node, style: Style, level: Int, to lines: inout [StyledText]) {
        var words = [StyledText()]
        let shown: Style = node.kind == "link" ? .underline : .italic
        append(node.children, style: style.union(shown), level: level + 1, to: &words)
        let text = words.map(\.plain).joined(separator: " ")
        lines[lines.count - 1] += words[0]
        lines += words.dropFirst()
        let url = node.url
        let isItsOwnText = text == url || "mailto:" + text == url || "http://" + text == url
        if !url.isEmpty, !isItsOwnText { put(text.isEmpty ? "(\(url))" : " (\(url))", style.union(.dim), &lines) }
    }

    private func put(_ text: String, _ style: Style, _ lines: inout [StyledText]) {
        lines[lines.count - 1].append(text, style)
    }
}
