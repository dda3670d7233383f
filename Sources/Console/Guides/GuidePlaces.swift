import Actions
import Vocabulary

/// The step at which a workflow of a guide stands.
enum GuidePlace {
    case asked(AwaitRecord)
    case ended(Outcome)
    /// A wait for something else than an answer, such as a yes to a call.
    case elsewhere
}

/// Waits for the steps of one workflow, as the engine brings them about in whatever process.
struct GuidePlaces: Sendable {
    let context: CommandContext
    let workflow: WorkflowID
    /// Waits for so many seconds, unless the task is cancelled.
    let pause: @Sendable (Double) async throws -> Void

    private static let lookSeconds = 0.02
    /// The looks within which the engine does what was said, or there is none.
    private static let mostLooks = 500

    /// Waits until a step is asked whose answer is not on its way, or the workflow rests. The first step of several
    /// that are open is asked.
    ///
    /// - Parameter reopened: a step that is about to be asked anew, and is waited for as long as the engine may take to
    ///   do that.
    func next(after answered: Set<Int64>, at reopened: StepID?) async throws(Failure) -> GuidePlace {
        var looks = 0
        while true {
            let open = try context.look.awaits(false).filter {
                $0.step.workflow == workflow && !answered.contains($0.number)
            }
            looks += 1
            if let reopened, looks < Self.mostLooks, !open.contains(where: { $0.step == reopened }) {
                guard (try? await pause(Self.lookSeconds)) != nil else { return .elsewhere }
                continue
            }
            if let first = open.filter({ $0.request != nil }).min(by: { $0.step.index < $1.step.index }) {
                return .asked(first)
            }
            if !open.isEmpty { return .elsewhere }
            if let outcome = try Find.workflow(workflow, in: context).record.outcome, outcome != .waiting {
                return .ended(outcome)
            }
            guard (try? await pause(Self.lookSeconds)) != nil else { return .elsewhere }
        }
    }

    /// Waits until the engine has heard the answer of a step, so that what follows from it is known.
    func waitUntilSettled(_ step: StepID) async throws(Failure) {
        for _ in 1...Self.mostLooks {
            let record = try context.look.steps(workflow).first { $0.id == step }
            guard record?.state == .awaitingUser, (try? await pause(Self.lookSeconds)) != nil else { return }
        }
    }
}
