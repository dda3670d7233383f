import Actions
package import ArgumentParser
package import Vocabulary

package struct Resume: Verb {
    package static let description = CommandDescription(
        "resume", in: .conversation,
        summary: "Go on in an earlier conversation of this folder.",
        details: """
            Without a number it shows the conversations and asks which one. In a shell it opens the chat there.
            """,
        examples: ["resume s3", "resume"],
        takes: [[.conversation]])

    /// A conversation. As in version 0.1.0, it can also be a workflow whose status checks are to continue.
    enum Target: ExpressibleByArgument {
        case session(SessionID)
        case polling(WorkflowID)

        init?(argument: String) {
            if let id = SessionID(parsing: argument) {
                self = .session(id)
            } else if let id = WorkflowID(parsing: argument) {
                self = .polling(id)
            } else {
                return nil
            }
        }
    }

    @Argument(help: "The conversation, such as s3.")
    var target: Target?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        switch target {
        case .polling(let workflow): try StatusChecks.turn(true, of: workflow, in: context, output)
        case .session(let id): try await SessionResume.run(id, in: context, output)
        case nil: try await SessionResume.run(nil, in: context, output)
        }
    }
}
