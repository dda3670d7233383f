import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct List: Verb {
    package static let description = CommandDescription(
        "list", in: .workflow,
        summary: "List workflows and how they stand, newest first.",
        examples: [
            "list",
            "list --limit 5",
            "list cat --failed --sort recent",
            .init("list --all --json", note: "every one, a line each"),
        ],
        takes: [[.free]],
        values: ["--sort": [.choice(of: WorkflowQuery.Order.self)], "--limit": [.free], "--from": [.free]])

    @Argument(help: "Words of the title, or of a step's node id.")
    var words: [String] = []

    @Flag(help: "Only those that are under way.")
    var active = false

    @Flag(help: "Only those that have succeeded.")
    var done = false

    @Flag(help: "Only those that have failed, or were cancelled.")
    var failed = false

    @Flag(help: "Every one, also what is archived.")
    var all = false

    @Option(help: "number (the newest first), recent (what changed last first) or name.")
    var sort = WorkflowQuery.Order.number

    @Option(parsing: .unconditional, help: "How many at most: 20 unless said; all with --all or --json.")
    var limit: Int?

    @Option(parsing: .unconditional, help: "The first entry that is shown, from 1.")
    var from = 1

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let limit = try ListLimit.checked(limit, isForAll: all || output.isJSON)
        try ListLimit.checked(from: from)
        let filters = [(active, WorkflowQuery.Filter.active), (done, .done), (failed, .failed)].filter(\.0).map(\.1)
        guard filters.count < 2 else {
            throw Failure(
                .badUsage, "--active, --done and --failed exclude one another.", remedy: "Choose one of them.")
        }
        let words = words.joined(separator: " ")
        // The commands are read first: the rows that are read after them are at least as new.
        let asked = try context.again.allAsked()
        let (first, count) = try context.again.list(
            WorkflowQuery(
                filter: filters.first ?? .all, order: sort, words: words.isEmpty ? nil : words, includesArchived: all,
                limit: limit < .max - from ? limit + from - 1 : .max))
        let summaries = first.dropFirst(from - 1).map(context.look.counted)
        let shown = Set(summaries.map(\.record.id))
        var aside = try context.diagnostics.quarantined().filter { shown.contains($0.workflow) }
        // A damaged workflow that no process has quarantined yet is listed with the quarantined ones.
        for summary in summaries where !aside.contains(where: { $0.workflow == summary.record.id }) {
            guard let damage = summary.damage else { continue }
            aside.append(Quarantine(workflow: summary.record.id, cause: .damaged, reason: damage, at: context.now()))
        }
        let blocking = try blocking(summaries, in: context)
        let standing = try context.standing(summaries)
        let notes = try output.isJSON ? [:] : notes(summaries, in: context)
        let workers = try context.look.workers()
        var undone: [WorkflowID: String] = [:]
        for summary in summaries {
            undone[summary.record.id] = UndoView.mark(context.undoing.standings(summary.record.id))
        }
        output.show(
            WorkflowList.lines(
                summaries, isNarrowed: !filters.isEmpty || !words.isEmpty, blocking: blocking, notes: notes,
                undone: undone, asked: asked,
                standing: standing, now: context.now(), columns: output.columns)
                + ListLimit.rest(from: from, shown: summaries.count, of: count, "more workflow", verb).lines(
                    columns: output.columns)
                + WorkerView.lines(workers, now: context.now(), columns: output.columns)
                + UsageView.lines(aside, columns: output.columns),
            json: summaries.map { summary in
                summary.json(
                    isBlocking: blocking.contains(summary.record.id), isCarried: !standing.contains(summary.record.id),
                    asked: asked[summary.record.id] ?? []
                )
                .adding("undone", undone[summary.record.id].map { .string($0) })
                .adding("worker", workers.first { $0.workflows.contains(summary.record.id) }.map { .int($0.process) })
                .adding("quarantine", aside.first { $0.workflow == summary.record.id }?.json)
            })
        return .succeeded
    }

    /// The command that prints the same list, without its range.
    private var verb: String {
        let flags = [(active, "--active"), (done, "--done"), (failed, "--failed"), (all, "--all")].filter(\.0).map(\.1)
        let order = sort == .number ? [] : ["--sort", sort.rawValue]
        return (["list"] + self.words + flags + order).map(Words.quoted).joined(separator: " ")
    }

    /// Returns the progress of the first running job of each workflow that has one.
    private func notes(_ summaries: [WorkflowSummary], in context: CommandContext) throws(Failure) -> [WorkflowID:
        String]
    {
        var notes: [WorkflowID: String] = [:]
        for summary in summaries where summary.record.outcome == nil && summary.states.contains(where: \.isRunning) {
            let steps = try context.look.steps(summary.record.id)
            let jobs = try RunningJobs.underWay(summary, steps, in: context)
            notes[summary.record.id] = steps.lazy.compactMap { jobs[$0.id.index]?.short(of: $0) }.first
        }
        return notes
    }

    /// Returns the workflows in which steps must wait for a person.
    private func blocking(_ summaries: [WorkflowSummary], in context: CommandContext) throws(Failure) -> Set<WorkflowID>
    {
        let asking = Set(summaries.filter { $0.openAwaits > 0 }.map(\.record.id))
        guard !asking.isEmpty else { return [] }
        let awaits = try context.look.awaits(false).filter { asking.contains($0.step.workflow) }
        let blocked = context.people.blockedSteps(by: awaits)
        return Set(awaits.filter { blocked[$0.number]?.isEmpty == false }.map(\.step.workflow))
    }
}
