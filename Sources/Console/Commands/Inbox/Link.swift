import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Link: Verb {
    package static let description = CommandDescription(
        "link", in: .inbox,
        summary: "Print the link to an entry of the inbox.",
        examples: ["link 3"],
        takes: [[.entry]])

    @Argument(help: "The number in the inbox. Without it, the only entry there is.")
    var number: Int64?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let number = try ChosenEntry.only(number, "can be linked to", in: context, output)
        let record = try Find.await(number, in: context)
        output.show([StyledText(record.link)], json: [["await": .int(Int(number)), "link": .string(record.link)]])
        return .succeeded
    }
}
