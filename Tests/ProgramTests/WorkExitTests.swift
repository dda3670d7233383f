import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The exit code of `assent work`: the gravest outcome of the workflows that ended or stopped while it worked.
@Suite(.process) struct WorkExitTests {
    private static let missing = workflow(
        "missing", [node("read", "ReadFile", ["path": "missing.txt"]), node("nap", "Delay", ["seconds": 1])])

    private func lab() throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("buy milk\n", to: "notes.txt")
        try lab.write(HeadlessConsentTests.move, to: ".move.json")
        try lab.write(Self.missing, to: ".missing.json")
        return lab
    }

    /// Stores a workflow whose next engine runs into a missing file, or has run into one.
    private func fails(in lab: ProgramLab) async throws {
        // On a busy machine it may have ended before it is killed, and then there is no more to be told of it.
        for _ in 0..<20 {
            let process = try lab.start(["run", ".missing.json"])
            let hasBegun = try await onOwnThread {
                let hasBegun = process.wait(forOutput: "has begun")
                _ = process.end(with: SIGKILL)
                return hasBegun
            }
            try #require(hasBegun)
            // The newest stands first.
            if try #require(try await lab.json("list").first)["outcome"] == nil { return }
        }
        Issue.record("It ended before it was killed, each time.")
    }

    /// Stores a workflow that waits for the yes to a call, and returns the digest of the call.
    private func parked(in lab: ProgramLab) async throws -> String {
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        return try #require(try await lab.json("inbox").first?["digest"]?.string)
    }

    /// Runs the worker in both forms of output. `prepare` makes the same folder for each.
    private func expect(
        _ exit: Int32, _ outcomes: [String], at location: SourceLocation = #_sourceLocation,
        _ prepare: (ProgramLab) async throws -> Void
    ) async throws {
        for isJSON in [false, true] {
            let lab = try lab()
            try await prepare(lab)
            let ending = try await lab.run(["work", "--until-idle"] + (isJSON ? ["--json"] : []))
            #expect(ending.exit == exit, "\(ending.output)\(ending.errors)", sourceLocation: location)
            guard isJSON else { continue }
            expectEvents(ending, exit: exit, location)
            let finished = ending.lines(of: "workflow.finished").map { $0["outcome"]?.string ?? "" }
            #expect(finished.sorted() == outcomes, "\(ending.output)", sourceLocation: location)
        }
    }

    @Test func nothingToDoSucceeds() async throws {
        try await expect(0, []) { _ in }
        let ending = try await lab().run("work", "--until-idle", "--json")
        #expect(ending.types == ["end"], "\(ending.output)")
    }

    @Test func aWorkflowThatSucceedsEndsWith0() async throws {
        try await expect(0, ["succeeded"]) { lab in
            try await lab.stores("approve", "1", "--digest", try await parked(in: lab))
        }
    }

    @Test func aWorkflowThatFailsEndsWith1() async throws {
        try await expect(1, ["failed"]) { try await fails(in: $0) }
    }

    @Test func aWorkflowThatIsCancelledEndsWith1() async throws {
        try await expect(1, ["cancelled"]) { lab in
            _ = try await parked(in: lab)
            try await lab.succeeds("cancel", "w1")
        }
    }

    @Test func aRejectedCallEndsWith4() async throws {
        try await expect(4, ["cancelled"]) { lab in
            _ = try await parked(in: lab)
            try await lab.succeeds("reject", "1", "keep it")
        }
    }

    /// The file has changed since the yes, so the worker asks again and the workflow stops.
    @Test func aWorkflowThatStopsForAPersonEndsWith3() async throws {
        try await expect(3, ["waiting"]) { lab in
            try await lab.stores("approve", "1", "--digest", try await parked(in: lab))
            try lab.write("buy oat milk\n", to: "notes.txt")
        }
    }

    /// The workflow has stopped before this worker started, and is still unfinished.
    @Test func anOldEntryOfTheInboxEndsWith3() async throws {
        try await expect(3, []) { _ = try await parked(in: $0) }
    }

    @Test func theGravestOutcomeWins() async throws {
        try await expect(1, ["failed"]) { lab in
            _ = try await parked(in: lab)
            try await fails(in: lab)
        }
        try await expect(4, ["cancelled", "failed"]) { lab in
            _ = try await parked(in: lab)
            try await fails(in: lab)
            try await lab.succeeds("reject", "1", "keep it")
        }
    }

    /// A failure of an earlier worker is not repeated.
    @Test func anEarlierFailureIsNotReportedAgain() async throws {
        let lab = try lab()
        try await fails(in: lab)
        #expect(try await lab.run("work", "--until-idle").exit == 1)
        #expect(try await lab.run("work", "--until-idle").exit == 0)
    }

    @Test func aSystemdUnitIsOneText() async throws {
        let ending = try await lab().run("work", "--unit", "--json")
        #expect(ending.exit == 0 && ending.lines.count == 1, "\(ending.output)")
        #expect(ending.lines.first?.string?.contains("[Service]") == true, "\(ending.output)")
    }

    /// A worker that runs until a signal ends it reports the signal, whatever the workflows came to.
    @Test func aWorkerThatASignalEndsReportsTheSignal() async throws {
        let lab = try lab()
        try await fails(in: lab)
        let worker = try lab.start(["work", "--json"])
        #expect(try await onOwnThread { worker.wait(forOutput: "workflow.finished") })
        worker.signal(SIGTERM)
        let ending = try await onOwnThread { worker.wait() }
        expectEvents(ending, exit: 143)
    }
}
