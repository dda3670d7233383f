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
        try Answers.refuseDone(record)
        guard record.type == .confirmCall else {
            throw Failure(
                "badUsage", "\(number) asks you to \(record.type.words), not for a yes.", remedy: try house.asked(record).howToAnswer)
        }
        guard let digest else { return try await Answers.ask(record, in: house, output) }
        guard record.isAboutCall else {
            guard digest == record.digest?.hex else { throw Answers.otherDigest(number) }
            let outcome = try house.people.complete(number, nil, .agreed(edits: nil), nil)
            return Answers.show(outcome, .yes, of: record, in: house, output)
        }
        let question = try house.look.question(record)
        guard question.wordToType == nil else {
            throw Failure(
                "denied", "This cannot be undone, so it is only approved at a terminal.", remedy: "Run 'assent approve \(number)' there.")
        }
        guard digest == question.digest.hex else { throw Answers.otherDigest(number) }
        let outcome = try house.act.answer(record, .yes, "person by digest")
        return Answers.show(outcome, .yes, of: record, in: house, output)
    }
}

enum Answers {
    static func otherDigest(_ number: Int64) -> Failure {
        Failure("digestMismatch", "This is not the digest of what \(number) asks for.", remedy: "See 'assent inbox --json'.")
    }

    static func refuseDone(_ record: AwaitRecord) throws(Failure) {
        guard record.status == .done else { return }
        let time = record.closedAt.map { " at \(Amounts.time($0))" } ?? ""
        throw Failure(
            "alreadyAnswered",
            "\(record.number) was answered: \(record.resolution ?? "done") by \(record.answeredBy ?? "somebody")\(time).")
    }

    /// It is looked at again before the engine tries.
    static func refuseUnconnected(_ record: AwaitRecord, _ people: House.People) async throws(Failure) {
        if let provider = record.question?["provider"]?.string, let failure = await people.notConnected(provider) { throw failure }
    }

    /// At the person's terminal, wherever the output goes (`consent.md`, "Approvals").
    static func ask(_ record: AwaitRecord, in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        try await output.atThePerson(of: house) { (screen) async throws(Failure) in
            guard let screen else {
                throw Failure("noTerminal", "There is no terminal to ask at.", remedy: "Run it in a terminal, or use --digest.")
            }
            return await ask(record, in: house, at: screen)
        }
    }

    /// A gate of the template's own asks for no call: it has an editor like the others.
    private static func ask(_ record: AwaitRecord, in house: House, at screen: any Screen) async -> ExitStatus {
        guard !record.isAboutCall else { return await Asker(house: house, screen: screen, saysMore: true).ask(record).status }
        return await OpenEditor(house: house, screen: screen, record: record).run()
    }

    /// What the person has to do where nobody carries out what they said.
    static func goingOn(_ house: House) -> String { house.look.hasEngine() ? "" : " · to go on now: assent work --until-idle" }

    static func show(
        _ outcome: House.AnswerOutcome, _ answer: Answer, of record: AwaitRecord, in house: House, _ output: Output
    ) -> ExitStatus {
        show(outcome, answer.word, of: record, in: house, output)
    }

    /// - Parameter word: what was answered: `yes`, `completed`, `skipped`.
    static func show(
        _ outcome: House.AnswerOutcome, _ word: String, of record: AwaitRecord, made asset: Asset? = nil, in house: House, _ output: Output
    ) -> ExitStatus {
        show(outcome, word, of: record, made: asset, goingOn: goingOn(house), output)
    }

    static func show(
        _ outcome: House.AnswerOutcome, _ word: String, of record: AwaitRecord, made asset: Asset? = nil, goingOn: String, _ output: Output
    ) -> ExitStatus {
        switch outcome {
        case .taken:
            let what = asset.map { "  \($0.name)  \(Amounts.size($0.bytes))" } ?? ""
            output.show(
                [StyledText("\(record.number): \(word)\(what) · \(Voice.call("show \(record.step.workflow)"))\(goingOn)")],
                json: [.of(["await": .int(Int(record.number)), "answer": .string(word), "taken": true, "asset": asset?.contentJSON])])
            return .succeeded
        case .alreadyAnswered(let resolution, let by, let at):
            let failure = Failure(
                "alreadyAnswered", "\(record.number) was already answered: \(resolution) by \(by) at \(Amounts.time(at)).")
            output.show(
                FailureLine.lines(failure, columns: output.columns),
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

extension Asset {
    /// Before it has a run.
    fileprivate var contentJSON: JSON {
        .of([
            "port": .string(port), "type": .string(type.name), "sha256": .string(hash.hex), "bytes": .int(bytes), "name": .string(name),
            "meta": meta.isEmpty ? nil : .object(meta),
        ])
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
            throw Find.isOver(workflow, outcome)
        }
        try house.act.command(workflow, .cancel)
        output.show(
            [StyledText("\(workflow) is being cancelled\(Answers.goingOn(house))")],
            json: [["workflow": .string(workflow.description), "cancelling": true]])
        return .succeeded
    }
}
