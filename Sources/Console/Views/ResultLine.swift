import JSON
package import Terminal
package import Vocabulary

/// A result of a workflow: a file that was written, or something that was only made to be looked at.
package enum ResultLine {
    /// Lines of a preview; the rest is counted. Of a command half of them are its last ones.
    static let previewRows = 12
    /// Bytes that are looked at for a preview, at the beginning and at the end.
    static let previewBytes = 8_000
    static let measure = 84

    /// `▣ image  cat.jpg  58 KB  800×533   → ./cat-1.jpg        w3 · /show w3`
    ///
    /// - Parameters:
    ///   - name: the asset's name, where it is known and is not that of the path.
    ///   - preview: the whole of a text.
    package static func lines(
        _ output: Event.Output, workflow: WorkflowID, workspace: String? = nil, name: String? = nil, preview: String? = nil, columns: Int
    ) -> [StyledText] {
        let place = StyledText("\(workflow) · \(Voice.call("show \(workflow)"))", .dim)
        let line = "  " + text(output, workspace: workspace, name: name)
        return Layout.spread(line, place, columns: columns, measure: measure, hanging: 4)
            + rows(preview, of: output, workflow, columns) + notSeen(output.meta, columns)
    }

    /// Leaves out the JSON of a step that tells the same in words: a person reads the sentence, a script reads the events.
    package static func withWordsForData(_ outputs: [Event.Output]) -> [Event.Output] {
        let told = Set(outputs.filter { $0.type == .text && $0.path == nil }.map(\.step))
        return outputs.filter { $0.type != .json || $0.path != nil || !told.contains($0.step) }
    }

    static func text(_ output: Event.Output, workspace: String?, name: String?) -> StyledText {
        let isErrors = output.isOfCommand && output.port == "errors"
        var text = StyledText("\(sign(output.type)) ", .success) + StyledText(isErrors ? output.port : output.type.name)
        if let name, !name.isEmpty, !isErrors { text.append("  \(name)", .bold) }
        text.append(output.bytes == 0 && output.isOfCommand ? "  no output" : "  \(Amounts.size(output.bytes))")
        // It stands once, at standard output.
        if !isErrors { text += exit(output.meta) }
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

    /// Returns the exit code of a command, or the reason why Assent ended it.
    static func exit(_ meta: JSON.Object) -> StyledText {
        if let code = meta["exit"]?.int { return StyledText("  exit \(code)", code == 0 ? .dim : .warning) }
        return meta["ended"]?.string.map { StyledText("  ended: \($0)", .warning) } ?? StyledText()
    }

    /// Returns the first lines of a text. The output of a command is shown with its last lines too.
    private static func rows(_ preview: String?, of output: Event.Output, _ workflow: WorkflowID, _ columns: Int) -> [StyledText] {
        guard let preview, !preview.isEmpty else { return [] }
        let isOfCommand = output.isOfCommand
        let ends = TextCut(preview).ends(room: previewBytes)
        let (head, tail) = (VisibleText.lines(ends?.head ?? preview), ends.map { VisibleText.lines($0.tail) } ?? [])
        func drawn(_ rows: some Sequence<String>) -> [StyledText] {
            rows.map { ("    " + Gutter.mark + StyledText($0)).truncated(to: columns) }
        }
        let count = head.count + (ends?.leftOutLines ?? 0) + tail.count
        guard count > previewRows || ends != nil else { return drawn(head) }
        let last = !isOfCommand ? 0 : previewRows / 2
        let first = head.prefix(previewRows - last)
        // The end of what was looked at: of the tail, or of a head that is all.
        let final = (ends == nil ? head.dropFirst(first.count) : tail[...]).suffix(last)
        let size = Amounts.size(preview.utf8.count)
        let call = isOfCommand ? Voice.call("logs \(workflow) \(output.step)") : Voice.call("show \(workflow)")
        let words = "… \(Amounts.count(count - first.count - final.count, "more line")), \(size) in all: \(call)"
        // Wrapped, since the call at its end says how to read on.
        return drawn(first) + Layout.wrapped(StyledText(words, .dim), columns: columns, indent: 4) + drawn(final)
    }
}
