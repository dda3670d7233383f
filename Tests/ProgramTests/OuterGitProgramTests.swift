import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// A linked worktree in front of the program: one question for the repository, and no further ones.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct OuterGitProgramTests {
    private func lab() async throws -> ProgramLab {
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        let git = "git -c user.name=a -c user.email=b@c"
        let line =
            "\(git) init -q ../outer; cd ../outer; echo a > a.txt; \(git) add .; \(git) commit -qm first; "
            + "\(git) worktree add -q \(lab.folder) -b topic"
        let made = try await lab.tool("sh", "-ec", line)
        try #require(made.exit == 0, "\(made)")
        for (name, line) in [
            ("log", "git log --format=%s"), ("status", "git status --short"), ("commit", "git commit -m x"),
            ("more", "git log; cat ../outer/a.txt"),
        ] {
            let reads: JSON = name == "more" ? [.string("\(lab.folder)/../outer")] : []
            let params: JSON = ["command": .string(line), "reads": reads]
            try lab.write(workflow(name, [node("run", "Shell", params)]), to: "../\(name).json")
        }
        return lab
    }

    private func run(_ name: String, _ lab: ProgramLab, mode: String = "auto") async throws -> ProgramEnding {
        try await lab.run("run", "../\(name).json", "--mode", mode, "--on-ask", "park")
    }

    private func approve(_ number: Int, _ lab: ProgramLab) async throws -> ProgramEnding {
        let question = try #require(try await lab.json("inbox").first { $0["number"]?.int == number })
        return try await lab.run("approve", "\(number)", "--digest", try #require(question["digest"]?.string))
    }

    @Test func aRepositoryIsAskedForOnce() async throws {
        let lab = try await lab()
        #expect(try await run("log", lab).exit == 3)
        // An open question is no yes.
        #expect(try await run("status", lab).exit == 3)
        #expect(try await approve(1, lab).exit == 0)
        for mode in ["auto", "adaptive"] {
            let ending = try await run("status", lab, mode: mode)
            #expect(ending.exit == 0, "\(ending)")
        }
        // In always-ask mode every command asks, and so does one that names more.
        #expect(try await run("status", lab, mode: "always-ask").exit == 3)
        #expect(try await run("more", lab).exit == 3)
        // A change of the rules ends it, and a rule that denies is not lowered.
        let rules = "policy: assent.policy/v1\nrules:\n  - {tool: Shell, decide: deny, reason: not here}\n"
        try ScratchFolder.makeFolder("\(lab.home)/config")
        try lab.write(rules, to: "\(lab.home)/config/policy.yaml")
        #expect(try await run("status", lab).exit == 4)
        try lab.write(rules.replacing("Shell", with: "Zip"), to: "\(lab.home)/config/policy.yaml")
        #expect(try await run("status", lab).exit == 3)
    }

    @Test func aNoIsNoYes() async throws {
        let lab = try await lab()
        #expect(try await run("log", lab).exit == 3)
        #expect(try await lab.run("reject", "1").exit != 3)
        #expect(try await run("status", lab).exit == 3)
    }

    @Test func aVerbThatWritesIsRefused() async throws {
        let ending = try await run("commit", try await lab())
        #expect(ending.exit == 4 && ending.said.contains("repositoryElsewhere"), "\(ending)")
    }
}
