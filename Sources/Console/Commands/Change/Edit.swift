import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Edit: Verb {
    package static let description = CommandDescription(
        "edit", in: .change,
        summary: "Change the graph of a workflow, also while it runs: makes a new revision, the old one is kept.",
        details: """
            Only steps that do not run may change. Without a file and without --set your editor opens ($VISUAL, $EDITOR).
            """,
        examples: ["edit w3 --set 2.width=400", "edit w3 new.json --dry-run", "edit w3"],
        takes: [[.workflow], [.file]],
        values: ["--set": [.setting]])

    @Argument(help: "The workflow, such as w3. Without it, the only one.")
    var workflow: WorkflowID?

    @Argument(help: "A file of app.workflow/v2. Nodes keep their place by their ids.")
    var file: String?

    @Option(name: .customLong("set"), help: "Set a parameter: STEP.PARAM=VALUE. May be repeated.")
    var sets: [String] = []

    @Flag(help: "Only check, and say what would change.")
    var dryRun = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    /// The role of the command. With the user's editor it decides, even if nothing is changed in the end.
    package var role: CommandRole { dryRun && !opensEditor ? .looks : .decides }

    /// Whether the person's own editor gets the terminal.
    package var opensEditor: Bool { file == nil && sets.isEmpty }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let workflow = try Chosen.only(workflow, "can be edited", in: context, output) { _ in true }
        let (_, steps, _) = try Find.steps(of: workflow, nil, in: context)
        let now = try Graphs.planned(of: workflow, in: context)
        guard let template = try await edited(now.editable, steps, in: context, output) else { return .badUsage }
        let revised = try context.again.revise(workflow, template, now, "person", dryRun)
        guard revised.problems.isEmpty else {
            Problems.refuse(revised.problems, of: file ?? "the graph", in: context, output)
            return .badUsage
        }
        let number = now.number + 1
        let isMade = dryRun ? false : try await Graphs.isMade(number, of: workflow, in: context)
        output.show(
            words(revised, number, of: workflow, isMade: isMade, context),
            json: [revised.json(of: workflow, number, isMade: isMade, isDryRun: dryRun)])
        return .succeeded
    }

    /// Returns the new graph, or nil if it has problems, which were then shown.
    private func edited(_ now: Template, _ steps: [StepRecord], in context: CommandContext, _ output: Output)
        async throws(Failure)
        -> Template?
    {
        var template = now
        if let file {
            guard let read = try read(try context.act.readFile(file), of: file, now, in: context, output) else {
                return nil
            }
            template = read
        } else if sets.isEmpty {
            guard !(context.screen is LineEditor) else {
                throw Failure(
                    .badUsage, "The chat holds the terminal.",
                    remedy: "Name a file, use --set, or run 'assent edit' in a shell.")
            }
            guard let text = try await context.again.edit(context.again.written(now).pretty + "\n") else {
                throw Failure(.nothingChanged, "The graph is as it was.")
            }
            guard let read = try read(Array(text.utf8), of: "the graph", now, in: context, output) else { return nil }
            template = read
        }
        // A step may be named by its number, too.
        let named = sets.map { set in
            guard let dot = set.firstIndex(of: "."), let number = Int(set[..<dot]),
                let step = steps.first(where: { $0.id.index == number })
            else { return set }
            return step.node + set[dot...]
        }
        return try TemplateBinding.applied(to: template, sets: named, inputs: [], catalogue: context.catalogue())
    }

    private func read(
        _ bytes: [UInt8], of file: String, _ now: Template, in context: CommandContext, _ output: Output
    ) throws(Failure) -> Template? {
        let read = context.act.checkChanged(bytes, now)
        guard let template = read.template, read.problems.isEmpty || !sets.isEmpty else {
            Problems.refuse(read.problems, of: file, in: context, output)
            return nil
        }
        return template
    }

    private func words(
        _ revised: RevisionOutcome, _ number: Int, of workflow: WorkflowID, isMade: Bool, _ context: CommandContext
    )
        -> [StyledText]
    {
        let changed =
            revised.changed.isEmpty
            ? ""
            : ", changes step\(revised.changed.count == 1 ? "" : "s") "
                + revised.changed.map(String.init).joined(separator: ", ")
        let added = revised.added.isEmpty ? "" : ", adds \(revised.added.joined(separator: ", "))"
        let removed = revised.removed.isEmpty ? "" : ", removes \(revised.removed.joined(separator: ", "))"
        let verb = dryRun ? "would be" : isMade ? "is" : "will be"
        return [
            StyledText(
                "Revision \(number) of \(workflow) \(verb) made\(changed)\(added)\(removed)\(dryRun ? "" : Answers.goingOn(context))"
            )
        ]
    }
}

extension RevisionOutcome {
    fileprivate func json(of workflow: WorkflowID, _ number: Int, isMade: Bool, isDryRun: Bool) -> JSON {
        .of([
            "workflow": .string(workflow.description), "revision": .int(number),
            "changed": .array(changed.map { .int($0) }),
            "added": .array(added.map { .string($0) }), "removed": .array(removed.map { .string($0) }),
            "dryRun": isDryRun ? true : nil, "made": isDryRun ? nil : .bool(isMade),
        ])
    }
}
