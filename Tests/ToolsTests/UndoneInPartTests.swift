import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Testing
@testable import Tools
@testable import Undo
import Vocabulary

/// Undo in parts: what was left can be undone later, and one path that fails does not block the others.
@Suite struct UndoneInPartTests {
    private let lab: Lab

    init() throws {
        lab = try Lab()
        for name in ["a", "b", "c"] { try lab.write(name, "old \(name)") }
    }

    private func write(_ name: String) async throws {
        _ = try await lab.run("WriteFile", ["path": .string(name), "text": .string("new \(name)"), "overwrite": true])
    }

    private func request(_ workflow: Int64 = 3, isPartial: Bool = false) -> UndoRequest {
        UndoRequest(workflow: WorkflowID(workflow), isPartial: isPartial)
    }

    private func texts() -> [String?] { ["a", "b", "c"].map { lab.read($0) } }

    /// How many changes stand, and who has undone what, over all attempts of w3.
    private func standing() -> String {
        let standings = lab.toolbox.undo.standings(of: WorkflowID(3))
        let by = Set(standings.flatMap(\.undoneBy)).sorted().map(\.description).joined(separator: ",")
        return "\(standings.reduce(0) { $0 + $1.open }) \(by)"
    }

    @Test func whatWasLeftIsUndoneLater() async throws {
        for name in ["a", "b", "c"] { try await write(name) }
        try lab.write("a", "mine")
        #expect(try await lab.undo(request(), by: 8).failure?.code == "changedSince")
        #expect(try await lab.undo(request(isPartial: true), by: 9).failure == nil)
        #expect(texts() == ["mine", "old b", "old c"] && standing() == "1 w9")
        // Nothing of it fits: it is refused, and stays as it is.
        #expect(try await lab.undo(request(), by: 10).failure?.code == "changedSince")
        // What was undone already is not undone once more, even if somebody makes it as the step had.
        try lab.write("b", "new b")
        try lab.write("a", "new a")
        #expect(try await lab.undo(request(), by: 11).failure == nil)
        #expect(texts() == ["old a", "new b", "old c"] && standing() == "0 w9,w11")
        #expect(try await lab.undo(request(), by: 12).failure?.code == "nothingToUndo")
    }

    @Test func redoOfAPartBringsBackThatPart() async throws {
        for name in ["a", "b"] { try await write(name) }
        try lab.write("a", "mine")
        #expect(try await lab.undo(request(isPartial: true), by: 9).failure == nil)
        try lab.write("a", "new a")
        #expect(try await lab.undo(request(), by: 10).failure == nil)
        #expect(texts() == ["old a", "old b", "old c"] && standing() == "0 w9,w10")
        #expect(try await lab.undo(request(9), by: 11).failure == nil)
        #expect(texts() == ["old a", "new b", "old c"] && standing() == "1 w10")
        // Once only.
        let twice = try await lab.undo(request(9), by: 12).failure
        #expect(twice?.message == "w9 was redone by w11 already.", "\(String(describing: twice))")
        #expect(try await lab.undo(request(), by: 13).failure == nil)
        #expect(texts() == ["old a", "old b", "old c"] && standing() == "0 w10,w13")
        #expect(try await lab.undo(request(10), by: 14).failure == nil)
        #expect(texts() == ["new a", "old b", "old c"] && standing() == "1 w13")
    }

    @Test func undoAndRedoAlternate() async throws {
        try await write("a")
        var newest: Int64 = 3
        for number in 0..<6 {
            let by = 20 + number
            #expect(try await lab.undo(request(newest), by: by).failure == nil)
            #expect(lab.read("a") == (number.isMultiple(of: 2) ? "old a" : "new a"), "\(number)")
            #expect(lab.toolbox.undo.standings(of: WorkflowID(Int64(by))).map(\.isRedo) == [!number.isMultiple(of: 2)])
            #expect(standing().hasPrefix(number.isMultiple(of: 2) ? "0" : "1"), "\(number): \(standing())")
            // Each is undone by its number, or what it redid is undone again.
            newest = number == 3 ? 3 : Int64(by)
        }
    }

    /// Somebody changes one file while undo is at work: the others are restored, and its record says only what was
    /// done.
    @Test func onePathThatFailsDoesNotBlockTheOthers() async throws {
        for name in ["a", "b", "c"] { try await write(name) }
        for isPartial in [false, true] {
            let records = UndoRecords(lab.own)
            let assignment = try lab.undoAssignment(by: isPartial ? 9 : 8)
            let plan = try records.plan(records.selected(request()), workspace: lab.workspace)
            var work = UndoWork(
                run: assignment.run, workspace: lab.workspace, undoes: WorkflowID(3), records: records,
                runFolder: RunFolder(assignment.runFolder))
            work.isPartial = isPartial
            try makeFolders(parent(of: assignment.runFolder))
            work.beforeChange = { [lab] (place) throws(Failure) in
                if plan.work[place].change.path.hasSuffix("/b") { _ = try? lab.write("b", "mine") }
            }
            if isPartial {
                let result = try work.carryOut(plan, at: nowNanoseconds())
                #expect(result.done.count == 1 && result.failed.values.map(\.code) == ["targetChanged"])
                #expect(texts() == ["old a", "mine", "old c"])
            } else {
                // The newest first: c is done, b stops it.
                #expect(throws: UndoWork.Stopped.self) { _ = try work.carryOut(plan, at: nowNanoseconds()) }
                #expect(texts() == ["new a", "mine", "old c"])
                try lab.write("b", "new b")
            }
            #expect(try records.record(of: assignment.run)?.changes.count == 1)
        }
    }

    /// Only the attempts that were listed are undone, whatever was done since.
    @Test func onlyWhatWasListedIsUndone() async throws {
        try await write("a")
        let outline = try lab.toolbox.undo.outline(request(), workspace: lab.workspace)
        try await write("b")
        var listed = request()
        listed.runs = outline.runs
        #expect(try await lab.undo(listed, by: 9).failure == nil)
        #expect(texts() == ["old a", "new b", "old c"])
    }

    /// A workflow that somebody made with the name of an old request undoes nothing.
    @Test func aRequestIsOfOneWorkflow() async throws {
        try await write("a")
        let assignment = try lab.undoAssignment(by: 9)
        let toolbox = lab.toolbox
        #expect(await onThread { toolbox.run(assignment, call: nil, cancel: Cancellation()) }.failure == nil)
        try await write("a")
        let forged = Assignment(
            run: RunID(StepID(WorkflowID(10), 1), attempt: 1), manifest: .undo, params: assignment.params, inputs: [],
            outputs: nil,
            workspace: lab.workspace, runFolder: "\(lab.own.data)/runs/w10/1-1")
        #expect(
            await onThread { toolbox.run(forged, call: nil, cancel: Cancellation()) }.failure?.code == "notRequested")
        #expect(lab.read("a") == "new a")
    }
}
