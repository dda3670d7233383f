import CaseNames
@testable import Files
import Harness
import JSON
import Services
import Storage
import Testing
@testable import Tools
import Vocabulary

@testable import Actions

/// Which workflow is undone, and when the user is asked, on a real store without an engine (`semantics.md` 189).
@Suite struct UndoActionsTests {
    private let opened: OpenedWorkspace
    private let undoing: UndoActions

    init() throws {
        opened = try OpenedWorkspace()
        undoing = UndoActions(opened.shared)
    }

    // MARK: Workflows

    /// Stores a workflow that has written files, and returns its number.
    private func written(
        _ names: [String], in session: SessionID? = nil, outcome: Outcome? = .succeeded
    ) throws -> WorkflowID {
        let now = OpenWorkspace.now()
        let record = WorkflowRecord(
            id: WorkflowID(0), title: "write \(names.joined(separator: ", "))", session: session,
            workspace: opened.shared.workspace, createdAt: now, updatedAt: now)
        let template: JSON = [
            "schema": "app.workflow/v2", "name": .string(record.title),
            "nodes": .array(names.map { ["id": .string($0), "kind": "WriteFile", "params": [:]] }), "edges": [],
        ]
        let id = try opened.shared.archive.get().create(record, template: template.text, owner: "nobody") { id in
            names.enumerated().map { place, name in
                StepRecord(
                    id: StepID(id, place + 1), node: name, kind: "WriteFile", state: .succeeded, updatedAt: now)
            }
        }.0.id
        let manifest = try #require(opened.shared.catalogue.get()["WriteFile"])
        for (place, name) in names.enumerated() {
            let params: JSON = ["path": .string(name), "text": "new", "overwrite": true]
            try run(StepID(id, place + 1), manifest, params)
        }
        if let outcome { try end(id, outcome) }
        return id
    }

    private func run(_ step: StepID, _ manifest: ToolManifest, _ params: JSON) throws {
        let shared = opened.shared
        var filled = try #require(params.object)
        for param in manifest.params where filled[param.name] == nil { filled[param.name] = param.defaultValue }
        let assignment = Assignment(
            run: RunID(step, attempt: 1), manifest: manifest, params: filled, inputs: [], outputs: nil,
            workspace: shared.workspace, runFolder: "\(shared.folders.data)/runs/\(step.workflow)/\(step.index)-1")
        let toolbox = try shared.toolbox.get()
        let call = manifest == .undo ? nil : try toolbox.prepare(assignment)
        let ending = toolbox.run(assignment, call: call, cancel: Cancellation())
        guard case .succeeded = ending else { throw Failure(.undoFailed, "\(manifest.kind): \(ending)") }
    }

    private func end(_ id: WorkflowID, _ outcome: Outcome) throws {
        var batch = Batch(workflow: id, fence: 1)
        batch.outcome = .some(outcome)
        _ = try opened.shared.archive.get().commit([batch])
    }

    /// Starts an undo as its user agreed to it, and runs it to its end.
    private func undone(_ call: UndoCall) throws -> WorkflowID {
        guard case .start(let proposal) = try undoing.decide(call) else { throw Failure(.undoFailed, "It is asked.") }
        let id = try undoing.start(proposal, mode: .auto)
        try carryOut(id)
        return id
    }

    private func carryOut(_ id: WorkflowID) throws {
        let name = try #require(try undoing.requestName(of: id))
        try run(StepID(id, 1), .undo, ["request": .string(name)])
        try end(id, .succeeded)
    }

    private func code(_ work: () throws(Failure) -> Void) -> FailureCode? {
        do throws(Failure) { try work() } catch { return error.code }
        return nil
    }

    // MARK: Which workflow

    @Test func theNewestOfTheSessionComesFirst() throws {
        let session = try opened.shared.archive.get().begin(
            title: "Test", workspace: opened.shared.workspace, owner: "nobody", at: OpenWorkspace.now()
        ).id
        let (own, other) = (try written(["a"], in: session), try written(["b"]))
        #expect(try undoing.proposal(of: UndoCall()).selection.workflow == other)
        let inChat = UndoActions(opened.shared, in: session)
        #expect(try inChat.proposal(of: UndoCall()).selection.workflow == own)
    }

    @Test func anUndoIsNotUndoneByTheNextOne() throws {
        let first = try written(["a"])
        let second = try written(["b"])
        let undo = try undone(UndoCall(workflow: second))
        #expect(try undoing.proposal(of: UndoCall()).selection.workflow == first)
        #expect(try undoing.proposal(of: UndoCall(isRedo: true)).selection.workflow == undo)
        #expect(undoing.target(undo) == "\(second) (write b)")
        #expect(undoing.target(second) == nil)
    }

    @Test func aWorkflowOfAnotherFolderIsNotTheNewest() throws {
        _ = try written(["a"])
        let elsewhere = OpenWorkspace(
            folders: opened.shared.folders, workspace: opened.scratch.path, surroundings: opened.shared.surroundings)
        #expect(code { () throws(Failure) in _ = try UndoActions(elsewhere).decide(UndoCall()) } == .nothingToUndo)
    }

    @Test func aRedoIsOfAnUndoThatStands() throws {
        let work = try written(["a"])
        #expect(code { () throws(Failure) in _ = try undoing.decide(UndoCall(isRedo: true)) } == .nothingToUndo)
        let redo = UndoCall(isRedo: true, workflow: work)
        #expect(code { () throws(Failure) in _ = try undoing.decide(redo) } == .nothingToUndo)
        let undo = try undone(UndoCall(workflow: work))
        #expect(!ScratchFolder.exists("\(opened.shared.workspace)/a"))
        let redone = try undone(UndoCall(isRedo: true, workflow: undo))
        #expect(ScratchFolder.text("\(opened.shared.workspace)/a") == "new")
        for again in [undo, redone] {
            let call = UndoCall(isRedo: true, workflow: again)
            #expect(code { () throws(Failure) in _ = try undoing.decide(call) } == .nothingToUndo)
        }
        #expect(try undoing.proposal(of: UndoCall(workflow: redone)).selection.name == "\(redone)")
    }

    // MARK: When to ask

    /// The forms of a decision.
    enum Form: Hashable { case ask, start, refuse }

    /// A call, and the decisions if all files are as they were written, if one was changed since, and if all were. Nil
    /// means `badUsage`.
    struct Case: Sendable, CustomTestStringConvertible {
        var call: UndoCall
        var isNamed: Bool
        var forms: [Form?]

        init(_ call: UndoCall, isNamed: Bool = false, _ whole: Form?, _ part: Form?, _ none: Form?) {
            (self.call, self.isNamed, forms) = (call, isNamed, [whole, part, none])
        }

        var testDescription: String {
            [
                isNamed ? "named" : nil, call.isPartial ? "partial" : nil, call.isConfirmed ? "yes" : nil,
                call.canAsk ? "terminal" : nil,
            ].compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test(arguments: [
        Case(UndoCall(), nil, nil, nil),
        Case(UndoCall(), isNamed: true, .start, .refuse, .refuse),
        Case(UndoCall(isPartial: true), isNamed: true, .start, .start, .start),
        Case(UndoCall(isConfirmed: true), .start, .refuse, .refuse),
        Case(UndoCall(isPartial: true, isConfirmed: true), .start, .start, .start),
        Case(UndoCall(canAsk: true), .ask, .ask, .refuse),
        Case(UndoCall(isPartial: true, canAsk: true), isNamed: true, .ask, .ask, .ask),
        Case(UndoCall(isConfirmed: true, canAsk: true), .start, .refuse, .refuse),
    ])
    func theUserIsAskedOrHasAgreed(test: Case) throws {
        let work = try written(["a", "b"])
        var call = test.call
        if test.isNamed { call.workflow = work }
        for (changed, form) in zip([[], ["a"], ["a", "b"]], test.forms) {
            for name in changed { _ = try opened.write(Array("mine".utf8), to: name) }
            guard let form else {
                #expect(code { () throws(Failure) in _ = try undoing.decide(call) } == .badUsage)
                continue
            }
            let (found, proposal): (Form, UndoProposal) =
                switch try undoing.decide(call) {
                case .ask(let proposal): (.ask, proposal)
                case .start(let proposal): (.start, proposal)
                case .refuse(let proposal): (.refuse, proposal)
                case .resume: throw Failure(.undoFailed, "Nothing was interrupted.")
                }
            #expect(found == form, "\(changed)")
            #expect(proposal.outline.left.count == changed.count && proposal.outline.work.count == 2 - changed.count)
            #expect(proposal.selection.runs?.count == 2 && proposal.title == "write a, b")
            let isPartial = found == .ask ? !changed.isEmpty : call.isPartial
            #expect(found == .refuse || proposal.selection.isPartial == isPartial, "\(changed)")
        }
    }

    @Test func aWorkflowUnderWayIsNotUndone() throws {
        let work = try written(["a"], outcome: nil)
        let call = UndoCall(workflow: work, isConfirmed: true)
        #expect(code { () throws(Failure) in _ = try undoing.decide(call) } == .stillRunning)
        let unknown = UndoCall(workflow: WorkflowID(7))
        #expect(code { () throws(Failure) in _ = try undoing.decide(unknown) } == .unknownWorkflow)
    }

    // MARK: An undo that was interrupted

    @Test func anInterruptedUndoIsResumed() throws {
        let work = try written(["a", "b"])
        guard case .start(let proposal) = try undoing.decide(UndoCall(workflow: work)) else {
            throw Failure(.undoFailed, "It is asked.")
        }
        let undo = try undoing.start(proposal, mode: .auto)
        #expect(try undoing.cuts().map(\.workflow) == [undo])
        guard case .resume(let cut, let selection) = try undoing.decide(UndoCall(workflow: work, canAsk: true)) else {
            throw Failure(.undoFailed, "The interrupted undo was not found.")
        }
        #expect(cut.workflow == undo && cut.undoes == work && selection.workflow == work)
        #expect(cut.done.isEmpty && cut.work.count == 2 && cut.left.isEmpty)
        // The undo of another selection is no part of it.
        #expect(try undoing.decide(UndoCall(workflow: work, step: 1)).isStart)
        _ = try opened.write(Array("mine".utf8), to: "a")
        try undoing.resume(cut, isPartial: true)
        try carryOut(undo)
        #expect(!ScratchFolder.exists("\(opened.shared.workspace)/b"))
        #expect(ScratchFolder.text("\(opened.shared.workspace)/a") == "mine")
        #expect(try undoing.cuts().isEmpty)
    }

    @Test func aPathThatFailedAfterAResumeIsNoChange() throws {
        let work = try written(["a", "b"])
        guard case .start(let proposal) = try undoing.decide(UndoCall(workflow: work)) else {
            throw Failure(.undoFailed, "It is asked.")
        }
        let undo = try undoing.start(proposal, mode: .auto)
        let cut = try #require(try undoing.cuts().first)
        try undoing.resume(cut, isPartial: true)
        // The result of an undo that could not write one of the paths.
        let (failed, changed) = (try #require(cut.work.first), cut.work.dropFirst())
        let content = try opened.shared.toolbox.get().store.add("left")
        let run = RunID(StepID(undo, 1), attempt: 1)
        var asset = Asset(
            run: run, port: "text", type: .text, hash: content.hash, bytes: content.bytes, name: "undone.txt")
        asset.meta["left"] = [["path": .string(failed.path), "why": "The disk is full."]]
        var batch = Batch(workflow: undo, fence: 1)
        batch.runsStarted = [RunRecord(id: run, startedAt: OpenWorkspace.now())]
        batch.runsEnded = [.init(run: run, at: OpenWorkspace.now(), ending: .succeeded([asset]))]
        _ = try opened.shared.archive.get().commit([batch])
        let planned = UndoOutline(work: cut.done + cut.work, left: cut.left)
        let result = try undoing.result(of: undo, planned: planned)
        #expect(planned.work.count == 2 && result.work == Array(changed))
        #expect(result.left == [UndoOutline.Line(.leave, failed.path, why: "The disk is full.")])
    }

    // MARK: The result

    @Test func everyPathOfAnUndoThatSucceededIsAChange() throws {
        let work = try written(["a", "b"])
        let planned = try undoing.proposal(of: UndoCall(workflow: work)).outline
        let undo = try undone(UndoCall(workflow: work))
        #expect(try undoing.result(of: undo, planned: planned) == UndoOutline(work: planned.work, left: []))
    }
}

extension UndoDecision {
    fileprivate var isStart: Bool { if case .start = self { true } else { false } }
}
