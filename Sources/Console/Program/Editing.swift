package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Edit: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Change the graph of a workflow, also while it runs: makes a new revision, the old one is kept.",
        discussion: """
            Only steps that do not run may change. Without a file and without --set your editor opens ($VISUAL, $EDITOR).

            Examples:

              assent edit w3 --set resize.width=400
              assent edit w3 new.json --dry-run
              assent edit w3
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "A file of app.workflow/v2. Nodes keep their place by their ids.")
    var file: String?

    @Option(name: .customLong("set"), help: "Set a parameter: STEP.PARAM=VALUE. May be repeated.")
    var sets: [String] = []

    @Flag(help: "Only check, and say what would change.")
    var dryRun = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    /// Whether the person's own editor gets the terminal.
    package var opensEditor: Bool { file == nil && sets.isEmpty }

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let (_, steps, _) = try Find.steps(of: workflow, nil, in: house)
        let now = try Graphs.planned(of: workflow, in: house)
        guard let template = try await edited(now.editable, steps, in: house, output) else { return .badUsage }
        let revised = try house.again.revise(workflow, template, now, "person", dryRun)
        guard revised.problems.isEmpty else {
            Problems.refuse(revised.problems, of: file ?? "the graph", in: house, output)
            return .badUsage
        }
        let number = now.number + 1
        let isMade = dryRun ? false : try await Graphs.isMade(number, of: workflow, in: house)
        output.show(
            words(revised, number, isMade: isMade, house), json: [revised.json(of: workflow, number, isMade: isMade, isDryRun: dryRun)])
        return .succeeded
    }

    /// The new graph; `nil` if it has problems, which have been shown.
    private func edited(_ now: Template, _ steps: [StepRecord], in house: House, _ output: Output) async throws(Failure) -> Template? {
        var template = now
        if let file {
            guard let read = try read(try house.act.readFile(file), of: file, now, in: house, output) else { return nil }
            template = read
        } else if sets.isEmpty {
            guard let text = try await house.again.edit(house.again.written(now).pretty + "\n") else {
                throw Failure("nothingChanged", "The graph is as it was.")
            }
            guard let read = try read(Array(text.utf8), of: "the graph", now, in: house, output) else { return nil }
            template = read
        }
        // A step may be named by its number, too.
        let named = sets.map { set in
            guard let dot = set.firstIndex(of: "."), let number = Int(set[..<dot]), let step = steps.first(where: { $0.id.index == number })
            else { return set }
            return step.node + set[dot...]
        }
        return try Binding.applied(to: template, sets: named, inputs: [], catalogue: house.catalogue())
    }

    private func read(
        _ bytes: [UInt8], of file: String, _ now: Template, in house: House, _ output: Output
    ) throws(Failure) -> Template? {
        let (template, problems) = house.act.checkChanged(bytes, now)
        guard let template, problems.isEmpty || !sets.isEmpty else {
            Problems.refuse(problems, of: file, in: house, output)
            return nil
        }
        return template
    }

    private func words(_ revised: House.Revised, _ number: Int, isMade: Bool, _ house: House) -> [StyledText] {
        let changed =
            revised.changed.isEmpty
            ? ""
            : ", changes step\(revised.changed.count == 1 ? "" : "s") "
                + revised.changed.map(String.init).joined(separator: ", ")
        let added = revised.added.isEmpty ? "" : ", adds \(revised.added.joined(separator: ", "))"
        let removed = revised.removed.isEmpty ? "" : ", removes \(revised.removed.joined(separator: ", "))"
        let verb = dryRun ? "would be" : isMade ? "is" : "will be"
        return [
            StyledText("Revision \(number) of \(workflow) \(verb) made\(changed)\(added)\(removed)\(dryRun ? "" : Answers.goingOn(house))")
        ]
    }
}

extension House.Revised {
    fileprivate func json(of workflow: WorkflowID, _ number: Int, isMade: Bool, isDryRun: Bool) -> JSON {
        .of([
            "workflow": .string(workflow.description), "revision": .int(number), "changed": .array(changed.map { .int($0) }),
            "added": .array(added.map { .string($0) }), "removed": .array(removed.map { .string($0) }),
            "dryRun": isDryRun ? true : nil, "made": isDryRun ? nil : .bool(isMade),
        ])
    }
}

/// New graphs on their way.
private enum Graphs {
    /// An engine that lives hears a command of another process within a fraction of a second.
    private static let looks = 20
    private static let pause = Duration.milliseconds(100)

    static func planned(of workflow: WorkflowID, in house: House) throws(Failure) -> House.Revision {
        guard let planned = try house.again.planned(workflow) else {
            throw Failure("workflowUnreadable", "The graph of \(workflow) cannot be read.", remedy: "Run 'assent doctor'.")
        }
        return planned
    }

    /// Whether the engine has taken it. Where one lives it is waited for a while: it may have moved on meanwhile, and refuse.
    ///
    /// - Throws: `revisionRefused`.
    static func isMade(_ number: Int, of workflow: WorkflowID, in house: House) async throws(Failure) -> Bool {
        for look in 0..<looks where look == 0 || house.look.hasEngine() {
            if look > 0 { try? await Task.sleep(for: pause) }
            let waits = try house.again.asked(workflow).contains { command in
                if case .revise(_, number - 1) = command.verb { true } else { false }
            }
            // After the commands: it is taken in the commit that makes the revision.
            if try Find.workflow(workflow, in: house).record.graphRevision >= number { return true }
            guard waits else {
                let refusal = try house.look.history(workflow, nil).last { $0.body["reason"] == "revisionRefused" }
                throw Failure(
                    "revisionRefused", refusal?.body["words"]?.string ?? "The graph was not changed.",
                    remedy: "See 'assent why \(workflow)'.")
            }
        }
        return false
    }
}

package struct Duplicate: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Make another workflow like this one, or a copy of one of its steps.",
        discussion: """
            A workflow is started afresh, with the same graph, edits and inputs. The copy of a step has the same inputs; it comes with a
            new revision of the graph.

            Examples:

              assent duplicate w3
              assent duplicate w3 2
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "A step, by its number or node id.")
    var step: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let (_, steps, number) = try Find.steps(of: workflow, step, in: house)
        guard let number else {
            let made = try house.again.duplicate(workflow)
            output.show(
                [StyledText("\(made) is like \(workflow): \(Voice.call("show \(made)"))\(Answers.goingOn(house))")],
                json: [["workflow": .string(made.description), "of": .string(workflow.description)]])
            return .succeeded
        }
        let now = try Graphs.planned(of: workflow, in: house)
        var template = now.editable
        let id = try Self.copy(steps[number - 1], in: &template)
        let revised = try house.again.revise(workflow, template, now, "person", false)
        guard revised.problems.isEmpty else {
            Problems.refuse(revised.problems, of: "the graph", in: house, output)
            return .badUsage
        }
        _ = try await Graphs.isMade(now.number + 1, of: workflow, in: house)
        output.show(
            [StyledText("\(id) is a copy of step \(number): \(Voice.call("show \(workflow)"))\(Answers.goingOn(house))")],
            json: [["workflow": .string(workflow.description), "of": .int(number), "node": .string(id)]])
        return .succeeded
    }

    /// With the edits of the step, and everything that feeds it; nothing consumes it.
    static func copy(_ step: StepRecord, in template: inout Template) throws(Failure) -> String {
        guard var node = template.nodes.first(where: { $0.id == step.node }) else {
            throw Failure("badUsage", "Step \(step.id.index) (\(step.node)) is not in the graph any more.")
        }
        let taken = Set(template.nodes.map(\.id))
        node.id = (2...).lazy.map { "\(step.node)-\($0)" }.first { !taken.contains($0) }!
        for edit in step.edits?.members ?? [] { node.params[edit.key] = edit.value }
        template.nodes.append(node)
        for edge in template.edges where edge.to.node == step.node {
            template.edges.append(Template.Edge(from: edge.from, to: Template.Endpoint(node.id, edge.to.port)))
        }
        return node.id
    }
}
