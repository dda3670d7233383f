import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Unpin: Verb {
    package static let description = CommandDescription(
        "unpin", in: .files,
        summary: "Remove the pin from an asset, so that it can be freed.",
        examples: ["unpin w3.2.1.image"],
        takes: [[.result]])

    @Argument(help: "An asset: WORKFLOW.STEP.ATTEMPT.PORT, or the first digits of its SHA-256.")
    var asset: AssetName

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let pinned = try context.keep.unpin(asset)
        let words = pinned.isChanged ? "is no longer kept" : "was not kept"
        output.show(
            [StyledText("\(pinned.asset.title) \(words)")],
            json: [pinned.asset.json.adding("changed", .bool(pinned.isChanged))])
        return .succeeded
    }
}
