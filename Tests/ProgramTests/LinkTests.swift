import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The whole program against links that are there: rules hold behind them, and Assent's own stays its own.
@Suite(.process, .enabled(if: Rehearsals.place == .disk)) struct LinkTests {
    private let lab: Attack

    init() throws {
        lab = try Attack()
        for name in ["work/real/old.txt", "work/conf/keep", "work/scripts/check.sh", "work/.git/hooks/x"] {
            try lab.write(name, "old\n")
        }
        for (path, target) in [
            ("docs", "real"), (".vscode", "conf"), (".git/hooks/pre-commit", "../../scripts/check.sh"),
        ] {
            symlink(target, "\(lab.root)/work/\(path)")
        }
    }

    private func run(_ kind: String, _ words: String, mode: String) async throws -> Int32 {
        let params: JSON =
            kind == "Shell"
            ? ["command": .string(words)] : ["path": .string(words), "text": "new\n", "overwrite": true]
        return try await lab.run(
            ["run", try lab.template(kind, params), "--mode", mode, "--on-ask", "deny"], in: "work"
        ).status
    }

    @Test(arguments: ["settings.yaml", "policy.yaml", "hosts.json"]) func settingsAmongDotfilesAreNotWritten(
        name: String
    ) async throws {
        try lab.write("home/config/x", "")
        symlink("../../work/assent/\(name)", "\(lab.root)/home/config/\(name)")
        try lab.write("work/assent/keep", "")
        // A link that leads nowhere is a policy that cannot be read: it refuses by itself.
        #expect(try await run("Shell", "echo 'key_command: touch pwned' > assent/\(name)", mode: "auto") != 0)
        #expect(!lab.exists("work/assent/\(name)"))
    }

    @Test func rulesBehindALinkAreNotWritten() async throws {
        symlink("rules", "\(lab.root)/work/.assent")
        #expect(try await run("Shell", "mkdir rules; echo x > rules/policy.yaml", mode: "adaptive") != 0)
        #expect(!lab.exists("work/rules"))
    }

    @Test(
        arguments: [
            ("WriteFile", "docs/x.txt"), ("WriteFile", "real/x.txt"), ("Shell", "echo y > docs/x.txt"),
            ("Shell", "rm real/old.txt"),
        ])
    func aDenyHoldsBehindALink(kind: String, words: String) async throws {
        let rule = "{effects: [creates, overwrites, deletes], path: [docs], decide: deny, reason: leave it}"
        try lab.write("work/.assent/policy.yaml", "policy: assent.policy/v1\nrules:\n  - \(rule)\n")
        #expect(try await run(kind, words, mode: "auto") == 4)
        #expect(!lab.exists("work/real/x.txt") && lab.exists("work/real/old.txt"))
        #expect(try await run("WriteFile", "elsewhere.txt", mode: "auto") == 0)
    }

    @Test(
        arguments: [
            ("WriteFile", ".vscode/tasks.json"), ("WriteFile", "conf/tasks.json"),
            ("WriteFile", ".git/hooks/pre-commit"),
            ("Shell", "echo x > .vscode/settings.json"), ("Shell", "echo x > conf/settings.json"),
            ("Shell", "echo x > scripts/check.sh"),
        ], ["adaptive", "auto"])
    func whatRunsLaterIsAskedAboutUnderEachOfItsNames(row: (kind: String, words: String), mode: String) async throws {
        #expect(try await run(row.kind, row.words, mode: mode) == 4)
        #expect(!lab.exists("work/conf/tasks.json") && !lab.exists("work/conf/settings.json"))
    }
}
