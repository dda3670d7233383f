import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

extension Limits {
    /// The newest active workflows among which a run of a guide is looked for.
    fileprivate static let openGuides = 100
}

package struct GuideCommand: Verb {
    package static let description = CommandDescription(
        "guide", in: .workflow,
        summary: "Be led through captures and questions, step by step, to a package.",
        details: """
            list shows the guides there are, show the steps of one, and check what is wrong with a file. run begins one, or goes on with \
            a workflow of one; export writes its package.
            """,
        examples: [
            "guide run meter-reading", "guide list", "guide show vehicle-damage", "guide check my-guide.yaml",
            "guide run w3",
            "guide run meter-reading --answers answers.yaml",
            .init("guide export w3 report.zip", note: "the answers, the pictures and a report"),
        ],
        takes: [[.choice(of: Action.self)], [.workflow, .file], [.file]],
        values: ["--answers": [.file]])

    /// The actions behind `guide`.
    package enum Action: String, CaseIterable, ExpressibleByArgument, Sendable {
        case list, show, check, run, export
    }

    @Argument(help: "list, show, check, run or export.")
    var action: Action = .list

    @Argument(help: "A guide by its name or file, or a workflow of one, such as w3.")
    var name: String?

    @Argument(help: "The file of the package.")
    var file: String?

    @Flag(name: .customLong("continue"), help: "Go on with the newest one of this guide that is open.")
    var goesOn = false

    @Flag(help: "Replace a file that is there.")
    var overwrite = false

    @Flag(
        name: .customLong("as-it-is"),
        help: "Write the package with metadata that cannot be cut, and with what may hold keys.")
    var asItIs = false

    @Option(help: "A file of answers: the steps are answered from it, under the same checks.")
    var answers: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole {
        switch action {
        case .list, .show, .check: .looks
        case .run, .export: .decides
        }
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        switch action {
        case .list:
            let entries = context.guides.list()
            output.show(
                GuideView.guides(entries, columns: output.columns),
                json: entries.map {
                    .of(["guide": .string($0.name), "title": .string($0.title), "about": .string($0.about)])
                })
            return .succeeded
        case .show: return try show(in: context, output)
        case .check:
            let (text, file) = try context.guides.text(of: try named())
            let (guide, problems) = context.guides.read(text, file: file)
            Problems.show(problems, of: VisibleText.line(file), text: text, output)
            if problems.isEmpty, let guide, !output.isJSON {
                output.screen.show(GuideView.measuredLimits(of: guide, columns: output.columns))
            }
            return problems.isEmpty ? .succeeded : .badUsage
        case .run: return try await lead(in: context, output)
        case .export: return try await export(in: context, output)
        }
    }

    private func named() throws(Failure) -> String {
        guard let name else {
            throw Failure(
                .badUsage, "Which guide?",
                remedy: "See 'assent guide list'; write 'assent guide \(action.rawValue) NAME'.")
        }
        return name
    }

    // MARK: Looking

    private func show(in context: CommandContext, _ output: Output) throws(Failure) -> ExitStatus {
        if let id = name.flatMap({ WorkflowID(parsing: $0) }) {
            let record = try GuideWorkflow.record(of: id, in: context).record
            output.show(GuideView.list(record, columns: output.columns), json: [GuideWorkflow.json(of: record)])
            return .succeeded
        }
        let guide = try checked(try named(), in: context).guide
        output.show(
            GuideView.steps(guide, columns: output.columns),
            json: guide.askedSteps.map {
                .of(["step": .string($0.id), "title": .string($0.title), "instruction": .string($0.instruction)])
            })
        return .succeeded
    }

    /// Reads a guide that can be run.
    ///
    /// - Throws: `badGuide` with its first problem.
    private func checked(_ name: String, in context: CommandContext) throws(Failure) -> (
        guide: Guide, text: String, file: String
    ) {
        let (text, file) = try context.guides.text(of: name)
        let (guide, problems) = context.guides.read(text, file: file)
        guard let guide, problems.isEmpty else {
            let first = problems.first.map { "\($0)" } ?? "It cannot be read."
            let more = problems.count > 1 ? " There are \(problems.count - 1) more problems." : ""
            throw Failure(.badGuide, first + more, remedy: "Mend it; 'assent guide check \(name)' shows all of it.")
        }
        return (guide, text, file)
    }

    // MARK: Running

    private func lead(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let given = name.flatMap { WorkflowID(parsing: $0) }
        if given == nil { _ = try checked(try named(), in: context) }
        guard output.canAsk || answers != nil else {
            throw Failure(
                .noTerminal, "A guide asks you, and there is no terminal to ask at.",
                remedy:
                    "Run it in a terminal, or with --answers FILE; its steps can also be done with 'assent complete'.")
        }
        if !output.isChat { try context.act.startEngine({}, { _ in }) }
        let open: WorkflowID? = if let given { given } else { try await openOne(in: context, output) }
        if let id = open { return try await goOn(with: id, in: context, output) }
        let (guide, text, file) = try checked(try named(), in: context)
        let template = context.guides.template(of: guide, text: text, file: file)
        let found = context.act.check(template)
        guard let checked = found.checked else {
            Problems.refuse(found.problems, of: guide.id, in: context, output)
            return .badUsage
        }
        let read = try readAnswers(to: guide, in: context)
        let id = try context.act.start(
            checked, WorkflowStart(session: context.undoing.session, mode: try context.settings.mode(), onAsk: .inline)
        )
        output.followed.insert(id)
        let head =
            StyledText("  \(guide.title)", .bold)
            + StyledText("  \(id) · \(Amounts.count(guide.numberCount, "step"))", .dim)
        output.show(Layout.wrapped(head, columns: output.columns, hanging: 4), json: [])
        return try await carryOut(id, guide, read, in: context, output)
    }

    /// Reads the file of answers before anything is started or answered. Returns nil if none was named.
    private func readAnswers(to guide: Guide, in context: CommandContext) throws(Failure) -> AnswersFile? {
        try answers.map { file throws(Failure) in try context.guides.answers(in: file, to: guide) }
    }

    /// Returns the newest unfinished workflow of the guide in this folder, if the person wants to continue it. Returns
    /// nil for a new one.
    private func openOne(in context: CommandContext, _ output: Output) async throws(Failure) -> WorkflowID? {
        guard goesOn || answers == nil else { return nil }
        let guide = try checked(try named(), in: context).guide
        let (newest, _) = try context.again.list(
            WorkflowQuery(
                filter: .active, order: .number, words: nil, workspace: context.workspace, limit: Limits.openGuides))
        let found = newest.first {
            (try? GuideWorkflow.record(of: $0.record.id, in: context).record.guide.id) == guide.id
        }
        guard let found else {
            guard goesOn else { return nil }
            throw Failure(
                .unknownWorkflow, "No workflow of \(guide.id) is open here.",
                remedy: "Write 'assent guide run \(name ?? guide.id)'.")
        }
        if goesOn { return found.record.id }
        let words =
            "  \(found.record.id) of this guide is not complete: it was begun \(Amounts.age(of: found.record.createdAt, now: context.now()))."
        let lines = Layout.wrapped(StyledText(words), columns: output.columns, hanging: 4)
        let talk = Talk(asking: QuestionDialogue(context: context, screen: output.screen))
        switch await talk.key(lines + [Talk.keys(["c": "go on with it", "n": "begin a new one"])], of: ["c", "n"]) {
        case "c": return found.record.id
        case "n": return nil
        default: throw Failure(.interrupted, "Nothing was begun.")
        }
    }

    private func goOn(with id: WorkflowID, in context: CommandContext, _ output: Output) async throws(Failure)
        -> ExitStatus
    {
        let (record, _) = try GuideWorkflow.record(of: id, in: context)
        let read = try readAnswers(to: record.guide, in: context)
        output.followed.insert(id)
        output.show(GuideView.list(record, columns: output.columns), json: [])
        return try await carryOut(id, record.guide, read, in: context, output)
    }

    /// Asks the steps, or answers them from a file.
    ///
    /// - Parameter answers: the answers of the file, or nil if the person answers.
    private func carryOut(
        _ id: WorkflowID, _ guide: Guide, _ answers: AnswersFile?, in context: CommandContext, _ output: Output
    ) async throws(Failure) -> ExitStatus {
        output.led.insert(id)
        defer { output.led.remove(id) }
        let status =
            if let answers {
                try await GuideReplay(
                    context: context, output: output, workflow: id, guide: guide, answers: answers,
                    guides: context.guides.answering(from: self.answers ?? "")
                ).run()
            } else {
                try await GuideSession(context: context, output: output, workflow: id, guide: guide).run()
            }
        let record = try GuideWorkflow.record(of: id, in: context).record
        let words = "  ✓ \(guide.title) is complete. Its package: \(Voice.call("guide export \(id)"))"
        output.show(
            status == .succeeded ? Layout.wrapped(StyledText(words), columns: output.columns, hanging: 4) : [],
            json: [GuideWorkflow.json(of: record)])
        return status
    }

    // MARK: The package

    private func export(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        guard let id = name.flatMap({ WorkflowID(parsing: $0) }) else {
            throw Failure(
                .badUsage, "Which workflow? A package is made of one.", remedy: "Write 'assent guide export w3'.")
        }
        let (record, text) = try GuideWorkflow.record(of: id, in: context)
        let outcome = try Find.workflow(id, in: context).record.outcome
        let open = record.entries.filter { [.open, .asked].contains($0.state) }
        if let outcome, outcome == .failed || outcome == .cancelled {
            throw Failure(
                .notOver, "\(id) was \(outcome.rawValue), so it has no package.",
                remedy: "'assent retry \(id)' takes it up again.")
        }
        guard outcome == .succeeded, open.isEmpty else {
            guard let first = open.first else {
                throw Failure(
                    .notOver, "The review of \(id) is not over.", remedy: "Go on with 'assent guide run \(id)'.")
            }
            throw Failure(
                .notOver,
                "\(Amounts.count(open.count, "step")) of \(id) \(open.count == 1 ? "is" : "are") not answered: \(first.step.title)…",
                remedy: "Go on with 'assent guide run \(id)'.")
        }
        if GuideReview(of: try context.look.steps(id))?.isOld ?? false {
            throw Failure(
                .notOver, "A step of \(id) was answered again after the review.",
                remedy: "Look it over again with 'assent guide run \(id)'.")
        }
        let made = try await context.guides.package(of: record, text: text)
        if !asItIs { try refuseWhatShouldNotLeave(made, record, in: context) }
        let path = context.look.path(made.content.hash) ?? ""
        var viewed = try context.viewing.content(at: path)
        viewed.name = made.name
        return try await SavedResult(context: context, output: output).save(
            viewed, to: target(made.name, in: context), replaces: overwrite)
    }

    /// Returns the path of the package: the named file, or in a named folder the file with the guide's own name.
    private func target(_ name: String, in context: CommandContext) -> String {
        guard let file else { return name }
        let isFolder = file.hasSuffix("/") || ((try? context.viewing.content(at: file))?.isFolder ?? false)
        return isFolder ? (file.hasSuffix("/") ? file + name : "\(file)/\(name)") : file
    }

    /// Throws if a file of the package may hold keys, or has metadata that the guide wants removed and that cannot be
    /// removed.
    private func refuseWhatShouldNotLeave(_ made: MadePackage, _ record: GuideRecord, in context: CommandContext)
        throws(Failure)
    {
        let remedy =
            "Answer that step again with another file ('assent guide run \(record.workflow)' before the review is over), or say --as-it-is."
        if let uncut = made.uncut.first {
            throw Failure(
                .metadataLeft, "The metadata of \(uncut.file) cannot be cut: \(uncut.reason).", remedy: remedy)
        }
        for entry in record.answered {
            for medium in entry.media where context.look.isPrivate(medium.asset.hash) {
                throw Failure(.private, "\(VisibleText.cut(medium.asset.name, to: 60)) may hold keys.", remedy: remedy)
            }
        }
    }
}

/// A workflow that was made from a guide.
enum GuideWorkflow {
    /// Returns the guide, the state of its steps, and its text.
    static func record(of id: WorkflowID, in context: CommandContext) throws(Failure) -> (
        record: GuideRecord, text: String
    ) {
        _ = try Find.workflow(id, in: context)
        guard let text = try context.look.template(id)?.guide,
            let guide = context.guides.read(text, file: "\(id)").guide
        else {
            throw Failure(.badUsage, "\(id) was not made from a guide.", remedy: "See 'assent guide list'.")
        }
        return (try GuideRecord(guide, of: id, in: context), text)
    }

    static func json(of record: GuideRecord) -> JSON {
        [
            "workflow": .string(record.workflow.description), "guide": .string(record.guide.id),
            "steps": .array(
                record.entries.map { entry in
                    .of([
                        "step": .string(entry.step.id), "number": entry.number.map { .int($0) },
                        "title": .string(entry.step.title),
                        "state": .string(entry.state.rawValue), "answer": entry.value,
                        "media": entry.media.isEmpty ? nil : .array(entry.media.map { .string($0.asset.name) }),
                        "taken": entry.taken.map { .string($0) },
                    ])
                }),
        ]
    }
}

extension GuideRecord {
    /// Creates the record of a workflow from the stored steps and assets.
    init(_ guide: Guide, of workflow: WorkflowID, in context: CommandContext) throws(Failure) {
        self.init(
            guide: guide, workflow: workflow, steps: try context.look.steps(workflow),
            assets: try context.look.assets(workflow))
    }
}
