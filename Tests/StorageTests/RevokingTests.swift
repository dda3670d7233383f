import Harness
import Storage
import Testing
import Vocabulary

/// A yes that was given with a plan does not outlive what was said of its step later.
@Suite struct RevokingTests {
    private let now = Moment(milliseconds: 1_000)
    private let scratch: ScratchFolder
    private let archive: Archive
    private let workflow: WorkflowID

    init() throws {
        scratch = try ScratchFolder()
        archive = try Archive(folder: scratch.path)
        let at = now
        let record = WorkflowRecord(id: WorkflowID(0), title: "x", workspace: "/w", createdAt: at, updatedAt: at)
        workflow = try archive.create(record, template: "{}", owner: "me") { id in
            (1...3).map { StepRecord(id: StepID(id, $0), node: "n\($0)", kind: "Text", updatedAt: at) }
        }.0.id
        try answer(1, .yesToPlan, approving: [1, 2, 3])
    }

    /// Opens a question for a step and answers it.
    private func answer(_ step: Int, _ answer: Answer, approving steps: [Int] = []) throws {
        var batch = Batch(workflow: workflow, fence: 1)
        batch.awaitsOpened = [
            AwaitRecord(step: StepID(workflow, step), type: .confirmCall, title: "?", reason: "", createdAt: now)
        ]
        let number = try archive.commit([batch]).awaits[0].number
        let approvals = steps.map { step in
            Approval(
                digest: ContentHash(hex: String(repeating: "\(step)", count: 64)), isPlanned: true,
                step: StepID(workflow, step),
                awaitNumber: number, by: "person", at: now,
                expiresAt: now + 60, policyEpoch: "e")
        }
        #expect(try archive.answer(number, answer, approvals: approvals, by: "person", at: now) == .taken)
    }

    private var approved: [Int] { get throws { try archive.approvals(of: workflow).map(\.step.index).sorted() } }

    @Test func aNoTakesBackTheYesToThePlan() throws {
        try answer(2, .no(reason: "not now"))
        #expect(try approved == [1, 3])
    }

    @Test(arguments: [(2, [1, 3]), (nil, [3])] as [(Int?, [Int])])
    func whatIsTakenUpAgainIsAskedForAnew(step: Int?, left: [Int]) throws {
        var batch = Batch(workflow: workflow, fence: 1)
        batch.steps = [(1, .failed), (2, .cancelled)].map { step, state in
            StepRecord(id: StepID(workflow, step), node: "n\(step)", kind: "Text", state: state, updatedAt: now)
        }
        _ = try archive.commit([batch])
        try archive.put(.retry(step: step), for: workflow, at: now)
        #expect(try approved == left)
    }
}
