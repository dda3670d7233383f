import JSON
package import Terminal
package import Vocabulary

/// A result of a workflow: a file that was written, or something that was only made to be looked at.
package enum ResultLine {
    /// Lines of a preview; the rest is counted.
    static let previewRows = 12
    static let measure = 84

    /// `▣ image  cat.jpg  58 KB  800×533   → ./cat-1.jpg        w3 · /show w3`
    ///
    /// - Parameters:
    ///   - name: the asset's name, where it is known and is not that of the path.
    ///   - preview: the beginning of a text.
    package static func lines(
        _ output: Event.Output, workflow: WorkflowID, workspace: String? = nil, name: String? = nil, preview: String? = nil, columns: Int
    ) -> [StyledText] {
        let place = StyledText("\(workflow) · \(Voice.call("show \(workflow)"))", .dim)
        let line = "  " + text(output, workspace: workspace, name: name)
        return Layout.spread(line, place, columns: columns, measure: measure, hanging: 4) + rows(preview, workflow, columns)
            + notSeen(output.meta, columns)
    }

    static func text(_ output: Event.Output, workspace: String?, name: String?) -> StyledText {
        var text = StyledText("\(sign(output.type)) ", .success) + StyledText(output.type.name)
        if let name, !name.isEmpty { text.append("  \(name)", .bold) }
        text.append("  \(Amounts.size(output.bytes))")
        if let dimensions = dimensions(output.meta) { text.append("  \(dimensions)") }
        if let resized = resized(output.meta) { text.append(" \(resized)", .warning) }
        if let path = output.path { text += "   " + StyledText("→ " + Values.path(path, in: workspace), .accent) }
        return text
    }

    /// Draws the line about the files that a command was not shown. Its output does not tell the whole truth about
    /// them.
    private static func notSeen(_ meta: JSON.Object, _ columns: Int) -> [StyledText] {
        guard let names = meta["notSeen"]?.string else { return [] }
        return Layout.wrapped(StyledText("not seen: \(VisibleText.line(names))", .dim), columns: columns, indent: 4)
    }

    static func dimensions(_ meta: JSON.Object) -> String? {
        guard let width = meta["width"]?.int, let height = meta["height"]?.int else { return nil }
        return "\(width)×\(height)"
    }

    /// A picture that was scaled although nobody said so is no longer as wide as was asked for: that must be seen.
    static func resized(_ meta: JSON.Object) -> String? {
        guard let size = meta["resized"]?.string else { return nil }
        return dimensions(meta) == size ? "scaled to fit the limit" : "scaled to \(size) to fit the limit"
    }

    private static func sign(_ type: PortType) -> String {
        switch type {
        case .image: "▣"
        case .mask: "◧"
        case .text, .json: "▤"
        default: "▢"
        }
    }

    private static func rows(_ preview: String?, _ workflow: WorkflowID, _ columns: Int) -> [StyledText] {
        guard let preview, !preview.isEmpty else { return [] }
        let rows = VisibleText.lines(preview)
        let shown = rows.prefix(previewRows).map { ("    " + Gutter.mark + StyledText($0)).truncated(to: columns) }
        guard rows.count > previewRows else { return shown }
        return shown + [
            StyledText("    … \(rows.count - previewRows) more lines: \(Voice.call("show \(workflow)"))", .dim).truncated(to: columns)
        ]
    }
}
