import Actions
import JSON
package import Terminal
package import Vocabulary

/// The line of a result: a file that was written, or content that is only in the asset store.
package enum ResultLine {
    /// The lines of a preview. The rest is counted. Of a command's output, half of them are its last ones.
    static let previewRows = 12
    /// The bytes at the beginning, and at the end, that are read for a preview.
    static let previewBytes = 8_000
    static let measure = 84

    /// Draws a result, such as `▣ image  cat.jpg  58 KB  800×533   → ./cat-1.jpg        w3 · /show w3`.
    ///
    /// - Parameters:
    ///   - name: the asset's name, if it is known and differs from that of the path.
    ///   - label: the word by which a verb finds the asset, or nil for the newest of its step and port.
    ///   - preview: the whole of a text.
    package static func lines(
        _ output: Event.Output, workflow: WorkflowID, workspace: String? = nil, name: String? = nil,
        label: String? = nil,
        preview: String? = nil,
        columns: Int
    ) -> [StyledText] {
        let place = StyledText("\(workflow) · \(Voice.call("show \(workflow)"))", .dim)
        let line = "  " + text(output, workspace: workspace, name: name)
        return Layout.spread(line, place, columns: columns, measure: measure, hanging: 4)
            + rows(preview, of: output, label ?? "\(workflow).\(output.step)", name ?? "", columns)
            + notSeen(output.meta, columns)
            + remarks(output.meta, columns)
            + (output.bytes == 0 ? [] : changes(output, columns))
    }

    /// Returns outputs without the JSON of a step that reports the same in words. A person reads the sentence, and a
    /// script reads the events.
    package static func withWordsForData(_ outputs: [Event.Output]) -> [Event.Output] {
        let told = Set(outputs.filter { $0.type == .text && $0.path == nil }.map(\.step))
        return outputs.filter { $0.type != .json || $0.path != nil || !told.contains($0.step) }
    }

    static func text(_ output: Event.Output, workspace: String?, name: String?) -> StyledText {
        let isErrors = output.isOfCommand && output.port == "errors"
        if output.bytes == 0, let changed = output.changed {
            // The command printed nothing useful, so the line names the files that it made.
            let code = output.meta["exit"]?.int == 0 ? StyledText() : exit(output.meta)
            return StyledText("\(sign(output.type)) ", .success)
                + StyledText(changed.words(NameWords.shownWithin), .bold) + code
        }
        var text = StyledText("\(sign(output.type)) ", .success) + StyledText(isErrors ? output.port : output.type.name)
        if let name, !name.isEmpty, !isErrors { text.append("  \(name)", .bold) }
        text.append(output.bytes == 0 && output.isOfCommand ? "  no output" : "  \(Amounts.size(output.bytes))")
        // The exit code is shown once, with standard output. The changed lines of edits have none.
        if !isErrors, output.port != "changes" { text += exit(output.meta) }
        if let dimensions = dimensions(output.meta) { text.append("  \(dimensions)") }
        if let encoding = output.meta["encoding"]?.string { text.append("  \(VisibleText.line(encoding))") }
        if let resized = resized(output.meta) { text.append(" \(resized)", .warning) }
        if let path = output.path { text += "   " + StyledText("→ " + Values.path(path, in: workspace), .accent) }
        return text
    }

    /// Draws the line about the files that a command changed, for a command that also printed something.
    private static func changes(_ output: Event.Output, _ columns: Int) -> [StyledText] {
        guard let changed = output.changed else { return [] }
        return Layout.wrapped(
            StyledText(changed.words(NameWords.shownWithin), .bold), columns: columns, indent: 4, hanging: 6)
    }

    /// Draws the line about the files that a command did not see, because of which its output may be incomplete.
    private static func notSeen(_ meta: JSON.Object, _ columns: Int) -> [StyledText] {
        guard let names = meta["notSeen"]?.string else { return [] }
        return Layout.wrapped(StyledText("not seen: \(VisibleText.line(names))", .dim), columns: columns, indent: 4)
    }

    /// Draws the lines about programs of the user that a command did not see, for which it may have used others, and
    /// about files that it wrote for nothing.
    private static func remarks(_ meta: JSON.Object, _ columns: Int) -> [StyledText] {
        let lost = meta["thrownAway"]?.string.map { "thrown away with the command: \($0)" }
        let words = [meta["programNotAllowed"]?.string, meta["notReached"]?.string, lost].compactMap(\.self)
        return words.flatMap { Layout.wrapped(StyledText(VisibleText.line($0), .warning), columns: columns, indent: 4) }
    }

    static func dimensions(_ meta: JSON.Object) -> String? {
        guard let width = meta["width"]?.int, let height = meta["height"]?.int else { return nil }
        return "\(width)×\(height)"
    }

    /// Returns the words for a picture that was scaled without a request, which must be visible. Returns nil for other
    /// pictures.
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

    /// Returns the first lines of a text, and of a command's output also the last lines.
    private static func rows(
        _ preview: String?, of output: Event.Output, _ label: String, _ name: String, _ columns: Int
    ) -> [StyledText] {
        guard let preview, !preview.isEmpty else { return [] }
        let isOfCommand = output.isOfCommand
        let ends = TextCut(preview).ends(room: previewBytes)
        let (head, tail) = (VisibleText.lines(ends?.head ?? preview), ends.map { VisibleText.lines($0.tail) } ?? [])
        func drawn(_ rows: some Sequence<String>) -> [StyledText] {
            rows.map { ("    " + Gutter.mark + StyledText($0)).truncated(to: columns) }
        }
        // A line that is cut between the two parts counts once.
        let count = ends == nil ? head.count : TextCut(preview).lineCount
        guard count > previewRows || ends != nil else { return drawn(head) }
        let last = !isOfCommand ? 0 : previewRows / 2
        let first = head.prefix(previewRows - last)
        // The end of the text that was read: of its tail, or of a head that is the whole text.
        let final = (ends == nil ? head.dropFirst(first.count) : tail[...]).suffix(
            min(last, max(0, count - first.count)))
        let size = ", \(Amounts.size(preview.utf8.count)) in all"
        // Content with a view of its own, such as a table, is opened as the text that is shown here.
        let text =
            ContentKind.isPlain(name: name, type: output.type, Array(preview.utf8.prefix(Limits.viewHeadBytes)))
            ? "" : " --text"
        let rest = Remainder(first.count + 1..<count - final.count + 1, of: count, "more line", "view \(label)\(text)")
        return drawn(first) + rest.lines(columns: columns, indent: 4, remark: size) + drawn(final)
    }
}
