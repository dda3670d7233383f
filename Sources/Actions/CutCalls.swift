import Conversations
import JSON
import Services
import Storage
import Vocabulary

/// The calls of a conversation that a crash left without an answer. The state of their workflows becomes the answer.
struct CutCalls: Sendable {
    let shared: OpenWorkspace
    let session: SessionID

    init(_ shared: OpenWorkspace, in session: SessionID) {
        self.shared = shared
        self.session = session
    }

    /// Returns the workflow for which the call of a turn waits, or nil if the call does not wait or cannot go on.
    func waitingWorkflow(of call: ChatCall) throws(Failure) -> WorkflowID? {
        guard case .waits(let made) = try trace(of: call) else { return nil }
        if let id = made.last { return id }
        guard case .retry(let id, _)? = read(call) else { return nil }
        return id
    }

    /// Returns the messages with an answer after each call that has none, if its state is known. The conversation
    /// itself reports the other calls as lost.
    ///
    /// - Parameter news: hears which workflows the answers describe.
    func answered(_ messages: [ChatMessage], _ news: ConversationNews) throws(Failure) -> [ChatMessage] {
        var answered: [ChatMessage] = []
        for (index, message) in messages.enumerated() {
            answered.append(message)
            guard !message.calls.isEmpty else { continue }
            let answers = Set(messages[(index + 1)...].prefix { $0.role == .tool }.compactMap(\.callID))
            let open = message.calls.filter { !answers.contains($0.id) }
            let traces = try open.map { call throws(Failure) in try trace(of: call) }
            // All calls of a message are recorded as wanted before the first begins. So if the state of one is known,
            // the others without a trace have not begun.
            guard open.count < message.calls.count || traces.contains(where: { $0 != .unknown }) else { continue }
            for (call, trace) in zip(open, traces) {
                if let id = trace.workflows.last { news.isReported(id) }
                guard let result = try result(of: call, trace) else { continue }
                answered.append(
                    ChatMessage(.tool, result.withoutKeys(shared.keyRing.filter).text, callID: call.id))
            }
        }
        return answered
    }

    private func trace(of call: ChatCall) throws(Failure) -> CallTrace {
        try shared.archive.get().trace(of: call.id, in: session)
    }

    /// Returns the request of a call, or nil if it cannot be read.
    private func read(_ call: ChatCall) -> PlannerCall? {
        try? PlannerTools.read(call, catalogue: shared.knownTools)
    }

    private func result(of call: ChatCall, _ trace: CallTrace) throws(Failure) -> CallResult? {
        switch trace {
        case .unknown, .notBegun: return Self.notBegun
        case .begun(let workflows), .waits(let workflows):
            if let id = workflows.last { return try result(of: id, trace) }
            // The call made no workflow: it retried an earlier one, or was ended before it made one.
            switch read(call) {
            case .retry(let id, _)?: return try result(of: id, trace)
            case .workflow?: return Self.notBegun
            default: return nil
            }
        }
    }

    private static let notBegun = CallResult.failed(
        Failure(.notBegun, "Assent was ended before this call was begun: nothing of it was done."))

    private func result(of id: WorkflowID, _ trace: CallTrace) throws(Failure) -> CallResult? {
        // A turn that waits for a person has ended by itself.
        let cause =
            if case .waits = trace { "The turn ended before the person had answered" } else {
                "Assent was ended while this ran"
            }
        guard let summary = try shared.archive.get().summaries(only: id).first else { return nil }
        switch summary.record.outcome {
        case .succeeded: return .succeeded(try standing(id, "succeeded", "\(cause); it has succeeded all the same."))
        case .failed, .cancelled:
            let failure = try shared.archive.get().steps(of: id).compactMap(\.failure).first
            return .failed(
                failure ?? Failure(.workflowFailed, "\(id) \(summary.record.outcome?.rawValue ?? "failed")."))
        case .waiting, nil:
            return .succeeded(
                try standing(id, "waiting", "\(cause); it is not over. results says how it stands."))
        }
    }

    /// Returns the state of a workflow for a model. Contents, sizes and hashes are left out, since `results`
    /// decides which of them a model may see.
    private func standing(_ id: WorkflowID, _ outcome: String, _ note: String) throws(Failure) -> JSON {
        let outputs = try shared.archive.get().assets(of: id).suffix(Limits.outputsTold).map { asset in
            JSON.of([
                "step": .int(asset.run.step.index), "port": .string(asset.port), "type": .string(asset.type.name),
                "path": asset.meta["path"],
            ])
        }
        return .of([
            "workflow": .string(id.description), "outcome": .string(outcome), "note": .string(note),
            "answers": PersonAnswers(look: WorkflowRecords(shared)).json(of: id), "outputs": .array(outputs),
        ])
    }
}

extension CallTrace {
    /// The workflows that the call has made.
    fileprivate var workflows: [WorkflowID] {
        switch self {
        case .unknown, .notBegun: []
        case .begun(let workflows), .waits(let workflows): workflows
        }
    }
}
