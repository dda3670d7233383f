import CaseNames
import Consent
import Engine
import Glibc
import Storage
import Synchronization
import Testing
import Vocabulary

@Suite(.serialized) struct EngineTests {
    // MARK: Going on

    private static let fan = "a:Work " + (0..<20).map { "f\($0):Work(a)" }.joined(separator: " ")
    private static let grid = (0..<16).map { number -> String in
        let (row, column) = (number / 4, number % 4)
        return row == 0 ? "g\(number):Pass" : "g\(number):Pass(g\(number - 4),g\((row - 1) * 4 + (column + 1) % 4))"
    }.joined(separator: " ")

    @Test(arguments: [("a:Work b:Work(a) c:Work(b)", 3), (fan, 21), (grid, 16)])
    func workflowsOfAllShapesFinish(words: String, steps: Int) async throws {
        let rig = try EngineRig()
        let id = try rig.make(words)
        try rig.start()
        #expect(try await rig.finished(id) == .succeeded)
        #expect(try rig.archive.steps(of: id).count { $0.state == .succeeded && $0.attempt == 1 } == steps)
        #expect(rig.state.withLock { $0.runs.values.allSatisfy { $0 == 1 } })
    }

    @Test(arguments: [(1, 1), (2, 2), (9, Limits.localSlots)]) func capsAreNeverExceeded(local: Int, most: Int)
        async throws
    {
        let rig = try EngineRig { _, _, _ in
            usleep(1_000)
            return nil
        }
        let words = (0..<30).map { "w\($0):Work" } + (0..<30).map { "o\($0):Once" } + (0..<20).map { "r\($0):Remote" }
        let id = try rig.make(words.joined(separator: " "), local: local)
        try rig.start()
        #expect(try await rig.finished(id) == .succeeded)
        let seen = rig.state.withLock { $0.mostRunning }
        #expect(seen[.local]! <= most && seen[.remote]! <= Limits.remoteSlots)
    }

    /// Row 12.
    @Test(arguments: ["fail-fast", "isolate-node"]) func theErrorPolicyHolds(policy: String) async throws {
        let rig = try EngineRig { _, _, node in node == "bad" ? .failed(Failure("broken", "It broke.")) : nil }
        let id = try rig.make("bad:Work next:Work(bad) a:Work b:Work(a) c:Work(b)", policy: policy, local: 1)
        try rig.start()
        #expect(try await rig.finished(id) == .failed)
        #expect(rig.runs("next") == 0 && rig.runs("c") == (policy == "fail-fast" ? 0 : 1))
        #expect(try rig.step(id, "next").reason?.code == "upstreamFailed")
    }

    @Test func cancelKillsWhatRunsAndCancelsTheRest() async throws {
        let rig = try EngineRig { rig, assignment, _ in
            while !rig.state.withLock({ $0.killed.contains(assignment.run) }) { usleep(500) }
            return .cancelled
        }
        let id = try rig.make("a:Work b:Work(a)")
        try rig.start()
        try await rig.until { rig.runs("a") == 1 }
        // From another process, as it were: nobody pokes the engine.
        try Archive(folder: rig.folder).put(.cancel, for: id, at: Moment(milliseconds: 1))
        #expect(try await rig.finished(id) == .cancelled)
        #expect(try rig.archive.steps(of: id).map(\.state) == [.cancelled, .cancelled])
    }

    @Test func transientFailuresAreTriedAgainWithTheSameInputs() async throws {
        let rig = try EngineRig { _, _, node in node == "b" ? .failed(Failure("busy", "Busy.", isTransient: true)) : nil
        }
        let id = try rig.make("a:Work b:Work(a)")
        let engine = try rig.start()
        for tries in 1...3 {
            try await rig.until("try \(tries)") {
                try rig.step(id, "b").reason?.code == "backoff" && rig.runs("b") == tries
            }
            #expect(try rig.outcome(id) == nil)
            rig.state.withLock { $0.now = $0.now + 700 }
            engine.look()
        }
        #expect(try await rig.finished(id) == .failed)
        #expect(rig.runs("b") == 4 && rig.runs("a") == 1)
        #expect(rig.state.withLock { Set($0.inputs["b"]!).count } == 1)
    }

    @Test func aDelayWaitsForItsTimeAndTakesNoSlot() async throws {
        let rig = try EngineRig()
        let id = try rig.make(
            "d:Delay e:Delay f:Delay a:Work",
            params: ["d": #"{"seconds":60}"#, "e": #"{"seconds":60}"#, "f": #"{"seconds":60}"#])
        let engine = try rig.start()
        try await rig.until { try rig.step(id, "a").state == .succeeded && rig.step(id, "f").state == .runningLocal }
        #expect(try rig.outcome(id) == nil)
        rig.state.withLock { $0.now = $0.now + 60 }
        engine.look()
        #expect(try await rig.finished(id) == .succeeded)
    }

    // MARK: Crashes

    /// Kills the engine at every place where a crash is told apart, once for each time it is passed. Another one takes
    /// over.
    @Test(arguments: FailPoint.allCases) func noCrashRepeatsOrLosesAnything(point: FailPoint) async throws {
        let words = "a:Work once:Once(a) p:Pass(once) b:Work(p) c:Work(p) d:Work(b,c)"
        var hit = 1
        while true {
            let rig = try EngineRig()
            let id = try rig.make(words)
            try rig.start("one", crash: (point, hit))
            try await rig.until("the crash or the end") {
                try rig.outcome(id) != nil || rig.state.withLock { !$0.living.contains("one") }
            }
            let isCrashed = rig.state.withLock { !$0.living.contains("one") }
            let done = try rig.archive.steps(of: id).filter { $0.state == .succeeded }
            let runs = rig.state.withLock { $0.runs }
            try rig.start("two")
            var outcome = try await rig.finished(id)
            if outcome == .failed {
                // Only a step that may not be repeated, and whose process is lost, waits for a person's word.
                #expect(
                    try rig.archive.steps(of: id).filter { $0.state == .failed }.map(\.failure?.code) == ["processLost"]
                )
                #expect(try rig.step(id, "once").state == .failed && rig.runs("once") == 0)
                try rig.archive.put(.retry(step: nil), for: id, at: Moment(milliseconds: 1))
                try await rig.until("the retry") { try rig.outcome(id) == .succeeded }
                outcome = try rig.outcome(id)
            }
            #expect(outcome == .succeeded && rig.runs("once") == 1, "\(point) \(hit)")
            for step in done {
                #expect(rig.runs(step.node) == runs[step.node] ?? 0, "\(step.node) ran again after \(point) \(hit)")
            }
            guard isCrashed else { break }
            hit += 1
        }
        #expect(hit > 5)
    }

    /// Row 16: an engine that was only stopped writes nothing once another has taken over.
    @Test func aLostFenceWritesNothing() async throws {
        let gate = Mutex(false)
        let rig = try EngineRig { rig, assignment, node in
            while node == "a", assignment.run.attempt == 1, !gate.withLock({ $0 }) { usleep(500) }
            return nil
        }
        let id = try rig.make("a:Work b:Work(a)")
        try rig.start("one")
        try await rig.until { rig.runs("a") == 1 }
        let before = try #require(try rig.archive.load(id)).fence
        #expect(try rig.archive.claim(for: "two") { _ in false }.map(\.id) == [id])
        gate.withLock { $0 = true }
        try await rig.until("a commit that comes too late") {
            rig.state.withLock { $0.lost["one"]?.contains(id) == true }
        }
        try await rig.looks()
        #expect(try rig.step(id, "a").state == .runningLocal && rig.runs("b") == 0)
        #expect(try rig.archive.load(id)?.fence == before + 1)
        var batch = Batch(workflow: id, fence: before)
        batch.outcome = .some(.succeeded)
        #expect(try rig.archive.commit([batch]).lost == [id])
        #expect(try rig.outcome(id) == nil)
    }

    /// Two questions of a workflow that rests are both being answered when their times are over: each waits for its
    /// claim, and looking at one does not bring the other's time back (simulator, seed 7805: the engine never rested
    /// again).
    @Test func whatIsClaimedPastItsTimeIsWaitedForInPeace() async throws {
        let rig = try EngineRig()
        let gate = { (minutes: Int) in
            #"{"type":"confirmParams","expiresIn":"PT\#(minutes)M","resumePolicy":{"onTimeout":"cancel"}}"#
        }
        let id = try rig.make("a:Work b:Work", awaits: ["a": gate(10), "b": gate(11)])
        try rig.start()
        try await rig.until("both questions") { try rig.openAwaits().count == 2 }
        for record in try rig.openAwaits() {
            let now = rig.state.withLock { $0.now }
            let answer = try rig.archive.claim(record.number, by: "me", at: now + 590)
            guard case .yours = answer else {
                Issue.record("\(answer)")
                return
            }
        }
        for seconds in [630.0, 40] {
            let loads = rig.state.withLock { state in
                state.now = state.now + seconds
                return state.loads
            }
            try await rig.until("a look") { rig.state.withLock { $0.loads } > loads }
        }
        let loads = rig.state.withLock { $0.loads }
        try await rig.looks(more: 5)
        #expect(rig.state.withLock { $0.loads } <= loads + 1)
        #expect(try rig.openAwaits().count == 2)
        rig.state.withLock { $0.now = $0.now + 600 }
        #expect(try await rig.finished(id) == .failed)
    }

    @Test func stopCallsBackAlsoWhenTheEngineIsGone() async throws {
        let rig = try EngineRig()
        let engine = try rig.start()
        let stops = Mutex(0)
        engine.stop { stops.withLock { $0 += 1 } }
        try await rig.until { stops.withLock { $0 } == 1 }
        engine.stop { stops.withLock { $0 += 1 } }
        try await rig.until { stops.withLock { $0 } == 2 }
    }
}
