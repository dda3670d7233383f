package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct List: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "List workflows, newest first.",
        discussion: """
            Examples:

              assent list --limit 5
              assent list cat --failed --sort recent
              assent list --all --json    (every one, a line each)
            """)

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

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let limit = try ListLimit.checked(limit, isForAll: all || output.isJSON)
        let filters = [(active, WorkflowQuery.Filter.active), (done, .done), (failed, .failed)].filter(\.0).map(\.1)
        guard filters.count < 2 else {
            throw Failure("badUsage", "--active, --done and --failed exclude one another.", remedy: "Choose one of them.")
        }
        let words = words.joined(separator: " ")
        let (summaries, count) = try house.again.list(
            WorkflowQuery(
                filter: filters.first ?? .all, order: sort, words: words.isEmpty ? nil : words, includesArchived: all, limit: limit))
        let shown = Set(summaries.map(\.record.id))
        var aside = try house.keep.quarantined().filter { shown.contains($0.workflow) }
        // Nobody has come upon it yet who would set it aside.
        for summary in summaries where !aside.contains(where: { $0.workflow == summary.record.id }) {
            guard let damage = summary.damage else { continue }
            aside.append(Quarantine(workflow: summary.record.id, cause: .damaged, reason: damage, at: house.now()))
        }
        let blocking = try blocking(summaries, in: house)
        let standing = try house.standing(summaries)
        let notes = try output.isJSON ? [:] : notes(summaries, in: house)
        let workers = try house.look.workers()
        output.show(
            WorkflowList.lines(
                summaries, isNarrowed: !filters.isEmpty || !words.isEmpty, blocking: blocking, notes: notes, standing: standing,
                now: house.now(), columns: output.columns)
                + Layout.rest(shown: summaries.count, of: count, columns: output.columns)
                + WorkerView.lines(workers, now: house.now(), columns: output.columns)
                + UsageView.lines(aside, columns: output.columns),
            json: summaries.map { summary in
                summary.json(isBlocking: blocking.contains(summary.record.id), isCarried: !standing.contains(summary.record.id))
                    .adding("worker", workers.first { $0.workflows.contains(summary.record.id) }.map { .int($0.process) })
                    .adding("quarantine", aside.first { $0.workflow == summary.record.id }?.json)
            })
        return .succeeded
    }

    /// How far the first job is of those that have one under way.
    private func notes(_ summaries: [WorkflowSummary], in house: House) throws(Failure) -> [WorkflowID: String] {
        var notes: [WorkflowID: String] = [:]
        for summary in summaries where summary.record.outcome == nil && summary.states.contains(where: \.isRunning) {
            let steps = try house.look.steps(summary.record.id)
            let jobs = try Jobs.underWay(summary, steps, in: house)
            notes[summary.record.id] = steps.lazy.compactMap { jobs[$0.id.index]?.short(of: $0) }.first
        }
        return notes
    }

    /// Those in which steps have to wait for a person.
    private func blocking(_ summaries: [WorkflowSummary], in house: House) throws(Failure) -> Set<WorkflowID> {
        let asking = Set(summaries.filter { $0.openAwaits > 0 }.map(\.record.id))
        guard !asking.isEmpty else { return [] }
        let awaits = try house.look.awaits(false).filter { asking.contains($0.step.workflow) }
        let blocked = house.people.blocked(awaits)
        return Set(awaits.filter { blocked[$0.number]?.isEmpty == false }.map(\.step.workflow))
    }
}

package struct Show: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Show a workflow, or one of its steps.",
        discussion: """
            Examples:

              assent show w3 2
              assent show w3 --revision 1
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "A step, by its number or node id.")
    var step: String?

    @Option(help: "Its graph as it was in this revision.")
    var revision: Int?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let summary = try Find.workflow(workflow, in: house)
        if let revision { return try Revisions.show(revision, of: summary, in: house, output) }
        let pins = try house.again.pins(workflow)
        let steps = try house.look.steps(workflow)
        let assets = try house.look.assets(workflow)
        guard let step else {
            let awaits = house.entries(of: try house.look.awaits(false).filter { $0.step.workflow == workflow })
            let jobs = try Jobs.underWay(summary, steps, in: house)
            let asked = try house.again.asked(workflow)
            let isStanding = !(try house.standing([summary]).isEmpty)
            output.show(
                WorkflowCard.lines(
                    summary, steps: steps, assets: assets, awaits: awaits, template: try? house.look.template(workflow),
                    catalogue: house.catalogue(), pins: pins, isStanding: isStanding, jobs: jobs,
                    asked: asked, now: house.now(), columns: output.columns),
                json: [
                    .of([
                        "workflow": summary.json(isBlocking: awaits.contains { !$0.blocked.isEmpty }, isCarried: !isStanding),
                        "asked": asked.isEmpty ? nil : .array(asked.map { .string($0.verb.words) }),
                        "steps": .array(steps.map { $0.json.adding("job", jobs[$0.id.index]?.job.json) }),
                        "assets": .array(assets.map { $0.json.adding("thumbnail", house.keep.thumbnail($0.hash).map { .string($0) }) }),
                        "awaits": .array(awaits.map { $0.json(at: house.now()) }), "pins": .array(pins.map(\.json)),
                    ])
                ])
            return .succeeded
        }
        let record = try Find.step(step, in: steps, of: workflow)
        let runs = try house.look.runs(record.id)
        let own = assets.filter { $0.run.step == record.id }
        let ownPins = pins.filter { $0.step == record.id.index }
        let changedAt = try house.look.history(workflow, record.id.index).last?.at
        let log = runs.last.flatMap { LogTail.text(of: $0, in: house) }
        let remote = RemoteStatus(runs.last, changedAt: changedAt, pausedAt: summary.record.pollingPausedAt)
        output.show(
            StepCard.lines(
                record, runs: runs, assets: own, tool: house.catalogue()[record.kind], template: try? house.look.template(workflow),
                pins: ownPins, remote: remote, log: log, now: house.now(), columns: output.columns),
            json: [
                .of([
                    "step": record.json, "runs": .array(runs.map(\.json)), "assets": .array(own.map(\.json)),
                    "pins": .array(ownPins.map(\.json)), "changed": changedAt.map { .string($0.description) },
                    "log": log.map { .array(LogTail.lines($0).suffix(StepCard.logLimit).map { .string($0) }) },
                ])
            ])
        return .succeeded
    }
}

/// What is under way at providers.
private enum Jobs {
    static func underWay(
        _ summary: WorkflowSummary, _ steps: [StepRecord], in house: House
    ) throws(Failure) -> [Int: RemoteStatus] {
        var jobs: [Int: RemoteStatus] = [:]
        for step in steps where step.state.isRunning && step.state != .runningLocal {
            jobs[step.id.index] = RemoteStatus(
                try house.look.runs(step.id).last, changedAt: step.updatedAt, pausedAt: summary.record.pollingPausedAt)
        }
        return jobs
    }
}

/// A graph that a workflow had.
private enum Revisions {
    static func show(_ number: Int, of summary: WorkflowSummary, in house: House, _ output: Output) throws(Failure) -> ExitStatus {
        let all = try house.again.revisions(summary.record.id)
        guard let revision = all.first(where: { $0.number == number }) else {
            throw Failure(
                "badUsage", "\(summary.record.id) has no revision \(number).", remedy: "It has 1 to \(summary.record.graphRevision).")
        }
        var template = revision.template
        let catalogue = house.catalogue()
        for index in template.nodes.indices {
            template.nodes[index].params = template.nodes[index].params.withoutSecrets(catalogue[template.nodes[index].kind])
        }
        let until = revision.replacedAt.map { "until \(Amounts.time($0))" } ?? "the one that holds"
        output.show(
            [StyledText("  revision \(number) of \(summary.record.id), \(until)", .dim)]
                + PlanTable.lines(template, catalogue: catalogue, workspace: summary.record.workspace, columns: output.columns),
            json: [
                .of([
                    "workflow": .string(summary.record.id.description), "revision": .int(number),
                    "replaced": revision.replacedAt.map { .string($0.description) }, "template": house.again.written(template),
                ])
            ])
        return .succeeded
    }
}

package struct Why: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Say why a workflow or a step is as it is: from its state back to the first cause, then what happened.",
        discussion: """
            Example:

              assent why w3 2
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "A step, by its number or node id.")
    var step: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let (summary, steps, number) = try Find.steps(of: workflow, step, in: house)
        let events = try house.look.history(workflow, number)
        let causes = try house.again.causes(workflow, number)
        output.show(
            WhyView.lines(
                summary, steps: steps, events: events, causes: causes, step: number, now: house.now(), columns: output.columns),
            json: causes.map { $0.json(at: house.now()) } + events.map(\.json))
        return .succeeded
    }
}

package struct Tools: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "List the tools, or show one.",
        discussion: """
            Example:

              assent tools Resize
            """)

    @Argument(help: "A tool's kind.")
    var kind: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let catalogue = house.catalogue()
        guard let kind else {
            output.show(
                ToolList.lines(catalogue, columns: output.columns),
                json: catalogue.sorted.map { $0.json(unavailable: catalogue.unavailable[$0.kind]) })
            return .succeeded
        }
        guard let tool = catalogue.sorted.first(where: { $0.kind.lowercased() == kind.lowercased() }) else {
            throw Failure("unknownTool", "There is no tool \"\(kind)\".", remedy: "See 'assent tools'.")
        }
        let missing = catalogue.unavailable[tool.kind]
        output.show(ToolCard.lines(tool, unavailable: missing, columns: output.columns), json: [tool.json(unavailable: missing)])
        return .succeeded
    }
}

package struct Templates: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "List the templates that can be run by name.",
        discussion: """
            Example:

              assent templates
            """)

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let templates = house.templates()
        output.show(
            TemplateList.lines(templates.map { (name: $0.name, title: $0.title, path: $0.path) }, columns: output.columns),
            json: templates.map { .of(["name": .string($0.name), "title": .string($0.title), "path": .string($0.path)]) })
        return .succeeded
    }
}

/// Looking things up by what people call them.
enum Find {
    /// The bytes of a template: one that has a name, else a file.
    static func template(_ name: String, in house: House) throws(Failure) -> [UInt8] {
        let templates = house.templates()
        if let known = templates.first(where: { $0.name == name }) { return try house.act.readFile(known.path) }
        do throws(Failure) {
            return try house.act.readFile(name)
        } catch {
            guard error.code == "unknownFile", !templates.isEmpty, !name.contains("/") else { throw error }
            throw Failure(
                error.code, error.message,
                remedy: "No template is called so either; they are \(templates.map(\.name).joined(separator: ", ")).")
        }
    }

    static func workflow(_ id: WorkflowID, in house: House) throws(Failure) -> WorkflowSummary {
        guard let summary = try house.look.summary(id) else {
            throw Failure("unknownWorkflow", "There is no workflow \(id).", remedy: "See 'assent list'.")
        }
        return summary
    }

    /// A workflow with its steps and, if one was named, the number of that one.
    static func steps(
        of id: WorkflowID, _ name: String?, in house: House
    ) throws(Failure) -> (summary: WorkflowSummary, steps: [StepRecord], number: Int?) {
        let summary = try workflow(id, in: house)
        let steps = try house.look.steps(id)
        return (summary, steps, try name.map { name throws(Failure) in try step(name, in: steps, of: id).id.index })
    }

    /// What cannot be done to a workflow that has ended, with what can.
    static func isOver(_ id: WorkflowID, _ outcome: Outcome) -> Failure {
        let remedy: String =
            switch outcome {
            case .failed, .cancelled: "'assent retry \(id)' takes it up again; 'assent why \(id)' says what happened."
            case .succeeded, .waiting: "'assent rerun \(id) STEP' runs a step of it again."
            }
        return Failure("badUsage", "\(id) is over: \(outcome.rawValue).", remedy: remedy)
    }

    static func step(_ name: String, in steps: [StepRecord], of workflow: WorkflowID) throws(Failure) -> StepRecord {
        if let number = Int(name), let step = steps.first(where: { $0.id.index == number }) { return step }
        guard let step = steps.first(where: { $0.node == name }) else {
            throw Failure("badUsage", "\(workflow) has no step \"\(name)\".", remedy: "See 'assent show \(workflow)'.")
        }
        return step
    }

    static func await(_ number: Int64, in house: House) throws(Failure) -> AwaitRecord {
        guard let record = try house.look.awaitNumbered(number) else {
            throw Failure("unknownAwait", "There is no \(number) in the inbox.", remedy: "See 'assent inbox'.")
        }
        return record
    }
}
