import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct ConnectCommand: Verb {
    package static let description = CommandDescription(
        "connect", in: .setup,
        summary: "Connect a model or a provider of jobs: its server, its key, a first try.",
        details: """
            A profile ('assent model list' names them) or an address. The key is typed hidden and kept where you choose; the server's \
            models are listed, one tiny request is made, and what works is said. The connection is then the default. The key of a \
            provider of jobs is tried by a read that costs nothing, where its manifest names one.
            """,
        examples: [
            "connect openai",
            "connect http://127.0.0.1:8080/v1",
            "connect anthropic --model claude-sonnet-4-5",
            .init("connect PROVIDER --key-stdin", note: "the first line of standard input is the key"),
        ],
        asksForKey: true,
        takes: [[.provider, .connection]],
        values: ["--model": [.free], "--name": [.free]])

    @Argument(help: "A profile, an address, a provider of jobs, or a connection that is there.")
    var word: String?

    @Option(help: "The model, instead of choosing it.")
    var model: String?

    @Option(help: "What the connection is called; the profile's name if nothing is said.")
    var name: String?

    /// Whether the key is read from standard input, so that no screen may read it.
    package var takesKeyFromInput: Bool { keyStdin }

    @Flag(help: "Take the key from the first line of standard input, and keep it in a file that only you can read.")
    var keyStdin = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        guard !keyStdin || !output.isChat else {
            throw Failure(
                .badUsage, "In the chat a key is typed, not read from standard input.",
                remedy: "Leave --key-stdin out.")
        }
        if keyStdin {
            var dialogue = ConnectDialogue(context: context, output: output, screen: nil)
            return try await dialogue.connect(word, model: model, name: name, key: try context.input.pipedKey())
        }
        return try await output.atThePerson(of: context) { (screen) async throws(Failure) in
            var dialogue = ConnectDialogue(context: context, output: output, screen: context.isOwnChild ? nil : screen)
            return try await dialogue.connect(word, model: model, name: name, key: nil)
        }
    }
}
