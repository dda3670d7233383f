import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Run: Verb {
    package static let description = CommandDescription(
        "run", in: .workflow,
        summary: "Run one workflow: a file, a template by name, or an earlier workflow again.",
        details: """
            At a terminal, inputs that are missing are asked for. An earlier workflow keeps its files and values, \
            except for those that are set.
            """,
        examples: [
            "run thumbnail", "run shrink.json --input photo=cat.jpg --set resize.width=800",
            "run w3 --set resize.width=400",
        ],
        takes: [[.template, .workflow, .file]],
        values: StartOptions.values.merging(["--set": [.setting], "--input": [.input], "--preset": [.preset]]) {
            first, _ in first
        })

    @Argument(help: "A file of app.workflow/v2, the name of a template, or a workflow such as w3.")
    var file: String

    @Option(name: .customLong("set"), help: "Set a parameter: NODE.PARAM=VALUE. May be repeated.")
    var sets: [String] = []

    @Option(
        name: .customLong("input"),
        help: "Bind an input to a file: NODE.PORT=FILE, or NAME=FILE for an input of the workflow. May be repeated.")
    var inputs: [String] = []

    @Option(
        name: .customLong("preset"),
        help: "Set the parameters of a step from a preset: NAME, or NAME@STEP. May be repeated; --set counts more.")
    var presets: [String] = []

    @Flag(help: "Store the workflow, let another process carry it out, and leave.")
    var detach = false

    @OptionGroup var start: StartOptions
    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .starts }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        guard let checked = try await prepared(in: context, output) else { return .badUsage }
        let template = checked.template
        let mode = try start.mode(in: context)
        let onAsk = start.onAsk(for: output, in: context)
        let hosts = HostAsker(context: context, screen: onAsk == .inline ? output.screen : nil)
        try await context.hosts.require(for: template, hosts.ask)
        let programs = ProgramAsker(context: context, screen: hosts.screen)
        try await context.programs.ask(for: template, programs.ask)
        output.tell(notice: await context.notice())
        if detach {
            let id = try context.act.start(checked, WorkflowStart(mode: mode, onAsk: start.onAsk ?? .park))
            try context.act.detachWorker()
            let created = Event(
                at: context.now(), workflow: id, .workflowCreated(title: template.name, steps: template.nodes.count))
            output.show([StyledText("\(id) goes on by itself: \(Voice.call("show \(id)"))")], json: [created.line])
            return .succeeded
        }
        let events = context.events()
        try context.act.startEngine()
        let id = try context.act.start(checked, WorkflowStart(mode: mode, onAsk: onAsk))
        output.followed.insert(id)
        let report = Report(context: context, output: output, workflow: id, template: template, isOfVerb: true)
        await report.begin()
        output.show([StyledText("  \(id) has begun · \(Voice.call("show \(id)"))", .dim)], json: [])
        let asker = onAsk == .inline ? Asker(context: context, screen: output.screen) : nil
        let followed = await WorkflowFollower(workflow: id, records: context.look, asker: asker, listener: report)
            .untilItRests(
                events)
        report.end(followed)
        // Its end is news, as it is not over yet.
        if context.look.outcome(of: id) == nil { output.followed.remove(id) }
        // The chat reports the end of a workflow that this command no longer follows.
        if followed.outcome == .waiting { output.followed.remove(id) }
        output.commands.add(followed.commands)
        return followed.statusWithCommands
    }

    /// Returns the checked template with the parameters and inputs of the user. Asks for missing inputs. Shows
    /// problems, and returns nil then.
    private func prepared(in context: CommandContext, _ output: Output) async throws(Failure) -> CheckedTemplate? {
        var (found, inputs) = (CheckOutcome?.none, inputs)
        let read: Template
        if var earlier = try Find.earlier(file, in: context) {
            inputs = earlier.bind(inputs)
            read = earlier.template
        } else {
            let checked = context.act.check(try Find.template(file, in: context), try boundEnds())
            guard let template = checked.template else {
                Problems.refuse(checked.problems, of: file, in: context, output)
                return nil
            }
            (found, read) = (checked, template)
            let missing = MissingInputs(context: context, output: output)
            if missing.canAsk { inputs = try await missing.asked(of: read, bound: inputs) }
        }
        let template = try TemplateBinding.applied(
            to: try context.presets.applied(presets, to: read), sets: sets, inputs: inputs,
            catalogue: context.catalogue())
        // Without parameters and inputs of the user, the first check holds.
        let changed =
            if let found, template == read, found.checked != nil { found } else { context.act.check(template) }
        let problems = (found?.problems ?? []).filter { !isMended($0) } + changed.problems
        guard problems.isEmpty, let checked = changed.checked else {
            Problems.refuse(
                Array(Set(problems)).sorted { $0.description < $1.description }, of: file, in: context, output)
            return nil
        }
        // Without a tool the workflow could not succeed. A stored workflow that lacks a tool later waits for it.
        let lacking = context.act.missingTools(template)
        guard lacking.isEmpty else {
            Problems.refuse(lacking, of: file, remedy: Problems.ofTools, in: context, output)
            return nil
        }
        return checked
    }

    /// Returns whether a set parameter may fix a problem. Problems of parameters that were set are looked for in the
    /// changed template instead.
    private func isMended(_ problem: Problem) -> Bool {
        !(sets.isEmpty && presets.isEmpty) && problem.code == .badParam
    }

    private func boundEnds() throws(Failure) -> Set<Template.Endpoint> {
        var ends: Set<Template.Endpoint> = []
        for input in inputs {
            let (name, _) = try TemplateBinding.split(input, option: "--input", form: "NAME=FILE or NODE.PORT=FILE")
            if let dot = name.firstIndex(of: ".") {
                ends.insert(Template.Endpoint(String(name[..<dot]), String(name[name.index(after: dot)...])))
            }
        }
        return ends
    }
}
