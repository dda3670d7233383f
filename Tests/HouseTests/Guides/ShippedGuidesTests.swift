import CaseNames
import Embedded
import Manifests
import Testing
import Vocabulary

/// The guides that come with the program are read without a problem, and use what guides have.
@Suite struct ShippedGuidesTests {
    private static let paths = Embedded.paths.filter { $0.hasPrefix("Config/guides/") }

    @Test func bothAreThere() {
        #expect(Self.paths.sorted() == ["Config/guides/meter-reading.yaml", "Config/guides/vehicle-damage.yaml"])
    }

    @Test(arguments: paths) func eachIsReadAndSaysWhatItIsFor(path: String) throws {
        let text = try #require(Embedded.text(at: path))
        let (read, problems) = readGuide(text, file: path)
        #expect(problems == [], "\(problems)")
        let guide = try #require(read)
        #expect(
            "Config/guides/\(guide.id).yaml" == path && guide.about.hasSuffix(".") && guide.hasReview
                && guide.place == .never)
        #expect(guide.allSteps.allSatisfy { $0.title.count <= 60 && ($0.instruction.isEmpty == !$0.inner.isEmpty) })
        // All that a person has to answer has a hint or few words.
        #expect(guide.askedSteps.allSatisfy { $0.hint != nil || $0.instruction.count < 150 })
        // A limit of an answer is told in a sentence.
        #expect(guide.allSteps.flatMap(\.accept.tests).allSatisfy { $0.words.hasSuffix(".") })
    }

    @Test func theyHaveSoManySteps() throws {
        let counts = try Self.paths.sorted().map { path in
            try #require(readGuide(Embedded.text(at: path) ?? "", file: path).guide).numberCount
        }
        #expect(counts == [6, 12])
    }

    @Test func theDamageReportUsesEachKindOfStep() throws {
        let guide = try #require(
            readGuide(Embedded.text(at: "Config/guides/vehicle-damage.yaml") ?? "", file: "v").guide)
        let kinds = Set(
            guide.allSteps.map { step in
                switch step.kind {
                case .capture(let capture): capture.each.isEmpty ? "capture" : "each"
                case .text: "text"
                case .date: "date"
                case .code: "code"
                case .number: "number"
                case .choose(_, let isSeveral): isSeveral ? "several" : "choose"
                case .note: "note"
                case .group: "group"
                }
            })
        #expect(kinds == ["capture", "each", "text", "date", "code", "number", "several", "choose", "note", "group"])
        #expect(guide.allSteps.contains { $0.when != nil } && guide.allSteps.contains { $0.skip != nil })
    }
}
