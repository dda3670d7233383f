package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Approve: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Answer a question of the inbox at this terminal.",
        discussion: """
            Examples:

              assent approve 3
              assent approve 3 --digest 9f86d081…   (for scripts; never for what cannot be undone)
            """)

    @Argument(help: "The number in the inbox.")
    var number: Int64

    @Option(help: "The digest of the call, from 'assent inbox --json': approves exactly that call without asking.")
    var digest: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let record = try Find.await(number, in: house)
        guard record.status != .done else {
            throw Failure(
                "alreadyAnswered", "\(number) was answered: \(record.resolution ?? "done") by \(record.answeredBy ?? "somebody").")
        }
        guard let digest else { return try await Answers.ask(record, in: house, output) }
        let question = try house.look.question(record)
        guard question.wordToType == nil else {
            throw Failure(
                "denied", "This cannot be undone, so it is only approved at a terminal.", remedy: "Run 'assent approve \(number)' there.")
        }
        guard digest == question.digest.hex else {
            throw Failure(
                "digestMismatch", "This is not the digest of the call that \(number) asks for.", remedy: "See 'assent inbox --json'.")
        }
        let outcome = try house.act.answer(record, .yes, "person by digest")
        return Answers.show(outcome, .yes, of: record, in: house, output)
    }
}

package struct Open: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Open an entry of the inbox: show it and ask.",
        discussion: """
            Example:

              assent open 3
            """)

    @Argument(help: "The number in the inbox.")
    var number: Int64

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let record = try Find.await(number, in: house)
        output.show(InboxView.lines([record], now: house.now(), columns: output.columns), json: [record.json])
        guard record.status != .done, record.type == .confirmCall, output.screen.capabilities.isTerminal, !output.isJSON else {
            return .succeeded
        }
        return await Asker(house: house, screen: output.screen).ask(record).status
    }
}

package struct Reject: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Say no to a question of the inbox, with a reason.",
        discussion: """
            Example:

              assent reject 3 "keep the notes"
            """)

    @Argument(help: "The number in the inbox.")
    var number: Int64

    @Argument(help: "Why: it goes to the model or the step as its error.")
    var reason: [String] = []

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let record = try Find.await(number, in: house)
        let answer = Answer.no(reason: reason.joined(separator: " "))
        return Answers.show(try house.act.answer(record, answer, "person"), answer, of: record, in: house, output)
    }
}

enum Answers {
    /// At the person's terminal, wherever the output goes (`decisions.md`, Approvals).
    static func ask(_ record: AwaitRecord, in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        if output.screen.capabilities.isTerminal, !output.isJSON {
            return await Asker(house: house, screen: output.screen).ask(record).status
        }
        guard let terminal = house.terminal() else {
            throw Failure("noTerminal", "There is no terminal to ask at.", remedy: "Run it in a terminal, or use --digest.")
        }
        let outcome = await Asker(house: house, screen: terminal).ask(record)
        await terminal.close()
        return outcome.status
    }

    /// What the person has to do where nobody carries out what they said.
    static func goingOn(_ house: House) -> String { house.look.hasEngine() ? "" : " · to go on now: assent work --until-idle" }

    static func show(
        _ outcome: House.AnswerOutcome, _ answer: Answer, of record: AwaitRecord, in house: House, _ output: Output
    ) -> ExitStatus {
        switch outcome {
        case .taken:
            output.show(
                [StyledText("\(record.number): \(answer.word) · /show \(record.step.workflow)\(goingOn(house))")],
                json: [["await": .int(Int(record.number)), "answer": .string(answer.word), "taken": true]])
            return .succeeded
        case .alreadyAnswered(let resolution, let by, let at):
            output.show(
                [StyledText("\(record.number) was already answered: \(resolution) by \(by) at \(at).", .warning)],
                json: [
                    [
                        "await": .int(Int(record.number)), "taken": false, "resolution": .string(resolution), "by": .string(by),
                        "at": .string(at.description),
                    ]
                ])
            return .failed
        }
    }
}

package struct Cancel: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Cancel a workflow that is under way.",
        discussion: """
            Example:

              assent cancel w3
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let summary = try Find.workflow(workflow, in: house)
        if let outcome = summary.record.outcome {
            throw Failure("badUsage", "\(workflow) is over: \(outcome.rawValue).")
        }
        try house.act.command(workflow, .cancel)
        output.show(
            [StyledText("\(workflow) is being cancelled\(Answers.goingOn(house))")],
            json: [["workflow": .string(workflow.description), "cancelled": true]])
        return .succeeded
    }
}
