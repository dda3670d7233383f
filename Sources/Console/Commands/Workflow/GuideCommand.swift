import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

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

    @Flag(help: "Answer steps again whose stored answers differ from the file of --answers.")
    var replace = false

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
            let entries = context.guides.shelf.list()
            output.show(
                GuideView.guides(entries, columns: output.columns),
                json: entries.map {
                    .of(["guide": .string($0.name), "title": .string($0.title), "about": .string($0.about)])
                })
            return .succeeded
        case .show: return try show(in: context, output)
        case .check:
            let shelf = context.guides.shelf
            let (text, file) = try shelf.text(of: try named())
            let (guide, problems) = shelf.read(text, file: file)
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
            // The commands are read first: the rows that are read after them are at least as new.
            let asked = try context.again.asked(id)
            let record = try context.guides.run(id).record()
            output.show(
                GuideView.list(record, asked: asked, columns: output.columns), json: [record.json(asked: asked)])
            return .succeeded
        }
        let guide = try context.guides.shelf.sound(try named()).guide
        output.show(
            GuideView.steps(guide, columns: output.columns),
            json: guide.askedSteps.map {
                .of(["step": .string($0.id), "title": .string($0.title), "instruction": .string($0.instruction)])
            })
        return .succeeded
    }

    // MARK: Running

    private func lead(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        guard answers != nil || !replace else {
            throw Failure(
                .badUsage, "--replace belongs to a file of answers.", remedy: "Add --answers FILE.")
        }
        let given = name.flatMap { WorkflowID(parsing: $0) }
        if given == nil { _ = try context.guides.shelf.sound(try named()) }
        guard output.canAsk || answers != nil else {
            throw Failure(
                .noTerminal, "A guide asks you, and there is no terminal to ask at.",
                remedy:
                    "Run it in a terminal, or with --answers FILE; its steps can also be done with 'assent complete'.")
        }
        if !output.isChat { try context.act.startEngine() }
        let open: WorkflowID? = if let given { given } else { try await openOne(in: context, output) }
        if let id = open { return try await goOn(with: id, in: context, output) }
        let (guide, text, file) = try context.guides.shelf.sound(try named())
        let template = context.guides.shelf.template(of: guide, text: text, file: file)
        let found = context.act.check(template)
        guard let checked = found.checked else {
            Problems.refuse(found.problems, of: guide.id, in: context, output)
            return .badUsage
        }
        let read = try readAnswers(to: guide, in: context)
        let id = try context.act.start(
            checked, WorkflowStart(session: context.session, mode: try context.mode(), onAsk: .inline)
        )
        output.followed.insert(id)
        let head =
            StyledText("  \(guide.title)", .bold)
            + StyledText("  \(id) · \(Amounts.count(guide.numberCount, "step"))", .dim)
        output.show(Layout.wrapped(head, columns: output.columns, hanging: 4), json: [])
        return try await lead(try context.guides.run(id), read, in: context, output)
    }

    /// Reads the file of answers before anything is started or answered. Returns nil if none was named.
    private func readAnswers(to guide: Guide, in context: CommandContext) throws(Failure) -> AnswersFile? {
        try answers.map { file throws(Failure) in try context.guides.shelf.answers(in: file, to: guide) }
    }

    /// Returns the newest unfinished workflow of the guide in this folder, if the person wants to continue it. Returns
    /// nil for a new one.
    private func openOne(in context: CommandContext, _ output: Output) async throws(Failure) -> WorkflowID? {
        guard goesOn || answers == nil else { return nil }
        let guide = try context.guides.shelf.sound(try named()).guide
        guard let found = try context.guides.newestOpen(of: guide) else {
            guard goesOn else { return nil }
            throw Failure(
                .unknownWorkflow, "No workflow of \(guide.id) is open here.",
                remedy: "Write 'assent guide run \(name ?? guide.id)'.")
        }
        if goesOn { return found.record.id }
        let words =
            "  \(found.record.id) of this guide is not complete: it was begun "
            + "\(Amounts.age(of: found.record.createdAt, now: context.now()))."
        let lines = Layout.wrapped(StyledText(words), columns: output.columns, hanging: 4)
        let talk = Talk(asking: QuestionDialogue(context: context, screen: output.screen))
        let keys = [Talk.keys(["c": "go on with it", "n": "begin a new one"])]
        switch await talk.key(lines + keys, of: ["c", "n"], atOnce: []) {
        case "c": return found.record.id
        case "n": return nil
        default: throw Failure(.interrupted, "Nothing was begun.")
        }
    }

    private func goOn(with id: WorkflowID, in context: CommandContext, _ output: Output) async throws(Failure)
        -> ExitStatus
    {
        let asked = try context.again.asked(id)
        let run = try context.guides.run(id)
        let record = try run.record()
        let read = try readAnswers(to: run.guide, in: context)
        output.followed.insert(id)
        output.show(
            GuideView.list(record, asked: asked, columns: output.columns), json: [])
        return try await lead(run, read, in: context, output)
    }

    /// Asks the steps, or answers them from a file.
    ///
    /// - Parameter answers: the answers of the file, or nil if the person answers.
    private func lead(_ run: GuideRun, _ answers: AnswersFile?, in context: CommandContext, _ output: Output)
        async throws(Failure) -> ExitStatus
    {
        output.led.insert(run.workflow)
        defer { output.led.remove(run.workflow) }
        let status =
            if let answers {
                try await replay(run, answers, in: context, output)
            } else {
                try await GuideSession(run, context: context, screen: output.screen).lead()
            }
        let record = try run.record()
        let words = "  ✓ \(run.guide.title) is complete. Its package: \(Voice.call("guide export \(run.workflow)"))"
        output.show(
            status == .succeeded ? Layout.wrapped(StyledText(words), columns: output.columns, hanging: 4) : [],
            json: [record.json(asked: [])])
        return status
    }

    /// Answers the steps from a file.
    ///
    /// - Returns: `.waiting` if a step has no answer in the file.
    private func replay(_ run: GuideRun, _ answers: AnswersFile, in context: CommandContext, _ output: Output)
        async throws(Failure) -> ExitStatus
    {
        var replay = run.replay(answers, from: self.answers ?? "", replaces: replace)
        let camera = CameraConsent()
        let talk = output.canAsk ? Talk(asking: QuestionDialogue(context: context, screen: output.screen)) : nil
        while true {
            let place = try await replay.next { await camera.isAllowed(context.guides.devices, talk) }
            switch place {
            case .held(let holder): output.tell(notice: holder.words)
            case .elsewhere: return .waiting
            case .unanswered(let record):
                let call = Voice.call("guide run \(run.workflow)")
                output.tell(notice: "\(record.title) has no answer in the file: \(call)")
                return .waiting
            case .ended(let outcome, let unused):
                if !unused.isEmpty {
                    output.tell(notice: "Not asked, so their answers are not used: \(NameList.words(unused)).")
                }
                return ExitStatus(of: outcome, failures: try run.failures())
            }
        }
    }

    // MARK: The package

    private func export(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        guard let id = name.flatMap({ WorkflowID(parsing: $0) }) else {
            throw Failure(
                .badUsage, "Which workflow? A package is made of one.", remedy: "Write 'assent guide export w3'.")
        }
        let made = try await context.guides.run(id).makePackage(asItIs: asItIs)
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
}

extension GuideRecord {
    /// Returns the record as JSON for programs.
    ///
    /// - Parameter asked: the stored commands that no engine has carried out. The steps that they run again are open.
    fileprivate func json(asked: [Command]) -> JSON {
        let again = asked.filter(\.verb.runsAgain).compactMap(\.verb.changedStep)
        return [
            "workflow": .string(workflow.description), "guide": .string(guide.id),
            "steps": .array(
                entries.map { entry in
                    .of([
                        "step": .string(entry.step.id), "number": entry.number.map { .int($0) },
                        "title": .string(entry.step.title),
                        "state": .string(
                            again.contains(entry.record.id.index)
                                ? GuideRecord.State.open.rawValue : entry.state.rawValue),
                        "asked": again.contains(entry.record.id.index) ? true : nil, "answer": entry.value,
                        "media": entry.media.isEmpty ? nil : .array(entry.media.map { .string($0.asset.name) }),
                        "taken": entry.taken.map { .string($0) },
                    ])
                }),
        ]
    }
}
