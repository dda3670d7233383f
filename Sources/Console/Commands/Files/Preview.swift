import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Preview: Verb {
    package static let description = CommandDescription(
        "preview", in: .files,
        summary: "Make a picture of an asset to look at, and say where it is.",
        examples: ["preview w3.2.1.image", "preview w3.2.1.image --thumbnail"],
        takes: [[.result]])

    @Argument(help: "An asset: WORKFLOW.STEP.ATTEMPT.PORT, or the first digits of its SHA-256.")
    var asset: AssetName

    @Flag(help: "A small one.")
    var thumbnail = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    /// The role of the command. It starts work, since a program makes the picture in the cache.
    package var role: CommandRole { .starts }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let preview = try await context.keep.preview(asset, isSmall: thumbnail)
        output.show(
            [StyledText(preview.path)],
            json: [preview.asset.json.adding(thumbnail ? "thumbnail" : "preview", .string(preview.path))])
        return .succeeded
    }
}
