package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Poll: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Stop or take up status checks only; the remote job goes on.",
        discussion: """
            Nothing of a job is stopped by this. Before its provider throws the result away, checks go on by themselves. Examples:

              assent poll w3 off
              assent poll w3 on
            """)

    package enum Switch: String, ExpressibleByArgument, CaseIterable, Sendable { case off, on }

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "off or on.")
    var state: Switch

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        try StatusChecks.turn(state == .on, of: workflow, in: house, output)
    }
}

/// What `poll w3 off` was called in version 0.1.0; it goes with the next.
package struct Pause: Verb {
    package static let configuration = CommandConfiguration(abstract: "As 'poll WORKFLOW off'.", shouldDisplay: false)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        try StatusChecks.turn(false, of: workflow, in: house, output)
    }
}

package struct Resume: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Go on in an earlier conversation of this folder.",
        discussion: """
            Without a number it shows them and asks which. In a shell it opens the chat there. Examples:

              assent resume
              assent resume s3
            """)

    /// A conversation, or, as in version 0.1.0, a workflow whose status is to be checked again.
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

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        switch target {
        case .polling(let workflow): try StatusChecks.turn(true, of: workflow, in: house, output)
        case .session(let id): try await SessionResume.run(id, in: house, output)
        case nil: try await SessionResume.run(nil, in: house, output)
        }
    }
}

/// The chat goes on in another conversation. Outside of a chat `Root.opened` makes it the chat that begins there.
enum SessionResume {
    static func run(_ id: SessionID?, in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        guard let goOn = house.sessions.goOn else {
            throw Failure("badUsage", "The chat prints no JSON.", remedy: "Use 'assent ask … --session s3 --json'.")
        }
        let picked: SessionID?
        if let id { picked = id } else { picked = try await SessionPicker(house: house, screen: output.screen).pick() }
        if let picked { try await goOn(picked) }
        return .succeeded
    }
}

/// `semantics.md` 10.
private enum StatusChecks {
    static func turn(_ isOn: Bool, of workflow: WorkflowID, in house: House, _ output: Output) throws(Failure) -> ExitStatus {
        if let outcome = try Find.workflow(workflow, in: house).record.outcome { throw Find.isOver(workflow, outcome) }
        let words =
            isOn
            ? "Status checks of \(workflow) go on."
            : "Pauses status checks only; the remote job goes on. To take them up: \(Voice.call("poll \(workflow) on"))"
        // Also where nothing seems to change: a word to the contrary may be on its way.
        try house.again.command(workflow, .poll(isOn), "person", nil)
        output.show(
            [StyledText(words + Answers.goingOn(house))],
            json: [["workflow": .string(workflow.description), "paused": .bool(!isOn)]])
        return .succeeded
    }
}
