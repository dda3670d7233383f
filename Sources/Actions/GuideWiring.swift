import Glibc
import JSON
import Manifests
import Services
import Storage
import Tools
package import Vocabulary
import Workflows

/// Guides on the real store, with the user's files and camera.
package struct GuidesAtHand: Guides {
    package let wiring: OpenWorkspace
    /// The file that the answers come from; `nil` where the person gives them.
    package var source: String?

    /// Creates guides whose answers come from the person, or from a file.
    package init(wiring: OpenWorkspace, source: String? = nil) { (self.wiring, self.source) = (wiring, source) }

    /// The person, and what they answer from.
    private var person: String { OpenWorkspace.person + (source.map { ", from \(lastName(of: $0))" } ?? "") }

    // MARK: Files

    package func list() -> [GuideEntry] {
        wiring.shelves.guides().map { entry in
            let guide = readGuide(entry.text, file: entry.name).guide
            return GuideEntry(
                name: entry.name, title: guide?.title ?? "(cannot be read: assent guide check \(entry.name))",
                about: guide?.about ?? "",
                path: entry.path)
        }
    }

    package func text(of name: String) throws(Failure) -> (text: String, file: String) {
        if let known = wiring.shelves.guides().first(where: { $0.name == name }) {
            return (known.text, known.path ?? "\(name).yaml")
        }
        do throws(Failure) {
            let bytes = try Files.bytes(name)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure(.badGuide, "\(name) is no text in UTF-8.", remedy: "Save it as UTF-8.")
            }
            return (text, name)
        } catch {
            guard error.code == .unknownFile, !name.contains("/") else { throw error }
            throw Failure(
                .unknownGuide, "There is no guide \"\(name.prefix(60))\", and no file.",
                remedy: "See 'assent guide list'.")
        }
    }

    package func read(_ text: String, file: String) -> (guide: Guide?, problems: [Problem]) {
        let (guide, problems) = readGuide(text, file: file)
        guard let guide, problems.isEmpty else { return (guide, problems) }
        // It is stored as a workflow and read from there: what would be another one then is told now.
        let template = Template(guide, text: text)
        let (stored, faults) = TemplateReader.read(template.json)
        guard stored != template || !faults.isEmpty else { return (guide, []) }
        let words = faults.first.map { "\($0.place): \($0.message)" } ?? "Its steps cannot be stored as they are."
        return (
            guide,
            [
                Problem(
                    .tooLarge, at: "\(file):1:1",
                    "With the conditions of its groups, the guide cannot be stored. \(words)")
            ]
        )
    }

    package func answers(in file: String, to guide: Guide) throws(Failure) -> AnswersFile {
        let bytes = try Files.bytes(file)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badAnswers, "\(file) is no text in UTF-8.", remedy: "Save it as UTF-8.")
        }
        let (answers, problems) = readAnswers(text, file: file, guide: guide)
        guard let answers, problems.isEmpty else {
            let words = problems.prefix(3).map { "\($0)" }.joined(separator: " ")
            throw Failure(
                .badAnswers, words.isEmpty ? "\(file) cannot be read." : words,
                remedy: "Mend \(file). Nothing was answered.")
        }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty && !file.hasPrefix("/") ? answers : answers.resolved(in: folder.isEmpty ? "/" : folder)
    }

    package func template(of guide: Guide, text: String, file: String) -> Template {
        Template(guide.withExamples(in: Folders.real(file).map(parent(of:))), text: text)
    }

    // MARK: Answers

    package func take(_ content: AnswerContent, for port: Port, of record: AwaitRecord) async -> Result<Asset, Failure>
    {
        await result { toolbox throws(Failure) in
            try toolbox.takeIn(content, for: port, wanted: [], of: record.request?.inputs.map(\.hash) ?? [])
        }
    }

    package func figures(of picture: Asset) async -> Result<PictureFigures, Failure> {
        let errors = errors(of: "PictureCheck")
        return await result { toolbox throws(Failure) in
            try toolbox.figures(of: picture.hash, named: picture.name, errors: errors)
        }
    }

    package func code(in picture: Asset) async -> Result<String, Failure> {
        let errors = errors(of: "ReadCode")
        return await result { toolbox throws(Failure) in
            try toolbox.codes(of: picture.hash, named: picture.name, errors: errors).joined(separator: "\n")
        }
    }

    private func errors(of kind: String) -> ErrorRules { (try? wiring.catalogue.get())?[kind]?.errors ?? ErrorRules() }

    // MARK: Sources

    package var today: String { Amounts.date(OpenWorkspace.now()) }

    package var camera: String { (try? wiring.settings.cameraCommand())?.joined(separator: " ") ?? "the camera" }

    package func photograph() async -> Result<AnswerContent, Failure> {
        let settings = wiring.settings
        return await result { toolbox throws(Failure) in
            let photograph = try toolbox.photograph(try settings.cameraCommand())
            return .candidate(
                AwaitRequest.Input(
                    port: "image", type: .image, name: photograph.name, hash: photograph.content.hash,
                    bytes: photograph.content.bytes,
                    meta: photograph.meta))
        }
    }

    package func clipboard() async -> Result<AnswerContent, Failure> {
        await result { toolbox throws(Failure) in
            let content = try toolbox.clipboardPicture()
            return .candidate(
                AwaitRequest.Input(
                    port: "image", type: .image, name: "clipboard.png", hash: content.hash, bytes: content.bytes))
        }
    }

    package func speak(_ text: String) async {
        let cancellation = Cancellation()
        await withTaskCancellationHandler {
            _ = await result { toolbox throws(Failure) in toolbox.speak(text, cancel: cancellation) }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private func result<Value: Sendable>(
        _ work: @escaping @Sendable (Toolbox) throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        do throws(Failure) {
            let toolbox = try wiring.toolbox.get()
            return .success(try await wiring.blocking { () throws(Failure) in try work(toolbox) })
        } catch {
            return .failure(error)
        }
    }

    // MARK: What was refused

    package func refusals(of record: AwaitRecord) throws(Failure) -> (count: Int, last: Refusal?) {
        try wiring.archive.get().refusals(of: record)
    }

    package func refuse(_ record: AwaitRecord, _ refusal: Refusal) throws(Failure) -> Int {
        try wiring.archive.get().refuse(
            record, refusal, attempts: record.request?.accept?.attempts ?? Limits.guideAttempts, by: person,
            at: OpenWorkspace.now())
    }

    package func noteTaken(_ record: AwaitRecord, why: String) {
        try? wiring.archive.get().note(
            .awaitTaken(await: record.number, why: why, by: person), of: record.step, at: OpenWorkspace.now())
    }

    package func annotate(_ step: StepID, part: String?, _ text: String) throws(Failure) {
        guard text.utf8.count <= Limits.guideTextBytes else {
            throw Failure(
                .badUsage, "A note has at most \(Limits.guideTextBytes) bytes.", remedy: "Write a shorter one.")
        }
        try wiring.archive.get().note(
            .stepAnnotated(part: part, text: text, by: person), of: step, at: OpenWorkspace.now())
    }

    package func complete(_ record: AwaitRecord, _ completion: Vocabulary.Completion) throws(Failure) -> AnswerOutcome {
        try InboxActions(wiring).complete(record.number, completion, by: person)
    }

    package func answering(from file: String) -> any Guides { GuidesAtHand(wiring: wiring, source: file) }

    // MARK: The package

    package func package(of record: GuideRecord, text: String) async throws(Failure) -> MadePackage {
        let archive = try wiring.archive.get()
        guard let summary = try archive.summaries(only: record.workflow).first else {
            throw Failure(.unknownWorkflow, "There is no workflow \(record.workflow).", remedy: "See 'assent list'.")
        }
        let events = try archive.events(of: record.workflow, limit: Limits.packageEvents)
        let steps = Dictionary(record.entries.map { ($0.record.id.index, $0.step.id) }) { first, _ in first }
        let annotations = events.compactMap { event -> GuidePackage.Annotation? in
            guard event.type == "step.annotated", let id = event.step.flatMap({ steps[$0] }),
                let text = event.body["text"]?.string
            else {
                return nil
            }
            return GuidePackage.Annotation(step: id, part: event.body["part"]?.string, text: text)
        }
        let rows = GuidePackage.Rows(
            workflow: summary.record, record: record, guide: text, events: events, annotations: annotations,
            program: "assent \(ProgramVersion.text)")
        return try await result { toolbox throws(Failure) in
            let (kept, package) = try toolbox.add(rows)
            let asset = Asset(
                run: RunID(StepID(record.workflow, 0), attempt: 0), port: "package", type: .file, hash: kept.hash,
                bytes: kept.bytes,
                name: package.fileName)
            return MadePackage(
                content: asset, name: package.fileName,
                uncut: package.uncut.map { .init(file: $0.file, reason: $0.reason) })
        }.get()
    }
}

extension Limits {
    /// The most events of a workflow that a package is made of.
    fileprivate static let packageEvents = 100_000
}
