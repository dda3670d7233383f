import Harness
import Testing

/// Seed S1, Appendix E, sections 1–6 and 10–12, in the words of a console: each Given/When/Then names the tests in which it holds.
@Suite struct TestPlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var section: String
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
            section: "1", given: "a required port with two producers", when: "the graph is stored", then: "multiProducerOnRequiredPort",
            tests: ["CheckTests.faultsAreFoundAllAtOnce"]),
        Row(
            section: "1", given: "an optional port with two producers", when: "the graph is stored", then: "multiProducerOnOptionalPort",
            tests: ["CheckTests.faultsAreFoundAllAtOnce"]),
        Row(
            section: "1", given: "an asset whose meta has no providerSchema", when: "it is stored",
            then: "a warning is logged, \"v1\" stored",
            tests: [".whatAProviderSaysOfAnAssetNamesItsForm", "JobTests.dataWithoutAFormIsV1AndTheLogSaysSo"]),
        Row(
            section: "1", given: "a graph with faults", when: "it is stored", then: "nothing of it is",
            tests: ["CommandTests.checkFindsAllProblemsAtOnceAndChangesNothing"]),

        // 2) Loading and checking graphs.
        Row(
            section: "2", given: "a cycle A → B → A", when: "it is loaded", then: "cycleDetected with the path",
            tests: ["CheckTests.theShortestCycleIsNamed"]),
        Row(
            section: "2", given: "an edge from a mask to an image", when: "it is loaded", then: "portTypeMismatch with nodes and ports",
            tests: ["CheckTests.faultsAreFoundAllAtOnce", "CheckTests.aTypeClashNamesBothEndsAndBothTypes"]),
        Row(
            section: "2", given: "a valid template", when: "it is loaded", then: "its steps are ready or blocked",
            tests: ["CheckTests.theTemplateOfTheSeedLoads", "EngineTests.workflowsOfAllShapesFinish"]),

        // 3) The engine.
        Row(
            section: "3", given: "a step becomes ready", when: "the engine goes on", then: "queuedRemote or runningLocal",
            tests: ["FlowJobTests.theIntentIsCommittedBeforeTheRequest", "JobTests.aJobIsBoughtOnceAndItsResultIsThere"]),
        Row(
            section: "3", given: "a step that a person does", when: "it becomes ready", then: "awaitingUser, an await, nothing opens",
            tests: ["FlowPeopleTests.whatAPersonGivesIsTheOutput", "EditorTests.theChatSaysWhatNeedsThePersonAndOpensNothing"]),
        Row(
            section: "3", given: "running steps and a killed program", when: "it is started again",
            then: "the state is restored, polling goes on", tests: ["JobTests.aKilledProgramGoesOnWithItsJob"]),
        Row(
            section: "3", given: "awaits and a killed program", when: "it is started again", then: "no await is there twice",
            tests: ["FlowPeopleTests.aRestartAsksNobodyASecondTime", "ConsentInEngineTests.aRestartAsksNoSecondTime"]),

        // 4) Provenance and invalidation.
        Row(
            section: "4", given: "C consumes A's output", when: "A runs again and gives something new",
            then: "C: Input from 'A' has changed.",
            tests: [
                "FlowAgainTests.aChangedOutputMakesWhatConsumedItStale",
                "AgainTests.aNewOutputMakesItsConsumersStaleAndAReRunTakesTheLatest",
            ]),
        Row(
            section: "4", given: "C is blocked by that", when: "it is re-run with latest", then: "it runs on the newest asset",
            tests: ["AgainTests.aNewOutputMakesItsConsumersStaleAndAReRunTakesTheLatest"]),
        Row(
            section: "4", given: "a retry pinned to old assets", when: "one is gone", then: "it ends before it starts",
            tests: ["AgainTests.aRetryWhoseInputIsGoneEndsBeforeItStarts"]),

        // 5) Backoff and retries.
        Row(
            section: "5", given: "503, 503, 200", when: "a job is submitted", then: "about 30 s, about 2 min, then it goes on",
            tests: ["FlowJobTests.refusedSubmissionsAreTriedAgain"]),
        Row(
            section: "5", given: "429 with Retry-After: 45", when: "a job is submitted", then: "about 45 s",
            tests: ["FlowJobTests.aServerThatSaysHowLongIsHeard", "JobTests.aFaultIsWhatItIs"]),
        Row(
            section: "5", given: "four 504s", when: "a job is submitted", then: "three retries, then the cooldown is said",
            tests: ["FlowJobTests.fourTimeoutsAreACooldown", "AgainJobTests.fourRefusalsEndInACooldownThatIsExplained"]),

        // 6) The inbox.
        Row(
            section: "6", given: "two awaits pending, one snoozed", when: "the inbox is read", then: "Pending 2, Snoozed 1, Done 0",
            tests: ["InboxTests.twoPendingAndOneSnoozedAreListedAsThat"]),
        Row(
            section: "6", given: "a pending await", when: "it is snoozed", then: "it is back after an hour",
            tests: ["InboxTests.twoPendingAndOneSnoozedAreListedAsThat", "AwaitTests.snoozingLastsAnHourAndTheSixthIsRefused"]),
        Row(
            section: "6", given: "an await snoozed five times", when: "it is snoozed again", then: "it is refused",
            tests: ["InboxTests.theSixthSnoozeIsRefused"]),
        Row(
            section: "6", given: "an await that is done", when: "seven days have passed", then: "it is out of the inbox",
            tests: ["AwaitTests.whatIsDoneLeavesTheInboxAfterSevenDays"]),
        Row(
            section: "6", given: "an await", when: "it is opened without a terminal", then: "its step is shown, nothing is claimed",
            tests: ["InboxTests.openingWithoutATerminalShowsTheStepAndClaimsNothing"]),

        // 10) News and deep links.
        Row(
            section: "10", given: "app://workflow/W/node/N?await=A", when: "it is opened", then: "N is shown, the await is not claimed",
            tests: ["InboxTests.aLinkFocusesFromAColdStartAndChangesNothing"]),
        Row(
            section: "10", given: "a program that does not run", when: "a link is opened", then: "the same, from the store",
            tests: ["InboxTests.aLinkFocusesFromAColdStartAndChangesNothing"]),
        Row(
            section: "10", given: "a bad link", when: "it is opened", then: "one clear message",
            tests: ["InboxTests.aBadLinkIsAClearMessage"]),
        Row(
            section: "10", given: "an open editor", when: "another opens the same await", then: "it is told who has it",
            tests: ["EditorTests.aSecondEditorIsToldWhoHasIt"]),

        // 11) The harness; being readable for everybody.
        Row(
            section: "11", given: "a provider that is slow, malformed, 429, 503, 504, gone", when: "jobs run",
            then: "each fault is what it is",
            tests: [
                "JobTests.aFaultIsWhatItIs", "AnswerFaultTests.bodiesAreMalformedMistypedCutResetHugeOrSlow",
                "ManyProcessesTests.withoutANetworkRemoteStepsWaitAndLocalOnesRun",
            ]),
        Row(
            section: "11", given: "cards without colour", when: "they are read aloud", then: "each state has a word and a sign",
            tests: [".everyStateHasASignAndAWordOfItsOwn", ".theModeIsMarkedByMoreThanColour"]),

        // 12) Ready for release.
        Row(
            section: "12", given: "logs and a support file", when: "workflows with media and secrets ran", then: "neither is in them",
            tests: ["DoctorTests.theSupportFileHasNoSecretsNoTextsAndNoMedia", "LogTests.aLineIsALineAndTheFileStaysSmall"]),
        Row(
            section: "12", given: "claims, completions, retries, cancels", when: "they happen", then: "they are events",
            tests: ["AgainTests.theTimelineTilesTheTimeOfARealRun", "InboxTests.aPickedFileIsTheOutputAndWhatFollowsRuns"]),
        Row(
            section: "12", given: "kill -9 in all states", when: "it is started again", then: "nothing crashes, the state is there",
            tests: [
                "CrashTests.aWorkflowOf40StepsSurvives50Kills", "MixedLoadTests.nothingIsLostAndNothingIsBoughtTwice",
                "DoctorTests.afterACrashTheDatabaseIsLookedOver",
            ]),
    ]

    @Test(arguments: plan) func everyScenarioHasItsTest(row: Row) throws {
        for name in row.tests {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let found = Self.sources.contains { text in
                (parts[0].isEmpty || text.contains("struct \(parts[0])")) && text.contains("func \(parts[1])(")
            }
            #expect(found, "there is no test \(name)")
        }
    }

    @Test func everySectionIsThere() {
        #expect(Set(Self.plan.map(\.section)) == ["1", "2", "3", "4", "5", "6", "10", "11", "12"])
    }

    private static let sources: [String] = {
        let tests = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
        return ScratchFolder.files(under: tests).filter { $0.hasSuffix(".swift") }.compactMap { ScratchFolder.text($0) }
    }()
}
