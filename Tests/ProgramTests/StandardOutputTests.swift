import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Standard output that cannot be written: a full disk, a descriptor that is closed, a reader that has gone.
@Suite(.process) struct StandardOutputTests {
    /// The program in a shell that has standard output elsewhere.
    private func run(_ lab: ProgramLab, _ arguments: String, _ redirection: String) async throws -> ProgramEnding {
        try await lab.tool("sh", "-c", "exec '\(ProgramLab.program)' \(arguments) \(redirection)")
    }

    private func lab() async throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("one two\n", to: "notes.txt")
        try lab.write(workflow("note", [node("note", "Text", ["text": "new"])]), to: ".note.json")
        try await lab.succeeds("run", ".note.json")
        return lab
    }

    private static let verbs = [
        "list", "list --json", "show w1", "show w1 --json", "history", "inbox", "tools", "templates --json",
        "check .note.json",
        "mode", "--version", "--help", "list --help", "doctor",
    ]

    @Test(
        "finding 11: standard output that fails is said once and ends with 1", arguments: verbs, ["> /dev/full", ">&-"])
    func aFailureIsSaid(verb: String, redirection: String) async throws {
        let lab = try await lab()
        let ending = try await run(lab, verb, redirection)
        #expect(ending.exit == 1, "\(ending.exit) \(ending.errors)")
        #expect(
            ending.errors.split(separator: "\n").count == 1 && ending.errors.contains("(outputFailed)"),
            "\(ending.errors)")
        #expect(ending.output.isEmpty)
    }

    /// What is closed must not become a file of the house.
    @Test(
        "finding 11: a workflow goes on although nobody can be told of it",
        arguments: ["run .write.json", "run .write.json --json"])
    func aWorkflowGoesOn(verb: String) async throws {
        for (number, redirection) in ["> /dev/full", ">&-", "<&- >&- 2>&-"].enumerated() {
            let lab = try await lab()
            try lab.write(
                workflow(
                    "write",
                    [
                        node("text", "Text", ["text": "new"]), node("wait", "Delay", ["seconds": 0]),
                        node("write", "WriteFile", ["path": "new.txt"]),
                    ],
                    [edge("text.text", "wait.in"), edge("wait.in", "write.text")]), to: ".write.json")
            let ending = try await run(lab, verb + " --mode auto", redirection)
            #expect(ending.exit == 1, "\(redirection): \(ending.errors)")
            #expect(ending.errors.contains("(outputFailed)") == (number < 2), "\(ending.errors)")
            #expect(lab.text("new.txt") == "new", "\(redirection)")
            #expect(try await lab.states("w2") == ["succeeded", "succeeded", "succeeded"], "\(redirection)")
            #expect(try await lab.run("doctor", "--thorough").exit == 0, "\(redirection)")
        }
    }

    /// `| head`: it has read what it wanted.
    @Test(
        "finding 11: a reader that has gone is no failure",
        arguments: ["list", "list --json", "tools", "--help", "run .note.json --json"])
    func aClosedPipeIsQuiet(verb: String) async throws {
        let lab = try await lab()
        // The reader has gone before the first write: the program begins when it has.
        let status = try await lab.tool(
            "sh", "-c",
            """
            mkfifo .pipe
            { read -r go < .pipe; '\(ProgramLab.program)' \(verb) 2> .errors; echo $? > .status; } | { exec <&-; echo > .pipe; }
            """)
        #expect(status.exit == 0)
        #expect(
            lab.text(".status") == "0\n" && lab.text(".errors") == "",
            "\(lab.text(".status") ?? "") \(lab.text(".errors") ?? "")")
    }
}
