import Consent
import Embedded
import Manifests
import Testing
import Vocabulary

/// The share of names about which auto mode asks, by the built-in policy and without knowing whether a file is
/// executable. The names and their sources are tables in `Tests/HouseTests/RunsLater`.
struct RunsLaterShareTests {
    private static let folder = "Tests/HouseTests/RunsLater/"

    /// The names of a table. A line is a kind with the source in brackets, a colon, and the names.
    private static func names(in table: String) -> [String] {
        House.lines(of: folder + table).filter { !$0.hasPrefix("#") }.flatMap { line in
            line.split(separator: ": ", maxSplits: 1).dropFirst().flatMap { $0.split(separator: " ").map(String.init) }
        }
    }

    private static func builtIn() throws -> Policy {
        let text = PlacedJSON(try #require(Embedded.text(at: "Config/policy.yaml")))
        let json = try readYAML(text, file: "Config/policy.yaml")
        return Policy.read(json: json, source: "built-in policy", origin: .builtIn).policy
    }

    /// Returns the names about which auto mode asks, if a file is created under each of them.
    private static func asked(of names: [String], in policy: Policy, folder: String) -> Set<String> {
        Set(
            names.filter { name in
                let target = Call.Target(.creates, .path("\(folder)/\(name)"), reach: .workspace, before: .absent)
                let call = Call(tool: "WriteFile", toolVersion: .ofNothing, targets: [target], effects: [.creates])
                let surroundings = Surroundings(workspace: "/w")
                let decision = policy.decide(call, mode: .auto, in: surroundings, at: Moment(milliseconds: 0))
                guard case .ask(let because) = decision else { return false }
                return because.count == 1
                    && because[0].hasPrefix("it will run later, or tell others what to do (built-in policy")
            })
    }

    @Test(
        arguments: [("runs-later.txt", 300), ("runs-later-held-back.txt", 60), ("runs-later-catalogues.txt", 50)],
        ["/w", "/w/sub/deeper"])
    func atLeast95OfAHundredNamesThatRunLaterAreAskedAbout(table: (name: String, least: Int), folder: String) throws {
        let names = Self.names(in: table.name)
        #expect(names.count >= table.least && Set(names).count == names.count)
        let asked = Self.asked(of: names, in: try Self.builtIn(), folder: folder)
        #expect(asked.count * 100 >= names.count * 95, "not asked about: \(names.filter { !asked.contains($0) })")
    }

    @Test(arguments: ["/w", "/w/sub/deeper"])
    func atMostOneOfAHundredPlainNamesIsAskedAbout(folder: String) throws {
        let names = Self.names(in: "plain-names.txt")
        #expect(names.count >= 300 && Set(names).count == names.count)
        let asked = Self.asked(of: names, in: try Self.builtIn(), folder: folder)
        #expect(asked.count * 100 <= names.count, "asked about: \(asked.sorted())")
    }
}
