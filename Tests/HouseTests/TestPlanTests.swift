import CaseNames
import Harness
import Testing

/// `semantics.md` 130–162, 165–169, 172–174: each Given/When/Then names the tests in which it holds.
@Suite struct TestPlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var section: String
        /// Which scenario of `semantics.md` 130–162, 165–169, 172–174 it is.
        var seed: String
        var given: String
        var when: String
        var then: String
        /// `Suite.test`, or `.test` outside of any.
        var tests: [String]

        var testDescription: String { "\(section): \(given), \(when) → \(then)" }
    }

    static let plan = [
        // 1) Data and models.
        Row(
            section: "1", seed: "required port, 2 producers", given: "a required port with two producers",
            when: "the graph is stored",
            then: "multiProducerOnRequiredPort",
            tests: [
                "CheckTests.faultsAreFoundAllAtOnce", "VerbTests.aPortWithTwoProducersIsRefusedAndNothingIsStored",
            ]),
        Row(
            section: "1", seed: "optional port, 2 producers", given: "an optional port with two producers",
            when: "the graph is stored",
            then: "multiProducerOnOptionalPort",
            tests: [
                "CheckTests.faultsAreFoundAllAtOnce", "VerbTests.aPortWithTwoProducersIsRefusedAndNothingIsStored",
            ]),
        Row(
            section: "1", seed: "providerSchema", given: "an asset whose meta has no providerSchema",
            when: "it is stored",
            then: "a warning is logged, \"v1\" stored",
            tests: [".whatAProviderSaysOfAnAssetNamesItsForm", "JobTests.dataWithoutAFormIsV1AndTheLogSaysSo"]),
        Row(
            section: "1", seed: "exact, no partial commit", given: "a graph with faults", when: "it is stored",
            then: "nothing of it is",
            tests: [
                "VerbTests.aPortWithTwoProducersIsRefusedAndNothingIsStored",
                "VerbTests.checkFindsAllProblemsAtOnceAndChangesNothing",
            ]),

        // 2) Loading and checking graphs.
        Row(
            section: "2", seed: "cycle", given: "a cycle A → B → A", when: "it is loaded",
            then: "cycleDetected with the path",
            tests: ["CheckTests.theShortestCycleIsNamed"]),
        Row(
            section: "2", seed: "type mismatch", given: "an edge from a mask to an image", when: "it is loaded",
            then: "portTypeMismatch with nodes and ports",
            tests: ["CheckTests.faultsAreFoundAllAtOnce", "CheckTests.aTypeClashNamesBothEndsAndBothTypes"]),
        Row(
            section: "2", seed: "valid template", given: "a valid template", when: "it is loaded",
            then: "its steps are ready or blocked",
            tests: ["CheckTests.whatIsLoadedIsReadyOrBlocked", "CheckTests.theTemplateOfTheSeedLoads"]),

        // 3) The engine.
        Row(
            section: "3", seed: "node becomes ready", given: "a step becomes ready", when: "the engine goes on",
            then: "queuedRemote or runningLocal",
            tests: [
                "FlowJobTests.theIntentIsCommittedBeforeTheRequest", "JobTests.aJobIsBoughtOnceAndItsResultIsThere",
                "FlowTests.aChainGoesStepByStep",
            ]),
        Row(
            section: "3", seed: "interactive node", given: "a step that a person does", when: "it becomes ready",
            then: "awaitingUser, an await, nothing opens",
            tests: [
                "FlowPeopleTests.whatAPersonGivesIsTheOutput",
                "EditorTests.theChatSaysWhatNeedsThePersonAndOpensNothing",
            ]),
        Row(
            section: "3", seed: "kill and relaunch", given: "running steps and a killed program",
            when: "it is started again",
            then: "the state is restored, polling goes on if it is on",
            tests: ["JobTests.aKilledProgramGoesOnWithItsJob", "AgainJobTests.pausedChecksStayPausedAfterAKill"]),
        Row(
            section: "3", seed: "no duplicate awaits", given: "awaits and a killed program",
            when: "it is started again",
            then: "no await is there twice",
            tests: ["FlowPeopleTests.aRestartAsksNobodyASecondTime", "ConsentInEngineTests.aRestartAsksNoSecondTime"]),

        // 4) Provenance and invalidation.
        Row(
            section: "4", seed: "new asset upstream", given: "C consumes A's output",
            when: "A runs again and gives something new",
            then: "C: Input from 'A' has changed.",
            tests: [
                "FlowAgainTests.aChangedOutputMakesWhatConsumedItStale",
                "AgainTests.aNewOutputMakesItsConsumersStaleAndAReRunTakesTheLatest",
            ]),
        Row(
            section: "4", seed: "re-run with latest", given: "C is blocked by that", when: "it is re-run with latest",
            then: "it runs on the newest asset",
            tests: ["AgainTests.aNewOutputMakesItsConsumersStaleAndAReRunTakesTheLatest"]),
        Row(
            section: "4", seed: "old asset deleted", given: "a retry pinned to old assets", when: "one is gone",
            then: "it ends before it starts",
            tests: ["AgainTests.aRetryWhoseInputIsGoneEndsBeforeItStarts"]),

        // 5) Backoff and retries.
        Row(
            section: "5", seed: "503, 503, 200", given: "503, 503, 200", when: "a job is submitted",
            then: "about 30 s, about 2 min, then it goes on",
            tests: [
                "FlowJobTests.refusedSubmissionsAreTriedAgain", "JobClientTests.whatASubmissionCameTo",
                "JobTests.aFaultIsWhatItIs",
            ]),
        Row(
            section: "5", seed: "429 with Retry-After", given: "429 with Retry-After: 45", when: "a job is submitted",
            then: "about 45 s, then the usual waits",
            tests: [
                "FlowJobTests.afterAWaitThatWasAskedForTheUsualOnesGoOn", "BackoffTests.retryAfterReplacesTheDelay",
                "JobTests.aWaitThatIsAskedForIsKept",
            ]),
        Row(
            section: "5", seed: "four 504s", given: "four 504s", when: "a job is submitted",
            then: "three retries, then the cooldown is said",
            tests: ["FlowJobTests.fourTimeoutsAreACooldown", "AgainJobTests.fourRefusalsEndInACooldownThatIsExplained"]),

        Row(
            section: "5", seed: "±25%, jitter, reasons", given: "any of these waits", when: "it begins",
            then: "it is within a quarter, spread, and said",
            tests: ["BackoffTests.delaysGrowFourfoldWithJitter", "JobTests.aFaultIsWhatItIs"]),

        // 6) The inbox.
        Row(
            section: "6", seed: "2 pending, 1 snoozed", given: "two awaits pending, one snoozed",
            when: "the inbox is read",
            then: "Pending 2, Snoozed 1, Done 0",
            tests: ["InboxVerbTests.twoPendingAndOneSnoozedAreListedAsThat"]),
        Row(
            section: "6", seed: "snooze", given: "a pending await", when: "it is snoozed",
            then: "it is put off for an hour",
            tests: ["InboxVerbTests.twoPendingAndOneSnoozedAreListedAsThat"]),
        Row(
            section: "6", seed: "back after 1 h", given: "a snoozed await", when: "an hour has passed",
            then: "it is pending",
            tests: ["AwaitTests.snoozingLastsAnHourAndTheSixthIsRefused"]),
        Row(
            section: "6", seed: "sixth snooze", given: "an await snoozed five times", when: "it is snoozed again",
            then: "it is refused",
            tests: ["InboxVerbTests.theSixthSnoozeIsRefused"]),
        Row(
            section: "6", seed: "done clears after 7 days", given: "an await that is done",
            when: "seven days have passed",
            then: "it is out of the inbox",
            tests: ["AwaitTests.whatIsDoneLeavesTheInboxAfterSevenDays"]),
        Row(
            section: "6", seed: "open", given: "an await", when: "it is opened without a terminal",
            then: "its step is shown, nothing is claimed",
            tests: ["InboxVerbTests.openingWithoutATerminalShowsTheStepAndClaimsNothing"]),

        // 10) News and deep links.
        Row(
            section: "10", seed: "link while it runs", given: "app://workflow/W/node/N?await=A", when: "it is opened",
            then: "N is shown, the await is not claimed",
            tests: ["EditorTests.aLinkInTheChatFocusesAndClaimsNothing"]),
        Row(
            section: "10", seed: "link from a cold start", given: "a program that does not run",
            when: "a link is opened",
            then: "the same, from the store",
            tests: ["InboxTests.aLinkFocusesFromAColdStartAndChangesNothing"]),
        Row(
            section: "10", seed: "bad link", given: "a bad link", when: "it is opened", then: "one clear message",
            tests: ["InboxVerbTests.aBadLinkIsAClearMessage"]),
        Row(
            section: "10", seed: "no duplicate editors", given: "an open editor", when: "another opens the same await",
            then: "it is told who has it",
            tests: ["EditorTests.aSecondEditorIsToldWhoHasIt"]),

        // 11) The harness; being readable for everybody.
        Row(
            section: "11", seed: "harness endpoints", given: "a provider that is slow, malformed, 429, 503, 504, gone",
            when: "jobs run",
            then: "each fault is what it is",
            tests: [
                "JobTests.aFaultIsWhatItIs", "JobClientTests.whatASubmissionCameTo",
                "JobClientTests.whatAStatusCheckCameTo",
                "ManyProcessesTests.withoutANetworkRemoteStepsWaitAndLocalOnesRun",
            ]),
        Row(
            section: "11", seed: "read aloud", given: "cards without colour", when: "they are read aloud",
            then: "each state has a word and a sign",
            tests: [".everyStateHasASignAndAWordOfItsOwn", ".theModeIsMarkedByMoreThanColour"]),

        // 12) Ready for release.
        Row(
            section: "12", seed: "logs", given: "logs and a support file", when: "workflows with media and secrets ran",
            then: "neither is in them",
            tests: [
                "JobTests.dataWithoutAFormIsV1AndTheLogSaysSo",
                "DoctorTests.theSupportFileHasNoSecretsNoTextsAndNoMedia",
            ]),
        Row(
            section: "12", seed: "events", given: "cards opened, claims, completions, retries, cancels",
            when: "they happen",
            then: "they are events",
            tests: ["EditorTests.whatPersonsDoIsAnEvent"]),
        Row(
            section: "12", seed: "kill at various states", given: "kill -9 in all states", when: "it is started again",
            then: "nothing crashes, the state is there",
            tests: [
                "CrashTests.aWorkflowOf40StepsSurvives50Kills", "MixedLoadTests.nothingIsLostAndNothingIsBoughtTwice",
                "EditorTests.killedWithAnOpenEditorItIsPendingAtOnceAndTheDraftIsThere",
                "JobTests.aKilledProgramGoesOnWithItsJob",
                "DoctorTests.afterACrashTheDatabaseIsLookedOver",
            ]),
    ]

    /// The scenarios of `semantics.md` 130–162, 165–169, 172–174 (each Given/When/Then, and each Pass/Fail line that
    /// asks for more), by section: what has no row here is missing, whoever took it away.
    static let seed: [String: [String]] = [
        "1": [
            "required port, 2 producers", "optional port, 2 producers", "providerSchema", "exact, no partial commit",
        ],
        "2": ["cycle", "type mismatch", "valid template"],
        "3": ["node becomes ready", "interactive node", "kill and relaunch", "no duplicate awaits"],
        "4": ["new asset upstream", "re-run with latest", "old asset deleted"],
        "5": ["503, 503, 200", "429 with Retry-After", "four 504s", "±25%, jitter, reasons"],
        "6": ["2 pending, 1 snoozed", "snooze", "back after 1 h", "sixth snooze", "done clears after 7 days", "open"],
        "10": ["link while it runs", "link from a cold start", "bad link", "no duplicate editors"],
        "11": ["harness endpoints", "read aloud"],
        "12": ["logs", "events", "kill at various states"],
    ]

    @Test func everyScenarioOfTheSeedHasItsRow() {
        let rows = Dictionary(grouping: Self.plan, by: \.section).mapValues { $0.map(\.seed) }
        #expect(rows == Self.seed)
        #expect(
            Self.seed.mapValues(\.count) == ["1": 4, "2": 3, "3": 4, "4": 3, "5": 4, "6": 6, "10": 4, "11": 2, "12": 3])
    }

    @Test(arguments: plan) func everyScenarioHasItsTest(row: Row) throws {
        #expect(!row.tests.isEmpty)
        for name in row.tests { #expect(Self.sources.contains { Self.holds($0, name) }, "no test \(name) is run") }
    }

    // MARK: Whether a text has a test, and it is run

    /// - Parameter name: `Suite.test`, or `.test` outside of any.
    private static func holds(_ text: String, _ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard text.contains("func \(parts[1])(") else { return false }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter {
            !$0.drop { $0 == " " }.hasPrefix("//")
        }
        let code = lines.joined(separator: "\n")
        guard let function = code.firstRange(of: "func \(parts[1])("), isRun(code[..<function.lowerBound], "@Test")
        else { return false }
        guard !parts[0].isEmpty else { return true }
        let place = code[..<function.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).lastIndex {
            $0.contains("struct \(parts[0]) ") || $0.contains("struct \(parts[0]):")
                || $0.contains("extension \(parts[0]) ")
        }
        guard let place else { return false }
        // Its attributes, which are above it without a gap.
        let heads = code.split(separator: "\n", omittingEmptySubsequences: false)[...place].reversed().prefix {
            !$0.isEmpty && $0 != "}"
        }
        return !heads.contains { isSwitchedOff($0) }
    }

    /// Whether what stands before a declaration ends with the attribute, which does not switch it off.
    private static func isRun(_ before: Substring, _ attribute: String) -> Bool {
        guard let start = before.ranges(of: attribute).last?.lowerBound else { return false }
        let words = before[start...]
        // Nothing else is declared between the two.
        return !words.contains("func ") && !words.contains("\n    }\n") && !isSwitchedOff(words)
    }

    private static func isSwitchedOff(_ words: Substring) -> Bool { words.contains(/\.(disabled|enabled)\b|#if/) }

    @Test(arguments: [
        ("struct A {\n    @Test func b() {}\n}", true),
        ("struct A {\n    @Test(arguments: [{ 1 }()])\n    func b(c: Int) {}\n}", true),
        ("@Suite(.serialized) struct A {\n    @Test func b() {}\n}", true),
        ("struct A {\n    @Test(.disabled()) func b() {}\n}", false),
        ("struct A {\n    @Test(.disabled(\"it fails\"), arguments: [1])\n    func b(c: Int) {}\n}", false),
        ("struct A {\n    @Test(.enabled(if: false)) func b() {}\n}", false),
        ("struct A {\n    // @Test func b() {}\n}", false),
        ("struct A {\n    func b() {}\n}", false),
        ("struct A {\n    @Test func a() {\n    }\n    func b() {}\n}", false),
        ("@Suite(.disabled()) struct A {\n    @Test func b() {}\n}", false),
        ("struct AB {\n    @Test func b() {}\n}", false),
        ("struct A {\n    @Test func bc() {}\n}", false), ("@Test func b() {}\nstruct A {}", false),
    ])
    func onlyTestsThatAreRunCount(text: String, isThere: Bool) { #expect(Self.holds(text, "A.b") == isThere) }

    private static let sources: [String] = {
        let tests = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
        return ScratchFolder.files(under: tests).filter { $0.hasSuffix(".swift") }.compactMap { ScratchFolder.text($0) }
    }()
}
