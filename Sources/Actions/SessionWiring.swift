import Conversations
import JSON
import Services
import Storage
import Vocabulary

/// Conversations that are looked for, opened, copied and taken away.
extension OpenWorkspace {
    package var sessions: ConversationLibrary {
        ConversationLibrary(
            find: { [self] id throws(Failure) in try session(id) },
            here: { [self] limit throws(Failure) in try archive.get().sessions(limit: limit, in: workspace) },
            search: { [archive] words, limit throws(Failure) in try archive.get().search(words, limit: limit) },
            open: { [self] id throws(Failure) in try open(id) },
            close: { [self] id throws(Failure) in try archive.get().close(id, owner: try chat.get().name) },
            fork: { [archive, self] id, turn throws(Failure) in
                try archive.get().fork(id, through: turn, title: Self.title(ofFork: try session(id)), at: Self.now())
            },
            rename: { [self] id, title throws(Failure) in
                let title = SessionRecord.title(of: keyRing.filter.cut(title))
                guard !title.isEmpty else {
                    throw Failure(
                        .badUsage, "A conversation needs a name.",
                        remedy: "assent history rename \(id) pictures for the site")
                }
                try archive.get().rename(id, to: title)
                return try session(id)
            },
            delete: { [archive, folders] id throws(Failure) in
                try archive.get().delete(id) { EngineLock.isAlive($0, in: folders.engines) }
            },
            usage: { [archive] grouping, limit throws(Failure) in try archive.get().usage(by: grouping, limit: limit) })
    }

    private func session(_ id: SessionID) throws(Failure) -> SessionRecord {
        if let record = try archive.get().session(id) { return record }
        throw Failure(.unknownSession, "There is no conversation \(id).", remedy: "See 'assent history'.")
    }

    /// A copy of a copy says what the first copy was of.
    private static func title(ofFork session: SessionRecord) -> String {
        let mark = #/ \(fork of s\d+\)$/#
        let title = session.title.replacing(mark, with: "")
        return "\(title) (fork of \(session.id))"
    }

    private func open(_ id: SessionID) throws(Failure) -> LeftSession {
        let record = try session(id)
        guard record.workspace.isSameName(as: workspace) else {
            throw Failure(
                .otherWorkspace, "\(id) belongs to the folder \(record.workspace), and this is \(workspace).")
        }
        let engines = folders.engines
        let lines = try archive.get().open(id, owner: try chat.get().name) { EngineLock.isAlive($0, in: engines) }
        return try left(id, lines: lines)
    }

    /// A conversation as it is taken up again. What a crash left unanswered is answered by what has become of it.
    func left(_ id: SessionID, lines: [String]) throws(Failure) -> LeftSession {
        takeModel(ofSession: id)
        let messages = try archive.get().messages(of: id)
        let history = messages.map(\.message)
        let open = Transcript.open(in: history).first
        return LeftSession(
            id: id, history: history, turns: messages.map(\.turn).max() ?? 0, lines: lines,
            waits: try open.map { call throws(Failure) in try waitingWorkflow(of: call, in: id) != nil } ?? false)
    }

    /// Returns the workflow for which a call of a turn waits that can go on; `nil` for any other call.
    func waitingWorkflow(of call: ChatCall, in session: SessionID) throws(Failure) -> WorkflowID? {
        guard case .waits(let made) = try archive.get().trace(of: call.id, in: session) else { return nil }
        if let id = made.last { return id }
        guard case .retry(let id, _)? = try? PlannerTools.read(call, catalogue: (try? catalogue.get()) ?? Catalogue())
        else { return nil }
        return id
    }

    // MARK: Calls that a crash cut

    /// The messages, with an answer after each call that has none and of which something is known. Of others the
    /// conversation itself says that they are lost.
    func answered(_ messages: [ChatMessage], in session: SessionID) throws(Failure) -> [ChatMessage] {
        var answered: [ChatMessage] = []
        for (index, message) in messages.enumerated() {
            answered.append(message)
            guard !message.calls.isEmpty else { continue }
            let answers = Set(messages[(index + 1)...].prefix { $0.role == .tool }.compactMap(\.callID))
            let open = message.calls.filter { !answers.contains($0.id) }
            let traces = try open.map { call throws(Failure) in try archive.get().trace(of: call.id, in: session) }
            // That they are wanted is stored one after the other, before the first is begun: what is known of one tells
            // of the others.
            guard open.count < message.calls.count || traces.contains(where: { $0 != .unknown }) else { continue }
            for (call, trace) in zip(open, traces) {
                guard let result = try result(of: call, trace) else { continue }
                answered.append(ChatMessage(.tool, result.withoutKeys(keyRing.filter).text, callID: call.id))
            }
        }
        return answered
    }

    private func result(of call: ChatCall, _ trace: CallTrace) throws(Failure) -> CallResult? {
        switch trace {
        case .unknown, .notBegun: return Self.notBegun
        case .begun(let workflows), .waits(let workflows):
            if let id = workflows.last { return try result(of: id, trace) }
            // It made none of its own: it took one up again, or had not come so far.
            switch try? PlannerTools.read(call, catalogue: (try? catalogue.get()) ?? Catalogue()) {
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
        guard let summary = try archive.get().summaries(only: id).first else { return nil }
        switch summary.record.outcome {
        case .succeeded: return .succeeded(try standing(id, "succeeded", "\(cause); it has succeeded all the same."))
        case .failed, .cancelled:
            let failure = try archive.get().steps(of: id).compactMap(\.failure).first
            return .failed(
                failure ?? Failure(.workflowFailed, "\(id) \(summary.record.outcome?.rawValue ?? "failed")."))
        case .waiting, nil:
            return .succeeded(
                try standing(id, "waiting", "\(cause); it is not over. show_workflow says how it stands."))
        }
    }

    /// Without contents, sizes and hashes: which of them a model may see is for `show_workflow` to decide.
    private func standing(_ id: WorkflowID, _ outcome: String, _ note: String) throws(Failure) -> JSON {
        let outputs = try archive.get().assets(of: id).suffix(Limits.outputsTold).map { asset in
            JSON.of([
                "step": .int(asset.run.step.index), "port": .string(asset.port), "type": .string(asset.type.name),
                "path": asset.meta["path"],
            ])
        }
        return .of([
            "workflow": .string(id.description), "outcome": .string(outcome), "note": .string(note),
            "answers": PersonAnswers(look: WorkflowRecords(self)).json(of: id), "outputs": .array(outputs),
        ])
    }
}
