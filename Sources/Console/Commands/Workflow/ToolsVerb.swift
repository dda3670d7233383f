import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct ToolsVerb: Verb {
    package static let description = CommandDescription(
        "tools", in: .workflow,
        summary: "List the tools, or show one.",
        examples: ["tools Resize", "tools"],
        takes: [[.tool]])

    @Argument(help: "A tool's kind.")
    var kind: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let catalogue = context.catalogue()
        guard let kind else {
            output.show(
                ToolList.lines(catalogue, columns: output.columns),
                json: catalogue.sorted.map { $0.json(unavailable: catalogue.unavailable[$0.kind]) })
            return .succeeded
        }
        guard let tool = catalogue.sorted.first(where: { $0.kind.lowercased() == kind.lowercased() }) else {
            throw Failure(.unknownTool, "There is no tool \"\(kind)\".", remedy: "See 'assent tools'.")
        }
        let missing = catalogue.unavailable[tool.kind]
        output.show(
            ToolCard.lines(tool, unavailable: missing, columns: output.columns), json: [tool.json(unavailable: missing)]
        )
        return .succeeded
    }
}
