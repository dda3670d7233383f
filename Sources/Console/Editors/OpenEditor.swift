import Actions
import JSON
import Synchronization
import Terminal
import Vocabulary

extension Limits {
    /// The seconds between two renewals of a claim while a person edits the answer.
    package static let claimRenewalSeconds = 60.0
}

/// An open editor. It claims the await, renews the claim, stores drafts, and releases the claim with the draft when the
/// person leaves (`semantics.md` 40, 42, 101).
struct OpenEditor: Sendable {
    let people: InboxActions
    let viewing: Looks
    var guidance: Guidance
    let screen: any Screen
    let record: AwaitRecord
    /// Returns all that the answer is checked by, in its state after the await was claimed.
    let asked: @Sendable (AwaitRecord) throws(Failure) -> Asked
    /// Returns what the person must do if no engine runs, or an empty text.
    var goingOn: @Sendable () -> String = { "" }
    /// Runs a line that only looks, while the editor is open.
    var lookAround: @Sendable (String) async -> Void = { _ in }
    /// Waits for a number of seconds, unless the task is cancelled.
    var pause: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

    private var talk: Talk { Talk(asking: QuestionDialogue(screen: screen, lookAround: lookAround)) }

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
            let claimed = try people.claim(record.number)
            let claim = Claim(claimed, people)
            do throws(Failure) {
                return try await edit(try asked(claimed), claim)
            } catch {
                claim.giveBack()
                throw error
            }
        } catch {
            talk.say(error)
            return .ended(ExitStatus(of: error))
        }
    }

    private func edit(_ asked: Asked, _ claim: Claim) async throws(Failure) -> Outcome {
        let renewing = Task { [screen, pause] in
            while (try? await pause(Limits.claimRenewalSeconds)) != nil {
                guard !claim.renew() else { continue }
                screen.show(
                    StyledText("Your claim on \(claim.number) is over; what you have made so far is kept.", .warning))
                return
            }
        }
        defer { renewing.cancel() }
        let editor = Editor(
            asked: asked, talk: talk, people: people, viewing: viewing, guidance: guidance, keep: { claim.keep($0) })
        while let made = await editor.made(from: claim.draft) {
            do throws(Failure) {
                if case .back(let step) = made {
                    claim.giveBack()
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
        claim.giveBack()
        if !guidance.isSession {
            screen.show(
                StyledText(
                    "Not done. It waits in the inbox as \(claim.number)"
                        + (claim.draft == nil ? "." : ", with your draft."), .dim))
        }
        return .ended(.waiting)
    }

    /// Completes the await with an answer.
    ///
    /// - Returns: nil to continue editing.
    private func finish(_ made: Asked.Made, _ asked: Asked, _ claim: Claim) async throws(Failure) -> ExitStatus? {
        let completion: Completion
        switch made {
        case .completion(let own):
            if record.type == .connect { try await Answers.refuseUnconnected(record, people) }
            completion = own
        case .outputs(let assets): completion = .outputs(assets)
        case .back: return nil
        case .content(let content, _):
            switch await people.takeIn(content, record, false) {
            case .success(let asset): completion = .outputs([asset])
            case .failure(let failure):
                guard failure.code == .emptyMask else { throw failure }
                guard await talk.isMeant(failure) else { return nil }
                completion = .outputs([try await people.takeIn(content, record, true).get()])
            }
        }
        let outcome = try people.complete(claim.number, claim.claim, completion, claim.draft)
        if guidance.isSession, outcome == .taken { return .succeeded }
        let status = Answers.show(
            outcome, completion.word, of: record, goingOn: goingOn(), Output(isJSON: false, screen: screen))
        if case .rejected = completion, status == .succeeded { return .denied }
        return status
    }

    /// Returns whether another answer can fix a failure. It can fix wrong content, but not a lost claim or a full disk.
    private static func canBeMended(_ failure: Failure) -> Bool {
        ExitStatus(of: failure) == .badUsage || failure.code == .keyMissing
    }
}

extension OpenEditor {
    init(context: CommandContext, screen: any Screen, record: AwaitRecord, guidance: Guidance? = nil) {
        self.init(
            people: context.people, viewing: context.viewing, guidance: guidance ?? Guidance(guides: context.guides),
            screen: screen, record: record,
            asked: { record throws(Failure) in try context.asked(record) },
            goingOn: { Answers.goingOn(context) },
            lookAround: { line in await LookAround(context: context, screen: screen).carryOut(line) })
    }
}

/// The claim of an open editor with its draft.
private final class Claim: Sendable {
    let number: Int64
    let claim: Int
    private let people: InboxActions
    private let kept: Mutex<JSON?>

    init(_ record: AwaitRecord, _ people: InboxActions) {
        (number, claim, self.people) = (record.number, record.claim, people)
        kept = Mutex(record.draft)
    }

    var draft: JSON? { kept.withLock { $0 } }

    /// Stores a draft at once, so that a crash loses nothing that was entered.
    func keep(_ draft: JSON) {
        kept.withLock { $0 = draft }
        _ = try? people.renew(number, claim, draft)
    }

    /// Renews the claim.
    ///
    /// - Returns: whether the claim is still valid. A store that cannot be reached counts as valid, since it is asked
    ///   again later.
    func renew() -> Bool {
        do throws(Failure) { return try people.renew(number, claim, nil) != nil } catch { return true }
    }

    func giveBack() { try? people.release(number, claim, draft) }
}
