import JSON
import Testing
import Vocabulary
import Workflows

@testable import Engine

/// Where steps wait for slots.
@Suite struct LaneTests {
    private static let id = WorkflowID(1)
    private static let now = Moment(milliseconds: 1_700_000_000_000)

    private static let catalogue = Catalogue(
        (0...1).map { number in
            ToolManifest(
                kind: "Job\(number)", title: "Job", queue: .remote,
                action: .job(ToolManifest.JobAction(provider: "p\(number)")))
        }, providers: (0...1).map { JobTerms(provider: "p\($0)", idempotency: .put) })

    private static func text(_ kinds: [String]) -> String {
        let nodes = kinds.map { #"{"id":"\#($0.lowercased())","kind":"\#($0)"}"# }.joined(separator: ",")
        return #"{"schema":"app.workflow/v2","name":"w","nodes":[\#(nodes)],"edges":[]}"#
    }

    private static func graph(_ kinds: [String]) throws -> Graph {
        let template = try #require(TemplateReader.read(Array(text(kinds).utf8)).0)
        let (graph, problems) = Workflows.check(template, against: catalogue)
        return try #require(graph, "\(problems)")
    }

    private static func carried(_ kinds: [String]) throws -> Carried {
        let graph = try graph(kinds)
        let record = WorkflowRecord(id: id, title: "w", workspace: "/w", mode: .auto, createdAt: now, updatedAt: now)
        let loaded = CarriedWorkflow(
            record: record, fence: 1, template: text(kinds), steps: Flow.initialSteps(of: graph, workflow: id, at: now))
        return Carried(loaded, graph: graph, catalogue: catalogue, jobPrefix: "t", requestCount: 0)
    }

    /// A job that waits for its provider has another place among the providers once one of them is gone.
    @Test func whatWaitsForAProviderWaitsForItAfterAnEdit() throws {
        let carried = try Self.carried(["Job0", "Job1"])
        for index in 0...1 { carried.wait(index) }
        #expect(carried.lanes(of: .remote) == [.provider("p0"), .provider("p1")])
        var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        let intents = carried.revise(
            to: try Self.graph([Revision.removedKind, "Job1"]), text: "{}", Self.catalogue, now: Self.now,
            wall: Self.now, random: &random)
        // What is ready gets into line anew, and nobody waits for what is gone.
        #expect(!carried.hasWaiting)
        for case .consider(let index) in intents { carried.wait(index) }
        let lane = try #require(carried.lanes(of: .remote).first)
        #expect(lane == .provider("p1") && carried.lanes(of: .remote).count == 1)
        let waiting = carried.nextWaiting(in: lane)
        let next = try #require(waiting)
        #expect(carried.flow.graph.nodes[next].kind == "Job1" && !carried.hasWaiting)
    }
}
