import CaseNames
import Harness
import JSON
import Testing
import Vocabulary

/// `guide run` with a file of answers, for a workflow that has answers already.
@Suite(.process) struct GuideAnswerTests {
    private func lab(hasReview: Bool) throws -> VerbLab {
        let lab = try VerbLab()
        try lab.write(
            """
            guide: assent.guide/v1
            id: n
            title: N
            about: Three numbers.
            steps:
              - {id: a, number: "A?"}
              - {id: b, number: "B?"}
              - {id: c, number: "C?"}
            review: \(hasReview)

            """, to: "n.yaml")
        return lab
    }

    private func answers(_ steps: String, in lab: VerbLab) throws -> String {
        let name = "answers.yaml"
        try lab.write("answers: assent.answers/v1\nguide: n\nsteps: {\(steps)}\n", to: name)
        return lab.path(name)
    }

    private func values(_ lab: VerbLab) async throws -> [String] {
        let steps = try await lab.json("guide", "show", "w1").first?["steps"]?.array ?? []
        return steps.map { $0["answer"]?.string ?? "" }
    }

    @Test(arguments: [false, true])
    func anotherAnswerOfTheFileIsAnErrorThatNamesBoth(hasReview: Bool) async throws {
        let lab = try lab(hasReview: hasReview)
        let begun = try await lab.run(
            "guide", "run", lab.path("n.yaml"), "--answers", try answers("a: 1, b: 1", in: lab))
        #expect(begun.exit == 3, "\(begun.output)\(begun.errors)")
        let other = try answers("a: 999, b: 888, c: 3", in: lab)
        for _ in 0..<2 {
            let ending = try await lab.run("guide", "run", "w1", "--answers", other)
            #expect(ending.exit == 2 && !ending.output.contains("✓ N"), "\(ending.output)\(ending.errors)")
            for words in ["a is \"999\", and \"1\" is stored", "b is \"888\", and \"1\" is stored", "--replace"] {
                #expect(ending.errors.contains(words), "\(words): \(ending.errors)")
            }
        }
        #expect(try await values(lab) == ["1", "1", ""], "nothing was answered")
        let replaced = try await lab.run("guide", "run", "w1", "--answers", other, "--replace")
        #expect(replaced.exit == 0, "\(replaced.output)\(replaced.errors)")
        #expect(try await values(lab) == ["999", "888", "3"])
        // Equal answers are passed over, and the package is not older than an answer.
        try await lab.succeeds("guide", "run", "w1", "--answers", other)
        try await lab.succeeds("guide", "export", "w1", lab.path("n.zip"))
    }

    @Test(arguments: [false, true])
    func aStepThatIsRunAgainIsAnsweredFromTheFile(hasReview: Bool) async throws {
        let lab = try lab(hasReview: hasReview)
        try await lab.succeeds(
            "guide", "run", lab.path("n.yaml"), "--answers", try answers("a: 1, b: 1, c: 1", in: lab))
        // Stored, and not carried out: the views must not say that it is complete.
        try lab.store(.rerun(Rerun(step: 2)))
        let shown = try await lab.run("guide", "show", "w1").output
        #expect(shown.contains("2 of 3") && shown.contains("will run again"), "\(shown)")
        try await lab.succeeds("guide", "run", "w1", "--answers", try answers("a: 1, b: 2, c: 1", in: lab))
        #expect(try await values(lab) == ["1", "2", "1"])
        // In a shell the step is opened at once, and waits.
        #expect(try await lab.run("rerun", "w1", "3").exit == 3)
        try await lab.succeeds("guide", "run", "w1", "--answers", try answers("a: 1, b: 2, c: 3", in: lab))
        #expect(try await values(lab) == ["1", "2", "3"])
        try await lab.succeeds("guide", "export", "w1", lab.path("n.zip"))
    }

    @Test func replacingNeedsAFile() async throws {
        let lab = try lab(hasReview: false)
        let ending = try await lab.run("guide", "run", lab.path("n.yaml"), "--replace")
        #expect(ending.exit == 2 && ending.errors.contains("--answers FILE"), "\(ending.errors)")
    }
}
