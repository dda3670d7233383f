import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Rehearsal
import Testing
@testable import Tools
import Vocabulary

/// Where rehearsals lie whose workspace is on another file system than the data folder: in the workspace itself.
@Suite(.process, .enabled(if: Rehearsals.areHere && !Rehearsals.isInMemory)) struct RehearsalStateTests {
    private let lab: Lab

    init() throws { lab = try Lab() }

    @Test func aWorkspaceOnAnotherFileSystemKeepsItsStateItself() async throws {
        let memory = try ScratchFolder(isInMemory: true)
        try ScratchFolder.write("old", to: "\(memory.path)/file")
        var assignment = try lab.assignment(
            "Shell", ["command": "echo hi > file; echo x > .assent/y; ls -A .assent/state; echo end"])
        assignment.workspace = memory.path
        let ending = await lab.run(assignment)
        guard case .succeeded(let assets) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(try lab.text(try #require(assets.first)) == "end\n")
        #expect(ScratchFolder.text("\(memory.path)/file") == "hi\n")
        #expect(ScratchFolder.text("\(memory.path)/.assent/state/.gitignore") == "*\n")
    }

    /// A folder that comes from elsewhere may bring what looks like rehearsals of ours, with a plan: they are not
    /// found.
    @Test func whatCameWithAWorkspaceIsNotBelieved() async throws {
        let memory = try ScratchFolder(isInMemory: true)
        let (theirs, ours) = (try Lab(), lab)
        var assignment = try ours.assignment("Shell", ["command": "echo hi > file"])
        assignment.workspace = memory.path
        let (wanted, run) = (assignment, assignment.run)
        let rehearse = { @Sendable (toolbox: Toolbox) in Result { try toolbox.rehearse(wanted, cancel: Cancellation()) }
        }
        let toolbox = theirs.toolbox
        _ = try await onThread { rehearse(toolbox) }.get()
        let rehearsal = try toolbox.rehearsal(of: run, in: memory.path)
        let about = try #require(rehearsal.folder.read())
        try rehearsal.folder.write(RehearsalFolder.Plan(rehearsal.changes(since: about.started)))
        // As with another's data folder, and where it lay in earlier versions.
        let state = "\(memory.path)/.assent/state/\(run.step.workflow)"
        try Lab.program(["cp", "-a", parent(of: rehearsal.folder.path), state], in: memory.path)
        #expect(ours.toolbox.adopt(assignment) == .gone)
        #expect(try ours.toolbox.rehearsed(ours.toolbox.prepare(assignment), assignment) == nil)
        #expect(!ScratchFolder.exists("\(memory.path)/file"))
        // Whoever made it finds it again.
        #expect(theirs.toolbox.adopt(assignment) != .gone && ScratchFolder.text("\(memory.path)/file") == "hi\n")
    }
}
