import Actions
import JSON
import Terminal
import Vocabulary

/// Asks for an answer until it meets the conditions of the step, or the person leaves (`semantics.md` 204, 205).
struct AcceptanceEditor {
    let editor: Editor
    let intake: Intake
    /// The pictures that were accepted so far.
    private var given: [Asset]
    /// The content that was refused last, which may still be accepted as it is.
    private var refused: Content?
    /// The typed answer that looks like a command of the console and was not accepted at once.
    private var doubted: String?

    private enum Content {
        case typed(String)
        case picture(AnswerContent)
    }

    private enum Next {
        case again, leave
        case made(Asked.Made)
    }

    init(editor: Editor, intake: Intake, draft: JSON?) {
        (self.editor, self.intake) = (editor, intake)
        given = ((draft ?? editor.guidance.draft)?["media"]?.array ?? []).compactMap { Asset(draft: $0) }
    }

    private var accept: Acceptance { intake.accept }
    private var talk: Talk { editor.talk }
    private var guidance: Guidance { editor.guidance }

    /// Asks until there is an answer.
    ///
    /// - Returns: nil if the person leaves.
    mutating func made() async -> Asked.Made? {
        var lines = AcceptanceView.lines(editor.asked, accept, given: given.count, columns: talk.columns)
        guidance.speaker?.say(editor.asked.prompt ?? editor.asked.record.title)
        defer { guidance.speaker?.stop() }
        while true {
            let prompt = AcceptanceView.prompt(
                accept, given: given.count, isSession: guidance.isSession, columns: talk.columns)
            guard let typed = await talk.line(lines + prompt, own: GuideWord.names) else { return nil }
            lines = []
            do throws(Failure) {
                switch try await carryOut(GuideWord.read(typed, form: accept.form)) {
                case .again: break
                case .leave: return nil
                case .made(let made): return made
                }
            } catch {
                talk.say(error)
            }
        }
    }

    private mutating func carryOut(_ word: GuideWord) async throws(Failure) -> Next {
        switch word {
        case .nothing: return try await nothing()
        case .pause: return .leave
        case .back(let step) where guidance.isSession: return .made(.back(to: step))
        case .list where guidance.isSession: guidance.session?.showList()
        case .annotate(let text) where guidance.isSession: guidance.session?.annotate(text)
        case .back, .list, .annotate: say("That is for guides: 'guide run' leads through one.")
        case .help: talk.say(AcceptanceView.help(accept, isSession: guidance.isSession, columns: talk.columns))
        case .skip(let words):
            if accept.skip != nil { return .made(.completion(try .skip(words))) }
            say("This step cannot be skipped.")
        case .take(let why): return try await takeAsItIs(why)
        case .done: return try await done()
        case .answer where accept.form == .note: say("Enter goes on; help shows what else can be typed.")
        case .answer(let text) where GuideWord.names.contains(text) && accept.form == .text && doubted != text:
            doubted = text
            say("/\(text) does that. If \"\(text)\" is your answer, type it once more.")
        case .answer(let text): return try await typed(text)
        case .files, .clipboard, .camera: return try await source(word)
        }
        return .again
    }

    /// Continues after an empty line, if Enter alone has a meaning here.
    private mutating func nothing() async throws(Failure) -> Next {
        if accept.form == .note { return .made(.outputs([])) }
        if !given.isEmpty { return try await done() }
        if !guidance.earlier.isEmpty { return .made(.outputs(guidance.earlier)) }
        if let initial = accept.initial {
            return try await typed(initial.string ?? "", chosen: initial.array == nil ? nil : initial)
        }
        guard guidance.isSession else { return .leave }
        talk.say(AcceptanceView.help(accept, isSession: true, columns: talk.columns))
        return .again
    }

    private func done() async throws(Failure) -> Next {
        guard given.count >= accept.capture.wanted.lowerBound, !given.isEmpty else {
            say("\(Amounts.count(accept.capture.wanted.lowerBound, "picture")) belong here; \(given.count) so far.")
            return .again
        }
        return .made(.outputs(given))
    }

    // MARK: Content

    private mutating func typed(_ text: String, chosen: JSON? = nil, anyway why: String? = nil) async throws(Failure)
        -> Next
    {
        switch try await intake.typed(text, chosen: chosen, anyway: why) {
        case .assets(let assets): return .made(.outputs(assets))
        case .refused(let refusal, _, let left):
            refused = .typed(text)
            tell(refusal, left)
            return .again
        }
    }

    private mutating func source(_ word: GuideWord) async throws(Failure) -> Next {
        let takesPictures = accept.form == .media || accept.form == .code
        guard takesPictures else {
            say("No picture is wanted here.")
            return .again
        }
        let isCameraOnly = accept.capture.source == .camera
        let content: AnswerContent
        switch word {
        case .camera:
            guard await guidance.camera.isAllowed(guidance.guides.devices, talk) else {
                say("No photograph was taken.")
                return .again
            }
            content = try await guidance.guides.devices.photograph()
        case .clipboard where !isCameraOnly: content = try await guidance.guides.devices.clipboard()
        case .files(let paths) where !isCameraOnly: return try await files(paths)
        default:
            say("This picture has to come from the camera: type camera.")
            return .again
        }
        return try await picture(content)
    }

    /// Adds files one after the other, until one is refused or the step has enough.
    private mutating func files(_ paths: [String]) async throws(Failure) -> Next {
        for (place, path) in paths.enumerated() {
            let before = given.count
            let next = try await picture(.file(path))
            let left = paths.count - place - 1
            if case .again = next, given.count > before, left > 0 { continue }
            if left > 0 { say("\(Amounts.count(left, "file")) behind it \(left == 1 ? "was" : "were") not taken.") }
            return next
        }
        return .again
    }

    private mutating func picture(_ content: AnswerContent, anyway why: String? = nil) async throws(Failure) -> Next {
        let capture = accept.capture
        let part = capture.each.indices.contains(given.count) ? capture.each[given.count] : nil
        let taken = try await intake.picture(
            content, at: given.count, beside: given.filter { $0.type == .image }, anyway: why)
        switch taken {
        case .refused(let refusal, _, let left):
            refused = .picture(content)
            tell(refusal, left)
            return .again
        case .assets(let assets):
            refused = nil
            if capture.isSingle { return .made(.outputs(assets)) }
            given += assets
            editor.claim.keep(["media": .array(given.map(\.draft))])
            let name = VisibleText.cut(assets[0].name, to: 40)
            talk.say(
                Layout.wrapped(StyledText("✓ ", .success) + StyledText(part ?? name), columns: talk.columns, indent: 3))
            guard given.count < capture.wanted.upperBound else { return .made(.outputs(given)) }
            return .again
        }
    }

    /// Accepts the content that was refused last, if it was refused often enough.
    private mutating func takeAsItIs(_ why: String) async throws(Failure) -> Next {
        let left = try intake.refusalsLeft()
        guard left <= 0 else {
            say("It can be taken as it is after \(left) more \(left == 1 ? "try" : "tries").")
            return .again
        }
        guard let refused else {
            say("Give it once more first.")
            return .again
        }
        guard
            let why = why.isEmpty
                ? await talk.line([StyledText("   why is it to be taken as it is? ", .question)]) : why, !why.isEmpty
        else { return .again }
        switch refused {
        case .typed(let text): return try await typed(text, anyway: why)
        case .picture(let content): return try await picture(content, anyway: why)
        }
    }

    private func tell(_ refusal: Refusal, _ left: Int) {
        talk.say(AcceptanceView.refusal(refusal, of: accept, left: left, columns: talk.columns))
        guidance.speaker?.say(refusal.words)
    }

    private func say(_ words: String) {
        talk.say(Layout.wrapped(StyledText(words, .warning), columns: talk.columns, indent: 3))
    }
}

extension Asset {
    /// The content in the form of a draft.
    fileprivate var draft: JSON {
        [
            "port": .string(port), "type": .string(type.name), "sha256": .string(hash.hex), "bytes": .int(bytes),
            "name": .string(name),
            "meta": .object(meta),
        ]
    }

    /// Reads a content from a draft.
    fileprivate init?(draft json: JSON) {
        guard let port = json["port"]?.string, let type = json["type"]?.string, let hash = json["sha256"]?.string,
            let bytes = json["bytes"]?.int, let name = json["name"]?.string
        else { return nil }
        self.init(
            run: RunID(StepID(WorkflowID(0), 0), attempt: 0), port: port, type: PortType(type),
            hash: ContentHash(hex: hash), bytes: bytes,
            name: name, meta: json["meta"]?.object ?? JSON.Object())
    }
}
