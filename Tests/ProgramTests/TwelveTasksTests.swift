import CaseNames
import Harness
import Testing

/// The twelve tasks of `Tests/Material`, played with the replies of a strong model through the whole program, in each
/// dialect. Their checks look at the files.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct TwelveTasksTests {
    /// The bounds of the tasks, for all of them together. Tokens are bytes / 4 of all requests and replies.
    private static let (turns, tokens) = (35, 170_000)
    /// How long they may take, one after the other: some 20 where nothing is beside them.
    private static let seconds = 1200.0

    @Test(arguments: ["chat-completions", "messages", "responses", "ollama"])
    func eachTaskIsDoneWithinItsTurns(dialect: String) async throws {
        let lab = try ProgramLab()
        let script = "\(#filePath)".split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/Material/play.py"
        let played = try await lab.tool(
            "python3", script, "--assent", ProgramLab.program, "--dialect", dialect, "--quick", lab.path("played"),
            seconds: Self.seconds)
        #expect(played.exit == 0, "\(played.output)\(played.errors)")
        let lines = played.output.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("✓ ") } == 13, "\(played.output)")
        // The last line: `messages: 31 turns, 139033 tokens, 6 questions`.
        let figures = (lines.last ?? "").split(separator: " ").compactMap { Int($0) }
        try #require(figures.count == 3, "\(played.output)")
        print("the twelve tasks in \(lines.last ?? "")")
        #expect(figures[0] <= Self.turns && figures[1] <= Self.tokens, "\(played.output)")
    }
}
