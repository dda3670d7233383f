import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Ask: Verb {
    package static let description = CommandDescription(
        "ask", in: .conversation,
        summary: "Say one thing, have it planned and run, and leave.",
        examples: [
            "ask \"convert cat.jpg to webp\" --mode auto --json",
            "ask --continue \"and now in grayscale\"",
            .init("ask --continue", note: "a turn that waited for your answer goes on"),
        ],
        notInChat: "This is the chat: say what you want without a verb.",
        takes: [[.free]],
        values: StartOptions.values.merging(["--session": [.conversation], "--model": [.connection]]) { first, _ in
            first
        })

    @Argument(help: "What you want, in your words.")
    var line: [String] = []

    @Flag(
        name: [.customShort("c"), .customLong("continue")], help: "Say it in the newest conversation of this folder.")
    var continues = false

    @Option(help: "Say it in this conversation of this folder, such as s3.")
    var session: SessionID?

    @OptionGroup var model: ModelOption
    @OptionGroup var start: StartOptions
    @OptionGroup package var shared: SharedOptions

    package init() {}

    /// The role of the command. A line in the user's conversation counts as the user's words, so it decides.
    package var role: CommandRole { goesOn ? .decides : .starts }

    var goesOn: Bool { continues || session != nil }

    private static let nothing = Failure(
        .badUsage, "There is nothing to do.", remedy: "Say what you want: 'assent ask \"convert cat.jpg to webp\"'")

    package func validate() throws {
        guard line.isEmpty, !goesOn else { return }
        throw ValidationError("\(Self.nothing.message) \(Self.nothing.remedy ?? "")")
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let line = line.joined(separator: " ")
        let isEmpty = line.allSatisfy(\.isWhitespace)
        guard !isEmpty || goesOn else { throw Self.nothing }
        if let words = UndoWords.command(line) { return try await Self.undo(words, in: context, output) }
        try TypedKey.refuse(in: line, context)
        try model.take(in: context)
        let mode = try start.mode(in: context)
        let (left, notice) = try SessionChoice(isNewest: continues, named: session).opened(in: context)
        // Without words, only a turn that waits for an answer can continue.
        guard !isEmpty || left?.waits == true else { throw Self.nothing }
        output.tell(notice: notice)
        output.tell(notice: await context.notice())
        try context.act.startEngine()
        return try await OneTurn(
            context: context, output: output, mode: mode, onAsk: start.onAsk(for: output, in: context)
        )
        .say(isEmpty ? nil : line, in: left)
    }
}

extension Ask {
    /// Runs `undo` or `redo`, which the line names. It is refused to programs that Assent started, since only a person
    /// undoes (`Verb.carryOut`).
    private static func undo(_ words: [String], in context: CommandContext, _ output: Output) async throws(Failure)
        -> ExitStatus
    {
        guard let verb = (try? Root.parseAsRoot(words)) as? any Verb else { throw nothing }
        return try await verb.carryOut(in: context, output)
    }
}
