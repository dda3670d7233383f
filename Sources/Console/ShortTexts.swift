import Actions
import Vocabulary

extension Limits {
    /// The most bytes of a result whose text is written into its line of JSON, beside its path.
    fileprivate static let inlineTextBytes = 2_000
}

extension CommandContext {
    /// Returns the short texts among the results of a finished workflow, by their hashes, so that a script need not
    /// open a file for a word. Texts that may hold keys are left out.
    func shortTexts(of event: Event) -> [ContentHash: String] {
        guard case .workflowFinished(_, let outputs) = event.kind else { return [:] }
        var texts: [ContentHash: String] = [:]
        for output in outputs.prefix(Limits.outputsTold)
        where [.text, .json].contains(output.type) && output.bytes <= Limits.inlineTextBytes
            && !look.isPrivate(output.hash)
        {
            texts[output.hash] = look.preview(output.hash, Limits.inlineTextBytes)
        }
        return texts
    }
}
