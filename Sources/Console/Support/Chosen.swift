import Actions
import Terminal
import Vocabulary

extension Limits {
    /// The most workflows, or entries of the inbox, that a refusal names if a command could mean several.
    fileprivate static let namedChoices = 5
}

/// The workflow that a command is about, even if the user named none.
struct Chosen: Hashable {
    var workflow: WorkflowID
    /// The number of a step, or the id of its node.
    var step: String?

    var parts: (workflow: WorkflowID, step: String?) { (workflow, step) }

    /// Returns the named workflow, or else the newest of this conversation, or else the newest of this folder, and
    /// shows its name.
    ///
    /// - Throws: `badUsage` if there is none, or if a step was named twice.
    static func newest(_ word: WorkflowWord?, _ step: String? = nil, in context: CommandContext, _ output: Output)
        throws(Failure)
        -> Chosen
    {
        let step = try one(word?.step, step)
        if let named = word?.workflow { return Chosen(workflow: named, step: step) }
        let all = try candidates(in: context).newest
        guard
            let newest = all.first(where: { $0.record.session != nil && $0.record.session == context.session })
                ?? all.first
        else {
            throw Failure(
                .badUsage, "There is no workflow in this folder yet.", remedy: "Say what you want done first.")
        }
        say(newest, "the newest", output)
        return Chosen(workflow: newest.record.id, step: step)
    }

    /// Returns the named workflow, or else the only one that the command can mean, and shows its name. If the command
    /// can mean several, none is guessed.
    ///
    /// - Parameters:
    ///   - purpose: the words for a workflow that fits, such as "can be retried".
    ///   - fits: whether the command can mean a workflow.
    /// - Throws: `badUsage` with the choices, if none fits or several do.
    static func only(
        _ word: WorkflowWord?, _ step: String?, _ purpose: String, in context: CommandContext, _ output: Output,
        fits: (WorkflowSummary) -> Bool
    ) throws(Failure) -> Chosen {
        Chosen(
            workflow: try only(word?.workflow, purpose, in: context, output, fits: fits),
            step: try one(word?.step, step))
    }

    /// Returns the workflow for a command without a step, in the same way.
    static func only(
        _ named: WorkflowID?, _ purpose: String, in context: CommandContext, _ output: Output,
        fits: (WorkflowSummary) -> Bool
    ) throws(Failure) -> WorkflowID {
        if let named { return named }
        let (all, areAll) = try candidates(in: context)
        let fitting = all.filter(fits)
        guard areAll || fitting.count > 1 else {
            throw Failure(
                .badUsage, "Which workflow? There are too many here to find the only one.",
                remedy: "Name one: see 'assent list'.")
        }
        guard let first = fitting.first else {
            throw Failure(.badUsage, "No workflow of this folder \(purpose).", remedy: "See 'assent list --all'.")
        }
        guard fitting.count == 1 else {
            throw Choices(names: fitting.map { ("\($0.record.id)", $0.record.title) }, purpose: purpose)
                .failure("Which workflow?", remedy: "Name one")
        }
        say(first, "the only one that \(purpose)", output)
        return first.record.id
    }

    private static func one(_ left: String?, _ right: String?) throws(Failure) -> String? {
        guard left == nil || right == nil else {
            throw Failure(
                .badUsage, "Two steps were named: \(left ?? "") and \(right ?? "").", remedy: "Name one of them.")
        }
        return left ?? right
    }

    /// Returns the newest workflows of this folder, and whether these are all.
    private static func candidates(in context: CommandContext) throws(Failure) -> (
        newest: [WorkflowSummary], areAll: Bool
    ) {
        let query = WorkflowQuery(workspace: context.workspace, includesArchived: true, limit: Limits.examinedWorkflows)
        let found = try context.again.list(query)
        return (found.shown, found.shown.count == found.count)
    }

    /// Shows the name of a workflow that the user has not named, and why it was chosen.
    static func say(_ summary: WorkflowSummary, _ why: String, _ output: Output) {
        output.tell(notice: "of \(summary.record.id), \(why): \(VisibleText.cut(summary.record.title, to: 60))")
    }
}

/// The entry of the inbox that a command is about, even if the user gave no number.
enum ChosenEntry {
    /// Returns the given number, or else the number of the only entry that the command can mean, and shows it.
    ///
    /// - Parameter purpose: the words for an entry that fits, such as "can be skipped".
    /// - Throws: `badUsage` with the choices, if no entry fits or several do.
    static func only(
        _ number: Int64?, _ purpose: String, in context: CommandContext, _ output: Output,
        fits: (AwaitRecord) -> Bool = { _ in true }
    ) throws(Failure) -> Int64 {
        if let number { return number }
        let now = context.now()
        let fitting = try context.look.awaits(false).filter { $0.status(at: now) != .done && fits($0) }
        guard let first = fitting.first else {
            throw Failure(.badUsage, "Nothing in the inbox \(purpose).", remedy: "See 'assent inbox'.")
        }
        guard fitting.count == 1 else {
            throw Choices(names: fitting.map { ("\($0.number)", $0.title) }, purpose: purpose)
                .failure("Which entry of the inbox?", remedy: "Give a number")
        }
        output.tell(
            notice:
                "\(first.number) of the inbox, the only one that \(purpose): \(VisibleText.cut(first.title, to: 60))")
        return first.number
    }
}

/// The things that a command could mean. If there are several, the command is refused.
private struct Choices {
    let names: [(name: String, title: String)]
    /// The words for a thing that fits, such as "can be retried".
    let purpose: String

    /// Returns the refusal, with the names of the first choices.
    func failure(_ question: String, remedy: String) -> Failure {
        let shown = names.prefix(Limits.namedChoices).map { "\($0.name) (\(VisibleText.cut($0.title, to: 30)))" }
        let rest = names.count - shown.count
        return Failure(
            .badUsage, "\(question) \(names.count) \(purpose.replacing("can ", with: "could ")).",
            remedy: "\(remedy): \(shown.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "").")
    }
}
