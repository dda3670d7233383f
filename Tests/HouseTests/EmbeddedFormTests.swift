import CaseNames
import Embedded
import Glibc
import Harness
import JSON
import Manifests
import Testing
import Vocabulary

/// The manifests that the program reads at each start are embedded as JSON (`Sources/CEmbedded/manifests`). These tests
/// hold that the JSON says what the YAML in `Config/` says, on the same lines.
///
/// To write the JSON again, run `make embedded`.
@Suite struct EmbeddedFormTests {
    /// The files that are embedded as JSON. Guides are read with their columns, and only when they are used.
    static let paths = House.files(under: "Config").filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("Config/guides/") }

    /// Where the JSON of a file lies.
    static func place(of path: String) -> String {
        "Sources/CEmbedded/manifests/\(path.dropFirst("Config/".count).dropLast(".yaml".count)).json"
    }

    /// The key that is left out of a file: only tests play the fixtures of providers, and they read the YAML.
    private static func dropped(from path: String) -> String? {
        path.hasPrefix("Config/providers/") ? "fixtures" : nil
    }

    private static func documents(of path: String) throws -> [YAML] {
        try YAML.read(String(decoding: try #require(House.bytes(at: path)), as: UTF8.self), file: path)
    }

    @Test(arguments: paths) func theEmbeddedFormIsNew(path: String) throws {
        let form = EmbeddedForm(of: try Self.documents(of: path), without: Self.dropped(from: path)).text + "\n"
        let place = Self.place(of: path)
        if getenv("WRITE_EMBEDDED") != nil {
            let folder = place.split(separator: "/").dropLast().joined(separator: "/")
            try ScratchFolder.makeFolder("\(House.top)/\(folder)")
            try ScratchFolder.write(form, to: "\(House.top)/\(place)")
        } else {
            #expect(House.bytes(at: place).map { String(decoding: $0, as: UTF8.self) } == form, "run make embedded")
        }
    }

    @Test func noFormIsLeftOver() {
        #expect(House.files(under: "Sources/CEmbedded/manifests") == Self.paths.map { Self.place(of: $0) }.sorted())
    }

    /// The program reads the same values on the same lines as from the YAML.
    @Test(arguments: paths) func theEmbeddedFormSaysTheSame(path: String) throws {
        let embedded = try PlacedJSON(try #require(Embedded.text(at: path))).documents(file: path)
        let written = try Self.documents(of: path)
        try #require(embedded.count == written.count)
        for (embedded, written) in zip(embedded, written) {
            expectEqual(embedded, written, path, without: Self.dropped(from: path))
        }
    }

    private func expectEqual(_ one: YAML, _ other: YAML, _ path: String, without dropped: String? = nil) {
        #expect(one.line == other.line, "\(path)")
        switch (one.value, other.value) {
        case (.scalar(let one), .scalar(let other)): #expect(one == other, "\(path)")
        case (.list(let ones), .list(let others)):
            #expect(ones.count == others.count, "\(path):\(one.line)")
            for (one, other) in zip(ones, others) { expectEqual(one, other, path) }
        case (.mapping(let ones), .mapping(let all)):
            let others = all.filter { $0.key != dropped }
            #expect(ones.map(\.key) == others.map(\.key), "\(path):\(one.line)")
            #expect(ones.map(\.line) == others.map(\.line), "\(path):\(one.line)")
            for (one, other) in zip(ones, others) { expectEqual(one.value, other.value, path) }
        default: Issue.record("\(path):\(one.line) is of another kind")
        }
    }

    @Test func aTextThatIsNoListIsRefused() {
        #expect(throws: Problem.self) { try PlacedJSON(#"{"a":1}"#).documents(file: "f") }
        let problem = #expect(throws: Problem.self) { try PlacedJSON("[1,\n2").documents(file: "f") }
        #expect(problem?.place == "f:1")
    }
}
