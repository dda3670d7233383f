import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Import: Verb {
    package static let description = CommandDescription(
        "import", in: .files,
        summary: "Take a workflow in that was exported. It does nothing until you say so.",
        examples: ["import stylize.zip"],
        takes: [[.file]])

    @Argument(help: "A file that 'assent export' has made.")
    var file: String

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let bundled = try await context.bundles.read(file)
        output.show(UsageView.lines(bundled, isExport: false, columns: output.columns), json: [bundled.json])
        return .succeeded
    }
}
