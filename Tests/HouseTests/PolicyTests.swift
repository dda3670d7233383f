import Consent
import Embedded
import Manifests
import Testing
import Vocabulary

@Test func theBuiltInPolicyReadsWithoutProblem() throws {
    let text = PlacedJSON(try #require(Embedded.text(at: "Config/policy.yaml")))
    let json = try readYAML(text, file: "Config/policy.yaml")
    let (policy, problems) = Policy.read(json: json, source: "built-in policy", origin: .builtIn)
    #expect(problems.isEmpty)
    #expect(policy.unreadable == nil)
    #expect(!policy.rules.isEmpty)
}

/// `consent.md`, "Rules": Shell on the bare machine asks in every mode, by its rule and with the words of the rule.
@Test func theBuiltInPolicyAsksBeforeEveryShellCommand() throws {
    let json = try readYAML(
        PlacedJSON(try #require(Embedded.text(at: "Config/policy.yaml"))), file: "Config/policy.yaml")
    let policy = Policy.read(json: json, source: "built-in policy", origin: .builtIn).policy
    let shell = Call(tool: "Shell", toolVersion: .ofNothing, effects: [.executes], reversibility: .no)
    for mode in ConfirmationMode.allCases {
        let decision = policy.decide(shell, mode: mode, in: Surroundings(workspace: "/w"), at: Moment(milliseconds: 0))
        #expect(decision.name == "ask")
        #expect(decision.because.first?.contains("built-in policy") == true)
    }
}
