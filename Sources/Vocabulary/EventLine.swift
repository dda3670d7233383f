package import JSON

extension Event {
    /// `step.changed` and so on, as in `architecture.md`, "Events".
    package var type: String {
        switch kind {
        case .sessionStarted: "session.started"
        case .sessionLeft: "session.left"
        case .messageDelta: "message.delta"
        case .messageCompleted: "message.completed"
        case .usage: "usage"
        case .call(_, _, let state): "call.\(state.name)"
        case .looked: "look.done"
        case .questionAsked: "question.asked"
        case .questionAnswered: "question.answered"
        case .workflowCreated: "workflow.created"
        case .stepChanged: "step.changed"
        case .awaitOpened: "await.opened"
        case .awaitClosed: "await.closed"
        case .awaitChanged: "await.changed"
        case .awaitRefused: "await.refused"
        case .awaitTaken: "await.taken"
        case .stepAnnotated: "step.annotated"
        case .lateResult: "step.late"
        case .workflowChanged: "workflow.changed"
        case .workflowFinished: "workflow.finished"
        case .error: "error"
        case .end: "end"
        }
    }

    /// The line that `--json` prints, without its line break: `{"v":1,"at":…,"type":…}` and the fields of the kind.
    package var line: JSON {
        var object = JSON.Object()
        object["v"] = 1
        object["at"] = .string(at.description)
        object["type"] = .string(type)
        object["session"] = session.map { .string($0.description) }
        object["turn"] = turn.map { .int($0) }
        object["workflow"] = workflow.map { .string($0.description) }
        object["step"] = step.map { .int($0) }
        object["node"] = node.map { .string($0) }
        object["run"] = run.map { .string($0.description) }
        for member in body.object?.members ?? [] { object[member.key] = member.value }
        return .object(object)
    }

    /// The fields that are specific to the kind of event. This is the part that is stored.
    package var body: JSON {
        switch kind {
        case .sessionStarted(let workspace, let model): .of(["workspace": .string(workspace), "model": .string(model)])
        case .sessionLeft: .of([:])
        case .messageDelta(let text): .of(["text": .string(text)])
        case .messageCompleted(let message):
            .of([
                "role": .string(message.role.rawValue), "text": .string(message.text),
                "partial": message.isPartial ? true : nil,
                "calls": message.calls.isEmpty
                    ? nil
                    : .array(
                        message.calls.map {
                            .of(["id": .string($0.id), "name": .string($0.name), "arguments": $0.arguments])
                        }),
                "answers": message.callID.map { .string($0) },
                "code": message.notUnderstood.isEmpty ? nil : "notUnderstood",
                "words": message.notUnderstood.isEmpty ? nil : .array(message.notUnderstood.map { .string($0) }),
                "try": message.way.map { .string($0) },
            ])
        case .usage(let model, let usage):
            .object(
                JSON.Object(members: [.init(key: "model", value: .string(model))] + (usage.json.object?.members ?? [])))
        case .call(let id, let name, let state):
            .of(["call": .string(id), "name": .string(name), "failure": state.failure?.json])
        case .looked(let kind, let digest, let result):
            .of(["kind": .string(kind), "digest": .string(digest.hex), "sha256": .string(result.hex)])
        case .questionAsked(let number, let digest, let title):
            .of(["await": .int(Int(number)), "digest": .string(digest.hex), "title": .string(title)])
        case .questionAnswered(let number, let answer, let by):
            .of(["await": .int(Int(number)), "answer": .string(answer), "by": .string(by)])
        case .workflowCreated(let title, let steps): .of(["title": .string(title), "steps": .int(steps)])
        case .stepChanged(let state, let phase, let reason, let progress, let failure):
            .of([
                "state": .string(state.rawValue), "phase": phase.map { .string($0) },
                "reason": reason.map { .string($0.code.text) },
                "words": reason.map { .string($0.words) }, "progress": progress.map { .double($0) },
                "failure": failure?.json,
            ])
        case .awaitOpened(let record):
            .of([
                "await": .int(Int(record.number)), "number": .int(Int(record.number)),
                "kind": .string(record.type.rawValue),
                "digest": record.digest.map { .string($0.hex) }, "title": .string(record.title),
                "reason": .string(record.reason),
                "link": .string(record.link),
            ])
        case .awaitClosed(let number, let type, let resolution, let by):
            .of([
                "await": .int(Int(number)), "kind": .string(type.rawValue), "resolution": .string(resolution),
                "by": .string(by),
            ])
        case .awaitChanged(let number, let status, let by, let until):
            .of([
                "await": .int(Int(number)), "status": .string(status.rawValue), "by": .string(by),
                "until": until.map { .string($0.description) },
            ])
        case .awaitRefused(let number, let refusal, let attempt, let left, let by):
            .of([
                "await": .int(Int(number)), "check": .string(refusal.check), "code": .string(refusal.code.text),
                "words": .string(refusal.words),
                "figures": refusal.figures, "attempt": .int(attempt), "left": .int(left),
                "by": .string(by),
            ])
        case .awaitTaken(let number, let why, let by):
            .of(["await": .int(Int(number)), "why": .string(why), "by": .string(by)])
        case .stepAnnotated(let part, let text, let by):
            .of(["part": part.map { .string($0) }, "text": .string(text), "by": .string(by)])
        case .lateResult(let words): .of(["words": .string(words)])
        case .workflowChanged(let reason, let by):
            .of(["reason": .string(reason.code.text), "words": .string(reason.words), "by": by.map { .string($0) }])
        case .workflowFinished(let outcome, let outputs):
            .of(["outcome": .string(outcome.rawValue), "outputs": .array(outputs.map(\.json))])
        case .error(let failure): failure.json
        case .end(let exit, let commands):
            .of(["exit": .int(exit), "commands": commands.isEmpty ? nil : .array(commands.map(\.json))])
        }
    }
}

extension Event.CallState {
    package var name: String {
        switch self {
        case .pending: "pending"
        case .running: "running"
        case .succeeded: "succeeded"
        case .waiting: "waiting"
        case .failed: "failed"
        case .declined: "declined"
        }
    }

    fileprivate var failure: Failure? {
        switch self {
        case .pending, .running, .succeeded, .waiting: nil
        case .failed(let failure): failure
        case .declined(let words): Failure(.declined, words)
        }
    }
}

extension Reply.Usage {
    /// `{"prompt_tokens":…,"cached_tokens":…,"completion_tokens":…,"reasoning_tokens":…,"cost_microdollars":…}`
    package var json: JSON {
        .of([
            "prompt_tokens": .int(promptTokens), "cached_tokens": .int(cachedTokens),
            "completion_tokens": .int(completionTokens),
            "reasoning_tokens": .int(reasoningTokens), "cost_microdollars": cost.map { .int($0) },
        ])
    }
}

extension Event.Output {
    package var json: JSON {
        .of([
            "step": .int(step), "port": .string(port), "type": .string(type.name), "path": path.map { .string($0) },
            "sha256": .string(hash.hex), "bytes": .int(bytes),
            "changed": changed?.json, "partial": partial.json, "programNotAllowed": meta["programNotAllowed"],
            "thrownAway": meta["thrownAway"], "notReached": meta["notReached"],
        ])
    }
}

extension Failure {
    /// `code`, `message`, `remedy`. The cause stays in the log.
    package var json: JSON {
        .of(["code": .string(code.text), "message": .string(message), "remedy": remedy.map { .string($0) }])
    }
}
