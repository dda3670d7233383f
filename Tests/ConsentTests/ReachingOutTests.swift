import Consent
import JSON
import Testing
import Vocabulary

/// A command that is rehearsed with hosts or files elsewhere: that cannot be judged afterwards, so a person says yes
/// before.
@Suite struct ReachingOutTests {
    private static func shell(_ targets: [Call.Target]) -> Call {
        var one = call(
            "Shell", Set([.executes] + targets.map(\.effect)),
            [Call.Target(.executes, .command(["sh", "-c", "make"]), reach: .workspace)] + targets)
        one.rehearsal = .wanted
        return one
    }

    private static let secret = Call.Target(.reads, .path("/home/ana/photos/.env"), reach: .workspace, isPrivate: true)
    private static let policies: [Policy] = [
        Policy(rules: [], epoch: "e"),
        Policy(rules: [Rule(.allow, Conditions(tools: ["Shell"]), reason: "mine", source: "policy:1")], epoch: "e"),
    ]

    @Test(
        arguments: [
            [.send("example.org:443")], [.send("127.0.0.1:80")], [.read("/home/ana/.cargo", .outside)], [secret],
            [.read("/home/ana/photos/a.txt")], [.send("a.example:443"), .read("/srv", .outside)],
        ].map { (targets: [Call.Target]) in ReachingOutTests.shell(targets) },
        [ConfirmationMode.alwaysAsk, .adaptive, .auto])
    func itAsksInEveryMode(one: Call, mode: ConfirmationMode) {
        let grant = Grant(
            id: "g1", tool: "Shell", toolVersion: toolVersion,
            conditions: Conditions(effects: Set(Effect.allCases), reach: .remote, isIrreversible: true))
        for policy in Self.policies {
            let decision = policy.decide(one, mode: mode, grants: [grant], in: surroundings, at: noon)
            #expect(decision.name == "ask", "\(decision)")
            #expect(decision.because.contains { $0.contains("cannot be judged afterwards") })
        }
    }

    @Test(arguments: [ConfirmationMode.adaptive, .auto]) func withoutAnyItIsRehearsedUnasked(mode: ConfirmationMode) {
        #expect(
            Policy(rules: [], epoch: "e").decide(Self.shell([]), mode: mode, in: surroundings, at: noon).name == "allow"
        )
    }

    /// The same machine answers, however its address is written.
    @Test(
        arguments: [
            ("127.0.0.1", "[::ffff:127.0.0.1]:80", true), ("169.254.169.254", "[::ffff:a9fe:a9fe]:80", true),
            ("127.0.0.1:80", "[0:0:0:0:0:ffff:7f00:1]:80", true), ("127.0.0.1:81", "[::ffff:127.0.0.1]:80", false),
            ("[::ffff:10.0.0.1]", "10.0.0.1:80", true), ("::1", "[::1]:80", true), ("[0:0::1]:80", "[::1]:80", true),
            ("127.1", "127.0.0.1:80", true), ("10.*", "[::ffff:10.1.2.3]:80", true),
            ("[fd00:ec2::*", "[fd00:ec2::254]:80", true),
            // What listens on all addresses of this machine answers at each.
            ("127.0.0.1", "localhost:80", true), ("127.0.0.1", "0:80", true), ("127.0.0.1", "a.localhost:80", true),
            ("127.0.0.1", "[::1]:80", true), ("localhost", "127.0.0.1:80", true), ("127.*", "localhost:80", true),
            ("127.0.0.1", "127.0.0.2:80", true), ("127.0.0.1:81", "localhost:80", false),
            ("10.*", "localhost:80", false),
            ("*.example", "localhost:80", false), ("[::1]", "[::2]:80", false),
            ("127.0.0.1", "127.0.0.1.example:80", false),
        ])
    func anAddressIsOneInEverySpelling(pattern: String, host: String, isDenied: Bool) {
        let policy = Policy(
            rules: [Rule(.deny, Conditions(hosts: [pattern]), reason: "no", source: "policy:1")], epoch: "e")
        let decision = policy.decide(Self.shell([.send(host)]), mode: .auto, in: surroundings, at: noon)
        #expect((decision.name == "deny") == isDenied, "\(decision)")
    }

    /// A grant is taken at its word: another address of this machine may be another server.
    @Test(
        arguments: [
            ("127.0.0.1", "127.0.0.1:80", true), ("127.0.0.1", "[::ffff:127.0.0.1]:80", true),
            ("localhost", "localhost:80", true),
            ("127.0.0.1", "127.0.0.2:80", false), ("127.0.0.1", "localhost:80", false),
            ("localhost", "[::1]:80", false),
            ("127.0.0.1", "0:80", false),
        ])
    func anAllowedAddressIsNoOtherOfThisMachine(pattern: String, host: String, isAllowed: Bool) {
        let grant = Grant(
            id: "g1", tool: "HTTPFetch", toolVersion: toolVersion,
            conditions: Conditions(effects: [.sends], isIrreversible: true, hosts: [pattern]))
        let policy = Policy(rules: [], epoch: "e")
        let decision = policy.decide(
            call("HTTPFetch", [.sends], [.send(host)]), mode: .adaptive, grants: [grant], in: surroundings, at: noon)
        #expect((decision.name == "allow") == isAllowed, "\(decision)")
    }

    @Test func aRuleThatDeniesAHostIsHeardBefore() {
        let policy = Policy(
            rules: [Rule(.deny, Conditions(hosts: ["*.evil.example"]), reason: "no", source: "policy:1")], epoch: "e")
        for mode in [ConfirmationMode.alwaysAsk, .adaptive, .auto] {
            #expect(
                policy.decide(Self.shell([.send("a.evil.example:443")]), mode: mode, in: surroundings, at: noon).name
                    == "deny")
        }
    }

    @Test(
        arguments: ([
            ([.send("example.org:443"), .send("example.org:80")], "rehearse a command that speaks to example.org"),
            ([.send("a.example:443"), .send("b.example:443")], "rehearse a command that speaks to 2 hosts"),
            ([.read("/srv", .outside)], "rehearse a command that reads outside the workspace"),
            ([secret], "rehearse a command that reads what may hold keys"),
            (
                [.send("a.example:443"), .read("/srv", .outside)],
                "rehearse a command that speaks to a.example and reads outside the workspace"
            ),
            ([], "rehearse a command"),
        ] as [([Call.Target], String)]).map { (ReachingOutTests.shell($0), $1) })
    func theQuestionSaysWhereItReaches(call: Call, title: String) {
        let question = question(
            for: call, subject: "step 1", decision: .ask(because: ["x"]), mode: .auto)
        #expect(question.title == title)
        // A key is enough: nothing is lost by it.
        #expect(question.wordToType == nil)
    }

    /// Shown exactly, it may be part of a plan that is said yes to.
    @Test func aPlanShowsItWhole() {
        let planned = Self.shell([.send("example.org:443")])
        let question = question(
            for: call("Resize"), subject: "step 1", decision: .ask(because: ["x"]), mode: .alwaysAsk,
            plan: [(2, planned)])
        #expect(question.plan.map(\.digest) == [digest(of: planned)] && question.leftOut.isEmpty)
    }

    @Test func itsDigestIsOfItsHosts() {
        let calls: [[Call.Target]] = [
            [], [.send("a.example:443")], [.send("a.example:80")], [.read("/srv", .outside)],
            [.read("/srv/x", .outside)],
        ]
        #expect(Set(calls.map { digest(of: Self.shell($0)) }).count == calls.count)
    }
}
