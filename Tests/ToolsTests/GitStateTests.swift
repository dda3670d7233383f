import CaseNames
import Consent
@testable import Files
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// Tools that write files ask for everything below a git folder, in auto mode too.
@Suite struct GitStateTests {
    private let lab: Lab

    init() throws {
        lab = try Lab()
        for name in [".git/HEAD", ".git/objects/x", ".git/refs/x", "bare/HEAD", "bare/objects/x", "bare/refs/x"] {
            try lab.write(name, "x\n")
        }
        try lab.write("tree/HEAD", "x\n")
        try lab.write("tree/commondir", "../.git\n")
        try lab.write(".git/config", "[core]\n\thooksPath = tools\n[include]\n\tpath = ../team.cfg\n")
        try lab.write("half/HEAD", "x\n")
        try lab.write("half/objects/x", "x\n")
    }

    @Test(
        arguments: [
            (".git/HEAD", true), (".git/refs/heads/main", true), (".git/hooks/a", true), (".git/new", true),
            ("sub/.git", true), ("sub/.git/config", true), ("bare/x", true), ("bare/refs/heads/x", true),
            ("tree/gitdir", true), ("tools/x", true), ("team.cfg", true), ("half/refs/heads/main", true),
            ("half/notes.txt", false), ("git/HEAD", false), (".gitx", false), ("notes.txt", false),
            ("tools.txt", false),
        ])
    func whatLiesBelowAGitFolderIsState(path: String, isState: Bool) throws {
        let text = try lab.asset("x", name: "x")
        let overwrites = lab.exists(path)
        let assignment = try lab.assignment(
            "WriteFile", ["path": .string(path), "overwrite": .bool(overwrites)], [("text", text)])
        let call = try lab.toolbox.prepare(assignment)
        #expect(call.targets.contains(where: \.isGitState) == isState)
        let around = Surroundings(workspace: lab.workspace, ownFolders: [lab.own.config, lab.own.data, lab.own.cache])
        let decision = Policy.modesOnly.decide(call, mode: .auto, in: around, at: Moment(milliseconds: 0))
        #expect(decision.name == (isState ? "ask" : "allow"))
    }

    @Test(arguments: [(".git/HEAD", true), ("bare/refs/x", true), ("half/HEAD", false)])
    func theSameHoldsForDeletionsAndMoves(path: String, isState: Bool) throws {
        let deletion = try lab.toolbox.prepare(lab.assignment("DeleteFile", ["path": .string(path)]))
        let move = try lab.toolbox.prepare(lab.assignment("MoveFile", ["from": .string(path), "to": "elsewhere"]))
        let into = try lab.toolbox.prepare(
            lab.assignment("MoveFile", ["from": "half/HEAD", "to": .string(path + "-2")]))
        for call in [deletion, move] { #expect(call.targets.contains(where: \.isGitState) == isState) }
        #expect(into.targets.contains(where: \.isGitState) == isState)
    }
}
