import CaseNames
import Consent
import JSON
import Testing
import Vocabulary

private let here = "/home/ana/photos"

private func read(_ rules: String, origin: Policy.Origin = .user) throws -> (policy: Policy, problems: [Problem]) {
    let json = try JSONReader.read(#"{"policy": "assent.policy/v1", "rules": [\#(rules)]}"#)
    return Policy.read(json: json, source: "policy.yaml", origin: origin, lines: Policy.Lines(rules: [3, 9]))
}

private let fetch = call(
    "HTTPFetch", [.sends], [.send("api.example.org:443")], params: ["url": "https://api.example.org/", "n": 5])
private let write = call(
    "WriteFile", [.creates], [.overwrite("\(here)/out/a.txt")], params: ["path": "out/a.txt", "mode": "fast"])
private let reading = call("ReadFile", [.reads], [.read("/srv/data/x", .outside)])

/// What a rule makes of a call in adaptive mode, where all three calls would ask by themselves.
@Test(
    arguments: [
        // Asks and denies: one thing is enough.
        (#""effects": ["sends", "spends"], "decide": "deny""#, fetch, "deny"),
        (#""effects": ["deletes"], "decide": "deny""#, fetch, "ask"),
        (#""tool": "HTTP*", "decide": "deny""#, fetch, "deny"),
        (#""tool": "http*", "decide": "deny""#, fetch, "ask"),
        (#""tool": ["A", "HTTPFetch"], "decide": "deny""#, fetch, "deny"),
        (#""host": "api.example.org", "decide": "deny""#, fetch, "deny"),
        (#""host": "API.EXAMPLE.ORG", "decide": "deny""#, fetch, "deny"),
        (#""host": "*.example.org", "decide": "deny""#, fetch, "deny"),
        (#""host": "example.org", "decide": "deny""#, fetch, "ask"),
        (#""host": "api.example.org:443", "decide": "deny""#, fetch, "deny"),
        (#""host": "api.example.org:80", "decide": "deny""#, fetch, "ask"),
        (#""path": "out", "decide": "deny""#, write, "deny"),
        (#""path": "./out/", "decide": "deny""#, write, "deny"),
        (#""path": "ou", "decide": "deny""#, write, "ask"),
        (#""path": "~/photos", "decide": "deny""#, write, "deny"),
        (#""path": "/", "decide": "deny""#, write, "deny"),
        (#""path": ".", "decide": "deny""#, write, "deny"),
        (#""path": "~/other", "decide": "deny""#, write, "ask"),
        (#""reach": "outside", "decide": "deny""#, fetch, "deny"),
        (#""reach": "outside", "decide": "deny""#, write, "ask"),
        (#""params": {"n": {"atMost": 5}}, "decide": "deny""#, fetch, "deny"),
        (#""params": {"n": {"atLeast": 6}}, "decide": "deny""#, fetch, "ask"),
        (#""params": {"n": 5.0}, "decide": "deny""#, fetch, "deny"),
        (#""params": {"url": {"matches": "https://*"}}, "decide": "deny""#, fetch, "deny"),
        (#""params": {"url": {"matches": "http://*"}}, "decide": "deny""#, fetch, "ask"),
        (#""params": {"path": {"under": "out"}}, "decide": "deny""#, write, "deny"),
        (#""params": {"mode": ["slow", "fast"]}, "decide": "deny""#, write, "deny"),
        (#""params": {"missing": 1}, "decide": "deny""#, write, "ask"),
        // What cannot be compared counts against the call.
        (#""params": {"url": {"atLeast": 6}}, "decide": "deny""#, fetch, "deny"),
        (#""params": {"mode": 1}, "decide": "deny""#, write, "deny"),
        // Allows: everything must be named.
        (#""tool": "WriteFile", "decide": "allow""#, write, "allow"),
        (#""tool": "WriteFile", "path": "out", "decide": "allow""#, write, "allow"),
        (#""tool": "WriteFile", "path": "elsewhere", "decide": "allow""#, write, "ask"),
        (#""tool": "WriteFile", "effects": ["overwrites", "creates"], "decide": "allow""#, write, "allow"),
        (#""tool": "WriteFile", "effects": ["creates"], "decide": "allow""#, write, "ask"),
        (#""tool": "WriteFile", "host": "example.org", "decide": "allow""#, write, "ask"),
        (#""tool": "WriteFile", "params": {"mode": {"atMost": 5}}, "decide": "allow""#, write, "ask"),
        (#""effects": ["reads"], "path": "/srv/data", "decide": "allow""#, reading, "allow"),
        (#""effects": ["reads"], "path": "/srv/dat", "decide": "allow""#, reading, "ask"),
        (#""reach": "workspace", "decide": "allow""#, reading, "ask"),
        (#""reach": "outside", "decide": "allow""#, reading, "allow"),
        // Only a grant lets something be sent.
        (#""tool": "HTTPFetch", "decide": "allow""#, fetch, "ask"),
    ] as [(String, Call, String)])
func rulesDecide(rule: String, call: Call, expected: String) throws {
    let (policy, problems) = try read(#"{\#(rule), "reason": "because"}"#)
    #expect(problems.isEmpty)
    #expect(policy.decide(call, mode: .adaptive, in: surroundings, at: noon).name == expected)
}

@Test func twoSpellingsOfALetterAreTwoTextsAndTwoFolders() throws {
    let one = call("ReadFile", [.reads], [.read("/srv/caf\u{E9}/x", .outside)], params: ["name": "caf\u{E9}"])
    for (spelling, expected) in [("caf\u{E9}", "allow"), ("cafe\u{301}", "ask")] {
        for test in [#""path": "/srv/\#(spelling)""#, #""params": {"name": "\#(spelling)"}"#] {
            let policy = try read(#"{\#(test), "decide": "allow", "reason": "x"}"#).policy
            #expect(policy.decide(one, mode: .adaptive, in: surroundings, at: noon).name == expected)
        }
    }
}

@Test func theStrictestRuleWinsInAnyOrder() throws {
    let rules = [
        #"{"tool": "WriteFile", "decide": "allow", "reason": "a"}"#,
        #"{"tool": "WriteFile", "decide": "ask", "reason": "b"}"#,
        #"{"tool": "WriteFile", "decide": "deny", "reason": "c"}"#,
    ]
    func decided(_ rules: [String]) throws -> Decision {
        try read(rules.joined(separator: ",")).policy.decide(write, mode: .adaptive, in: surroundings, at: noon)
    }
    #expect(try decided([rules[0], rules[1]]).name == "ask")
    #expect(try decided([rules[1], rules[0]]).name == "ask")
    #expect(try decided([rules[2], rules[0]]) == .deny(because: ["c (policy.yaml:3)"]))
    #expect(try decided([rules[0], rules[2]]) == .deny(because: ["c (policy.yaml:9)"]))
}

@Test func askRulesHoldInAutoOnlyWhereTheySaySo() throws {
    for (written, expected) in [(#""evenInAuto": true,"#, "ask"), (#""evenInAuto": false,"#, "allow"), ("", "allow")] {
        let policy = try read(#"{"tool": "WriteFile", "decide": "ask", \#(written) "reason": "x"}"#).policy
        #expect(policy.decide(write, mode: .auto, in: surroundings, at: noon).name == expected)
    }
}

@Test(
    arguments: [
        (#"{"tol": "A", "decide": "deny", "reason": "x"}"#, "unknownKey"),
        (#"{"tool": "A", "reason": "x"}"#, "badRule"),
        (#"{"tool": "A", "decide": "maybe", "reason": "x"}"#, "badRule"),
        (#"{"tool": "A", "decide": "deny"}"#, "badRule"),
        (#"{"tool": 3, "decide": "deny", "reason": "x"}"#, "badRule"),
        (#"{"tool": [], "decide": "deny", "reason": "x"}"#, "badRule"),
        (#"{"effects": ["melts"], "decide": "deny", "reason": "x"}"#, "badRule"),
        (#"{"reach": "moon", "decide": "deny", "reason": "x"}"#, "badRule"),
        (#"{"undo": true, "decide": "deny", "reason": "x"}"#, "badRule"),
        (#"{"params": {"a": {"sizzles": 1}}, "decide": "deny", "reason": "x"}"#, "badRule"),
        (#"{"params": {"a": {"atMost": 1, "atLeast": 0}}, "decide": "deny", "reason": "x"}"#, "badRule"),
        (#"{"params": [], "decide": "deny", "reason": "x"}"#, "badRule"),
        (#"{"evenInAuto": "yes", "decide": "ask", "reason": "x"}"#, "badRule"),
        (#"{"evenInAuto": true, "decide": "allow", "reason": "x"}"#, "badRule"), (#""text""#, "badRule"),
        (#"{"tool": "A", "decide": "deny", "reason": "x", "match": [{"tool": "B"}]}"#, "exampleFails"),
        (#"{"tool": "A", "decide": "deny", "reason": "x", "nomatch": [{"tool": "A"}]}"#, "exampleFails"),
        (#"{"tool": "A", "decide": "deny", "reason": "x", "match": [{"tul": "A"}]}"#, "badRule"),
    ])
func policiesWithAFaultAreUnreadable(rule: String, code: String) throws {
    let (policy, problems) = try read(rule)
    #expect(problems.map(\.code) == [code])
    #expect(problems.first?.place == "policy.yaml:3")
    #expect(policy.rules.isEmpty)
    #expect(policy.decide(write, mode: .auto, in: surroundings, at: noon).name == "deny")
    #expect(policy.unreadable?.contains("policy.yaml:3") == true)
}

@Test(arguments: [#"[]"#, #"{}"#, #"{"policy": "assent.policy/v2", "rules": []}"#, #"{"policy": "assent.policy/v1"}"#])
func otherVersionsAndShapesAreUnreadable(text: String) throws {
    let policy = Policy.read(json: try JSONReader.read(text), source: "p", origin: .user).policy
    #expect(policy.unreadable != nil)
}

@Test func aWorkspaceMayOnlyAskOrDeny() throws {
    let rules = #"""
        {"tool": "WriteFile", "decide": "allow", "reason": "trust me"}, {"tool": "ReadFile", "decide": "deny", "reason": "mine"}
        """#
    let (policy, problems) = try read(rules, origin: .workspace)
    #expect(problems.map(\.code) == ["workspaceCannotAllow"])
    #expect(policy.unreadable == nil)
    #expect(policy.decide(write, mode: .adaptive, in: surroundings, at: noon).name == "ask")
    #expect(policy.decide(reading, mode: .auto, in: surroundings, at: noon) == .deny(because: ["mine (policy.yaml:9)"]))
}

@Test func examplesInAPolicyAreCheckedWithTargets() throws {
    let rule = #"""
        {"tool": "WriteFile", "path": "out", "decide": "deny", "reason": "x",
         "match": [{"tool": "WriteFile", "effects": ["overwrites"], "path": "out/a"}],
         "nomatch": [{"tool": "WriteFile", "effects": ["overwrites"], "path": "a"}, {"tool": "WriteFile"}]}
        """#
    #expect(try read(rule).problems.isEmpty)
}

@Test(
    arguments: [
        (Conditions(effects: [.sends]), 0.0, "allow"), (Conditions(effects: [.reads]), 0, "ask"),
        (Conditions(), 0, "ask"),
        (Conditions(effects: [.sends], hosts: ["api.example.org"]), 0, "allow"),
        (Conditions(effects: [.sends], hosts: ["example.org"]), 0, "ask"), (Conditions(effects: [.sends]), 3600, "ask"),
    ])
func grantsCoverWhatTheyNameUntilTheyExpire(conditions: Conditions, seconds: Double, expected: String) {
    let grant = Grant(
        id: "g3", tool: "HTTPFetch", toolVersion: toolVersion, conditions: conditions, expiresAt: noon + 60)
    let decision = Policy.modesOnly.decide(
        fetch, mode: .adaptive, grants: [grant], in: surroundings, at: noon + seconds)
    #expect(decision.name == expected)
    if expected == "allow" { #expect(decision.because == ["grant g3"]) }
}

@Test func grantsHoldForOneToolAndVersionAndNameWhatCannotBeUndone() {
    var grant = Grant(
        id: "g", tool: "HTTPFetch", toolVersion: toolVersion, conditions: Conditions(effects: Set(Effect.allCases)))
    func decided(_ call: Call, _ mode: ConfirmationMode = .adaptive) -> String {
        Policy.modesOnly.decide(call, mode: mode, grants: [grant], in: surroundings, at: noon).name
    }
    #expect(decided(fetch) == "allow")
    #expect(decided(fetch, .alwaysAsk) == "ask")
    var other = fetch
    other.toolVersion = .ofNothing
    #expect(decided(other) == "ask")
    other = fetch
    other.reversibility = .no
    #expect(decided(other) == "ask")
    grant.conditions.isIrreversible = true
    #expect(decided(other) == "allow")
    grant.tool = "*"
    #expect(decided(fetch) == "ask")
    grant.tool = "Shell"
    #expect(decided(call("Shell", [.executes], undo: .no)) == "ask")
}

@Test func anAskThatHoldsInAutoHoldsAgainstGrantsToo() throws {
    let grant = Grant(
        id: "g", tool: "WriteFile", toolVersion: toolVersion, conditions: Conditions(effects: Set(Effect.allCases)))
    for (written, expected) in [("true", "ask"), ("false", "allow")] {
        let policy = try read(#"{"tool": "WriteFile", "decide": "ask", "evenInAuto": \#(written), "reason": "x"}"#)
            .policy
        #expect(policy.decide(write, mode: .adaptive, grants: [grant], in: surroundings, at: noon).name == expected)
    }
}

/// A folder or a host that is allowed says nothing of an effect that may be anywhere.
@Test func anEffectWithoutATargetIsInNoFolderThatIsAllowed() throws {
    let policy = try read(#"{"tool": "WriteFile", "path": "out", "decide": "allow", "reason": "x"}"#).policy
    var elsewhere = write
    elsewhere.effects.insert(.deletes)
    #expect(policy.decide(write, mode: .adaptive, in: surroundings, at: noon).name == "allow")
    #expect(policy.decide(elsewhere, mode: .adaptive, in: surroundings, at: noon).name == "ask")
}

@Test func aPatternOfManyStarsTakesNoTime() throws {
    let stars = String(repeating: "a*", count: 200)
    let text = String(repeating: "a", count: 4_000)
    let policy = try read(#"{"params": {"t": {"matches": "\#(stars)b"}}, "decide": "deny", "reason": "x"}"#).policy
    #expect(policy.decide(call(params: ["t": .string(text)]), mode: .auto, in: surroundings, at: noon).name == "allow")
    #expect(
        policy.decide(call(params: ["t": .string(text + "b")]), mode: .auto, in: surroundings, at: noon).name == "deny")
}

/// Most steps touch nothing, and finding the surroundings takes longer than they do.
@Test func surroundingsAreFoundOnlyWhereARuleMayBeAboutTheCall() {
    let call = Call(
        tool: "Pass", toolVersion: .ofNothing, params: JSON.Object(members: [.init(key: "path", value: "/etc/x")]))
    func asks(_ conditions: Conditions) -> (isHeldBack: Bool, asked: Int) {
        var asked = 0
        func here() -> Surroundings {
            asked += 1
            return Surroundings(workspace: "/w", home: "/home/ana")
        }
        let rules = (1...3).map { Rule(.ask, conditions, reason: "x", source: "p:\($0)") }
        return (Policy(rules: rules, epoch: "e").holdsBack(call, in: here()), asked)
    }
    for conditions in [
        Conditions(tools: ["Other"]), Conditions(effects: [.overwrites]), Conditions(reach: .workspace),
        Conditions(folders: ["~/x"]), Conditions(hosts: ["*"]), Conditions(names: ["Makefile"]),
    ] {
        #expect(asks(conditions) == (false, 0))
    }
    #expect(asks(Conditions(tools: ["Pa*"])) == (true, 1))
    #expect(asks(Conditions(params: ["path": .under(["/etc"])])) == (true, 1))
    #expect(asks(Conditions(params: ["path": .under(["/usr"])])) == (false, 1))
}
