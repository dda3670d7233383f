import CaseNames
import Consent
import Testing
import Vocabulary

/// Names that come new are looked at by themselves: what is not seen, what programs take for an option, what another
/// system takes for one that is there.
struct NewNamesTests {
    private static let here = "/home/ana/photos"

    private func objections(_ target: Call.Target, _ mode: ConfirmationMode = .adaptive) -> [String] {
        let decision = Policy.modesOnly.decide(
            call("WriteFile", [.creates], [target]), mode: mode, in: surroundings, at: noon)
        return if case .ask(let because) = decision { because } else { [] }
    }

    private func creation(_ name: String, newFolders: Int = 0, resembles: String? = nil) -> Call.Target {
        Call.Target(
            .creates, .path("\(Self.here)/\(name)"), reach: .workspace, before: .absent, newFolders: newFolders,
            resembles: resembles)
    }

    @Test(
        arguments: [
            "a\nb", "a\u{1B}[2Jb", "a\u{9B}b", "a\u{7F}", "\u{202E}txt.exe", "a\u{200B}b", "\u{FEFF}a", "a\u{E0041}",
            "a\u{2028}b",
        ]
        .map {
            Named($0.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " "), $0)
        }) func whatIsNotSeenInANameIsAskedAbout(named: Named<String>)
    {
        #expect(objections(creation(named.value)).contains { $0.contains("characters that are not seen") })
        #expect(objections(creation("new/\(named.value)/a.txt", newFolders: 2)).count == 1)
        // A folder that is there is not made.
        #expect(objections(creation("\(named.value)/a.txt")).isEmpty)
        let saved = Call.Target(
            .creates, .newName(folder: Self.here, stem: named.value, suffix: ".txt"), reach: .workspace)
        #expect(objections(saved).count == 1)
    }

    @Test(arguments: [
        ("-rf", 0, true), ("-d/a", 1, true), ("-d/a", 0, false), ("a/-b/c", 2, true), ("a-b", 0, false),
        ("a/b-", 1, false),
    ])
    func aNameLikeAnOptionIsAskedAbout(name: String, newFolders: Int, asks: Bool) {
        let words = objections(creation(name, newFolders: newFolders))
        #expect(words.contains { $0.contains("take it for an option") } == asks && words.count == (asks ? 1 : 0))
    }

    @Test func aNameLikeAnotherIsAskedAboutWithoutSayingItInTheReason() {
        let words = objections(creation("Notes.txt", resembles: "notes.txt\u{1B}[2J"))
        #expect(words.count == 1 && words[0].contains("only by case") && !words[0].contains("notes.txt"))
    }

    @Test func plainNamesOfAllScriptsPassAndSoDoFilesThatAreThere() {
        for name in ["a.txt", "Übung.md", "写真 1.jpg", ".hidden", "a b.txt", "…", "🙂.txt"] {
            #expect(objections(creation(name)).isEmpty, "\(name)")
        }
        let read = Call.Target(.reads, .path("\(Self.here)/-a\nb"), reach: .workspace)
        #expect(
            Policy.modesOnly.decide(call("ReadFile", [.reads], [read]), mode: .adaptive, in: surroundings, at: noon)
                .name == "allow")
    }

    @Test func autoAsksNothingOfThisAndAlwaysAskSaysIt() {
        #expect(objections(creation("-rf"), .auto).isEmpty)
        #expect(objections(creation("-rf"), .alwaysAsk).contains { $0.contains("option") })
    }

    /// A new name is judged by the numbers that it may get, not as it stands without one.
    @Test(
        arguments: [
            ("Package@swift", ".swift", "Package@swift-*.swift", true), ("tasks", ".json", "tasks.json", false),
            ("conf", ".yaml", "conf-3.yaml", true), ("conf", ".yaml", "conf-x.yaml", false),
            ("ci", ".yml", "*.yml", true),
            // Digits on both sides of the sign, and numbers of more digits than the pattern has.
            ("report", ".txt", "report-1*5.txt", true), ("report", ".txt", "rep*-*0*7.txt", true),
            ("report", ".txt", "report-12345.txt", true),
            ("report", ".txt", "report-1*5.md", false), ("report", ".txt", "report-*x5.txt", false),
            ("report", ".txt", "report-.txt", false),
            ("report", ".txt", "*-7.txt", true), ("report", "5.txt", "report-5.txt", false),
            ("report", "5.txt", "report-15.txt", true),
        ])
    func aNewNameIsJudgedByTheNumberThatItMayGet(stem: String, suffix: String, pattern: String, asks: Bool) {
        let policy = Policy(
            rules: [Rule(.ask, Conditions(names: [pattern]), reason: "runs later", source: "p:1")], epoch: "e")
        let target = Call.Target(.creates, .newName(folder: Self.here, stem: stem, suffix: suffix), reach: .workspace)
        let decision = policy.decide(
            call("WriteFile", [.creates], [target]), mode: .adaptive, in: surroundings, at: noon)
        #expect(decision.name == (asks ? "ask" : "allow"))
    }

    /// A rule that allows one number allows no other.
    @Test(arguments: [
        ("notes-1.txt", "ask"), ("notes-*.txt", "allow"), ("notes-1*.txt", "ask"), ("*-*0.txt", "ask"),
        ("*.txt", "allow"), ("n*", "allow"),
    ])
    func aRuleThatAllowsANewNameAllowsEachNumber(pattern: String, expected: String) {
        let rules = [
            Rule(.ask, Conditions(tools: ["Other"]), reason: "x", source: "p:1"),
            Rule(.allow, Conditions(names: [pattern]), reason: "mine", source: "p:2"),
        ]
        let target = Call.Target(
            .creates, .newName(folder: "/elsewhere", stem: "notes", suffix: ".txt"), reach: .outside)
        let decision = Policy(rules: rules, epoch: "e").decide(
            call("WriteFile", [.creates], [target]), mode: .adaptive, in: surroundings, at: noon)
        #expect(decision.name == expected)
    }

    /// A rule may name one file by its path.
    @Test(
        arguments: [
            (Rule.Verdict.deny, "/elsewhere/notes-7.txt", "deny"), (.deny, "/elsewhere/notes.txt", "ask"),
            (.deny, "/elsewhere", "deny"),
            (.deny, "/elsewhere/notes-7.md", "ask"), (.deny, "/elsewhere/notes-7.txt/x", "ask"),
            (.deny, "/elsewhere/notes-x.txt", "ask"),
            (.allow, "/elsewhere/notes-1.txt", "ask"), (.allow, "/elsewhere", "allow"),
            (.allow, "/elsewhere/", "allow"),
        ])
    func aPathOfARuleIsOneOfThoseThatANewNameMayGet(verdict: Rule.Verdict, path: String, expected: String) {
        let target = Call.Target(
            .creates, .newName(folder: "/elsewhere", stem: "notes", suffix: ".txt"),
            reach: verdict == .deny ? .workspace : .outside)
        let policy = Policy(rules: [Rule(verdict, Conditions(folders: [path]), reason: "x", source: "p:1")], epoch: "e")
        #expect(
            policy.decide(call("SaveFile", [.creates], [target]), mode: .adaptive, in: surroundings, at: noon).name
                == expected)
    }

    @Test func aRuleHoldsForANewNameWhereALinkLeadsToItsFolder() {
        var target = Call.Target(
            .creates, .newName(folder: Self.here, stem: "notes", suffix: ".txt"), reach: .workspace)
        target.otherPaths = [Self.here + "/linked/notes-1.txt"]
        for conditions in [
            Conditions(folders: [Self.here + "/linked/notes-7.txt"]), Conditions(names: ["linked/notes-1*7.txt"]),
        ] {
            let policy = Policy(rules: [Rule(.deny, conditions, reason: "x", source: "p:1")], epoch: "e")
            #expect(
                policy.decide(call("SaveFile", [.creates], [target]), mode: .auto, in: surroundings, at: noon).name
                    == "deny")
        }
    }

    /// Which name that is nobody knows.
    @Test func aFileThatMayHaveAnotherNameIsOneThatRunsLater() {
        let policy = Policy(
            rules: [Rule(.ask, Conditions(names: [".envrc"]), reason: "runs later", source: "p:1")], epoch: "e")
        var target = creation("a.txt")
        #expect(
            policy.decide(call("WriteFile", [.creates], [target]), mode: .adaptive, in: surroundings, at: noon).name
                == "allow")
        target.hasOtherNames = true
        #expect(
            policy.decide(call("WriteFile", [.creates], [target]), mode: .adaptive, in: surroundings, at: noon).name
                == "ask")
    }

    /// A file on another mount may have any name, and the reason names the mount in each mode.
    @Test(arguments: [ConfirmationMode.auto, .adaptive, .alwaysAsk]) func theReasonNamesTheMount(mode: ConfirmationMode)
        throws
    {
        let rule = Rule(.ask, Conditions(names: [".envrc"]), reason: "runs later", isEvenInAuto: true, source: "p:1")
        let policy = Policy(rules: [rule], epoch: "e")
        func reasons(_ name: String) throws -> [String] {
            var target = creation(name)
            (target.hasOtherNames, target.mount) = (true, Self.here + "/m")
            let decision = policy.decide(
                call("WriteFile", [.creates], [target]), mode: mode, in: surroundings, at: noon)
            guard case .ask(let because) = decision else { return [] }
            return because
        }
        let first = try #require(try reasons("m/a.txt").first)
        let words = "m is mounted here from elsewhere, so a file on it may have another name; perhaps runs later (p:1)"
        #expect(first == words)
        #expect(try reasons("m/.envrc").first == "runs later (p:1)")
    }

    /// A slash is a slash, whatever combines with it.
    @Test func aRuleOnNamesSeesThroughAMarkBehindTheSlash() {
        let rule = Rule(.ask, Conditions(names: [".github/**"]), reason: "runs later", source: "p:1")
        let policy = Policy(rules: [rule], epoch: "e")
        let target = creation(".github/workflows/\u{301}x.yml")
        #expect(
            policy.decide(call("WriteFile", [.creates], [target]), mode: .adaptive, in: surroundings, at: noon).name
                == "ask")
    }
}
