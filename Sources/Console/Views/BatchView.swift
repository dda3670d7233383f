import Actions
import Terminal
import Vocabulary

/// The end of a workflow over several files: how many results were made, which were not, and how to go on.
enum BatchView {
    /// The faults that are named. The rest is counted.
    static let faultsLimit = 3
    /// The results from which on they are one line.
    static let resultsLimit = 6

    /// Draws what was made and what was not, and the verb that helps. It draws nothing if all was made. Of a single
    /// result it draws only the verb, since its step has said already why it was not made.
    static func lines(_ end: WorkflowEnd, columns: Int) -> [StyledText] {
        let batch = end.batch
        guard batch.lacking > 0, let first = batch.faults.first else { return [] }
        let remedy = Layout.wrapped(StyledText(remedy(end), .dim), columns: columns, indent: 4)
        guard batch.made + batch.lacking > 1 else { return end.outcome == .failed ? remedy : [] }
        let head = "\(batch.made) made, \(batch.lacking) not: "
        var text = StyledText(head, .warning) + StyledText(words(of: first))
        for fault in batch.faults.dropFirst().prefix(faultsLimit - 1) { text += StyledText(" · " + words(of: fault)) }
        if batch.faults.count > faultsLimit { text += StyledText(" · \(batch.faults.count - faultsLimit) more") }
        return Layout.wrapped(text, columns: columns, indent: 2, hanging: 4) + remedy
    }

    private static func words(of fault: BatchSummary.Fault) -> String {
        let words = fault.words.hasSuffix(".") ? String(fault.words.dropLast()) : fault.words
        guard let file = fault.file, !words.contains(file) else { return words }
        return "\(file): \(words)"
    }

    private static func remedy(_ end: WorkflowEnd) -> String {
        let again = "When the file is whole again: \(Voice.call("retry \(end.id)"))"
        let isDamaged = end.batch.faults.contains { $0.code == .fileDamaged }
        switch end.offer {
        case .retry where isDamaged: return again
        case .retry:
            let words = end.batch.made > 0 ? "Only what lacks, again" : "To try again"
            return "\(words): \(EndNews.call(end.offer))"
        case .without(_, let file):
            return (isDamaged ? "\(again) · without" : "Without")
                + " \(VisibleText.line(file)): \(EndNews.call(end.offer))"
        case .connect: return "What is missing: \(EndNews.call(end.offer))"
        case .open: return "It waits for you: \(EndNews.call(end.offer))"
        case .why: return "Why: \(EndNews.call(end.offer))"
        }
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
