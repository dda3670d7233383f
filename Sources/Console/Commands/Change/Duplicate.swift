import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Duplicate: Verb {
    package static let description = CommandDescription(
        "duplicate", in: .change,
        summary: "Make another workflow like this one, or a copy of one of its steps.",
        details: """
            A workflow is started afresh, with the same graph, edits and inputs. The chat puts the line that does so \
            into the input line, where its values can be changed. The copy of a step has the same inputs; it comes \
            with a new revision of the graph.
            """,
        examples: ["duplicate w3", "duplicate w3 2"],
        takes: [[.workflow], [.step]])

    @Argument(help: "The workflow, such as w3. Without it, the only one.")
    var workflow: WorkflowWord?

    @Argument(help: "A step, by its number or node id.")
    var step: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let (workflow, step) = try Chosen.only(workflow, step, "can be duplicated", in: context, output) { _ in true }
            .parts
        let (_, steps, number) = try Find.steps(of: workflow, step, in: context)
        guard let number else {
            if let chat = context.chat, let earlier = try context.again.repeated(workflow) {
                let (words, isWhole) = earlier.command
                chat.offer("/" + words.map(Words.quoted).joined(separator: " "))
                let rest = isWhole ? "" : " Values that are secret or long are taken from \(workflow)."
                output.show([StyledText("The line runs \(workflow) again with its values.\(rest)", .dim)], json: [])
                return .succeeded
            }
            let made = try context.again.duplicate(workflow)
            output.show(
                [StyledText("\(made) is like \(workflow): \(Voice.call("show \(made)"))\(Answers.goingOn(context))")],
                json: [["workflow": .string(made.description), "of": .string(workflow.description)]])
            return .succeeded
        }
        let now = try Graphs.planned(of: workflow, in: context)
        var template = now.editable
        let id = try Self.copy(steps[number - 1], in: &template)
        let revised = try context.again.revise(workflow, template, now, "person", false)
        guard revised.problems.isEmpty else {
            Problems.refuse(revised.problems, of: "the graph", in: context, output)
            return .badUsage
        }
        _ = try await Graphs.isMade(now.number + 1, of: workflow, in: context)
        output.show(
            [
                StyledText(
                    "\(id) is a copy of step \(number): \(Voice.call("show \(workflow)"))\(Answers.goingOn(context))")
            ],
            json: [["workflow": .string(workflow.description), "of": .int(number), "node": .string(id)]])
        return .succeeded
    }

    /// Adds a copy of a step, with its edits and with the same inputs. No step consumes its outputs.
    ///
    /// - Returns: the id of the copy.
    static func copy(_ step: StepRecord, in template: inout Template) throws(Failure) -> String {
        guard var node = template.nodes.first(where: { $0.id == step.node }) else {
            throw Failure(.badUsage, "Step \(step.id.index) (\(step.node)) is not in the graph any more.")
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
