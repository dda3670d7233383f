import Actions
package import ArgumentParser
import Terminal
package import Vocabulary

/// A command of the program, which is also a verb of the chat: `assent show w3` and `/show w3`.
package protocol Verb: ParsableCommand, Sendable {
    static var description: CommandDescription { get }
    var shared: SharedOptions { get }

    /// The role of this call. A command without a declared role decides, so a program that Assent started cannot call
    /// it.
    var role: CommandRole { get }

    /// Whether the call needs valid settings.
    var needsSettings: Bool { get }

    /// Whether `--json` ends with the line `end`, which says the exit code. Calls that only look print rows alone.
    var endsWithEndLine: Bool { get }

    /// Whether the call only shows something until the user leaves it, so that Esc and Ctrl-C end it and nothing else.
    var isView: Bool { get }

    func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus
}

extension Verb {
    package static var configuration: CommandConfiguration { description.configuration }

    package var role: CommandRole { .decides }

    package var isView: Bool { false }

    package var needsSettings: Bool { role != .looks }

    package var endsWithEndLine: Bool { role != .looks }

    /// Prints the line `end` of a call that began or changed something, if its output is JSON.
    package func printEnd(
        _ status: Int32, commands: [CommandExit] = [], to streams: OutputStreams = .ofThisProcess
    ) {
        guard shared.json, endsWithEndLine else { return }
        Output.writeEnd(status, commands: commands, to: streams)
    }

    /// Runs the command. Throws if the command decides and a program that Assent started calls it, or if it needs
    /// settings and they are invalid.
    package func carryOut(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        if context.isOwnChild, role == .decides {
            throw Failure(
                .notByChild,
                "This was started by a program that Assent ran, and such a program decides nothing for you.")
        }
        if needsSettings { try context.requireSettings() }
        return try await run(in: context, output)
    }
}

/// The options of every command.
package struct SharedOptions: ParsableArguments, Sendable {
    @Flag(help: "Print JSON, one object a line.")
    package var json = false

    @Flag(help: "No colours, no drawing in place; as with NO_COLOR or TERM=dumb.")
    package var plain = false

    package init() {}
}

/// The options of commands that start workflows.
package struct StartOptions: ParsableArguments, Sendable {
    @Option(help: "How much is asked: always-ask, adaptive or auto. Without it, as set with 'assent mode'.")
    package var mode: ConfirmationMode?

    @Option(
        name: .customLong("on-ask"),
        help:
            "What to do where a person would be asked: inline, deny, park or fail. Without it, inline on a terminal, else park."
    )
    package var onAsk: OnAsk?

    package init() {}

    /// The meanings of the values of these options.
    static let values: [String: [WordKind]] = [
        "--mode": [.choice(of: ConfirmationMode.self)], "--on-ask": [.choice(of: OnAsk.self)],
    ]

    /// Returns the mode for new workflows. A program that Assent started never gets a looser mode than the default.
    func mode(in context: CommandContext) throws(Failure) -> ConfirmationMode {
        let wanted = if let mode { mode } else { try context.mode() }
        return context.isOwnChild ? .strictest(wanted, .adaptive) : wanted
    }

    /// Returns how questions are handled.
    ///
    /// - Parameter output: the output of the command. The person is not asked if it is JSON or not a terminal, and
    ///   never by a program that Assent started.
    func onAsk(for output: Output, in context: CommandContext) -> OnAsk {
        let canAsk = !output.isJSON && output.screen.capabilities.isTerminal && !context.isOwnChild
        // With "inline" and no person to ask, questions are parked all the same.
        guard let onAsk, canAsk || onAsk != .inline else { return canAsk ? .inline : .park }
        return onAsk
    }
}

extension ConfirmationMode: ExpressibleByArgument {}
extension OnAsk: ExpressibleByArgument {}
extension WorkflowQuery.Order: ExpressibleByArgument {}

extension WorkflowID: ExpressibleByArgument {
    package init?(argument: String) { self.init(parsing: argument) }
}

extension SessionID: ExpressibleByArgument {
    package init?(argument: String) { self.init(parsing: argument) }
}

extension AssetName: ExpressibleByArgument {
    package init?(argument: String) { self.init(parsing: argument) }
}
