import Glibc
import Harness
import JSON
import Testing

/// Workflows that wait for a person, in the real program.
struct InboxLab {
    let lab: ProgramLab

    /// `cat.png`, of 64×48 pixels, lies in the workspace.
    init() async throws {
        lab = try ProgramLab()
        _ = try await lab.tool("vips", "black", ".b.v", "64", "48", "--bands", "3")
        _ = try await lab.tool("vips", "linear", ".b.v", "cat.png", "1", "200", "--uchar")
        unlink(lab.path(".b.v"))
    }

    /// Starts a workflow; it waits.
    @discardableResult
    func start(_ name: String, _ nodes: [JSON], _ edges: [JSON] = [], _ options: String...) async throws
        -> ProgramEnding
    {
        try lab.write(workflow(name, nodes, edges), to: ".\(name).json")
        return try await lab.run(["run", ".\(name).json", "--on-ask", "park", "--json"] + options)
    }

    /// A picture, a mask that a person draws, and what needs it: three steps.
    func startMask(_ ask: JSON = ["type": "drawMask", "title": "Draw a mask"]) async throws {
        let ending = try await start(
            "mask",
            [
                node("load", "ImageLoader", ["path": "cat.png"]), asking("mask", "UserMaskEditor", ask),
                node("apply", "ApplyMask"),
                node("save", "SaveFile", ["path": "cut.png"]),
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

    /// Carries on what can move.
    func work() async throws -> ProgramEnding { try await lab.run("work", "--until-idle") }
}
