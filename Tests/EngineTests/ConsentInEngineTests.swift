import CaseNames
import Consent
import Engine
import Glibc
import Harness
import JSON
import Storage
import Synchronization
import Testing
import Vocabulary

@Suite(.serialized) struct ConsentInEngineTests {
    private func asked(_ rig: EngineRig, count: Int = 1) async throws -> AwaitRecord {
        try await rig.until("the question") { try rig.openAwaits().count == count }
        return try #require(try rig.openAwaits().first)
    }

    @Test func aQuestionIsAskedOnceAndAYesRunsTheStepOnce() async throws {
        let rig = try EngineRig()
        let id = try rig.make("w:Write")
        let engine = try rig.start()
        let record = try await asked(rig)
        #expect(record.type == .confirmCall && rig.runs("w") == 0)
        #expect(try rig.approve(record) == .taken)
        engine.look()
        #expect(try await rig.finished(id) == .succeeded)
        #expect(rig.runs("w") == 1)
        #expect(try rig.archive.awaits(includingDone: true).count == 1 && rig.archive.approvals(of: id).isEmpty)
        #expect(try rig.archive.decisions(of: id).map(\.type) == ["allow"])
    }

    /// A yes to a rehearsal is used up before it begins; one that begins as the engine leaves would be cut, and asked
    /// about again.
    @Test func anEngineThatLeavesUsesUpNoYesForARehearsal() async throws {
        let gate = Mutex((isClosed: false, isReached: false))
        let rig = try EngineRig()
        let id = try rig.make("r:Rehearsed")
        let engine = try rig.start(
            "one",
            beforeCommit: {
                gate.withLock { $0.isReached = $0.isClosed }
                while gate.withLock({ $0.isClosed }) { usleep(1000) }
            })
        let record = try await asked(rig)
        let preparations = rig.state.withLock { state in
            state.arePreparationsHeld = true
            return state.preparations
        }
        #expect(try rig.approve(record) == .taken)
        engine.look()
        try await rig.until("the second look") { rig.state.withLock { $0.preparations } > preparations }
        // While it is at another workflow, what it looked for reaches it together with the wish to leave.
        gate.withLock { $0.isClosed = true }
        engine.carry(try rig.make("p:Pass", owner: "one"))
        try await rig.until("the other workflow") { gate.withLock { $0.isReached } }
        rig.state.withLock { $0.arePreparationsHeld = false }
        engine.stop { [state = rig.state] in state.withLock { _ = $0.living.remove("one") } }
        gate.withLock { $0.isClosed = false }
        try await rig.until("the end of the engine") { rig.state.withLock { $0.living.isEmpty } }
        #expect(try rig.archive.approvals(of: id).count == 1 && rig.state.withLock { $0.rehearsals } == 0)
        try rig.start("two")
        #expect(try await rig.finished(id) == .failed)
        #expect(try rig.archive.awaits(includingDone: true).count == 1 && rig.state.withLock { $0.rehearsals } == 1)
    }

    /// A question that is open when its workflow is cancelled may have a large rehearsal. Other steps have none.
    @Test func aCancelRemovesWhatWasRehearsedForAQuestion() async throws {
        let rig = try EngineRig()
        let id = try rig.make("p:Pass w:Write")
        let engine = try rig.start()
        let record = try await asked(rig)
        #expect(rig.state.withLock { $0.forgotten }.isEmpty)
        try rig.archive.put(.cancel, for: id, at: Moment(milliseconds: 1))
        engine.look()
        #expect(try await rig.finished(id) == .cancelled)
        try await rig.until("the removal") { !rig.state.withLock { $0.forgotten }.isEmpty }
        #expect(rig.state.withLock { $0.forgotten } == [RunID(record.step, attempt: 1)])
    }

    /// `consent.md` guarantee 10, as another process sees it while the effect is under way.
    @Test func theDecisionIsStoredBeforeTheEffectStarts() async throws {
        let seen = Mutex<[[String]]>([])
        let rig = try EngineRig { rig, assignment, _ in
            let decided =
                (try? Archive(folder: rig.folder).decisions(of: assignment.run.step.workflow).map(\.type)) ?? []
            seen.withLock { $0.append(decided) }
            return nil
        }
        let id = try rig.make("w:Write")
        let engine = try rig.start()
        #expect(try rig.approve(try await asked(rig)) == .taken)
        engine.look()
        #expect(try await rig.finished(id) == .succeeded)
        #expect(seen.withLock { $0 } == [["allow"]])
    }

    /// Row 48.
    @Test func aRestartAsksNoSecondTime() async throws {
        let rig = try EngineRig()
        let id = try rig.make("w:Write")
        try rig.start("one")
        _ = try await asked(rig)
        rig.kill("one")
        try rig.start("two")
        try await rig.looks("two")
        #expect(try rig.archive.awaits(includingDone: true).count == 1)
        #expect(try rig.approve(try await asked(rig)) == .taken)
        #expect(try await rig.finished(id) == .succeeded)
    }

    /// Parked, answered while nobody carries it, gone on with later.
    @Test(arguments: [false, true]) func anAnswerGivenWhileNobodyRunsIsHeard(isYes: Bool) async throws {
        let rig = try EngineRig()
        let id = try rig.make("w:Write")
        let engine = try rig.start("one")
        let record = try await asked(rig)
        engine.stop { [state = rig] in state.kill("one") }
        try await rig.until { rig.state.withLock { $0.living.isEmpty } }
        if isYes {
            _ = try rig.approve(record)
        } else {
            _ = try rig.archive.answer(
                record.number, .no(reason: "no"), approvals: [], by: "me", at: Moment(milliseconds: 1))
        }
        try rig.start("two")
        #expect(try await rig.finished(id) == (isYes ? .succeeded : .cancelled))
        #expect(rig.runs("w") == (isYes ? 1 : 0))
        #expect(try rig.step(id, "w").failure?.code == (isYes ? nil : "rejected"))
    }

    /// The no holds from its key on, and its reason follows, or does not.
    @Test(arguments: [true, false]) func aNoWaitsForItsReason(isExplained: Bool) async throws {
        let rig = try EngineRig()
        let id = try rig.make("w:Write")
        let engine = try rig.start()
        let record = try await asked(rig)
        let now = rig.state.withLock { $0.now }
        let no = Answer.no(reason: "")
        #expect(
            try rig.archive.answer(record.number, no, approvals: [], by: "me", at: now, heldUntil: now + 300) == .taken)
        // Whoever says yes meanwhile is too late.
        let late = try rig.archive.answer(record.number, .yes, approvals: [], by: "other", at: now)
        #expect(late == .alreadyAnswered(resolution: "rejected", by: "me", at: now))
        engine.look()
        let other = try rig.make("p:Pass", owner: "one")
        engine.carry(other)
        #expect(try await rig.finished(other) == .succeeded)
        #expect(try rig.step(id, "w").state == .awaitingUser, "the engine has looked, and holds the no back")
        if isExplained {
            #expect(try rig.archive.explain(record, "too early"))
            #expect(try !rig.archive.explain(record, "later"), "a reason is given once")
        } else {
            rig.state.withLock { $0.now = $0.now + 301 }
        }
        engine.look()
        #expect(try await rig.finished(id) == .cancelled)
        let failure = try rig.step(id, "w").failure
        #expect(failure?.code == "rejected" && failure?.message.contains("too early") == isExplained)
        #expect(rig.runs("w") == 0)
    }

    /// What a yes to the plan covers already is not listed again; what cannot be told yet is named, and no yes covers
    /// it.
    @Test func aPlanListsWhatIsStillToBeAsked() async throws {
        let rig = try EngineRig()
        _ = try rig.make("a:Write b:Write(a) c:Write(b) d:Refused(c)", mode: .alwaysAsk)
        let engine = try rig.start()
        let record = try await asked(rig)
        let first = try Question(json: try #require(record.question))
        let left = [Question.LeftOut(step: 4, tool: "Refused", reason: "It is there already.")]
        #expect(first.plan.map(\.step) == [2, 3] && first.leftOut == left)
        // The third step is approved with the first, the second is not.
        let (now, epoch) = rig.state.withLock { ($0.now, $0.policy.epoch) }
        let yeses = [(1, first.digest, false)] + first.plan.filter { $0.step == 3 }.map { ($0.step, $0.digest, true) }
        let approvals = yeses.map { step, digest, isPlanned in
            Approval(
                digest: digest, isPlanned: isPlanned, step: StepID(record.step.workflow, step),
                awaitNumber: record.number, by: "me",
                at: now, expiresAt: now + 3600, policyEpoch: epoch)
        }
        #expect(try rig.archive.answer(record.number, .yesToPlan, approvals: approvals, by: "me", at: now) == .taken)
        engine.look()
        try await rig.until("the second question") { try rig.openAwaits().contains { $0.number != record.number } }
        let second = try Question(json: try #require(try rig.openAwaits().first?.question))
        #expect(second.plan.isEmpty && second.leftOut == left, "\(second.plan.map(\.step))")
    }

    /// `consent.md` guarantee 1: what has changed since the yes is asked anew.
    @Test func aTargetThatChangedAfterTheYesIsAskedAnew() async throws {
        let rig = try EngineRig()
        let id = try rig.make("w:Write")
        try rig.start()
        let first = try await asked(rig)
        rig.state.withLock { $0.fileSize = 2 }
        _ = try rig.approve(first)
        try await rig.until("the second question") {
            try rig.openAwaits().first.map { $0.number != first.number } ?? false
        }
        let second = try await asked(rig)
        #expect(rig.runs("w") == 0 && second.digest != first.digest)
        _ = try rig.approve(second)
        #expect(try await rig.finished(id) == .succeeded)
        #expect(rig.runs("w") == 1)
    }

    /// A yes is used up: the retry of what it allowed asks again.
    @Test func anApprovalIsUsedOnce() async throws {
        let rig = try EngineRig { _, assignment, _ in
            assignment.run.attempt == 1 ? .failed(Failure("broken", "It broke.")) : nil
        }
        let id = try rig.make("w:Write")
        try rig.start()
        _ = try rig.approve(try await asked(rig))
        #expect(try await rig.finished(id) == .failed)
        try rig.archive.put(.retry(step: 1), for: id, at: Moment(milliseconds: 1))
        let second = try await asked(rig)
        #expect(second.number == 2 && rig.runs("w") == 1)
        _ = try rig.approve(second)
        try await rig.until { try rig.outcome(id) == .succeeded }
        #expect(rig.runs("w") == 2)
    }

    /// `consent.md` guarantee 14: the secret is neither asked nor stored, and yet the yes fits.
    @Test func aToolWithASecretCanBeApproved() async throws {
        let rig = try EngineRig()
        let id = try rig.make("s:Secret", params: ["s": #"{"key":"hunter2"}"#])
        try rig.start()
        let record = try await asked(rig)
        #expect(record.question?.text.contains("hunter2") == false)
        _ = try rig.approve(record)
        #expect(try await rig.finished(id) == .succeeded)
        #expect(try rig.archive.decisions(of: id).allSatisfy { !$0.body.text.contains("hunter2") })
    }

    @Test(arguments: [(OnAsk.deny, Outcome.cancelled, "denied"), (.fail, .failed, "needsApproval")])
    func whoMayNotAskDoesNot(onAsk: OnAsk, outcome: Outcome, code: String) async throws {
        let rig = try EngineRig()
        let id = try rig.make("w:Write", onAsk: onAsk)
        try rig.start()
        #expect(try await rig.finished(id) == outcome)
        #expect(try rig.step(id, "w").failure?.code == code && rig.archive.awaits(includingDone: true).isEmpty)
        #expect(rig.runs("w") == 0)
    }

    /// `consent.md` guarantee 4 and guarantee 5.
    @Test func aPolicyThatCannotBeReadRefusesEffectsInAutoToo() async throws {
        let rig = try EngineRig()
        rig.state.withLock { $0.policy = .unreadable("policy.yaml:3") }
        let id = try rig.make("w:Write", mode: .auto)
        try rig.start()
        #expect(try await rig.finished(id) == .cancelled)
        #expect(
            try rig.step(id, "w").failure?.code == "denied" && rig.archive.decisions(of: id).map(\.type) == ["deny"])
    }

    /// `consent.md` guarantee 9.
    @Test func theFirstAnswerWins() async throws {
        let rig = try EngineRig()
        _ = try rig.make("w:Write")
        try rig.start()
        let record = try await asked(rig)
        let answers = Mutex<[Archive.Answered]>([])
        for _ in 0..<4 {
            let archive = try Archive(folder: rig.folder)
            inBackground {
                if let answer = try? rig.approve(record, with: archive) { answers.withLock { $0.append(answer) } }
            }
        }
        try await rig.until { answers.withLock { $0.count } == 4 }
        let all = answers.withLock { $0 }
        #expect(all.count { $0 == .taken } == 1)
        #expect(all.count { if case .alreadyAnswered("approved", "me", _) = $0 { true } else { false } } == 3)
        #expect(try rig.archive.answer(99, .yes, approvals: [], by: "me", at: Moment(milliseconds: 1)) == .unknown)
    }

    /// A retry puts ready steps into line again: none of them may be looked at, or run, twice at once.
    @Test func aRetryInTheMiddleNeverExceedsTheCap() async throws {
        let rig = try EngineRig { _, assignment, node in
            usleep(2_000)
            return node == "bad" && assignment.run.attempt < 6 ? .failed(Failure("broken", "It broke.")) : nil
        }
        let words = ["bad:Work"] + (0..<30).map { "o\($0):Once" }
        let id = try rig.make(words.joined(separator: " "), local: 1)
        let engine = try rig.start()
        for attempt in 1...5 {
            try await rig.until { try rig.step(id, "bad").state == .failed && rig.runs("bad") == attempt }
            try rig.archive.put(.retry(step: 1), for: id, at: Moment(milliseconds: 1))
            engine.look()
        }
        try await rig.until { try rig.outcome(id) == .succeeded }
        #expect(rig.state.withLock { $0.mostRunning[.local] } == 1)
        #expect((0..<30).allSatisfy { rig.runs("o\($0)") == 1 })
    }
}
