import CaseNames
import Testing
import Vocabulary

@testable import Conversations

/// The guide that a sentence is about is offered where the planner does not understand the sentence.
@Suite struct GuideIndexTests {
    private static let index = GuideIndex([
        (
            "vehicle-damage", "Vehicle damage report",
            "Photographs and answers about a damaged car, as an insurer needs them after an accident."
        ),
        (
            "meter-reading", "Meter reading",
            "The reading of a meter for electricity, gas or water, with a photograph that proves it."
        ),
    ])

    @Test(
        arguments: [
            ("report the damage to my car", "vehicle-damage"),
            ("I had an accident and the vehicle is damaged", "vehicle-damage"),
            ("read the electricity meter", "meter-reading"), ("Meter readings, please", "meter-reading"),
            ("make cat.jpg 800 px wide", nil),
            ("read notes.txt", nil), ("how many meters is it", nil), ("", nil), ("photograph that", nil),
            ("delete the report", nil),
        ] as [(String, String?)])
    func aSentenceFindsItsGuide(line: String, guide: String?) {
        #expect(Self.index.offer(for: line)?.split(separator: " ").last.map { String($0) } == guide)
    }
}
