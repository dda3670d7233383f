import Testing

@Suite struct BoundsTests {
    private static let figures = [
        Figure(name: "low", value: 3), Figure(name: "even", value: 5),
        Figure(name: "high", value: 8, places: ["A/B.swift:1", "A/C.swift:2 f ~ A/B.swift"]),
    ]
    private let bounds = Bounds(Array("# a note\n\nlow 4\neven 5\nhigh 7\n".utf8))

    @Test func aFigureAboveItsBoundIsAFaultWithItsPlaces() {
        #expect(
            bounds.faults(of: Self.figures) == [
                """
                high is 8, at most 7 is allowed
                  its places, those in the files that were changed last first:
                  A/B.swift:1
                  A/C.swift:2 f ~ A/B.swift
                """
            ])
        #expect(bounds.loose(Self.figures) == ["low 4 → 3"])
    }

    @Test func figuresAndBoundsBelongTogether() {
        let faults = bounds.faults(of: [Figure(name: "new", value: 0), Figure(name: "low", value: 0)])
        #expect(
            faults == [
                "even has a bound, but no figure: run `make figures`",
                "high has a bound, but no figure: run `make figures`", "new has no bound: run `make figures`",
            ])
    }

    @Test func aLongListOfPlacesIsCut() throws {
        let figure = Figure(name: "high", value: 50, places: (1...50).map { "A.swift:\($0)" })
        let lines = try #require(bounds.faults(of: [figure]).last).split(separator: "\n")
        #expect(lines.count == 43)
        #expect(lines[2] == "  A.swift:1")
        #expect(lines.last == "  … 10 more")
    }

    @Test func placesInFilesThatWereChangedLastComeFirst() throws {
        // A file that exists is newer than a file that does not.
        let there = try #require(House.swiftFiles.first { $0.hasPrefix("Sources/") }).dropFirst("Sources/".count)
        let figure = Figure(name: "high", value: 9, places: ["A.swift:1", "\(there):2"])
        let lines = try #require(bounds.faults(of: [figure]).last).split(separator: "\n")
        #expect(lines.suffix(2) == ["  \(there):2", "  A.swift:1"])
    }

    @Test func boundsFallUnlessAllAreSet() {
        let figures = Self.figures + [Figure(name: "new", value: 2)]
        var lowered = Bounds(Array("low 4\nhigh 7\nold 1\n".utf8))
        lowered.rewrite(for: figures, .lower)
        #expect(lowered.most == ["low": 3, "even": 5, "high": 7, "new": 2])
        var set = bounds
        set.rewrite(for: figures, .all)
        #expect(set.most == ["low": 3, "even": 5, "high": 8, "new": 2])
        #expect(set.text.hasSuffix("\neven 5\nhigh 8\nlow 3\nnew 2\n"))
        #expect(Bounds(Array(set.text.utf8)).most == set.most)
    }

    @Test(arguments: [(9_001, 10_000), (10_000, 10_000), (10_001, 10_500), (22_115, 22_500), (22_500, 22_500)])
    func theLargestModuleMayGrowWithinAStep(value: Int, bound: Int) {
        #expect(Bounds.lowest(for: Figure(name: "largest-module", value: value)) == bound)
    }

    @Test func aLineOfAnotherFormIsAFault() {
        let faults = Bounds(Array("low four\neven 5\n".utf8)).faults(of: [Figure(name: "even", value: 5)])
        #expect(faults == ["\"low four\" does not have the form \"name value\""])
    }
}
