import Actions
import JSON
import Terminal
import Vocabulary

extension Limits {
    /// The seconds between two renewals of a claim while a person edits the answer.
    package static let claimRenewalSeconds = 60.0
}

/// An open editor. It claims the await, renews the claim, stores drafts, and releases the claim with the draft when the
/// person leaves (`semantics.md` 40, 42, 101).
struct OpenEditor: Sendable {
    let desk: any AnswerDesk
    let viewing: Looks
    var guidance: Guidance
    let dialogue: QuestionDialogue
    let record: AwaitRecord
    /// Whether the turn that asks says itself what became of the answer.
    var isQuiet = false
    /// Waits for a number of seconds, unless the task is cancelled.
    var pause: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

    private var screen: any Screen { dialogue.screen }
    private var talk: Talk { Talk(asking: dialogue) }

    func run() async -> ExitStatus {
        switch await outcome() {
        case .ended(let status): status
        case .back: .waiting
        }
    }

    /// The way in which an editor was left.
    enum Outcome: Hashable, Sendable {
        case ended(ExitStatus)
        /// The person wants to answer an earlier step again: the step of this name, or else the one before.
        case back(to: String?)
    }

    func outcome() async -> Outcome {
        do throws(Failure) {
            let claim = try EditorClaim(on: record.number, at: desk)
            do throws(Failure) {
                return try await edit(try desk.asked(claim.record), claim)
            } catch {
                claim.release()
                throw error
            }
        } catch {
            talk.say(error)
            return .ended(ExitStatus(of: error))
        }
    }

    private func edit(_ asked: Asked, _ claim: EditorClaim) async throws(Failure) -> Outcome {
        let renewing = Task { [screen, record, pause] in
            while (try? await pause(Limits.claimRenewalSeconds)) != nil {
                guard !claim.renew() else { continue }
                screen.show(
                    StyledText("Your claim on \(record.number) is over; what you have made so far is kept.", .warning))
                return
            }
        }
        defer { renewing.cancel() }
        let editor = Editor(
            asked: asked, talk: talk, desk: desk, viewing: viewing, guidance: guidance, claim: claim)
        while let made = await editor.made(from: claim.draft) {
            do throws(Failure) {
                if case .back(let step) = made {
                    claim.release()
                    return .back(to: step)
                }
                if let status = try await finish(made, asked, claim) { return .ended(status) }
            } catch {
                guard Self.canBeMended(error) else { throw error }
                talk.say(error)
            }
        }
        // No renewal may follow the end of the claim.
        renewing.cancel()
        await renewing.value
        claim.release()
        if !guidance.isSession {
            screen.show(
                StyledText(
                    "Not done. It waits in the inbox as \(record.number)"
                        + (claim.draft == nil ? "." : ", with your draft."), .dim))
        }
        return .ended(.waiting)
    }

    /// Completes the await with an answer.
    ///
    /// - Returns: nil to continue editing.
    private func finish(_ made: Asked.Made, _ asked: Asked, _ claim: EditorClaim) async throws(Failure) -> ExitStatus? {
        let completion: Completion
        switch made {
        case .completion(let own):
            if record.type == .connect { try await desk.requireConnection(for: record) }
            completion = own
        case .outputs(let assets): completion = .outputs(assets)
        case .back: return nil
        case .content(let content, _):
            guard let asset = try await stored(content) else { return nil }
            completion = .outputs([asset])
        }
        let outcome = try claim.complete(completion)
        if guidance.isSession || isQuiet, outcome == .taken { return .succeeded }
        if outcome != .taken, let text = claim.draft?["text"]?.string { talk.giveBack(text) }
        let status = Answers.show(
            outcome, completion.word, of: record, Output(isJSON: false, screen: screen))
        if case .rejected = completion, status == .succeeded { return .denied }
        return status
    }

    /// Stores the content of an answer.
    ///
    /// - Returns: nil if the person withdraws an empty mask.
    private func stored(_ content: AnswerContent) async throws(Failure) -> Asset? {
        do throws(Failure) {
            return try await desk.store(content, for: record, allowsEmpty: false)
        } catch {
            guard error.code == .emptyMask else { throw error }
            guard await talk.isMeant(error) else { return nil }
            return try await desk.store(content, for: record, allowsEmpty: true)
        }
    }

    /// Returns whether another answer can fix a failure. It can fix wrong content, but not a lost claim or a full disk.
    private static func canBeMended(_ failure: Failure) -> Bool {
        ExitStatus(of: failure) == .badUsage || failure.code == .keyMissing
    }
}

extension OpenEditor {
    init(context: CommandContext, screen: any Screen, record: AwaitRecord, guidance: Guidance? = nil) {
        self.init(
            desk: context.people, viewing: context.viewing, guidance: guidance ?? Guidance(guides: context.guides),
            dialogue: QuestionDialogue(context: context, screen: screen), record: record)
    }
}
