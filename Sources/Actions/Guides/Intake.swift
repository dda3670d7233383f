package import JSON
package import Vocabulary

extension Limits {
    /// The most bytes of an answer that is typed in a guide. Conditions read it as a whole.
    fileprivate static let guideAnswerBytes = 16 << 10
}

/// The check of the answers to one step that has conditions for them. An answer that does not fit is refused with
/// words, which are stored, and the step stays open (`semantics.md` 204).
package struct Intake: Sendable {
    /// The conditions of the step.
    package let accept: Acceptance
    private let record: AwaitRecord
    private let request: AwaitRequest
    private let answers: GuideAnswers

    /// The result for an answer that was given.
    package enum Taken: Hashable, Sendable {
        case assets([Asset])
        /// - left: how many attempts are left until the answer may be accepted as it is.
        case refused(Refusal, attempt: Int, left: Int)
    }

    /// Creates the check.
    ///
    /// - Returns: `nil` if the step has no conditions.
    package init?(_ record: AwaitRecord, _ answers: GuideAnswers) {
        guard let request = record.request, let accept = request.accept else { return nil }
        (self.record, self.request, self.accept, self.answers) = (record, request, accept, answers)
    }

    private var textPort: Port { request.outputs.first { $0.type == .text } ?? Port("text", .text) }

    /// Returns how many more answers must be refused until one may be accepted as it is. The count is zero or less if
    /// it may be now.
    package func refusalsLeft() throws(Failure) -> Int { accept.attempts - (try answers.refusals(of: record)) }

    /// Accepts or refuses a text, a number, a day, or chosen words.
    ///
    /// - Parameters:
    ///   - chosen: the chosen words, if they are known one by one.
    ///   - isExact: whether a number has a point before its decimals, as in a file that was read already.
    ///   - why: the person's reason to accept the answer although it does not fit. An answer of the wrong form is
    ///     refused nevertheless.
    package func typed(
        _ text: String, chosen: JSON? = nil, isExact: Bool = false, anyway why: String? = nil
    ) async throws(Failure) -> Taken {
        guard text.utf8.count <= Limits.guideAnswerBytes else {
            throw Failure(
                .badAnswer, "The answer has \(text.utf8.count) bytes; at most \(Limits.guideAnswerBytes) are taken.")
        }
        let answer: JSON
        switch read(text, chosen: chosen, isExact: isExact) {
        case .success(let read): answer = read
        case .failure(let refusal): return try refused(refusal)
        }
        let refusal = accept.refusal(of: answer)
        if let refusal, why == nil { return try refused(refusal) }
        let words = answer.array?.compactMap(\.string).joined(separator: "\n") ?? answer.string ?? ""
        var asset = try await answers.store(.text(words), for: textPort, of: record)
        asset.meta[Asset.answerKey] = answer
        if let why, refusal != nil { mark(&asset, why) }
        return .assets([asset])
    }

    /// Returns the answer that a text means, or the refusal of its form. Stores nothing.
    func read(_ text: String, chosen: JSON? = nil, isExact: Bool = false) -> Result<JSON, Refusal> {
        let isToday = accept.form == .date && text.split(whereSeparator: \.isWhitespace) == ["today"]
        let meant = isToday ? Amounts.date(OpenWorkspace.now()) : text
        return accept.answer(
            meant, chosen: chosen, choices: request.choices, groupSigns: isExact ? [] : answers.groupSigns)
    }

    /// Accepts or refuses a picture.
    ///
    /// - Parameters:
    ///   - place: the place among the pictures of the step, from 0. It decides the name of the picture.
    ///   - others: the pictures that were given for this step before.
    ///   - why: the person's reason to accept the picture although it does not fit.
    package func picture(
        _ content: AnswerContent, at place: Int, beside others: [Asset] = [], anyway why: String? = nil
    ) async throws(Failure) -> Taken {
        let capture = accept.capture
        let port = Port(capture.isSingle ? "image" : "image.\(place + 1)", .image)
        var asset: Asset
        do throws(Failure) {
            asset = try await answers.store(content, for: port, of: record)
        } catch {
            guard error.code == .badAnswer else { throw error }
            // The refusal goes into the package, which must not show the folders of the person.
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
            // An answer that cannot be read cannot be accepted.
            guard let why, refusal.canBeTaken else { return try refused(refusal) }
            mark(&given[0], why)
        }
        return .assets(given)
    }

    /// Measures the picture, and reads the code in it if the step wants one.
    private func fault(of given: inout [Asset], beside others: [Asset]) async throws(Failure) -> Refusal? {
        // Pictures without limits are measured, too: content that cannot be decoded is no picture.
        do throws(Failure) {
            let figures = try await answers.figures(of: given[0])
            given[0].meta[Asset.figuresKey] = figures.json
            let known = others.compactMap { $0.meta[Asset.figuresKey].flatMap { PictureFigures(json: $0) } }
            if let refusal = accept.refusal(of: figures, beside: known) { return refusal }
        } catch {
            return Refusal(check: "picture", code: .unreadable, words: error.message)
        }
        guard accept.form == .code else { return nil }
        let text: String
        do throws(Failure) {
            text = try await answers.code(in: given[0])
        } catch {
            return Refusal(check: "code", code: .noCode, words: error.message)
        }
        var code = try await answers.store(.text(text), for: textPort, of: record)
        code.meta[Asset.answerKey] = .string(text)
        given.append(code)
        return accept.refusal(of: .string(text))
    }

    /// Marks an answer as accepted although it does not fit.
    private func mark(_ asset: inout Asset, _ why: String) {
        asset.meta[Asset.takenKey] = .of(["why": .string(why)])
        answers.noteTaken(record, why: why)
    }

    private func refused(_ refusal: Refusal) throws(Failure) -> Taken {
        let count = try answers.refuse(record, refusal)
        return .refused(refusal, attempt: count, left: max(0, accept.attempts - count))
    }
}

extension AwaitRequest {
    /// The words that can be chosen.
    package var choices: [String] {
        (params["choices"]?.array ?? []).prefix(Limits.choices).compactMap(\.string)
    }
}
