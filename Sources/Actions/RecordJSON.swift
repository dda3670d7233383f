package import JSON
package import Vocabulary

// The forms of records with `--json`: one object in a line, ids as the user types them, times in RFC 3339.

extension WorkflowSummary {
    package var json: JSON { json(isBlocking: nil) }

    /// Returns the workflow as JSON.
    ///
    /// - Parameters:
    ///   - isBlocking: whether steps must wait for a person, or nil if that was not determined.
    ///   - isCarried: whether a process runs the workflow as far as it can move, or nil if that was not determined. It
    ///     is left out of a finished workflow.
    ///   - asked: the queued commands of the workflow. If steps will run again, the workflow is ready, whatever it came
    ///     to before.
    package func json(isBlocking: Bool?, isCarried: Bool? = nil, asked: [Command] = []) -> JSON {
        var record = record
        if asked.contains(where: \.verb.runsAgain) { record.outcome = nil }
        return .of([
            "workflow": .string(record.id.description), "title": .string(record.title),
            "state": .string(record.outcome == self.record.outcome ? stateName : "ready"),
            "outcome": record.outcome.map { .string($0.rawValue) },
            "steps": .int(stepCount), "done": .int(doneCount), "stale": isStale ? true : nil,
            "exit": exit.map { .int($0) },
            "awaits": .int(openAwaits),
            "blocking": isBlocking.map { .bool($0) },
            "carried": record.outcome == nil ? isCarried.map { .bool($0) } : nil, "mode": .string(record.mode.rawValue),
            "workspace": .string(record.workspace), "session": record.session.map { .string($0.description) },
            "created": .string(record.createdAt.description), "updated": .string(record.updatedAt.description),
            "archived": record.archivedAt.map { .string($0.description) },
            "pollingPaused": record.pollingPausedAt.map { .string($0.description) },
            "revision": .int(record.graphRevision),
            "asked": asked.isEmpty ? nil : .array(asked.map { .string($0.verb.words) }),
        ])
    }

    /// The outcome (`succeeded`, `failed`, `cancelled`), or the present state (`waiting`, `running`, `ready`).
    package var stateName: String {
        if let outcome = record.outcome { return outcome.rawValue }
        if states.contains(where: \.isRunning) { return "running" }
        return openAwaits > 0 ? "waiting" : "ready"
    }
}

extension StepRecord {
    package var json: JSON {
        .of([
            "workflow": .string(id.workflow.description), "step": .int(id.index), "node": .string(node),
            "kind": .string(kind),
            "state": .string(state.rawValue), "reason": reason.map { .string($0.code.text) },
            "words": reason.map { .string($0.words) },
            "attempt": .int(attempt), "failure": failure?.json, "due": dueAt.map { .string($0.description) },
            "updated": .string(updatedAt.description), "stale": staleSince.map { .string($0.description) },
            "edits": edits.map { .array($0.keys.map { .string($0) }) }, "repeats": replays.map { .int($0) },
        ])
    }
}

extension PinnedInput {
    package var json: JSON {
        [
            "step": .int(step), "port": .string(port), "producer": .int(asset.run.step.index),
            "attempt": .int(asset.run.attempt),
            "name": .string(asset.name), "sha256": .string(asset.hash.hex),
        ]
    }
}

extension Cause {
    /// Returns the cause as JSON.
    ///
    /// - Parameter now: the time for a cause without a recorded time.
    package func json(at now: Moment) -> JSON {
        .of([
            "at": .string((at ?? now).description), "type": "cause", "step": step.map { .int($0) },
            "body": ["code": .string(code), "words": .string(words), "depth": .int(depth)],
        ])
    }
}

extension JobRecord {
    /// The job as JSON, without captured values, since addresses of jobs may hold keys.
    package var json: JSON {
        .of([
            "provider": .string(provider), "phase": .string(phase.rawValue), "key": .string(key),
            "progress": progress.map { .double($0) },
            "queuePosition": queuePosition.map { .int($0) }, "intended": .string(intendedAt.description),
            "accepted": acceptedAt.map { .string($0.description) },
            "running": runningAt.map { .string($0.description) },
            "cancelRequested": cancelRequestedAt.map { .string($0.description) },
        ])
    }
}

extension InboxEntry {
    /// Returns the whole await as JSON, without the draft of a person's answer.
    package func json(at now: Moment) -> JSON {
        let status = record.status(at: now)
        let isOver = status == .done
        return .of([
            "number": .int(Int(record.number)), "kind": .string(record.type.rawValue),
            "status": .string(status.rawValue),
            "workflow": .string(record.step.workflow.description), "step": .int(record.step.index),
            "node": node.isEmpty ? nil : .string(node), "title": .string(record.title),
            "reason": .string(record.reason),
            "urgency": .string(record.urgency.rawValue), "digest": record.digest.map { .string($0.hex) },
            "link": .string(record.link),
            "created": .string(record.createdAt.description),
            "expires": record.expiresAt.map { .string($0.description) },
            "until": status == .pending || isOver ? nil : record.until.map { .string($0.description) },
            "claim": record.claim == 0 ? nil : .int(record.claim),
            "claimedBy": status == .claimed ? record.claimedBy.map { .string($0) } : nil,
            "snoozes": .int(record.snoozes),
            "hasDraft": record.draft == nil ? nil : true, "blocking": .bool(!blocked.isEmpty),
            "blocks": .array(
                blocked.map { ["step": .int($0.step), "node": .string($0.node), "title": .string($0.title)] }),
            "resolution": record.resolution.map { .string($0) }, "answeredBy": record.answeredBy.map { .string($0) },
            "closed": record.closedAt.map { .string($0.description) }, "call": record.question?["call"],
            "request": record.isAboutCall ? nil : record.request?.json ?? record.question,
        ])
    }
}

extension RunRecord {
    package var json: JSON {
        .of([
            "run": .string(id.description), "kind": .string(kind.rawValue), "started": .string(startedAt.description),
            "finished": finishedAt.map { .string($0.description) }, "ending": ending.map { .string($0) },
            "failure": failure?.json,
            "params": .object(params), "digest": callDigest.map { .string($0.hex) },
            "toolVersion": toolVersion.map { .string($0.hex) }, "job": job?.json,
            "inputRuns": .object(
                JSON.Object(
                    members: inputs.sorted { $0.key < $1.key }.map {
                        JSON.Object.Member(key: $0.key, value: .string($0.value.run.description))
                    })),
            "inputs": .object(
                JSON.Object(
                    members: inputs.sorted { $0.key < $1.key }.map {
                        JSON.Object.Member(key: $0.key, value: .string($0.value.hash.hex))
                    })),
        ])
    }
}

extension Asset {
    package var json: JSON {
        .of([
            "run": .string(run.description), "port": .string(port), "type": .string(type.name),
            "sha256": .string(hash.hex),
            "bytes": .int(bytes),
            "name": .string(name), "meta": shownMeta.isEmpty ? nil : .object(shownMeta),
        ])
    }
}

extension EventRecord {
    package var json: JSON {
        .of([
            "at": .string(at.description), "type": .string(type), "step": step.map { .int($0) },
            "attempt": attempt.map { .int($0) },
            "body": body,
        ])
    }
}

extension SessionRecord {
    package var json: JSON {
        .of([
            "session": .string(id.description), "title": .string(title), "workspace": .string(workspace),
            "messages": .int(messageCount),
            "started": .string(startedAt.description), "updated": .string(updatedAt.description),
        ])
    }
}

extension MessageRecord {
    package var json: JSON {
        .of([
            "turn": .int(turn), "at": .string(at.description), "role": .string(message.role.rawValue),
            "text": .string(message.text),
            "calls": message.calls.isEmpty
                ? nil
                : .array(
                    message.calls.map {
                        .of(["id": .string($0.id), "name": .string($0.name), "arguments": $0.arguments])
                    }),
            "answers": message.callID.map { .string($0) }, "partial": message.isPartial ? true : nil,
            "reasoning": message.reasoning.isEmpty ? nil : .string(message.reasoning),
            "pictures": message.pictures.isEmpty ? nil : .array(message.pictures.map { .string($0.words) }),
        ])
    }
}

extension ToolManifest {
    package func json(unavailable: Reason?) -> JSON {
        .of([
            "kind": .string(kind), "title": .string(title), "summary": .string(summary),
            "inputs": .array(inputs.map(\.json)), "outputs": .array(outputs.map(\.json)),
            "params": .array(params.map(\.json)), "effects": .array(effects.sorted().map { .string($0.rawValue) }),
            "undo": reversibility.json, "idempotent": .bool(isIdempotent),
            "idempotentWith": idempotentWith.isEmpty
                ? nil
                : .object(
                    idempotentWith.sorted { $0.key < $1.key }.reduce(into: JSON.Object()) {
                        $0[$1.key] = .array($1.value.map { .string($0) })
                    }),
            "class": .string(queue.rawValue), "drops": drops.isEmpty ? nil : .array(drops.map { .string($0) }),
            "unavailable": unavailable.map { .string($0.words) },
        ])
    }
}

extension Port {
    fileprivate var json: JSON {
        .of([
            "name": .string(name), "type": .string(type.name), "optional": isOptional ? true : nil,
            "many": isVariadic ? true : nil,
        ])
    }
}

extension ToolManifest.Param {
    fileprivate var json: JSON {
        .of([
            "name": .string(name), "type": .string(kind.rawValue), "required": isRequired ? true : nil,
            "default": defaultValue,
            "min": minimum.map { .double($0) }, "max": maximum.map { .double($0) },
            "choices": choices.isEmpty ? nil : .array(choices.map { .string($0) }), "unit": unit.map { .string($0) },
            "summary": .string(summary),
        ])
    }
}
