import CaseNames
import Glibc
import Harness
import JSON
import Services
import Storage
import Testing
import Vocabulary
import Workflows

@testable import Actions

/// The course of a guide whose workflow another process holds.
@Suite(.process) struct GuideCourseTests {
    private static let guide = """
        guide: assent.guide/v1
        id: small
        title: Small
        steps:
          - {id: km, number: "How far?", unit: km}
          - {id: story, text: "What happened?"}
        """

    /// The engine that a workflow names as its owner.
    enum Owner: String, CaseIterable {
        /// No process has this name.
        case unknown
        /// The name is a path out of the folder of locks.
        case hostile
        case ended, running, stopped
    }

    private let opened: OpenedWorkspace
    private var shared: OpenWorkspace { opened.shared }

    init() throws {
        opened = try OpenedWorkspace()
        try shared.folders.makeData()
    }

    /// Starts a process, and a lock that it seems to hold.
    private func process(_ owner: Owner) throws -> (name: String, process: ProgramProcess, lock: Int32) {
        let process = try ProgramProcess(
            "/bin/sleep", ["600"], environment: [:], folder: opened.scratch.path, files: opened.scratch.path)
        let name = "\(owner == .hostile ? "../" : "")\(process.pid)-lock"
        let lock = open("\(shared.folders.engines)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        switch owner {
        case .unknown: unlink("\(shared.folders.engines)/\(name)")
        case .ended: break
        case .hostile, .running: #expect(flock(lock, LOCK_EX) == 0)
        case .stopped:
            #expect(flock(lock, LOCK_EX) == 0)
            process.signal(SIGSTOP)
            #expect(process.wait { ProcessState.isStopped(process.pid) })
        }
        return (name, process, lock)
    }

    /// Stores a workflow of the guide, and opens its first step.
    private func begin(owner: String) throws -> (run: GuideRun, asked: AwaitRecord) {
        let shelf = GuideShelf(shared)
        let guide = try #require(shelf.read(Self.guide, file: "small.yaml").guide)
        let template = shelf.template(of: guide, text: Self.guide, file: "small.yaml")
        let (archive, now) = (try shared.archive.get(), OpenWorkspace.now())
        let record = WorkflowRecord(
            id: WorkflowID(0), title: guide.title, workspace: shared.workspace, createdAt: now, updatedAt: now)
        let made = try archive.create(record, template: template.json.text, owner: owner) { id in
            template.nodes.enumerated().map { place, node in
                StepRecord(
                    id: StepID(id, place + 1), node: node.id, kind: node.kind,
                    state: place == 0 ? .awaitingUser : .blocked, updatedAt: now)
            }
        }.0
        let first = template.nodes[0]
        let request = AwaitRequest(outputs: [Port("text", .text)], isPerson: true, accept: first.awaits?.accept)
        var batch = Batch(workflow: made.id, fence: 1)
        batch.awaitsOpened = [
            AwaitRecord(
                step: StepID(made.id, 1), type: .text, title: first.id, reason: "It is asked.", createdAt: now,
                question: request.json)
        ]
        let asked = try archive.commit([batch]).awaits[0]
        return (try GuideRuns(shared).run(made.id), asked)
    }

    @Test(arguments: Owner.allCases)
    func aProcessThatLivesIsTheHolder(owner: Owner) throws {
        let (name, process, lock) = try process(owner)
        defer {
            close(lock)
            _ = process.end(with: SIGKILL)
        }
        let run = try begin(owner: name).run
        let holder = try shared.holder(of: run.workflow)
        switch owner {
        case .unknown, .hostile, .ended: #expect(holder == nil)
        case .running:
            #expect(holder?.words == "Process \(process.pid) holds w1, and has not gone on with it yet.")
        case .stopped:
            #expect(
                holder?.words
                    == "Process \(process.pid) holds w1 and stands still. 'fg' in its shell, or 'kill -CONT \(process.pid)', lets it go on."
            )
        }
    }

    @Test func aStandstillIsReportedOnceAndTheWaitGoesOn() async throws {
        let (name, process, lock) = try process(.stopped)
        defer {
            close(lock)
            _ = process.end(with: SIGKILL)
        }
        let (run, asked) = try begin(owner: name)
        var course = run.course()
        #expect(try await course.next() == .asked(asked))
        try GuideAnswers(shared).complete(asked, .outputs([]))
        let holder = WorkflowHolder(workflow: run.workflow, process: process.pid, isStopped: true)
        #expect(try await course.next() == .held(holder))
        // The owner goes on: it reads the answer, and asks the next step.
        let (waiting, archive) = (course, try shared.archive.get())
        let next = Task {
            var course = waiting
            return try await course.next()
        }
        var batch = Batch(workflow: run.workflow, fence: 1)
        var steps = try archive.steps(of: run.workflow)
        steps[0].state = .succeeded
        steps[1].state = .awaitingUser
        batch.steps = Array(steps[..<2])
        batch.commandsTaken = try archive.waitingCommands(of: run.workflow).map(\.id)
        batch.awaitsOpened = [
            AwaitRecord(
                step: steps[1].id, type: .text, title: "story", reason: "It is asked.", createdAt: OpenWorkspace.now(),
                question: AwaitRequest(outputs: [Port("text", .text)], isPerson: true).json)
        ]
        let second = try archive.commit([batch]).awaits[0]
        #expect(try await next.value == .asked(second))
    }

    @Test func aCancelledWaitEnds() async throws {
        let (run, asked) = try begin(owner: "nobody")
        try GuideAnswers(shared).complete(asked, .outputs([]))
        let waiting = run.course()
        let task = Task {
            var course = waiting
            return try await course.next()
        }
        task.cancel()
        #expect(try await task.value == .elsewhere)
    }

    @Test func answersOfAFileAreCheckedAsThoseOfAPerson() async throws {
        let asked = try begin(owner: "nobody")
        let file = try opened.write(
            Array("answers: assent.answers/v1\nguide: small\nsteps: {km: 12 km}\n".utf8), to: "answers.yaml")
        let answers = try GuideShelf(shared).answers(in: file, to: asked.run.guide)
        let intake = try #require(Intake(asked.asked, GuideAnswers(shared, from: file)))
        guard case .refused(let refusal, let attempt, let left) = try await intake.typed("far") else {
            Issue.record("\"far\" is no number")
            return
        }
        #expect(!refusal.canBeTaken && attempt == 0 && left == intake.accept.attempts)
        guard case .assets(let given) = try await intake.typed("12 km") else {
            Issue.record("12 km is a number")
            return
        }
        #expect(given.map { $0.meta[Asset.answerKey] } == ["12"])
        // The replay gives the same answer, and then waits for an engine that is not there.
        let run = asked.run
        let replay = Task {
            var replay = run.replay(answers, from: file)
            return try await replay.next { false }
        }
        #expect(try await eventually { try !opened.answers().isEmpty })
        replay.cancel()
        #expect(try await replay.value == .elsewhere)
        #expect(try opened.answers() == [.outputs(given)])
    }
}
