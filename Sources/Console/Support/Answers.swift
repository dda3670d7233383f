import Actions
import JSON
import Terminal
import Vocabulary

enum Answers {
    static func otherDigest(_ number: Int64) -> Failure {
        Failure(
            .digestMismatch, "This is not the digest of what \(number) asks for.", remedy: "See 'assent inbox --json'."
        )
    }

    /// Asks about an await at the person's terminal, wherever the output goes (`consent.md`, "Approvals").
    static func ask(_ record: AwaitRecord, in context: CommandContext, _ output: Output) async throws(Failure)
        -> ExitStatus
    {
        try await output.atThePerson(of: context) { (screen) async throws(Failure) in
            guard let screen else {
                throw Failure(
                    .noTerminal, "There is no terminal to ask at.", remedy: "Run it in a terminal, or use --digest.")
            }
            return await ask(record, in: context, at: screen)
        }
    }

    /// Asks about an await. A gate of the template does not ask about a call, so it has an editor like the others.
    private static func ask(_ record: AwaitRecord, in context: CommandContext, at screen: any Screen) async
        -> ExitStatus
    {
        guard !record.isAboutCall else {
            return await Asker(context: context, screen: screen, saysMore: true).ask(record).status
        }
        return await OpenEditor(context: context, screen: screen, record: record).run()
    }

    /// Returns what the person must do if no engine runs, or an empty text.
    static func goingOn(_ context: CommandContext) -> String {
        context.look.hasEngine() ? "" : " · to go on now: 'assent work --until-idle'"
    }

    /// Shows the outcome of an answer.
    ///
    /// - Parameters:
    ///   - word: the answer, such as `yes`, `completed` or `skipped`.
    ///   - goingOn: what the person must do so that the workflow goes on, or an empty text.
    static func show(
        _ outcome: AnswerOutcome, _ word: String, of record: AwaitRecord, made asset: Asset? = nil,
        goingOn: String = "", _ output: Output
    ) -> ExitStatus {
        switch outcome {
        case .taken:
            let what = asset.map { "  \($0.name)  \(Amounts.size($0.bytes))" } ?? ""
            output.show(
                [
                    StyledText(
                        "\(record.number): \(word)\(what) · \(Voice.call("show \(record.step.workflow)"))\(goingOn)")
                ],
                json: [
                    .of([
                        "await": .int(Int(record.number)), "answer": .string(word), "taken": true,
                        "asset": asset?.contentJSON,
                    ])
                ])
            return .succeeded
        case .alreadyAnswered(let resolution, let by, let at):
            let failure = Failure(
                .alreadyAnswered,
                "\(record.number) was already answered: \(resolution) by \(by) at \(Amounts.time(at)).")
            output.show(
                FailureLine.lines(failure, columns: output.columns),
                json: [
                    [
                        "await": .int(Int(record.number)), "taken": false, "resolution": .string(resolution),
                        "by": .string(by),
                        "at": .string(at.description),
                    ]
                ])
            return .failed
        }
    }
}

extension Asset {
    /// The asset as JSON, before it belongs to a run.
    fileprivate var contentJSON: JSON {
        .of([
            "port": .string(port), "type": .string(type.name), "sha256": .string(hash.hex), "bytes": .int(bytes),
            "name": .string(name),
            "meta": meta.isEmpty ? nil : .object(meta),
        ])
    }
}
