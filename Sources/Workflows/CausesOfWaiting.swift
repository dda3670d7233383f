import JSON
import Vocabulary

/// The part of `why` for steps that wait: for a slot, a provider, a person or a time.
extension Causes {
    mutating func tellOfReady(_ index: Int, _ depth: Int) {
        let step = known.steps[index]
        let until = step.dueAt.map { " Until \($0)." } ?? ""
        let words = step.reason?.words ?? "It is looked at before it starts."
        add(
            index, depth, at: since(index), step.reason?.code.text ?? "ready",
            "\(name(index)) is ready: \(words)\(until)")
        if step.reason?.code == .waitingForSlot {
            let others = known.busy.filter { $0.id != step.id }
            for other in others.prefix(Limits.causeRoots) {
                let words = "A slot is taken by \(other.id.workflow), step \(other.id.index) (\(other.node))."
                add(nil, depth + 1, at: other.updatedAt, "slotTaken", words)
            }
            if others.count > Limits.causeRoots {
                add(nil, depth + 1, at: nil, "slotTaken", "\(others.count - Limits.causeRoots) more steps run.")
            }
        }
        tellWhoAsked(index, depth + 1, before: known.now, after: known.record.createdAt)
    }

    mutating func tellOfPerson(_ index: Int, _ depth: Int) {
        guard let record = known.awaits[index] else {
            return add(index, depth, at: since(index), "awaitingUser", "\(name(index)) needs your input.")
        }
        let title = "\(name(index)) needs your input: \(record.title) (\(record.reason))"
        add(index, depth, at: record.createdAt, record.type.rawValue, title)
        let until = record.until.map { " until \($0)" } ?? ""
        switch record.status(at: known.now) {
        case .claimed: add(index, depth + 1, at: nil, "claimed", "\(record.claimedBy ?? "Somebody") is at it\(until).")
        case .snoozed: add(index, depth + 1, at: nil, "snoozed", "It was put off\(until).")
        case .done:
            let by = record.answeredBy ?? "somebody"
            add(
                index, depth + 1, at: record.closedAt, "answered",
                "\(by) has answered (\(record.resolution ?? "done")); it is on its way.")
        case .pending: break
        }
        if let expiry = record.expiresAt {
            add(index, depth + 1, at: expiry, "expires", "If nobody answers by then, its time is over.")
        }
        if record.status(at: known.now) != .done {
            let verb = record.type == .confirmCall ? "approve" : "open"
            add(index, depth + 1, at: nil, "endsWith", "What ends it: 'assent \(verb) \(record.number)'")
        }
    }

    mutating func tellOfRun(_ index: Int, _ depth: Int) {
        let step = known.steps[index]
        let word = Self.word(for: step.state)
        var words = "\(name(index)) is \(word), as run \(step.attempt)"
        if let job = known.jobs[index] {
            words += " at \(job.provider)"
            if let progress = job.progress { words += ", \(Int((progress * 100).rounded(.down))) %" }
            if let place = job.queuePosition, step.state == .queuedRemote { words += ", place \(place) in its queue" }
        }
        add(index, depth, at: entered(index), step.state.rawValue, words + ".")
        if let reason = step.reason {
            let until = step.dueAt.map { " Until \($0)." } ?? ""
            add(index, depth + 1, at: since(index), reason.code.text, reason.words + until)
        } else if let due = step.dueAt {
            add(index, depth + 1, at: due, "delay", "It goes on then.")
        }
        if let asked = known.jobs[index]?.cancelRequestedAt {
            add(index, depth + 1, at: asked, "cancelRequested", "A cancel was asked for.")
            tellWhoCancelled(depth + 2)
        }
        if let pausedAt = known.record.pollingPausedAt, known.jobs[index] != nil {
            add(index, depth + 1, at: pausedAt, "paused", "Status checks are paused; the remote job goes on.")
            if let event = known.changes.last(where: { $0.body["reason"]?.string == "pauseAsked" }) {
                tell(event, depth + 2)
            }
        }
        tellWhoAsked(index, depth + 1, before: known.now)
    }

    private static func word(for state: StepState) -> String {
        switch state {
        case .queuedRemote: "queued at its provider"
        case .runningRemote: "running remotely"
        case .downloading: "downloading its outputs"
        case .runningLocal, .blocked, .ready, .awaitingUser, .succeeded, .failed, .cancelled: "running"
        }
    }

    /// Adds the cause that no engine runs the workflow, if a step could move.
    mutating func tellOfEngine() {
        let canMove = known.steps.contains { $0.state.isRunning || $0.state == .ready }
        guard !known.hasEngine, known.record.outcome == nil, canMove else { return }
        add(nil, 0, at: nil, "noEngine", "Nobody carries \(known.record.id) out now. Start a chat, or 'assent work'.")
    }
}
