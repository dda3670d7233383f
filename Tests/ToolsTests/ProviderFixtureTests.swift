import CaseNames
import Embedded
@testable import Files
import Harness
import JSON
@testable import Jobs
import Manifests
import Testing
import Vocabulary

/// The shipped providers of jobs, proved by their own fixtures, without a network.
@Suite struct ProviderFixtureTests {
    static let files = Embedded.paths.filter { $0.hasPrefix("Config/providers/") }

    /// Returns the text of a file of the repository. Providers are embedded without their fixtures.
    private static func text(of path: String) throws -> String {
        let top = #filePath.replacing("/Tests/ToolsTests/ProviderFixtureTests.swift", with: "")
        return try #require(ScratchFolder.text("\(top)/\(path)"))
    }

    static func provider(_ id: String) throws -> ProviderManifest {
        let path = "Config/providers/\(id).yaml"
        let read = readProviders(try Self.text(of: path), file: path, isShipped: true) { .of($0) }
        return try #require(read.providers.first)
    }

    @Test(arguments: files) func everyShippedProviderReadsWithoutProblem(path: String) throws {
        let read = readProviders(try Self.text(of: path), file: path, isShipped: true) { .of($0) }
        #expect(read.problems.map(\.description) == [])
        #expect(read.providers.count == 1)
        #expect(path == "Config/providers/\(read.providers.first?.id ?? "").yaml")
    }

    @Test(arguments: files) func everyFixtureOfAShippedProviderHolds(path: String) throws {
        for provider in readProviders(
            try Self.text(of: path), file: path, isShipped: true, hash: { .of($0) }
        ).providers {
            #expect(provider.fixtures.count >= 6, "\(provider.id)")
            #expect(provider.fixtureProblems(file: path).map(\.description) == [])
        }
    }

    /// A fixture that cannot fail proves nothing.
    @Test func whatIsNotAsExpectedIsSaid() throws {
        let path = "Config/providers/generic.yaml"
        let text = try Self.text(of: path).replacing("progress: 0.25", with: "progress: 0.5").replacing(
            "{state: downloading}", with: "{state: runningRemote}"
        ).replacing("limit: 2}", with: "limit: 3}")
        let provider = try #require(
            readProviders(text, file: path, isShipped: false, hash: { .of($0) }).providers.first)
        let problems = provider.fixtureProblems(file: path).map(\.message)
        // Two wrong limits; the progress is wrong in what is said and in what is expected alike, so it stands.
        #expect(
            problems.count == 3
                && problems.contains { $0.contains("state is \"downloading\" instead of \"runningRemote\"") })
        #expect(problems.count { $0.contains("limit is 2 instead of 3") } == 2)
    }

    // MARK: The tools that use them

    static let tools = Embedded.paths.filter { $0.hasPrefix("Config/tools/") }.flatMap { path in
        readTools(PlacedJSON(Embedded.text(at: path) ?? ""), file: path, isShipped: true) { .of($0) }.tools
    }

    static let jobs = tools.filter { if case .job = $0.action { true } else { false } }

    @Test func thereAreToolsThatProvidersDo() { #expect(Self.jobs.count >= 10) }

    @Test(arguments: jobs.map(\.kind)) func aToolSaysWhatItsProviderWants(kind: String) throws {
        let tool = try #require(Self.jobs.first { $0.kind == kind })
        guard case .job(let action) = tool.action else { return }
        let provider = try Self.provider(action.provider)
        #expect(provider.fault(of: action, in: tool) == nil)
        #expect(tool.queue == .remote && tool.effects.contains(.sends))
        // What is bought is paid for; and a second time, unless the provider knows our name for it.
        #expect(provider.isLocal || tool.effects.contains(.spends))
        #expect(tool.isIdempotent == (provider.idempotency.mode == .clientId || provider.idempotency.mode == .put))
    }

    @Test(arguments: [
        ("input", "wants \"input\""), ("odd", "takes no \"odd\""), ("port", "has no output \"depth\""),
    ])
    func aToolThatDoesNotFitItsProviderIsSaid(change: String, words: String) throws {
        var tool = try #require(Self.jobs.first { $0.kind == "DepthMap" })
        guard case .job(var action) = tool.action else { return }
        switch change {
        case "input": action.with["input"] = nil
        case "odd": action.with["odd"] = 1
        default: tool.outputs = [Port("depth", .image)]
        }
        #expect(try Self.provider("fal").fault(of: action, in: tool)?.contains(words) == true)
    }

    @Test func theTermsFollowFromTheManifest() throws {
        let ray = try Self.provider("ray-jobs")
        #expect(ray.isLocal && ray.terms.idempotency == .clientId && ray.terms.cancelling == .poll)
        let fal = try Self.provider("fal")
        #expect(
            !fal.isLocal && fal.terms.idempotency == .none && fal.terms.ambiguity == .ask
                && fal.terms.retentionSeconds == 360)
        #expect(try Self.provider("openai-video").terms.cancelling == .unsupported)
        #expect(try Self.provider("bentoml-task").terms.cancelling == .immediate)
    }
}
