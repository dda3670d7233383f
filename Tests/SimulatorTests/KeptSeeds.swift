import Testing

/// Seeds that once broke a rule, with what was wrong. Each was tried again without its mending, and failed. They say something as long as
/// `ScenarioMaking` and the dice in the simulated world stay as they are; whoever changes those looks for others.
@Suite struct KeptSeeds {
    @Test(
        arguments: [
            (4, "An engine that took a workflow over offered slots before it had counted what ran already."),
            (50, "A step whose definition had changed counted as fresh, because its inputs had not."),
            (227, "The time of a workflow that another engine had taken over made its old engine carry it, under the new fence."),
            (567, "A workflow that was taken up again in the commit of its end was put away by that end."),
            (1263, "An answer to a submission that came twice put a job back that was further already."),
            (1690, "After a crash a job was submitted again, where the manifest allows it, without a record that it may exist."),
            (736, "A job that a person wanted looked for was submitted again when its provider could not be reached."),
            (7805, "Two awaits that were claimed past their times brought back each other's time: the engine never rested again."),
        ] as [(UInt64, String)])
    func whatWasWrongOnceHolds(seed: UInt64, was: String) throws {
        LastWords.about(seed)
        let simulation = try Simulation(seed: seed)
        let violation = simulation.play()
        #expect(violation == nil, "seed \(seed): \(violation ?? ""); it was: \(was)")
    }
}
