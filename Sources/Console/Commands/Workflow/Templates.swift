import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Templates: Verb {
    package static let description = CommandDescription(
        "templates", in: .workflow,
        summary: "List the templates that can be run by name, with their inputs.",
        examples: ["templates"])

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let templates = context.templates().map { (entry: $0, inputs: Find.inputs(of: $0, in: context)) }
        output.show(
            TemplateList.lines(templates, columns: output.columns),
            json: templates.map { entry, inputs in
                .of([
                    "name": .string(entry.name), "title": .string(entry.title), "path": .string(entry.path),
                    "inputs": .array(
                        inputs.map {
                            .of([
                                "name": .string($0.name), "type": .string($0.type.name),
                                "optional": .bool($0.isOptional),
                            ])
                        }),
                ])
            })
        return .succeeded
    }
}
