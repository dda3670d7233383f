import Embedded
import Harness
import JSON
import Manifests
import Testing
import Vocabulary

@testable import Workflows

/// Guides as workflows: each ends, whatever is answered, and asks what a walk over the guide would ask (`semantics.md`
/// 200–203).
@Suite struct GuideFlowTests {
    private static let catalogue: Catalogue = {
        let file = "Config/tools/people.yaml"
        return Catalogue(
            readTools(PlacedJSON(Embedded.text(at: file) ?? ""), file: file, isShipped: true) { _ in .ofNothing }.tools)
    }()

    /// Answers what is asked until nothing is.
    ///
    /// - Parameter interrupt: called before each answer; it may throw the flow away and make it anew.
    private func carryOut(_ random: RandomGuide, _ rig: inout FlowRig, interrupt: (inout FlowRig) -> Void = { _ in })
        -> Set<String>
    {
        var asked: Set<String> = []
        let steps = Dictionary(random.guide.askedSteps.map { ($0.id, $0) }) { first, _ in first }
        while rig.record.outcome == nil,
            let index = rig.states.firstIndex(where: { $0 == .ready || $0 == .awaitingUser })
        {
            interrupt(&rig)
            if rig.states[index] == .ready { rig.ask(index, type: .text) }
            interrupt(&rig)
            let id = rig.flow.graph.nodes[index].id
            asked.insert(id)
            rig.feed(.completed(index, Self.completion(steps[id], random), agreed: nil, by: "me"))
        }
        return asked
    }

    private static func completion(_ step: GuideStep?, _ random: RandomGuide) -> Completion {
        guard let step, step.kind != .note else { return .outputs([]) }
        if random.skips(step) { return .skipped() }
        let run = RunID(StepID(WorkflowID(0), 0), attempt: 0)
        var asset = Asset(run: run, port: "text", type: .text, hash: .ofNothing, bytes: 0, name: "x")
        if case .choose = step.kind { asset.meta[Asset.answerKey] = .string(random.word(step.id)) }
        return .outputs([asset])
    }

    private func graph(of random: RandomGuide) throws -> Graph {
        let template = Template(random.guide, text: "")
        #expect(TemplateReader.read(template.json, isStored: true).0 == template)
        let (graph, problems) = check(template, against: Self.catalogue)
        return try #require(graph, "\(problems)")
    }

    @Test func everyGuideEndsAndAsksWhatAWalkAsks() throws {
        for seed in 1...UInt64(400) {
            let random = RandomGuide(seed: seed)
            var rig = FlowRig(graph: try graph(of: random))
            let asked = carryOut(random, &rig)
            #expect(rig.outcomes == [.succeeded], "seed \(seed): \(rig.outcomes)")
            #expect(asked.subtracting([Guide.reviewID]) == random.asked(), "seed \(seed)")
            if random.guide.hasReview { #expect(asked.contains(Guide.reviewID), "seed \(seed)") }
        }
    }

    @Test func aGuideThatIsTakenUpAtAnyPointIsTheSame() throws {
        for seed in 1...UInt64(120) {
            let random = RandomGuide(seed: seed)
            let graph = try graph(of: random)
            var (straight, cut, dice) = (FlowRig(graph: graph), FlowRig(graph: graph), Seeded(seed))
            let once = carryOut(random, &straight)
            let again = carryOut(random, &cut) { rig in if dice.chance(50) { rig.restart() } }
            #expect(once == again && straight.states == cut.states, "seed \(seed)")
            #expect(straight.flow.steps.map(\.reason) == cut.flow.steps.map(\.reason), "seed \(seed)")
        }
    }

    /// Whoever goes back and answers otherwise comes to what they would have come to at once.
    @Test func anEarlierAnswerThatChangesComesToTheSameSteps() throws {
        for seed in 1...UInt64(300) {
            let (first, second) = (RandomGuide(seed: seed), RandomGuide(seed: seed))
            var rig = FlowRig(graph: try graph(of: first))
            _ = carryOut(first, &rig)
            var dice = Seeded(seed &+ 7)
            let chooses = first.guide.askedSteps.filter { if case .choose = $0.kind { true } else { false } }
            guard let changed = chooses.randomElement(using: &dice),
                let index = rig.flow.graph.nodes.firstIndex(where: { $0.id == changed.id }),
                rig.flow.steps[index].reason == nil
            else { continue }
            // The same answer again changes nothing.
            let before = rig.flow.steps.map(\.reason)
            rig.again(.rerun(Rerun(step: index + 1)))
            _ = carryOut(second, &rig)
            #expect(rig.flow.steps.map(\.reason) == before, "seed \(seed): \(changed.id)")
            #expect(rig.states.allSatisfy { $0 == .succeeded }, "seed \(seed)")
        }
    }
}
