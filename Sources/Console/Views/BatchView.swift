import Actions
import Terminal
import Vocabulary

/// The end of a workflow over several files: how many results were made, which were not, and how to go on.
enum BatchView {
    /// The faults that are named. The rest is counted.
    static let faultsLimit = 3
    /// The results from which on they are one line.
    static let resultsLimit = 6

    /// Draws what was made and what was not, and how to go on. It draws nothing if all was made. Of a single result it
    /// draws only how to go on without the file that holds it up.
    static func lines(_ summary: BatchSummary, of workflow: WorkflowID, columns: Int) -> [StyledText] {
        guard summary.lacking > 0, let first = summary.faults.first else { return [] }
        let remedy = Layout.wrapped(StyledText(remedy(summary, workflow), .dim), columns: columns, indent: 4)
        // A single result has said already why it was not made.
        guard summary.made + summary.lacking > 1 else { return summary.isGatheringHeldUp ? remedy : [] }
        let head = "\(summary.made) made, \(summary.lacking) not: "
        var text = StyledText(head, .warning) + StyledText(words(of: first))
        for fault in summary.faults.dropFirst().prefix(faultsLimit - 1) { text += StyledText(" · " + words(of: fault)) }
        if summary.faults.count > faultsLimit { text += StyledText(" · \(summary.faults.count - faultsLimit) more") }
        return Layout.wrapped(text, columns: columns, indent: 2, hanging: 4) + remedy
    }

    private static func words(of fault: BatchSummary.Fault) -> String {
        let words = fault.words.hasSuffix(".") ? String(fault.words.dropLast()) : fault.words
        guard let file = fault.file, !words.contains(file) else { return words }
        return "\(file): \(words)"
    }

    private static func remedy(_ summary: BatchSummary, _ workflow: WorkflowID) -> String {
        let isDamaged = summary.faults.contains { $0.code == .fileDamaged }
        let again = Voice.call("retry \(workflow)")
        var words = isDamaged ? "When the file is whole again: \(again)" : "Only what lacks, again: \(again)"
        if summary.isGatheringHeldUp, let file = summary.faults.compactMap(\.file).first {
            words += " · without \(file): \(Voice.call("retry \(workflow) --without \(file)"))"
        }
        return words
    }

    /// Draws many written files as one line, such as `▣ 59 images  p1.webp … p9.webp  1.2 MB  → ./`.
    static func results(
        _ outputs: [Event.Output], of workflow: WorkflowID, workspace: String, columns: Int
    ) -> [StyledText] {
        let paths = outputs.compactMap(\.path)
        let folders = Set(paths.map { $0.pathNames.dropLast().joined(separator: "/") })
        let only = folders.count == 1 ? folders.first.map { "/\($0)" } : nil
        let folder = only.map { $0.isSameName(as: workspace) ? "./" : Values.path($0, in: workspace) + "/" }
        let types = Set(outputs.map(\.type.name))
        let noun = types.count == 1 && types.first != "file" ? types.first ?? "file" : "file"
        let names = [paths.first, paths.last].compactMap { $0?.pathNames.last }.joined(separator: " … ")
        var text = "  " + StyledText("▣ ", .success) + StyledText(Amounts.count(outputs.count, noun))
        text.append("  \(VisibleText.line(names))", .bold)
        text.append("  \(Amounts.size(outputs.reduce(0) { $0 + $1.bytes }))")
        text += "   " + StyledText("→ " + (folder ?? "\(folders.count) folders"), .accent)
        return Layout.spread(
            text, StyledText("\(workflow) · \(Voice.call("show \(workflow)"))", .dim), columns: columns,
            measure: ResultLine.measure, hanging: 4)
    }
}
