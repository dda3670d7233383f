import Vocabulary

extension Limits {
    /// The most replies in a row that consist of faulty calls only. With the last of them the turn ends.
    package static let faultyReplies = 3

    /// The most problems of a plan that the user is shown if the model could not correct it.
    package static let problemsTold = 6

    /// The most bytes of a problem of a plan that the user is shown. A longer text is cut.
    fileprivate static let problemToldBytes = 240
}

/// The count of a turn's faulty calls: those that cannot be read, and plans with problems.
///
/// It is pure. It decides which calls of a reply are not performed, and when the turn ends.
struct FaultCount {
    /// The ids of the calls of the current reply, in their order.
    private var ids: [String] = []
    /// The place of the first faulty call of the reply, counted from 1, or nil.
    private var firstFaulty: Int?
    /// Whether a call of the reply was performed and is not faulty.
    private var hasSoundCall = false
    /// The replies in a row, up to the last one that has ended, in which every call was faulty.
    private var faultyReplies = 0
    private var last: CallResult?

    /// Begins a reply with these calls.
    mutating func begin(_ calls: [ChatCall]) {
        (ids, firstFaulty, hasSoundCall) = (calls.map(\.id), nil, false)
    }

    /// Returns the result of a call that must not be performed, or nil if it may be performed. A call with a flaw
    /// must not, and a call with effects must not behind a faulty call. Ask about the calls of a reply in their
    /// order.
    mutating func answer(to call: ChatCall) -> CallResult? {
        if let flaw = call.flaw {
            let result = CallResult.faulty(Failure(.badArguments, flaw))
            count(result, of: call)
            return result
        }
        guard let firstFaulty, !PlannerTools.isLook(call.name) else { return nil }
        return .declined("Not run, since call \(firstFaulty) of this reply was faulty.")
    }

    /// Counts the result of a call of the current reply.
    mutating func count(_ result: CallResult, of call: ChatCall) {
        guard result.isFaulty else {
            hasSoundCall = true
            return
        }
        firstFaulty = firstFaulty ?? (ids.firstIndex(of: call.id) ?? 0) + 1
        last = result
    }

    /// Ends the current reply, all of whose calls are answered. A call that was not run because of another one
    /// counts neither way.
    ///
    /// - Returns: the failure of the turn, if `Limits.faultyReplies` replies in a row had faulty calls only.
    mutating func endReply() -> Failure? {
        faultyReplies = hasSoundCall ? 0 : faultyReplies + 1
        guard faultyReplies >= Limits.faultyReplies else { return nil }
        switch last {
        case .problems(let problems)?: return Self.badPlan(problems)
        case .faulty(let failure)?:
            return .init(
                .badPlan,
                "The model made faulty calls only, in \(faultyReplies) replies in a row. "
                    + "The last one: \(CallResult.cut(failure.message, bytes: Limits.problemToldBytes))",
                remedy: Self.remedy)
        case .whole?, .succeeded?, .failed?, .report?, .picture?, .ended?, .declined?, .waiting?, nil: return nil
        }
    }

    private static let remedy = "Say it in other words, or in smaller steps."

    /// Returns the failure of a plan with its last problems, in words for the user.
    private static func badPlan(_ problems: [Problem]) -> Failure {
        let isOne = problems.count == 1
        let told = problems.prefix(Limits.problemsTold).enumerated().map { number, problem in
            let place = problem.place.isEmpty ? "" : "\(problem.place): "
            return (isOne ? "" : "\(number + 1). ")
                + CallResult.cut(place + problem.message, bytes: Limits.problemToldBytes)
        }
        let more = problems.count > told.count ? " And \(problems.count - told.count) more." : ""
        return Failure(
            .badPlan,
            "The model's plan has \(isOne ? "a problem" : "\(problems.count) problems") that the model could not fix. "
                + told.joined(separator: " ") + more,
            remedy: remedy)
    }
}
