import Embedded
import Manifests
import Testing
import Tools
import Vocabulary

/// The shipped providers of jobs, proved by their own fixtures, without a network.
@Suite struct ProviderFixtureTests {
    static let files = Embedded.paths.filter { $0.hasPrefix("Config/providers/") }

    static func provider(_ id: String) throws -> ProviderManifest {
        let path = "Config/providers/\(id).yaml"
        let read = readProviders(try #require(Embedded.text(at: path)), file: path, isShipped: true) { .of($0) }
        return try #require(read.providers.first)
    }

    @Test(arguments: files) func everyShippedProviderReadsWithoutProblem(path: String) throws {
        let read = readProviders(try #require(Embedded.text(at: path)), file: path, isShipped: true) { .of($0) }
        #expect(read.problems.map(\.description) == [])
        #expect(read.providers.count == 1)
        #expect(path == "Config/providers/\(read.providers.first?.id ?? "").yaml")
    }

    @Test(arguments: files) func everyFixtureOfAShippedProviderHolds(path: String) throws {
        for provider in readProviders(try #require(Embedded.text(at: path)), file: path, isShipped: true, hash: { .of($0) }).providers {
            #expect(provider.fixtures.count >= 6, "\(provider.id)")
            #expect(provider.fixtureProblems(file: path).map(\.description) == [])
        }
    }
}
