import Actions
import JSON
import Vocabulary

extension Limits {
    /// The most bytes of an answer that is typed in a guide. Conditions read it as a whole.
    fileprivate static let guideAnswerBytes = 16 << 10
}

/// Takes in what a person gives for a step that says what it accepts. What does not fit is refused with words, which
/// are stored, and the step stays open (`semantics.md` 204).
struct Intake: Sendable {
    let asked: Asked
    let accept: Acceptance
    let guides: any Guides

    /// The result for something that was given.
    enum Taken: Hashable, Sendable {
        case assets([Asset])
        /// - left: how many attempts are left before it is offered to take it as it is.
        case refused(Refusal, attempt: Int, left: Int)
    }

    init?(_ asked: Asked, _ guides: any Guides) {
        guard let accept = asked.request.accept else { return nil }
        (self.asked, self.accept, self.guides) = (asked, accept, guides)
    }

    private var record: AwaitRecord { asked.record }
    private var textPort: Port { asked.request.outputs.first { $0.type == .text } ?? Port("text", .text) }

    /// Takes a text, a number, a day, or words that are chosen.
    ///
    /// - Parameters:
    ///   - chosen: the words that are chosen, if they are known one by one.
    ///   - why: the person's reason to take it although it does not fit. What has not the right form is refused
    ///     nevertheless.
    func typed(_ text: String, chosen: JSON? = nil, anyway why: String? = nil) async throws(Failure) -> Taken {
        guard text.utf8.count <= Limits.guideAnswerBytes else {
            throw Failure(
                .badAnswer, "The answer has \(text.utf8.count) bytes; at most \(Limits.guideAnswerBytes) are taken.")
        }
        let answer: JSON
        let isToday = accept.form == .date && text.trimmed == "today"
        switch accept.answer(isToday ? guides.today : text, chosen: chosen, choices: asked.choices) {
        case .success(let read): answer = read
        case .failure(let refusal): return try refused(refusal)
        }
        if let refusal = accept.refusal(of: answer), why == nil { return try refused(refusal) }
        let words = answer.array?.compactMap(\.string).joined(separator: "\n") ?? answer.string ?? ""
        var asset = try await guides.take(.text(words), for: textPort, of: record).get()
        asset.meta[Asset.answerKey] = answer
        if let why, accept.refusal(of: answer) != nil { take(&asset, why) }
        return .assets([asset])
    }

    /// Takes a picture.
    ///
    /// - Parameters:
    ///   - place: the place among the pictures of the step, from 0. It says which name the picture has.
    ///   - others: the pictures that were given for this step before.
    func picture(
        _ content: AnswerContent, at place: Int, beside others: [Asset] = [], anyway why: String? = nil
    ) async throws(Failure) -> Taken {
        let capture = accept.capture
        let port = Port(capture.isSingle ? "image" : "image.\(place + 1)", .image)
        var asset: Asset
        do throws(Failure) {
            asset = try await guides.take(content, for: port, of: record).get()
        } catch {
            guard error.code == .badAnswer else { throw error }
            // The path is the person's own business; the refusal goes into the package.
            var words = error.message
            if case .file(let path) = content, let name = path.split(separator: "/").last {
                words = words.replacing(path, with: name)
            }
            return try refused(Refusal(check: "picture", code: .unreadable, words: words))
        }
        if capture.each.indices.contains(place) {
            asset.meta[Asset.partKey] = .string(GuideStep.part(capture.each[place]))
        }
        var given = [asset]
        if let refusal = try await fault(of: &given, beside: others) {
            // What is not read cannot be taken.
            guard let why, refusal.canBeTaken else { return try refused(refusal) }
            take(&given[0], why)
        }
        return .assets(given)
    }

    /// Measures the picture, and reads the code in it if one is wanted.
    private func fault(of given: inout [Asset], beside others: [Asset]) async throws(Failure) -> Refusal? {
        // Also without limits: what cannot be decoded is no picture.
        switch await guides.figures(of: given[0]) {
        case .success(let figures):
            given[0].meta[Asset.figuresKey] = figures.json
            let known = others.compactMap { $0.meta[Asset.figuresKey].flatMap { PictureFigures(json: $0) } }
            if let refusal = accept.refusal(of: figures, beside: known) { return refusal }
        case .failure(let failure): return Refusal(check: "picture", code: .unreadable, words: failure.message)
        }
        guard accept.form == .code else { return nil }
        switch await guides.code(in: given[0]) {
        case .success(let text):
            var code = try await guides.take(.text(text), for: textPort, of: record).get()
            code.meta[Asset.answerKey] = .string(text)
            given.append(code)
            return accept.refusal(of: .string(text))
        case .failure(let failure): return Refusal(check: "code", code: .noCode, words: failure.message)
        }
    }

    private func take(_ asset: inout Asset, _ why: String) {
        asset.meta[Asset.takenKey] = .of(["why": .string(why)])
        guides.noteTaken(record, why: why)
    }

    private func refused(_ refusal: Refusal) throws(Failure) -> Taken {
        let count = try guides.refuse(record, refusal)
        return .refused(refusal, attempt: count, left: max(0, accept.attempts - count))
    }
}
