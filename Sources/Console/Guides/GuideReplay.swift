import Actions
import JSON
import Terminal
import Vocabulary

/// Answers the steps of a guide from a file, under the same checks as a person's answers.
struct GuideReplay: Sendable {
    let context: CommandContext
    let output: Output
    let workflow: WorkflowID
    let guide: Guide
    /// The answers, with paths as seen from here.
    let answers: AnswersFile
    /// Guides that store each answer as one from the file.
    let guides: any Guides
    /// The yes to the camera.
    let camera = CameraConsent()
    /// Waits for so many seconds, unless the task is cancelled.
    var pause: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

    /// Answers each step that is asked.
    ///
    /// - Returns: `.waiting` if a step has no answer in the file.
    func run() async throws(Failure) -> ExitStatus {
        let places = GuidePlaces(context: context, workflow: workflow, pause: pause)
        var answered: Set<Int64> = []
        while true {
            switch try await places.next(after: answered, at: nil) {
            case .ended(let outcome):
                tellUnused()
                return ExitStatus(of: outcome, failures: try context.look.steps(workflow).compactMap(\.failure))
            case .elsewhere: return .waiting
            case .asked(let record):
                guard let completion = try await completion(of: record) else {
                    output.tell(
                        notice: "\(record.title) has no answer in the file: \(Voice.call("guide run \(workflow)"))")
                    return .waiting
                }
                _ = try guides.complete(record, completion)
                answered.insert(record.number)
                try await places.waitUntilSettled(record.step)
                try annotate(record.step)
            }
        }
    }

    /// Writes the notes of the file to a step that was answered.
    private func annotate(_ step: StepID) throws(Failure) {
        let node = try context.look.steps(workflow).first { $0.id == step }?.node
        for note in answers.notes where note.step == node {
            try guides.annotate(step, part: note.part.map(GuideStep.part), note.text)
        }
    }

    /// Returns what the file says to a step; `nil` if it says nothing.
    private func completion(of record: AwaitRecord) async throws(Failure) -> Completion? {
        let node = try context.look.steps(workflow).first { $0.id == record.step }?.node ?? ""
        let asked = try context.people.asked(record)
        guard let intake = Intake(asked, guides) else { return nil }
        if intake.accept.form == .note { return .outputs([]) }
        guard let step = answers[node] else { return nil }
        switch step.answer {
        case .skip(let words):
            guard intake.accept.skip != nil else { throw fault(node, "it cannot be skipped.") }
            return try .skip(words)
        case .value(let value):
            let words = value.string ?? value.text
            return .outputs(
                try taken(await intake.typed(words, chosen: value.array == nil ? nil : value, anyway: step.take), node))
        case .camera: return .outputs(try await pictures(Self.ofCamera(intake.accept.capture, step.take), intake, node))
        case .pictures(let pictures): return .outputs(try await self.pictures(pictures, intake, node))
        }
    }

    private static func ofCamera(_ capture: GuideStep.Capture, _ take: String?) -> [AnswersFile.Picture] {
        guard capture.each.isEmpty else {
            return capture.each.map { AnswersFile.Picture(part: $0, path: nil, take: take) }
        }
        return (0..<capture.wanted.lowerBound).map { _ in AnswersFile.Picture(path: nil, take: take) }
    }

    private func pictures(_ pictures: [AnswersFile.Picture], _ intake: Intake, _ node: String) async throws(Failure)
        -> [Asset]
    {
        let capture = intake.accept.capture
        var given: [Asset] = []
        for (place, picture) in pictures.enumerated() {
            let content: AnswerContent = if let path = picture.path { .file(path) } else { try await photograph() }
            let own = picture.part.flatMap { capture.each.firstIndex(of: $0) } ?? place
            given += try taken(
                await intake.picture(
                    content, at: own, beside: given.filter { $0.type == .image }, anyway: picture.take), node)
        }
        guard capture.wanted.contains(pictures.count) || intake.accept.form == .code else {
            throw fault(node, "\(capture.wanted.lowerBound) to \(capture.wanted.upperBound) pictures belong there.")
        }
        return given
    }

    /// Takes a photograph, if the person at the terminal allows it. Without one there is no camera.
    private func photograph() async throws(Failure) -> AnswerContent {
        guard
            await camera.isAllowed(
                guides, output.canAsk ? Talk(asking: QuestionDialogue(context: context, screen: output.screen)) : nil)
        else {
            throw Failure(
                .denied, "The camera is not used without a yes at a terminal.", remedy: "Name files in the answers.")
        }
        return try await guides.photograph().get()
    }

    private func taken(_ taken: Intake.Taken, _ node: String) throws(Failure) -> [Asset] {
        switch taken {
        case .assets(let assets): return assets
        case .refused(let refusal, _, _): throw fault(node, refusal.words)
        }
    }

    private func fault(_ node: String, _ words: String) -> Failure {
        Failure(
            .checkFailed, "The answer to \(node) is not taken: \(words)",
            remedy: "Mend the file, and go on with 'assent guide run \(workflow) --answers FILE'.")
    }

    /// Tells which answers belong to steps that were not asked.
    private func tellUnused() {
        guard let record = try? GuideWorkflow.record(of: workflow, in: context).record else { return }
        let unused = record.entries.filter { $0.state == .notAsked && answers[$0.step.id] != nil }.map(\.step.id)
        guard !unused.isEmpty else { return }
        output.tell(notice: "Not asked, so their answers are not used: \(NameList.words(unused)).")
    }
}
