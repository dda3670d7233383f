import Consent
import Embedded
import Manifests
import Testing
import Vocabulary

/// What git, a build or a shell will run later is asked about in every folder and mode, by the built-in policy.
struct RunsLaterTests {
    private static func decision(_ name: String) throws -> Decision {
        let json = try readYAML(
            PlacedJSON(try #require(Embedded.text(at: "Config/policy.yaml"))), file: "Config/policy.yaml")
        let policy = Policy.read(json: json, source: "built-in policy", origin: .builtIn).policy
        let target = Call.Target(.creates, .path("/w/\(name)"), reach: .workspace, before: .absent)
        let call = Call(
            tool: "WriteFile", toolVersion: .ofNothing, targets: [target], effects: [.creates],
            reversibility: .yes(how: "x"))
        return policy.decide(call, mode: .auto, in: Surroundings(workspace: "/w"), at: Moment(milliseconds: 0))
    }

    /// All of githooks(5): `core.hooksPath` may name any folder.
    @Test(arguments: [
        "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg",
        "commit-msg",
        "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update", "proc-receive",
        "post-receive",
        "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite", "sendemail-validate",
        "fsmonitor-watchman", "p4-changelist", "p4-prepare-changelist", "p4-post-changelist", "p4-pre-submit",
        "post-index-change",
    ])
    func aHookOfGitRunsLaterInEveryFolder(hook: String) throws {
        for folder in ["", "tools/h/", "hooks/"] {
            #expect(try Self.decision(folder + hook).name == "ask", "\(folder)")
        }
        #expect(try Self.decision("tools/\(hook).md").name == "allow")
    }

    @Test(arguments: [
        "vite.config.mts", "vite.config.cts", "babel.config.json", ".flake8", "gems.rb", "lib/tasks/a.rake",
        "lefthook.yml",
        "lefthook.yaml",
        "lefthook.json", ".lefthook.yaml", ".lefthook.json", "lefthook-local.yaml", "conanfile.py", "hatch_build.py",
        "fish/functions/ls.fish", "fish/conf.d/a.fish", "fish/completions/git.fish", "profile.ps1",
        "Microsoft.PowerShell_profile.ps1",
        "site_scons/site_init.py", "Tupfile", "Tuprules.tup", "team.gitconfig", "gitconfig", ".gitattributes",
        "a/.gitattributes",
    ])
    func whatABuildOrAShellObeysRunsLater(name: String) throws {
        #expect(try Self.decision(name).name == "ask")
        #expect(try Self.decision("sub/\(name)").name == "ask")
    }

    @Test(arguments: [
        "notes.txt", "update.txt", "config.mts", "functions/a.txt", "lefthook.md", "profile.md", "flake8", "b/rake",
    ])
    func whatOnlyLooksLikeItDoesNot(name: String) throws { #expect(try Self.decision(name).name == "allow") }
}
