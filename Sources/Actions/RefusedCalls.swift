import Services
import Vocabulary

extension Limits {
    /// The most refusals of a turn that are remembered.
    fileprivate static let refusals = 100
}

/// The refusals of the person in one turn of a model. The same call again is answered with the same no, and a question
/// about another way to the same file says what was refused.
final class RefusedCalls: Sendable {
    private struct Refusal {
        var digest: ContentHash
        var paths: Set<String>
        var reason: String
        var at: Moment
    }

    private let refusals = Kept<(turn: Int, all: [Refusal])>((0, []))

    /// Forgets the refusals of earlier turns.
    func begin(_ turn: Int) {
        if refusals.value.turn != turn { refusals.value = (turn, []) }
    }

    /// Returns the reason of the no to the same call, or nil.
    fileprivate func reason(of question: Question) -> String? {
        refusals.value.all.last { $0.digest == question.digest }?.reason
    }

    /// Returns a sentence about a refusal of a change at the same place, or nil.
    fileprivate func remark(on question: Question, in workspace: String) -> String? {
        let paths = Self.paths(of: question.call)
        guard let refusal = refusals.value.all.last(where: { !$0.paths.isDisjoint(with: paths) }) else { return nil }
        let place = refusal.paths.intersection(paths).sorted()[0]
        let name = place.path(below: workspace) ?? place
        return "You refused a change of \(name.quotedIfOdd) \(Amounts.age(of: refusal.at, now: OpenWorkspace.now()))"
            + (refusal.reason.isEmpty ? "." : ": \(refusal.reason)")
    }

    fileprivate func add(_ question: Question, _ answer: Answer) {
        var refusal = Refusal(
            digest: question.digest, paths: Self.paths(of: question.call), reason: "", at: OpenWorkspace.now())
        switch answer {
        case .yes, .yesToPlan: return
        case .no(let reason): refusal.reason = reason
        case .part(let taken):
            refusal.digest = .ofNothing
            refusal.paths.subtract(taken)
        }
        guard refusals.value.all.count < Limits.refusals else { return }
        refusals.value.all.append(refusal)
    }

    /// Returns the paths that a call changes.
    private static func paths(of call: Call) -> Set<String> {
        Set(call.targets.filter { $0.effect != .reads }.flatMap { [$0.path].compactMap(\.self) + $0.otherPaths })
    }
}

/// Puts questions about calls to the person, unless the person has refused the same call in this turn.
struct RemindedQuestioner: Questioner {
    let questioner: any Questioner
    let refused: RefusedCalls
    let shared: OpenWorkspace

    func ask(_ record: AwaitRecord) async -> QuestionOutcome {
        guard record.isAboutCall else { return await questioner.ask(record) }
        do throws(Failure) {
            let question = try WorkflowRecords(shared).question(record)
            if let reason = refused.reason(of: question) {
                let answer = Answer.no(reason: "The person refused the same before in this turn. \(reason)")
                let stored = try WorkflowActions(shared).answer(record, answer, "the no before in this turn")
                if stored == .taken { return .answered(answer) }
            }
            let remark = refused.remark(on: question, in: shared.workspace)
            let outcome = await questioner.ask(record, after: remark)
            if case .answered(let answer) = outcome { refused.add(question, answer) }
            return outcome
        } catch {
            return await questioner.ask(record)
        }
    }
}
