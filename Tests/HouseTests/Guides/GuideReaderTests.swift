import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Manifests

/// A guide is read whole, or refused with the place of each fault.
@Suite struct GuideReaderTests {
    private static let vehicle = """
        guide: assent.guide/v1
        id: vehicle-damage
        title: Vehicle damage report
        version: 3
        about: Photographs and notes that an insurer needs after an accident.
        place: ask
        defaults:
          accept: {sharp: 90, bright: 40..210, clipped: 25%, minimum: 1280x960}
          attempts: 2
        steps:
          - {id: hurt, choose: [nobody, somebody], ask: Who is hurt?}
          - id: call
            note: Call 112 first. Then go on.
            when: hurt = 'somebody'
          - id: plate
            capture: Licence plate, straight on, 2 m away.
            hint: Fill half of the frame.
            accept: {different: 8, clipped: false}
          - id: corners
            capture: Each corner of the car, whole.
            each: [front left, front right, rear left, rear right]
          - id: damage
            capture: The damage, from 50 cm.
            count: 1..8
            skip: There is no visible damage.
            annotate: true
          - id: other
            group:
              - {id: insured, choose: ["yes", "no"], ask: Is the other driver insured?}
              - id: card
                code: The QR code on the other driver's insurance card.
                when: insured = 'yes'
                otherwise: {text: "Name and address of the other driver."}
          - {id: km, number: The mileage, unit: km, accept: {test: answer > 0, say: A car has been driven.}, default: 10}
          - {id: day, date: When did it happen?, default: today}
          - {id: story, text: What happened? One sentence is enough., required: false, when: count(damage) > 0 or corners.front-left exists}
        export: {zip: "damage-{date}.zip", originals: true}
        """

    @Test func eachKindOfStepIsRead() throws {
        let (read, problems) = readGuide(Self.vehicle, file: "v.yaml")
        #expect(problems == [], "\(problems)")
        let guide = try #require(read)
        #expect(
            guide.id == "vehicle-damage" && guide.version == 3 && guide.place == .ask && guide.metadata == .cut
                && guide.hasReview)
        #expect(
            guide.steps.map(\.id) == [
                "hurt", "call", "plate", "corners", "damage", "other", "km", "day", "story", "place",
            ])
        #expect(guide.allSteps.map(\.id).suffix(5) == ["card.otherwise", "km", "day", "story", "place"])
        // The last one is there because the guide asks for the place.
        #expect(guide.steps.last?.skip != nil && guide.steps.last?.kind == .text)
        let plate = guide.steps[2]
        #expect(plate.title == "Licence plate" && plate.hint == "Fill half of the frame." && plate.attempts == 2)
        let picture = plate.accept.picture
        #expect(
            picture.sharp == 90 && picture.bright == 40...210 && picture.clipped == nil && picture.different == 8
                && picture.height == 960)
        #expect(guide.steps[3].answers.map(\.name).last == "corners.rear-right" && guide.steps[3].isRequired)
        #expect(
            guide.steps[4].skip == GuideStep.Skip(words: "There is no visible damage.") && !guide.steps[4].isRequired)
        #expect(guide.steps[4].kind == .capture(GuideStep.Capture(count: 1...8)) && guide.steps[4].isAnnotated)
        #expect(guide.steps[6].accept.tests.map(\.words) == ["A car has been driven."] && guide.steps[6].initial == 10)
        #expect(
            guide.steps[8].when?.names == ["damage", "corners.front-left"] && guide.export.name == "damage-{date}.zip")
    }

    /// Lines of a guide below its head, and the problems: line, column, code, words.
    private static let faults: [(String, [(Int, Int, String, String)])] = [
        ("- {id: a, txt: Why?}", [(5, 3, "badStep", "has none of"), (5, 11, "unknownKey", "Did you mean \"text\"")]),
        ("- {id: a, text: Why?, hnt: x}", [(5, 23, "unknownKey", "Did you mean \"hint\"")]),
        ("- {id: a, text: Why?, note: x}", [(5, 3, "badStep", "more than one of text, note")]),
        ("- {id: a, text: Why?}\n- {id: a, text: Who?}", [(6, 3, "duplicateID", "line 5")]),
        ("- {id: 1a, text: Why?}", [(5, 4, "badID", "no id")]), ("- {id: and, text: Why?}", [(5, 4, "badID", "no id")]),
        ("- {text: Why?}", [(5, 3, "missingField", "\"id\" is missing")]),
        ("- Why?", [(5, 3, "badField", "A step is keys")]),
        ("- {id: a, text: Why?, after: [b]}", [(5, 3, "unknownStep", "names a step b")]),
        (
            "- {id: a, text: Why?, after: [b]}\n- {id: b, text: Who?, after: [a]}\n- {id: c, text: How?}",
            [(5, 3, "cycle", "waits for itself"), (6, 3, "cycle", ""), (7, 3, "unreachable", "never reached")]
        ),
        ("- {id: a, text: Why?, after: [a]}", [(5, 3, "cycle", "a waits for itself")]),
        (
            "- {id: a, choose: [x, y], ask: Which?}\n- {id: b, text: Why?, when: a = 'z'}",
            [(6, 29, "unknownChoice", "none of the choices")]
        ),
        (
            "- {id: a, choose: [x, y], ask: Which?}\n- {id: b, text: Why?, when: \"x = 'x'\"}",
            [(6, 30, "unknownStep", "No earlier step")]
        ),
        ("- {id: a, text: Why?, when: b exists}\n- {id: b, text: Who?}", [(5, 29, "laterStep", "not over before it")]),
        (
            "- {id: a, number: How many?}\n- {id: b, text: Why?, when: a >< 1}",
            [(6, 32, "badCondition", "a text in quotes")]
        ),
        ("- {id: a, text: Why?, when: [a]}", [(5, 29, "badField", "must be a condition")]),
        ("- {id: a, text: Why?, otherwise: {text: Who?}}", [(5, 34, "badField", "there is no \"when\"")]),
        ("- {id: a, capture: It, count: 51}", [(5, 31, "badField", "at most 50")]),
        ("- {id: a, capture: It, count: 3..1}", [(5, 31, "badField", "1..8")]),
        ("- {id: a, capture: It, each: [a, A]}", [(5, 24, "badField", "different names")]),
        ("- {id: a, capture: It, each: [a], count: 2}", [(5, 24, "badField", "either")]),
        ("- {id: a, capture: It, source: phone}", [(5, 32, "badField", "any, camera")]),
        ("- {id: a, capture: It, accept: {sharp: much}}", [(5, 40, "badField", "\"sharp\" must be")]),
        ("- {id: a, capture: It, accept: {scene: a car}}", [(5, 33, "unknownKey", "scene")]),
        (
            "- {id: a, capture: It, accept: {test: x, say: y}}",
            [(5, 33, "unknownKey", "test"), (5, 42, "unknownKey", "say")]
        ),
        (
            "- {id: a, text: Why?, accept: {test: \"answer matches '('\", say: No.}}",
            [(5, 54, "badCondition", "cannot be used")]
        ),
        ("- {id: a, text: Why?, accept: {test: \"answer > 3\", say: No.}}", [(5, 39, "wrongType", "two numbers")]),
        ("- {id: a, text: Why?, accept: {test: \"b = ''\", say: No.}}", [(5, 39, "unknownStep", "called b")]),
        ("- {id: a, text: Why?, accept: {test: \"answer != 'x'\"}}", [(5, 31, "missingField", "say")]),
        ("- {id: a, note: Read., accept: {test: x, say: y}}", [(5, 32, "badField", "no answer")]),
        ("- {id: a, number: N, default: much}", [(5, 31, "wrongType", "no answer")]),
        ("- {id: a, choose: [x], ask: W, default: y}", [(5, 41, "wrongType", "")]),
        ("- {id: a, choose: [x, x], ask: W}", [(5, 11, "badField", "different words")]),
        ("- {id: a, choose: [x, y]}", [(5, 3, "missingField", "ask")]),
        ("- {id: a, text: Why?, skip: {say: no, then: b}}", [(5, 3, "unknownStep", "b")]),
        (
            "- {id: a, text: Why?}\n- {id: b, text: Why?, skip: {say: no, then: a}}",
            [(6, 3, "backwards", "comes before")]
        ),
        ("- {id: a, text: Why?, attempts: 0}", [(5, 33, "badField", "from 1 to 20")]),
        ("- {id: a, group: []}", [(5, 11, "badField", "at least one")]),
        ("- {id: a, text: Why?, annotate: [voice]}", [(5, 33, "badField", "[text]")]),
        ("- {id: a, text: Why?, example: /etc/x.jpg}", [(5, 32, "badField", "in the folder of the guide")]),
        ("- {id: a, text: Why?, example: a/../../x.jpg}", [(5, 32, "badField", "in the folder of the guide")]),
        ("- {id: a, text: Why?, example: ~/x.jpg}", [(5, 32, "badField", "in the folder of the guide")]),
        ("- {id: a, text: Why?, example: \"x\\ny\"}", [(5, 32, "badField", "in the folder of the guide")]),
        ("- {id: a, text: \"\"}", [(5, 11, "missingField", "must say")]),
        ("[]", [(4, 1, "missingField", "at least one")]),
    ]

    @Test func eachFaultIsToldWithItsPlace() {
        expectNoFaults(in: Self.faults) { lines, wanted in
            let text =
                "guide: assent.guide/v1\nid: x\ntitle: X\nsteps:" + (lines == "[]" ? " []\n" : "\n" + lines + "\n")
            let problems = readGuide(text, file: "g").problems
            let found = problems.map(\.description)
            guard problems.count == wanted.count else { return ["\(lines): \(found)"] }
            return zip(problems, wanted).compactMap { problem, want in
                let isRight =
                    problem.place == "g:\(want.0):\(want.1)" && problem.code == want.2
                    && problem.message.contains(want.3)
                return isRight ? nil : "\(lines): \(problem), wanted \(want)"
            }
        }
    }

    @Test func theHeadOfAGuideIsChecked() {
        let rows = [
            ("", "badGuide"), ("steps: [", "badYAML"), ("- a", "badGuide"),
            (String(repeating: "# long\n", count: 40_000), "tooLarge"),
            ("guide: assent.guide/v2\nid: x\ntitle: X\nsteps: [{id: a, text: W}]", "badGuide"),
            ("guide: assent.guide/v1\nid: run\ntitle: X\nsteps: [{id: a, text: W}]", "badID"),
            ("guide: assent.guide/v1\nid: x\ntitle: X\nsteps: [{id: a, text: W}]\nexport: {zip: ../x.zip}", "badField"),
            ("guide: assent.guide/v1\nid: x\ntitle: X\nplace: here\nsteps: [{id: a, text: W}]", "badField"),
            (
                "guide: assent.guide/v1\nid: x\ntitle: X\nsteps:\n"
                    + (0...200).map { "- {id: a\($0), text: W}" }.joined(separator: "\n"),
                "tooLarge"
            ),
        ]
        expectNoFaults(in: rows) { text, code in
            let problems = readGuide(text, file: "g").problems
            return problems.map(\.code) == [code] ? [] : ["\(text.prefix(80)): \(problems)"]
        }
    }

    /// A capture is checked by the measured limits only if neither it nor its guide names any.
    @Test(
        arguments: [
            ("", "", "sharp: 90, bright: 40..210, clipped: 25%"),
            ("", ", accept: {}", ""), ("", ", accept: {minimum: 800x600}", "minimum: 800x600"),
            ("", ", accept: {different: 8}", "different: 8"),
            ("defaults: {attempts: 2}\n", "", "sharp: 90, bright: 40..210, clipped: 25%"),
            ("defaults: {accept: {}}\n", "", ""),
            ("defaults: {accept: {sharp: 50}}\n", "", "sharp: 50"),
            ("defaults: {accept: {sharp: 50}}\n", ", accept: {}", "sharp: 50"),
            ("defaults: {accept: {sharp: 50}}\n", ", accept: {sharp: false}", ""),
        ])
    func picturesAreCheckedByMeasuredLimitsIfNothingIsSaid(defaults: String, accept: String, limits: String) throws {
        let text = "guide: assent.guide/v1\nid: g\ntitle: G\n\(defaults)steps:\n  - {id: a, capture: It.\(accept)}\n"
        let (guide, problems) = readGuide(text, file: "g")
        #expect(problems.isEmpty)
        #expect(try #require(guide).steps[0].accept.picture.words == limits)
    }

    /// A guide with one byte changed, cut, or doubled is read or refused; nothing stops the reader.
    @Test func noTextStopsTheReader() {
        let bytes = Array(Self.vehicle.utf8)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3_000 {
            var changed = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: changed[place] = UInt8.random(in: 0x20...0x7E, using: &random)
            case 1: changed.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
            case 2: changed.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
            default: changed = Array(bytes[..<place])
            }
            _ = readGuide(String(decoding: changed, as: UTF8.self), file: "g")
        }
    }
}
