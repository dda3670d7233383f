import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Complete: Verb {
    package static let description = CommandDescription(
        "complete", in: .inbox,
        summary: "Do what an entry of the inbox asks for, without its editor.",
        details: """
            In a shell it runs what can go on then, shows it, and ends with the exit code of the workflow: 3 if it waits for another \
            answer.
            """,
        examples: [
            "complete 3 --asset mask.png",
            "complete 4 --choice 2",
            "complete 5 --params steps=30 cfg=4.5",
            "complete 6 --text \"A red kite over the roofs\"",
            .init("complete 7 --choice found=job-81", note: "or again, look, fail: whether a job was submitted"),
        ],
        takes: [[.entry]],
        values: [
            "--asset": [.file], "--choice": [.free], "--params": [.free], "--text": [.free], "--claim": [.free],
            "--anyway": [.free],
        ])

    @Argument(help: "The number in the inbox. Without it, the only entry that asks for something else than a yes.")
    var number: Int64?

    @Option(help: "A file: for masks, pictures and what is picked. Repeated where several pictures are wanted.")
    var asset: [String] = []

    @Option(help: "One of the choices, by its name or number.")
    var choice: String?

    @Option(parsing: .upToNextOption, help: "Values that are to be others: NAME=VALUE …, or a JSON object.")
    var params: [String] = []

    @Option(help: "The text.")
    var text: String?

    @Option(help: "The number of the claim under which it was made, from 'assent inbox --json'.")
    var claim: Int?

    @Option(help: "Take an answer that does not fit as it is, for this reason.")
    var anyway: String?

    @Flag(help: "Take a mask in which nothing is painted.")
    var allowEmpty = false

    @OptionGroup var detached: DetachOption
    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let number = try ChosenEntry.only(number, "can be completed", in: context, output) { $0.type != .confirmCall }
        let record = try Find.await(number, in: context)
        guard record.type != .confirmCall else {
            throw Failure(
                .badUsage, "\(number) is a question.",
                remedy: "Answer it with 'assent approve \(number)' or 'assent reject \(number)'.")
        }
        try record.requireOpen()
        let goingOn = GoingOn(context: context, output: output, isDetached: detached.detach)
        return try await goingOn.run(record.step.workflow) { () async throws(Failure) in
            try await complete(record, in: context, output)
        }
    }

    private func complete(_ record: AwaitRecord, in context: CommandContext, _ output: Output) async throws(Failure)
        -> ExitStatus
    {
        let number = record.number
        let asked = try context.people.asked(record)
        if let intake = Intake(record, context.guides.answers) {
            let completion = try await accepted(asked, intake)
            return Answers.show(
                try context.people.complete(number, claim: claim, completion), completion.word, of: record, output)
        }
        guard anyway == nil else {
            throw Failure(
                .badUsage, "\(number) takes any answer, so --anyway has no meaning.", remedy: asked.howToAnswer)
        }
        switch try made(asked, in: context) {
        case .outputs(let assets):
            return Answers.show(
                try context.people.complete(number, claim: claim, .outputs(assets)), "completed", of: record,
                output)
        case .back: return .badUsage
        case .completion(let completion):
            if record.type == .connect { try await context.people.requireConnection(for: record) }
            let outcome = try context.people.complete(number, claim: claim, completion)
            return Answers.show(outcome, completion.word, of: record, output)
        case .content(let content, _):
            let asset = try await taken(content, asked, in: context, output)
            guard let asset else { return .waiting }
            let outcome = try context.people.complete(number, claim: claim, .outputs([asset]))
            return Answers.show(outcome, "completed", of: record, made: asset, output)
        }
    }

    /// Returns the completion of a step that has conditions for its answer.
    ///
    /// - Throws: `checkFailed` if the answer does not meet them.
    private func accepted(_ asked: Asked, _ intake: Intake) async throws(Failure) -> Completion {
        try oneAnswer(asked)
        let words = choice ?? text
        if intake.accept.form == .note { return .outputs([]) }
        guard intake.accept.form == .media || intake.accept.form == .code else {
            guard let words else {
                throw Failure(
                    .badUsage, "\(asked.record.number) asks you to \(asked.record.type.words).",
                    remedy: asked.howToAnswer)
            }
            return .outputs(try await taken(intake.typed(words, anyway: anyway)))
        }
        let capture = intake.accept.capture
        guard capture.wanted.contains(asset.count) else {
            let isOne = capture.wanted == 1...1
            let range =
                "\(capture.wanted.lowerBound)" + (capture.wanted.count > 1 ? " to \(capture.wanted.upperBound)" : "")
            throw Failure(
                .badUsage,
                "\(asked.record.number) wants \(isOne ? "one picture" : "\(range) pictures"); --asset named \(asset.count).",
                remedy: "Say --asset FILE for each.")
        }
        guard capture.source == .any else {
            throw Failure(
                .badUsage, "This picture has to come from the camera.",
                remedy: "Use 'assent open \(asked.record.number)'.")
        }
        var given: [Asset] = []
        for (place, path) in asset.enumerated() {
            given += try await taken(intake.picture(.file(path), at: place, beside: given, anyway: anyway))
        }
        return .outputs(given)
    }

    private func taken(_ taken: Intake.Taken) throws(Failure) -> [Asset] {
        switch taken {
        case .assets(let assets): return assets
        case .refused(let refusal, let attempt, let left):
            let tries = left > 0 ? " (\(Amounts.count(attempt, "attempt")) so far)" : ""
            let remedy =
                refusal.canBeTaken ? "Give another\(tries), or say --anyway WHY to take it as it is." : "Give another."
            throw Failure(.checkFailed, "It is not taken: \(refusal.words).", remedy: remedy)
        }
    }

    private func oneAnswer(_ asked: Asked) throws(Failure) {
        let given = [!asset.isEmpty, choice != nil, !params.isEmpty, text != nil].count { $0 }
        guard given <= 1 else {
            throw Failure(
                .badUsage, "One of --asset, --choice, --params and --text is enough.", remedy: asked.howToAnswer)
        }
    }

    /// Stores the content of an answer.
    ///
    /// - Returns: the asset, or nil if the person withdraws an empty mask.
    private func taken(_ content: AnswerContent, _ asked: Asked, in context: CommandContext, _ output: Output)
        async throws(Failure) -> Asset?
    {
        do throws(Failure) {
            return try await context.people.store(content, for: asked.record, allowsEmpty: allowEmpty)
        } catch {
            guard error.code == .emptyMask, output.canAsk else { throw error }
            guard await Talk(asking: QuestionDialogue(context: context, screen: output.screen)).isMeant(error) else {
                return nil
            }
            return try await context.people.store(content, for: asked.record, allowsEmpty: true)
        }
    }

    private func made(_ asked: Asked, in context: CommandContext) throws(Failure) -> Asked.Made {
        try oneAnswer(asked)
        guard asset.count <= 1 else {
            throw Failure(.badUsage, "\(asked.record.number) takes one file.", remedy: asked.howToAnswer)
        }
        if let asset = asset.first { return try asked.asset(asset) }
        if let choice { return try asked.choice(choice) }
        if let text { return try asked.text(text) }
        if asked.record.type == .confirmParams {
            return try asked.params(try edits(asked))
        }
        guard params.isEmpty else { return try asked.params(JSON.Object()) }
        throw Failure(
            .badUsage, "\(asked.record.number) asks you to \(asked.record.type.words).", remedy: asked.howToAnswer)
    }

    private func edits(_ asked: Asked) throws(Failure) -> JSON.Object {
        if params.count == 1, params[0].hasPrefix("{") {
            guard let object = (try? JSONReader.read(params[0]))?.object else {
                throw Failure(.badUsage, "--params is no JSON object.", remedy: asked.howToAnswer)
            }
            return object
        }
        var edits = JSON.Object()
        for param in params {
            let (name, value) = try TemplateBinding.split(param, option: "--params", form: "NAME=VALUE")
            edits[name] = asked.value(value, for: name)
        }
        return edits
    }
}

extension Completion {
    /// The word for the answer that the person is shown.
    var word: String {
        switch self {
        case .outputs: "completed"
        case .agreed: "agreed"
        case .skipped: "skipped"
        case .rejected: "rejected"
        case .submittedAs: "found"
        case .lookAgain: "looking again"
        case .submitAgain: "submitting again"
        }
    }
}
