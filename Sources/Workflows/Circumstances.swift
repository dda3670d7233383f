package import Vocabulary

/// The facts from which `why` explains the state of a workflow.
package struct Circumstances: Sendable {
    package var record: WorkflowRecord
    package var steps: [StepRecord]
    /// The producers of each step, by index.
    package var producers: [[Int]]
    /// The numbers that users see for the steps.
    package var rows: StepRows
    /// The newest await of each step, also a closed one, by index.
    package var awaits: [Int: AwaitRecord]
    /// The records of jobs that run, by the index of their step.
    package var jobs: [Int: JobRecord]
    /// The steps that run now, of all workflows.
    package var busy: [StepRecord]
    /// Whether the engine that runs the workflow lives, or another engine will take it over.
    package var hasEngine: Bool
    package var now: Moment
    /// The events of the workflow as a whole: commands of users, and its ends. Oldest first.
    package var changes: [EventRecord]
    /// Returns the events of a step, by its number, oldest first. They are read only if needed, since a workflow can
    /// have many.
    package var events: @Sendable (Int) -> [EventRecord]

    package init(
        record: WorkflowRecord, steps: [StepRecord], template: Template?, awaits: [AwaitRecord] = [],
        running: [RunRecord] = [],
        busy: [StepRecord] = [], hasEngine: Bool = true, now: Moment, changes: [EventRecord] = [],
        events: @escaping @Sendable (Int) -> [EventRecord]
    ) {
        self.record = record
        self.steps = steps
        rows = StepRows(template)
        self.busy = busy
        self.hasEngine = hasEngine
        self.now = now
        self.changes = changes
        self.events = events
        self.awaits = Dictionary(awaits.sorted { $0.number < $1.number }.map { ($0.step.index - 1, $0) }) { _, newer in
            newer
        }
        jobs = Dictionary(
            running.compactMap { run in run.job.map { (run.id.step.index - 1, $0) } },
            uniquingKeysWith: { _, newer in newer })
        let places = Dictionary(steps.enumerated().map { ($1.node, $0) }) { first, _ in first }
        producers = Array(repeating: [], count: steps.count)
        let feeding = (template?.edges ?? []).map { ($0.from.node, $0.to.node) }
        let before = (template?.nodes ?? []).flatMap { node in
            (node.controls + node.follows + node.startsAfter).map { ($0, node.id) }
        }
        for (from, to) in feeding + before {
            guard let from = places[from], let to = places[to], !producers[to].contains(from) else { continue }
            producers[to].append(from)
        }
    }
}
