import Testing

/// Seeds that once broke a rule, with what was wrong. Each was tried again without its mending, and failed. They say
/// something as long as `ScenarioMaking` and the dice in the simulated world stay as they are; whoever changes those
/// looks for others.
@Suite struct KeptSeeds {
    @Test(
        arguments: [
            (4, "An engine that took a workflow over offered slots before it had counted what ran already."),
            (50, "A step whose definition had changed counted as fresh, because its inputs had not."),
            (
                227,
                "The time of a workflow that another engine had taken over made its old engine carry it, under the new fence."
            ),
            (567, "A workflow that was taken up again in the commit of its end was put away by that end."),
            (1263, "An answer to a submission that came twice put a job back that was further already."),
            (
                1690,
                "After a crash a job was submitted again, where the manifest allows it, without a record that it may exist."
            ),
            (736, "A job that a person wanted looked for was submitted again when its provider could not be reached."),
            (
                7805,
                "Two awaits that were claimed past their times brought back each other's time: the engine never rested again."
            ),
            (15156, "A pin that let a step start left its workflow ended."),
            (18289, "A paused engine still has what it started: no fault, but the check of free slots said so."),
        ] as [(UInt64, String)])
    func whatWasWrongOnceHolds(seed: UInt64, was: String) throws {
        LastWords.about(seed)
        let simulation = try Simulation(seed: seed, scenario: Scenario(seed: seed, isPlain: true))
        let violation = simulation.play()
        #expect(violation == nil, "seed \(seed): \(violation ?? ""); it was: \(was)")
    }

    /// Found by seeds that nobody had played before; the tests of the flow hold the cause of each.
    @Test(
        arguments: [
            (
                910_642,
                "The answer to one submission, come twice, was taken for that to the next: a job was bought twice."
            ),
            (
                922_482,
                "What had failed was taken out of the graph, and a ready step that it had held back stood still."
            ),
            (1_007_183, "The same, of a step whose wait was over while it was held back."),
            (1_011_106, "A person named the job of another run, and its result was taken for this one's."),
            (901_525, "No fault: a step that had its slot began in the round in which another was taken over."),
            (811_999_882, "A step that was stale for another's sake, and then changed itself, counted as fresh."),
            (136, "A job whose tool is gone held a slot of this machine."),
            (
                902_127_578_534,
                "A job whose tool is gone took a slot of this machine when a person had connected its provider."
            ),
            (
                1_019_169_688_768,
                "An engine that rested a workflow, lost it and took it over again kept the times of before."
            ),
            (766_167_115_384, "Cancelled, taken up and cancelled again in one commit: it was stored as not cancelled."),
            (
                225_249_528_001,
                "A skipped step that was stale for nothing was fresh again, and nobody knew that it gives nothing."
            ),
            (
                94_519_546_188,
                "No fault: the engine that was to change the graph had begun when a tool made something else."
            ),
            (
                971_528_806_020,
                "An engine that took a workflow back did what it had been about to do, which another had begun."
            ),
            (
                114_759_276_290,
                "No fault: the engine that was to take a workflow over was not driven once more in time."
            ),
            (948_185_876_364, "No fault: what a cancelled run was fetching counted beside the run that came after it."),
            (
                567_961_385_551,
                "No fault: what a run sent before its engine lost it counted beside what it sent when it was taken back."
            ),
            (
                222_397_908_788,
                "An engine that had lost a workflow without learning so kept its provider's only slot for ever."
            ),
            (
                1_109_371_873_083,
                "No fault: an engine that was paused while the tools changed set a workflow aside after the last release."
            ),
            (
                1_109_371_890_298,
                "No fault: what was taken over while its provider had no slot counted in its engine alone."
            ),
            (
                5_468_594_937_039,
                "No fault: the rounds of healing met programs that ended because of their tools, and were too few."
            ),
            (
                91,
                "A workflow that was loaded again counted its requests anew: an answer from before was taken for one of now."
            ),
        ] as [(UInt64, String)])
    func whatNewSeedsFoundHolds(seed: UInt64, was: String) throws {
        LastWords.about(seed)
        let violation = try Simulation(seed: seed, scenario: Scenario(seed: seed, hasOrder: false, hasFollowing: false))
            .play()
        #expect(violation == nil, "seed \(seed): \(violation ?? ""); it was: \(was)")
    }

    /// Found by checks that were made stricter later, in scenarios with all that has been added since.
    @Test(
        arguments: [
            (12, "What overwrites a file was an import where nothing was plugged into it."),
            (1542, "After a crash a job was submitted again while what the dead engine had sent was on its way."),
            (2919, "The status of a job that a person had found was asked for while checks were paused."),
            (4111, "A pin to an attempt that had ended in the same round was dropped."),
            (3776, "What was set for a step whose job waited to go on was lost in its result."),
        ] as [(UInt64, String)])
    func whatWasWrongLaterHolds(seed: UInt64, was: String) throws {
        LastWords.about(seed)
        var scenario = Scenario(seed: seed, hasFollowing: false)
        scenario.sharesSlots = false
        let violation = try Simulation(seed: seed, scenario: scenario).play()
        #expect(violation == nil, "seed \(seed): \(violation ?? ""); it was: \(was)")
    }

    /// Found since steps wait for others, and are needed on a condition.
    @Test(
        arguments: [
            (
                374_773_641,
                "A workflow whose condition named a step without a tool was set aside as unreadable at a start."
            ),
            (774_373_763, "A step waited for one that a revision had removed, and no retry ended that."),
            (
                424_746_015_484,
                "No fault: a default that a tool had made was read as the answer \"no\" by the reference alone."
            ),
        ] as [(UInt64, String)])
    func whatWasWrongInTheOrderHolds(seed: UInt64, was: String) throws {
        LastWords.about(seed)
        let violation = try Simulation(seed: seed, scenario: Scenario(seed: seed, hasFollowing: false)).play()
        #expect(violation == nil, "seed \(seed): \(violation ?? ""); it was: \(was)")
    }

    /// Found since steps stand after others because of their files.
    @Test(
        arguments: [
            (99, "A step that ended after the step before it had become stale counted as it was."),
            (157, "A retry with its old inputs began before a person had answered the step before it."),
            (690, "The same, beside the retry of the step before it."),
            (828, "A step waited for ever for the end of one that needs a missing tool."),
            (826_902_480_310, "After the end, a new definition of a step left what stands after it as it was."),
            (826_902_484_148, "The same, of a step that follows only that one."),
            (654_975_112_346, "No fault: a step that was passed over counted for the check alone."),
        ] as [(UInt64, String)])
    func whatWasWrongInTheOrderOfFilesHolds(seed: UInt64, was: String) throws {
        LastWords.about(seed)
        let violation = try Simulation(seed: seed, scenario: Scenario(seed: seed)).play()
        #expect(violation == nil, "seed \(seed): \(violation ?? ""); it was: \(was)")
    }
}
