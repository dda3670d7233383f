import Consent
import JSON
import Testing
import Vocabulary

/// Rules hold behind links, too: folders of rules by what they lead to, files under all of their names.
struct LinkTests {
    private static let here = "/home/ana/photos"

    private func policy(_ rule: String) throws -> Policy {
        let json = try JSONReader.read(#"{"policy": "assent.policy/v1", "rules": [{\#(rule), "reason": "x"}]}"#)
        let (policy, problems) = Policy.read(
            json: json, source: "policy.yaml", origin: .user, lines: Policy.Lines(rules: [3]))
        #expect(problems.isEmpty)
        return policy
    }

    private func target(_ effect: Effect, _ name: String, _ others: [String] = []) -> Call.Target {
        Call.Target(
            effect, .path("\(Self.here)/\(name)"), reach: .workspace, before: effect == .creates ? .absent : .sample,
            otherPaths: others.map { "\(Self.here)/\($0)" })
    }

    /// `docs` leads to `real`, and `~/papers` to `/srv/papers`.
    @Test(
        arguments: [
            (#""path": "docs", "decide": "deny""#, .creates, "real/x", [], "deny"),
            (#""path": "docs", "decide": "deny""#, .creates, "real/x", ["docs/x"], "deny"),
            (#""path": "./docs/", "decide": "deny""#, .deletes, "real/x", [], "deny"),
            (#""path": "docs", "decide": "ask""#, .reads, "real/x", [], "ask"),
            (#""path": "docs", "decide": "deny""#, .creates, "docs/x", [], "deny"),
            (#""path": "docs", "decide": "deny""#, .creates, "elsewhere/x", [], "allow"),
            (#""path": "out", "decide": "deny""#, .creates, "elsewhere/x", ["out/x"], "deny"),
            (
                #""path": "docs", "effects": ["deletes"], "undo": true, "decide": "allow""#, .deletes, "real/x",
                ["docs/x"], "ask"
            ),
            (#""path": "real", "effects": ["deletes"], "decide": "allow""#, .deletes, "real/x", ["docs/x"], "allow"),
            (#""path": "out", "effects": ["deletes"], "decide": "allow""#, .deletes, "real/x", ["out/x"], "ask"),
            (#""params": {"path": {"under": "docs"}}, "decide": "deny""#, .creates, "real/x", ["link/x"], "deny"),
            (#""params": {"path": {"under": "real"}}, "decide": "deny""#, .creates, "real/x", ["link/x"], "deny"),
            (#""params": {"path": {"under": "link"}}, "decide": "deny""#, .creates, "real/x", ["link/x"], "deny"),
            (#""params": {"path": {"under": "link"}}, "decide": "allow""#, .deletes, "real/x", ["link/x"], "ask"),
        ] as [(String, Effect, String, [String], String)])
    func foldersHoldBehindLinks(rule: String, effect: Effect, path: String, others: [String], expected: String) throws {
        let policy = try policy(rule)
        var surroundings = surroundings
        surroundings.resolveFolders(of: policy) { path in
            [Self.here + "/docs": Self.here + "/real", Self.here + "/docs/": Self.here + "/real"][path] ?? path
        }
        let one = call("WriteFile", [effect], [target(effect, path, others)], params: ["path": "link/x"])
        #expect(policy.decide(one, mode: .adaptive, in: surroundings, at: noon).name == expected)
    }

    @Test(
        arguments: [
            (.creates, "conf/tasks.json", [".vscode/tasks.json"], "ask"), (.creates, "conf/tasks.json", [], "allow"),
            (.overwrites, "scripts/check.sh", ["hook", ".git/hooks/pre-commit"], "ask"),
            (.creates, "a", (1...Limits.otherPaths).map { "n\($0)" }, "ask"),
            (.reads, "a", (1...Limits.otherPaths).map { "n\($0)" }, "allow"),
        ] as [(Effect, String, [String], String)])
    func namesHoldUnderEveryNameAlsoInAuto(effect: Effect, path: String, others: [String], expected: String) throws {
        let policy = try policy(#""names": [".vscode/**", ".git/hooks/**"], "decide": "ask", "evenInAuto": true"#)
        let one = call("WriteFile", [effect], [target(effect, path, others)])
        #expect(policy.decide(one, mode: .auto, in: surroundings, at: noon).name == expected)
    }

    /// A link that comes in the place to which another link leads.
    @Test func aLinkBehindALinkIsLookedAtByItsOtherName() throws {
        let policy = try policy(#""names": [".vscode/**"], "decide": "ask", "evenInAuto": true"#)
        var link = target(.creates, "foo", [".vscode"])
        link.change = Call.Change(kind: .link, mode: 0o777, leadsTo: "conf")
        #expect(policy.decide(call("Shell", [.creates], [link]), mode: .auto, in: surroundings, at: noon).name == "ask")
    }

    @Test func otherPathsAreInTheDigest() {
        let plain = call("WriteFile", [.creates], [target(.creates, "a")])
        let linked = call("WriteFile", [.creates], [target(.creates, "a", ["b"])])
        #expect(digest(of: plain) != digest(of: linked) && !plain.json.canonical.contains("also"))
        #expect(linked.json.canonical.contains(#""also":["/home/ana/photos/b"]"#))
    }
}
