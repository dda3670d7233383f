package import Vocabulary

/// The sentences by which the console itself starts undo, before any model or planner hears them.
package enum UndoWords {
    /// Returns the words of the command that a line means, such as `["undo", "w3"]`. `nil` for any other line.
    package static func command(_ line: String) -> [String]? {
        let plain = String(line.lowercased().map { ",.!?;:".contains($0) ? " " : $0 })
        var words = Self.words(line.trimmed.lowercased())
        while let last = words.last?.last, ".!".contains(last) {
            words[words.count - 1].removeLast()
            if words[words.count - 1].isEmpty { words.removeLast() }
        }
        if takesBack(Self.words(plain)) { return ["undo"] }
        guard let verb = words.first, ["undo", "redo"].contains(verb) else { return nil }
        let rest = Array(words.dropFirst())
        if objects.contains(rest.joined(separator: " ")) { return [verb] }
        guard let (workflow, step) = rest.first.flatMap(parts) else { return nil }
        switch (rest.count, step) {
        case (1, let step): return [verb, workflow.description] + (step.map { [String($0)] } ?? [])
        case (2, nil): return Int(rest[1]).map { [verb, workflow.description, String($0)] }
        case (3, nil) where rest[1] == "step": return Int(rest[2]).map { [verb, workflow.description, String($0)] }
        default: return nil
        }
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// Whether a line says that the last change is to be taken back, such as "oh no, take that back".
    private static func takesBack(_ words: [String]) -> Bool {
        var rest = words[...]
        while let filler = fillers.first(where: { rest.starts(with: $0) }) { rest = rest.dropFirst(filler.count) }
        while let last = rest.last, ["please", "again", "bitte", "wieder"].contains(last) { rest = rest.dropLast() }
        return backs.contains(rest.joined(separator: " "))
    }

    /// The words that may stand before an undo, the longest first.
    private static let fillers = [
        "i changed my mind", "that was a mistake", "that was not right", "that was wrong", "that's wrong",
        "that is wrong", "das war ein fehler", "das war falsch", "kannst du", "can you", "could you", "would you",
        "i meant",
        "please", "sorry", "oops", "nope", "wait", "hmm", "no", "oh", "hm", "ah", "ok", "okay", "now", "and", "bitte",
        "nein",
        "ach", "und",
    ].map { words($0) }

    private static let backs: Set<String> = [
        "undo it", "undo that", "undo this", "undo", "take that back", "take it back", "take this back",
        "bring it back",
        "bring that back", "put it back", "put that back", "revert it", "revert that", "revert this", "rückgängig",
        "rückgängig machen", "mach das rückgängig", "mach es rückgängig", "mache das rückgängig",
        "das rückgängig machen",
        "nimm das zurück", "nimm es zurück", "das zurücknehmen",
    ]

    private static let objects: Set<String> = [
        "", "that", "it", "this", "the last change", "last change", "the last step",
    ]

    /// Reads `w3`, or `w3.2` with a step.
    package static func parts(_ text: String) -> (WorkflowID, step: Int?)? {
        let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let workflow = WorkflowID(parsing: halves[0]) else { return nil }
        guard halves.count == 2 else { return (workflow, nil) }
        return Int(halves[1]).map { (workflow, $0) }
    }
}
