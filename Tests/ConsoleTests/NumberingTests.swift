import CaseNames
import Harness
import JSON
import Testing
import Vocabulary

/// One numbering in the plan, in views and in every verb that takes a step (`semantics.md` 80).
@Suite(.process) struct NumberingTests {
    private static let file = workflow(
        "small",
        [
            node("load", "ImageLoader", ["path": "cat.png"]), node("resize", "Resize", ["width": 32]),
            node("gray", "Grayscale"), node("save", "SaveFile"),
        ],
        [edge("load.image", "resize.image"), edge("resize.image", "gray.image"), edge("gray.image", "save.file")])

    private static func lab() async throws -> VerbLab {
        let inbox = try InboxVerbLab()
        try inbox.lab.write(file, to: ".small.json")
        return inbox.lab
    }

    @Test func thePlanAndShowCountTheSame() async throws {
        let lab = try await Self.lab()
        let run = try await lab.run("run", lab.path(".small.json"))
        #expect(run.exit == 0, "\(run.output)\(run.errors)")
        let rows = run.output.split(separator: "\n").filter { $0.contains(" ← ") }
        #expect(rows.map { $0.split(separator: " ").first } == ["1", "2"], "\(run.output)")
        #expect(rows.last?.contains("image ← 1") == true, "\(run.output)")
        let shown = try await lab.run("show", "w1").output.split(separator: "\n")
        let steps = shown.dropFirst().filter { $0.contains("✓ done") }
        #expect(
            steps.map { $0.split(separator: " ").first.map(String.init) } == ["✓", "1", "2", "✓"],
            "a loader and a saver have no number: \(shown.joined(separator: "\n"))")
        #expect(steps.first?.contains("cat.png") == true, "the loader stands first")
    }

    @Test(arguments: [
        ("1", "Resize"), ("2", "Grayscale"), ("gray", "Grayscale"), ("cat.png", "ImageLoader"),
        ("cat-1.png", "SaveFile"), ("load", "ImageLoader"),
    ])
    func eachVerbTakesTheNumberOfThePlan(word: String, kind: String) async throws {
        let lab = try await Self.lab()
        try await lab.succeeds("run", lab.path(".small.json"))
        #expect(try await lab.json("show", "w1", word).first?["step"]?["kind"]?.string == kind)
        let rerun = try await lab.json("rerun", "w1", word, "--dry-run")
        #expect(rerun.first { $0["type"] == "forecast.run" }?["kind"]?.string ?? kind == kind)
        let other = try await lab.run("show", "w1", "dog.png")
        #expect(other.exit == 2 && other.errors.contains("no step \"dog.png\""), "\(other.errors)")
    }

    @Test func theResultOfAStepHasItsNumber() async throws {
        let lab = try await Self.lab()
        try await lab.succeeds("run", lab.path(".small.json"))
        let assets = try await lab.shown()["assets"]?.array ?? []
        let runs = assets.map { "\($0["run"]?.string ?? "") \($0["port"]?.string ?? "")" }
        #expect(runs.contains("w1.1.1 image") && runs.contains("w1.2.1 image"), "\(runs)")
        #expect(try await lab.run("view", "w1.2").exit == 0)
        #expect(try await lab.json("view", "w1").first?.text.contains("cat-1.png") == true, "the last of the list")
    }

    /// What a person edits has the order in which it was written.
    @Test func aCopyHasTheListOfTheFile() async throws {
        let lab = try await Self.lab()
        try await lab.succeeds("run", lab.path(".small.json"))
        let kept = try await lab.json("show", "w1", "--revision", "1").first?["template"]
        let ids = kept?["nodes"]?.array?.compactMap { $0["id"]?.string } ?? []
        #expect(ids == ["load", "resize", "gray", "save"], "\(ids)")
        #expect(kept?.text.contains("folded") == false)
        try await lab.succeeds("duplicate", "w1")
        let steps = try await lab.shown("w2")["steps"]?.array ?? []
        #expect(steps.compactMap { $0["node"]?.string } == ["load", "resize", "gray", "save"])
        #expect(steps.compactMap { $0["step"]?.int } == [3, 1, 2, 4])
    }

    /// The step of a guide has the number of the guide, although a note stands before it.
    @Test func aGuideAndItsWorkflowCountTheSame() async throws {
        let lab = try VerbLab()
        try lab.write(
            """
            guide: assent.guide/v1
            id: two
            title: Two
            about: Two questions.
            steps:
              - {id: hello, note: "Welcome."}
              - {id: a, text: "A?"}
              - {id: hint, note: "Go on."}
              - {id: b, text: "B?"}

            """, to: "two.yaml")
        try lab.write("answers: assent.answers/v1\nguide: two\nsteps: {a: one, b: two}\n", to: "answers.yaml")
        let run = try await lab.run("guide", "run", lab.path("two.yaml"), "--answers", lab.path("answers.yaml"))
        #expect(run.exit == 0 || run.exit == 3, "\(run.output)\(run.errors)")
        for (number, id) in [("1", "a"), ("2", "b")] {
            #expect(try await lab.json("show", "w1", number).first?["step"]?["node"]?.string == id, "\(number)")
        }
    }
}
