import JSON
import Vocabulary

/// The part of a flow for questions to persons and their answers (`semantics.md` 2, 40–48).
extension Flow {
    mutating func ask(_ index: Int, _ record: AwaitRecord, in transition: inout Transition) {
        move(
            index, .asked, reason: Reason(.needsYou, record.reason), phase: jobs[index]?.record.phase.rawValue,
            in: &transition)
        transition.batch.awaitsOpened.append(record)
        if let expiry = record.expiresAt { transition.intents.append(.wakeByWall(index, at: expiry)) }
    }

    /// Applies the answer to a question about a call.
    mutating func answer(_ index: Int, _ answer: Answer, by: String, in transition: inout Transition) {
        switch answer {
        case .yes, .yesToPlan: pass(index, resolution: "approved", by: by, in: &transition)
        case .part: pass(index, resolution: "narrowed", by: by, in: &transition)
        case .no(let reason): reject(index, reason, by: by, in: &transition)
        }
    }

    mutating func complete(
        _ index: Int, _ completion: Completion, _ agreed: ContentHash?, by: String, in transition: inout Transition
    ) {
        transition.batch.isPrecious = true
        switch completion {
        case .outputs(let assets) where graph.nodes[index].isPerson:
            produce(index, assets, resolution: "completed", by: by, in: &transition)
        case .skipped(let words) where graph.nodes[index].isPerson:
            skip(index, words, by: by, in: &transition)
        case .agreed(let edits) where isGate(index):
            if let edits { edit(index, edits) }
            steps[index].agreed = agreed
            pass(index, resolution: "agreed", by: by, in: &transition)
        case .submittedAs(let id) where isAskedAboutSubmission(index):
            jobs[index]?.record.captured["jobId"] = .string(id)
            jobs[index]?.state = .submitted(earlyChecks: nil)
            jobs[index]?.record.acceptedAt = transition.now
            keepJob(index, in: &transition)
            pass(index, resolution: "found", by: by, in: &transition)
        case .lookAgain where isAskedAboutSubmission(index):
            pass(index, resolution: "lookAgain", by: by, in: &transition)
        case .submitAgain where isAskedAboutSubmission(index):
            // Unless it has turned out meanwhile that the provider took it.
            if jobs[index]?.record.phase != .submitted {
                jobs[index]?.state = .intended(waitsForSlot: false)
                keepJob(index, in: &transition)
            }
            steps[index].tries = 1
            pass(index, resolution: "submitAgain", by: by, in: &transition)
        case .rejected(let reason): reject(index, reason, by: by, in: &transition)
        case .outputs, .skipped, .agreed, .submittedAs, .lookAgain, .submitAgain:
            // Nobody who looks before asking gets here; but an answer that is stored is taken, whatever it is.
            let failure = Failure(
                .badAnswer, "The answer does not fit what was asked.",
                remedy: "Retry step \(graph.word(of: index)) to be asked again.")
            give(up: index, failure, isCancelled: false, in: &transition)
        }
    }

    /// Returns whether a person is asked if a job was submitted. The open await decides, since a job in doubt can also
    /// wait for a key (`connect`).
    func isAskedAboutSubmission(_ index: Int) -> Bool { openAwaits[index]?.type == .submitUnknown }

    private func isGate(_ index: Int) -> Bool { !graph.nodes[index].isPerson && !isAskedAboutSubmission(index) }

    /// Asks again whether a job was submitted, since the job that a person named belongs to another run. If the job is
    /// known meanwhile, the run continues.
    mutating func askAgain(_ index: Int, _ words: String, by: String, in transition: inout Transition) {
        if hasTakenJob(index) { return pass(index, resolution: "found", by: by, in: &transition) }
        closeAwait(of: index, resolution: "found", by: by, in: &transition)
        move(index, .agreed, reason: slotReason(index), in: &transition)
        askAboutSubmission(index, words, in: &transition)
    }

    /// Ends an await whose time is over, as its template says: `.cancel`, `.autoDefault` or `.skip` (`semantics.md`
    /// 41). An answer that a person stored first wins.
    mutating func expire(_ index: Int, _ offered: Asset?, in transition: inout Transition) {
        guard let spec = graph.nodes[index].awaits, openAwaits[index]?.type == spec.type else { return }
        transition.batch.isPrecious = true
        let openBefore = transition.batch.awaitsClosed.count
        switch spec.onTimeout {
        case .skip where graph.nodes[index].isPerson: skip(index, "", by: "expiry", in: &transition)
        case .autoDefault:
            if let assets = defaultOutputs(of: index) ?? offered.map({ [$0] }), graph.nodes[index].isPerson {
                produce(index, assets, resolution: "default", by: "expiry", in: &transition)
            } else if spec.type == .confirmParams, !graph.nodes[index].isPerson {
                // For what was shown when it was asked: whatever else comes in is asked about anew.
                steps[index].agreed = openAwaits[index]?.digest
                pass(index, resolution: "default", by: "expiry", in: &transition)
            } else {
                endUnanswered(index, in: &transition)
            }
        case .skip, .cancel: endUnanswered(index, in: &transition)
        }
        for place in openBefore..<transition.batch.awaitsClosed.count {
            transition.batch.awaitsClosed[place].yields = true
        }
    }

    private mutating func endUnanswered(_ index: Int, in transition: inout Transition) {
        closeAwait(of: index, resolution: "expired", by: "expiry", in: &transition)
        let failure = Failure(
            .awaitExpired, "Nobody answered in time.", remedy: "Retry step \(graph.word(of: index)) to ask again.")
        give(up: index, failure, isCancelled: false, in: &transition)
    }

    /// Returns the default output of a step of a person: the only input that fits the port, if there is exactly one.
    private func defaultOutputs(of index: Int) -> [Asset]? {
        guard graph.nodes[index].isPerson, graph.nodes[index].outputs.count == 1 else { return nil }
        let port = graph.nodes[index].outputs[0]
        let candidates = inputs(of: index).values.filter { port.type.accepts($0.type) }
        guard candidates.count == 1, var asset = candidates.first else { return nil }
        asset.port = port.name
        return [asset]
    }

    // MARK: What comes of it

    private mutating func pass(_ index: Int, resolution: String, by: String, in transition: inout Transition) {
        transition.batch.isPrecious = true
        closeAwait(of: index, resolution: resolution, by: by, in: &transition)
        move(index, .agreed, reason: slotReason(index), in: &transition)
        transition.intents.append(.consider(index))
    }

    private mutating func reject(_ index: Int, _ reason: String, by: String, in transition: inout Transition) {
        transition.batch.isPrecious = true
        let words = reason.isEmpty ? "The person said no." : "The person said no: \(reason)"
        closeAwait(of: index, resolution: "rejected", by: by, in: &transition)
        // Of a job that may exist, "no" is no cancel: nobody can know what there is to cancel.
        if let unwatched = unwatched(index) {
            return give(up: index, unwatched.failure, isCancelled: !unwatched.isUnknown, in: &transition)
        }
        give(up: index, Failure(.rejected, words), isCancelled: true, in: &transition)
    }

    /// Stores the answer of a person as a finished run of the step, which has no tool.
    private mutating func produce(
        _ index: Int, _ assets: [Asset], resolution: String, reason: Reason? = nil, by: String,
        in transition: inout Transition
    ) {
        closeAwait(of: index, resolution: resolution, by: by, in: &transition)
        beginAttempt(index)
        let run = RunID(steps[index].id, attempt: steps[index].attempt)
        let own = assets.map { asset in
            var own = asset
            own.run = run
            return own
        }
        let material = Frozen(inputs: inputs(of: index), params: params(of: index))
        frozen[index] = material
        transition.batch.runsStarted.append(
            RunRecord(
                id: run, kind: .person, startedAt: transition.now, inputs: material.inputs, params: material.params))
        transition.batch.runsEnded.append(Batch.RunEnd(run: run, at: transition.now, ending: .succeeded(own)))
        outputs[index] = Dictionary(own.map { ($0.port, $0) }) { _, later in later }
        archive(index)
        move(index, .produced, reason: reason, in: &transition)
        settle(consumersOf: index, in: &transition)
    }

    static var skipped: Reason { Reason(.skipped, Reason.skippedWords) }

    /// Skips a step of a person, if no consumer requires its outputs. Otherwise the step is rejected.
    private mutating func skip(_ index: Int, _ words: String, by: String, in transition: inout Transition) {
        guard canBeSkipped(index) else { return reject(index, "It cannot be skipped.", by: by, in: &transition) }
        let reason = words.isEmpty ? Self.skipped : Reason(.skipped, words)
        produce(index, [], resolution: "skipped", reason: reason, by: by, in: &transition)
    }

    /// Returns whether a step may be skipped: a person does it, no step requires its outputs, and its form of answer
    /// allows it.
    package func canBeSkipped(_ index: Int) -> Bool {
        graph.nodes[index].isPerson && graph.nodes[index].awaits?.accept.map { $0.skip != nil } ?? true
            && !graph.consumers[index].contains { consumer in
                graph.nodes[consumer].inputs.contains { !$0.isOptional && $0.producer?.node == index }
            }
    }

    mutating func closeAwait(of index: Int, resolution: String, by: String, in transition: inout Transition) {
        // One that is not even stored yet, and so has no number, is not opened at all.
        transition.batch.awaitsOpened.removeAll { $0.step == steps[index].id }
        guard let open = openAwaits.removeValue(forKey: index) else { return }
        transition.batch.awaitsClosed.append(
            Batch.AwaitClose(number: open.number, resolution: resolution, by: by, at: transition.now))
        transition.batch.events.append(
            event(
                index, .awaitClosed(await: open.number, type: open.type, resolution: resolution, by: by),
                now: transition.now))
    }

    mutating func edit(_ index: Int, _ edits: JSON.Object) {
        var all = steps[index].edits ?? JSON.Object()
        for member in edits.members { all[member.key] = member.value }
        steps[index].edits = all
        touch(index)
    }
}
