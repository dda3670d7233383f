package import Vocabulary

/// The sentences by which the console itself starts undo, before any model or planner hears them.
package enum UndoWords {
    /// Returns the words of the command that a line means, such as `["undo", "w3"]`. `nil` for any other line.
    package static func command(_ line: String) -> [String]? {
        let text = line.trimmed.lowercased()
        var words = text.split(separator: " ").map(String.init)
        while let last = words.last?.last, ".!".contains(last) {
            words[words.count - 1].removeLast()
            if words[words.count - 1].isEmpty { words.removeLast() }
        }
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
