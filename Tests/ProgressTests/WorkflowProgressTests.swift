import CaseNames
import Progress
import Terminal
import Testing
import Vocabulary

/// The lines of what runs, as a function of events and the time.
@Suite struct WorkflowProgressTests {
    private static let start = Moment(milliseconds: 1_790_000_000_000)

    private static func at(_ seconds: Double) -> Moment { start + seconds }

    /// A workflow with steps of these kinds. A kind in small letters only loads or saves, and one with an @ has a
    /// provider.
    private static func progress(_ kinds: [String], number: Int64 = 1) -> WorkflowProgress {
        WorkflowProgress(
            WorkflowID(number),
            plan: kinds.map { kind in
                PlannedStep(
                    kind, title: kind.split(separator: "@").first.map(String.init) ?? kind,
                    isFolded: kind.first?.isLowercase ?? false,
                    provider: kind.split(separator: "@").dropFirst().first.map(String.init))
            })
    }

    private static func rows(_ workflows: [WorkflowProgress], _ seconds: Double, columns: Int = 80) -> [String] {
        LiveLines.rows(of: workflows, at: at(seconds), columns: columns).map(\.plain)
    }

    @Test func aStepAloneHasALineWithItsRealSeconds() {
        var one = Self.progress(["Shell", "save"])
        #expect(Self.rows([one], 0).isEmpty)
        one.take(1, .runningLocal, at: Self.at(0))
        #expect(Self.rows([one], 3.1) == ["  ▸ w1 Shell · 3.1 s"])
        // A try of the engine goes on with the clock.
        one.take(1, .ready, reason: Reason(.backoff, "It is tried again."), at: Self.at(4))
        #expect(Self.rows([one], 6) == ["  ▸ w1 Shell waits: It is tried again. · 6.0 s"])
        one.take(1, .runningLocal, at: Self.at(7))
        #expect(one.take(1, .succeeded, at: Self.at(9)) == 9)
        #expect(Self.rows([one], 10).isEmpty)
        // What a user starts again begins anew.
        one.take(1, .runningLocal, at: Self.at(20))
        #expect(one.take(1, .failed, at: Self.at(21)) == 1)
    }

    @Test func aTrialRunAndItsRunAreOneTimeAndAWaitForAPersonIsNone() {
        var one = Self.progress(["Shell"])
        one.take(1, .ready, reason: Reason(.rehearsal, "It is rehearsed."), at: Self.at(0))
        #expect(Self.rows([one], 2) == ["  ▸ w1 Shell rehearsing · 2.0 s"] && one.rehearsed == [1])
        one.take(1, .awaitingUser, at: Self.at(3))
        #expect(Self.rows([one], 500).isEmpty && one.rehearsed.isEmpty)
        one.take(1, .runningLocal, at: Self.at(600))
        #expect(one.take(1, .succeeded, at: Self.at(601)) == 4)
    }

    @Test func alikeStepsAreOneLineWithACountAndAnEstimate() {
        var many = Self.progress(Array(repeating: "Resize", count: 60), number: 14)
        for step in 1...2 { many.take(step, .runningLocal, at: Self.at(0)) }
        #expect(Self.rows([many], 1) == ["  ▸ w14 Resize 0 of 60 ·········· · 1.0 s"])
        for step in 1...12 {
            many.take(step, .runningLocal, at: Self.at(Double(step) / 2 - 0.5))
            many.take(step, .succeeded, at: Self.at(Double(step) / 2))
        }
        many.take(13, .runningLocal, at: Self.at(6))
        #expect(Self.rows([many], 6) == ["  ▸ w14 Resize 12 of 60 ██········ · 6.0 s · about 25 s left"])
        #expect(Self.rows([many], 6, columns: 40) == ["  ▸ w14 Resize 12 of 60 · 6.0 s"])
        #expect(many.countedGroup(of: 13)?.isWhole == false && many.hasCountedGroups)
    }

    @Test(
        arguments: [
            (3.0, "5 s"), (5, "5 s"), (7.4, "5 s"), (7.6, "10 s"), (42, "40 s"), (59, "1 m 00 s"), (95, "1 m 40 s"),
            (599, "10 m 00 s"), (1000, "17 m 00 s"), (90_000, "1 d 01 h"),
        ]) func aRestIsRoundedToWhatAnEstimateCanBear(seconds: Double, words: String)
    {
        var one = Self.progress(["Upscale"])
        one.take(1, .runningRemote, share: 0.5, at: Self.at(0))
        let row = Self.rows([one], seconds)[0]
        #expect(row.hasSuffix(" · about \(words) left"), "\(row)")
    }

    @Test func aJobNamesItsProviderAndKeepsItsPercentWhileItIsAway() {
        var job = Self.progress(["Upscale@replicate"])
        job.take(1, .queuedRemote, at: Self.at(0))
        #expect(Self.rows([job], 2) == ["  ▸ w1 Upscale queued at replicate · 2.0 s"])
        job.take(1, .runningRemote, share: 0.42, at: Self.at(4))
        #expect(
            Self.rows([job], 10) == [
                "  ▸ w1 Upscale running at replicate 42 % ████······ · 10 s · about 15 s left"
            ])
        job.take(1, .runningRemote, reason: Reason(.reconnecting, "Reconnecting…"), at: Self.at(11))
        #expect(Self.rows([job], 12)[0].contains("running at replicate, Reconnecting… 42 %"))
    }

    /// Six lines in all, by workflow, then the number of the others.
    @Test func moreThanSixLinesAreCounted() {
        let all = (1...20).map { number in
            var one = Self.progress(["Shell"], number: Int64(21 - number))
            one.take(1, .runningLocal, at: Self.at(0))
            return one
        }
        let rows = Self.rows(all, 1)
        #expect(rows.count == 7 && rows[0] == "  ▸ w1 Shell · 1.0 s" && rows[6] == "    +14 more", "\(rows)")
    }

    /// What only loads or saves is shown once one wonders, and what waits for a slot only if nothing else runs.
    @Test func whatIsNoNewsIsLeftOut() {
        var one = Self.progress(["load", "Shell", "Upscale@x"])
        one.take(1, .runningLocal, at: Self.at(0))
        #expect(Self.rows([one], 1).isEmpty)
        #expect(Self.rows([one], 3) == ["  ▸ w1 load · 3.0 s"])
        one.take(1, .succeeded, at: Self.at(3))
        one.take(3, .ready, reason: Reason(.waitingForSlot, "It waits for a free slot."), at: Self.at(3))
        #expect(Self.rows([one], 4) == ["  ▸ w1 Upscale waits: It waits for a free slot."])
        one.take(2, .runningLocal, at: Self.at(4))
        #expect(Self.rows([one], 5) == ["  ▸ w1 Shell · 1.0 s"])
    }

    /// A screen that draws nothing in place gets a line after 10 s and then each minute. Any screen gets one after a
    /// minute of a command that has written nothing.
    @Test func longWorkIsAnnounced() {
        var one = Self.progress(["Convert"])
        one.take(1, .runningLocal, at: Self.at(0))
        var announcements = Announcements()
        let seconds = stride(from: 0.0, through: 200, by: 0.5).filter {
            !announcements.due([one], at: Self.at($0), isDrawn: false, isChat: true).isEmpty
        }
        #expect(seconds == [10, 60, 120, 180])
        var trial = Self.progress(["Shell"])
        trial.take(1, .ready, reason: Reason(.rehearsal, "It is rehearsed."), at: Self.at(0))
        let told = stride(from: 0.0, through: 200, by: 0.5).flatMap {
            announcements.due([trial], at: Self.at($0), isDrawn: true, isChat: true)
        }
        #expect(told.count == 1 && told[0].plain.hasPrefix("w1 Shell has been running for 1 m 00 s. Nothing"))
    }
}
