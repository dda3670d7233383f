import Actions
import Harness
import JSON
import Pictures
import Testing
import Tools
import Vocabulary

/// Workflows that wait for a person, by verbs in this process.
struct InboxVerbLab {
    let lab: VerbLab

    /// `cat.png`, of 64×48 pixels, lies in the workspace.
    init() throws {
        lab = try VerbLab()
        var picture = MaskDrawing(width: 64, height: 48)
        picture.shapes = [.rectangle(x: 1, y: 1, width: 9, height: 9)]
        try lab.write(picture.png(), to: "cat.png")
    }

    /// Starts a workflow; it waits.
    @discardableResult
    func start(_ name: String, _ nodes: [JSON], _ edges: [JSON] = []) async throws -> ProgramEnding {
        try lab.write(workflow(name, nodes, edges), to: ".\(name).json")
        return try await lab.run("run", lab.path(".\(name).json"), "--on-ask", "park", "--json")
    }

    /// Starts a picture, a mask that a person draws, and the two steps that need it.
    func startMask(_ ask: JSON = ["type": "drawMask", "title": "Draw a mask"]) async throws {
        let ending = try await start(
            "mask",
            [
                node("load", "ImageLoader", ["path": "cat.png"]), asking("mask", "UserMaskEditor", ask),
                node("apply", "ApplyMask"), node("save", "SaveFile", ["path": "cut.png"]),
            ],
            [
                edge("load.image", "mask.image"), edge("load.image", "apply.image"), edge("mask.mask", "apply.mask"),
                edge("apply.image", "save.file"),
            ])
        #expect(ending.exit == 3, "\(ending.output)\(ending.errors)")
    }

    func inbox() async throws -> [JSON] { try await lab.json("inbox") }

    func entry(_ number: Int = 1) async throws -> JSON {
        try #require(try await lab.json("inbox", "--all").first { $0["number"]?.int == number })
    }

    func complete(_ arguments: String...) async throws -> ProgramEnding {
        try await lab.run(["complete"] + arguments + ["--json"])
    }

    /// Runs what can move.
    func work() async throws -> ProgramEnding { try await lab.run("work", "--until-idle") }

    /// Has an engine wait until the steps of w1 are in these states.
    func ended(_ states: [String], _ location: SourceLocation = #_sourceLocation) async throws {
        let steps = try await lab.working {
            try await eventually { try lab.states(of: WorkflowID(1)) == states }
        }
        let last = try lab.states(of: WorkflowID(1))
        #expect(steps, "\(last)", sourceLocation: location)
    }
}
