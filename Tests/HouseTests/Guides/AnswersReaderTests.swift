import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Manifests

/// A file of answers is read whole, or refused with the place of each fault.
@Suite struct AnswersReaderTests {
    private static let guide = """
        guide: assent.guide/v1
        id: damage
        title: Damage
        steps:
          - {id: hurt, choose: [nobody, somebody], ask: Who is hurt?}
          - {id: call, note: Call 112 first., when: hurt = 'somebody'}
          - {id: plate, capture: Licence plate., accept: {sharp: 90}}
          - {id: photo, capture: Yourself., source: camera, required: false}
          - {id: corners, capture: Each corner., each: [front left, rear right], skip: It is parked too close.}
          - {id: damage, capture: The damage., count: 1..3, skip: There is none.}
          - {id: parts, choose: [door, wing, "1"], several: true, ask: Which parts?}
          - id: other
            group:
              - id: card
                code: The code.
                when: hurt = 'nobody'
                otherwise: {text: Name and address.}
          - {id: km, number: The mileage., unit: km}
          - {id: day, date: When?}
          - {id: story, text: What happened?}
        """

    private static let head = "answers: assent.answers/v1\nguide: damage\nsteps:\n"

    private func read(_ text: String) throws -> (AnswersFile?, [Problem]) {
        let (guide, problems) = readGuide(Self.guide, file: "damage.yaml")
        try #require(problems == [])
        let (answers, faults) = readAnswers(text, file: "a.yaml", guide: try #require(guide))
        return (answers, faults)
    }

    private typealias Picture = AnswersFile.Picture

    @Test func eachKindOfAnswerIsRead() throws {
        let (read, problems) = try read(
            Self.head + """
                  hurt: nobody
                  plate: {file: "p.jpg", take: rain}
                  photo: {camera: true}
                  corners: {rear-right: b.jpg, front left: {file: a.jpg, take: dark}}
                  damage: [d1.jpg, {camera: true}]
                  parts: [door, 1]
                  card: {skip: no card}
                  card.otherwise: "Ann, \\"12\\" Main St."
                  km: 1202.5 km
                  day: 2026-11-25
                  story: {value: It rained., take: so be it}
                """)
        let refused = Problem(
            "cannotSkip", at: "a.yaml:10:10", "card: The guide needs an answer here: the step cannot be skipped.")
        #expect(problems == [refused], "\(problems)")
        let answers = try #require(read)
        #expect(answers["hurt"]?.answer == .value("nobody") && answers["photo"]?.answer == .camera)
        #expect(answers["plate"]?.answer == .pictures([Picture(path: "p.jpg", take: "rain")]))
        let corners = [
            Picture(part: "front left", path: "a.jpg", take: "dark"), Picture(part: "rear right", path: "b.jpg"),
        ]
        #expect(answers["corners"]?.answer == .pictures(corners))
        #expect(answers["damage"]?.answer == .pictures([Picture(path: "d1.jpg"), Picture(path: nil)]))
        #expect(answers["parts"]?.answer == .value(["door", "1"]) && answers["day"]?.answer == .value("2026-11-25"))
        #expect(
            answers["card.otherwise"]?.answer == .value("Ann, \"12\" Main St.")
                && answers["km"]?.answer == .value("1202.5"))
        #expect(answers["story"]?.answer == .value("It rained.") && answers["story"]?.take == "so be it")
        #expect(answers["story"]?.place == GuideStep.Place(line: 14, column: 3))
        let moved = answers.resolved(in: "/home/ann/case")
        #expect(moved["plate"]?.answer == .pictures([Picture(path: "/home/ann/case/p.jpg", take: "rain")]))
    }

    @Test func answersThatAreWrittenAreReadAgain() throws {
        let steps: [(String, AnswersFile.Answer, String?)] = [
            ("hurt", .value("nobody"), nil),
            ("plate", .pictures([Picture(path: "media/03-plate.jpg", take: "rain")]), nil),
            ("photo", .camera, "dark"), ("corners", .pictures([Picture(part: "front left", path: "a.jpg")]), nil),
            ("damage", .pictures([Picture(path: "1.jpg"), Picture(path: "2.jpg", take: "it is dark")]), nil),
            ("parts", .value(["wing", "1"]), nil), ("card", .value("https://x.example/1"), nil),
            ("km", .value("0012.50"), "as it is"),
            ("day", .value("2026-11-25"), nil), ("story", .value("&a *b \"c\" 'd' \\ # : 🚗\u{7}\nend?"), nil),
        ]
        let written = AnswersFile(
            guide: "damage", steps: steps.map { AnswersFile.Step(id: $0.0, answer: $0.1, take: $0.2) })
        for text in [written.json.text, written.json.pretty] {
            let (read, problems) = try read(text)
            #expect(problems == [], "\(problems)")
            #expect(read?.json == written.json)
        }
        let notes = [
            AnswersFile.Note(step: "story", text: "by phone: \u{7}"),
            .init(step: "corners", part: "2", text: "scratch"),
        ]
        let noted = AnswersFile(guide: "damage", steps: [], notes: notes)
        #expect(try read(noted.json.text).0?.notes == notes)
        let wrong = noted.json.text.replacing("\"story\"", with: "\"stroy\"").replacing("\"scratch\"", with: "\"\"")
        #expect(try read(wrong).1.map(\.code) == ["unknownStep", "missingField"])
        for (step, part, isThere) in [
            ("corners", "front left", true), ("corners", "roof", false), ("story", "1", false), ("damage", "9", false),
        ] {
            let one = AnswersFile(guide: "damage", steps: [], notes: [.init(step: step, part: part, text: "x")])
            #expect(try read(one.json.text).1.map(\.code) == (isThere ? [] : ["unknownPart"]), "\(step) \(part)")
        }
        let skipped = AnswersFile(guide: "damage", steps: [AnswersFile.Step(id: "damage", answer: .skip(words: ""))])
        #expect(try read(skipped.json.text).0?.json == skipped.json)
    }

    @Test func jsonMayHaveEscapesOfTwoParts() throws {
        let text =
            #"{"answers": "assent.answers/v1", "guide": "damage", "steps": {"story": "\ud83d\ude97 \\ud83d \u00e9\/"}}"#
        let (read, problems) = try read(text)
        #expect(problems == [] && read?["story"]?.answer == .value(#"🚗 \ud83d é/"#), "\(problems)")
    }

    /// A number without quotes is exact, and a text is read as at the terminal.
    @Test(
        arguments: [
            ("1.234", ",.", "1.234"), ("1.20", ",.", "1.20"),
            ("123456789012345678901.5", ",.", "123456789012345678901.5"),
            ("1e3", ",.", "1000"), ("-0.0", ",.", "-0.0"), ("\"1,5\"", ",", "1.5"), ("\"1202,5 km\"", ",", "1202.5"),
            ("1,5", ",", "1.5"), ("\"1.234\"", ",", "1.234"), ("\"1.234\"", ",.", nil), ("\"1,234\"", ",", nil),
            ("\"1.234 km\"", ",.", nil), ("1.234 km", ",.", nil),
        ] as [(String, String, String?)])
    func aNumberIsExactOrAsked(written: String, signs: String, number: String?) throws {
        let guide = try #require(readGuide(Self.guide, file: "damage.yaml").guide)
        let (answers, problems) = readAnswers(
            Self.head + "  km: \(written)\n", file: "a.yaml", guide: guide, groupSigns: Set(signs))
        guard let number else {
            #expect(problems.map(\.code.text) == ["ambiguous"] && problems.first?.message.contains("1234 or 1") == true)
            return
        }
        #expect(problems == [] && answers?["km"]?.answer == .value(.string(number)), "\(problems)")
    }

    @Test func aTextOfDigitsKeepsItsZeros() throws {
        let (answers, problems) = try read(Self.head + "  story: 007\n  card: 0012345678901234567\n")
        #expect(problems == [] && answers?["story"]?.answer == .value("007"))
        #expect(answers?["card"]?.answer == .value("0012345678901234567"))
    }

    /// A line of `steps`, and the problems: column, code, words. The line is the fourth.
    private static let faults: [(String, [(Int, String, String)])] = [
        ("hrt: nobody", [(3, "unknownStep", "Did you mean \"hurt\"?")]), ("other: x", [(3, "wrongAnswer", "a group")]),
        ("call: yes", [(3, "wrongAnswer", "a note")]),
        ("hurt: me", [(9, "wrongAnswer", "none of the choices: nobody, somebody")]),
        ("hurt: [nobody]", [(9, "wrongAnswer", "not a list")]), ("parts: [door, door]", [(10, "wrongAnswer", "twice")]),
        ("parts: [roof]", [(10, "wrongAnswer", "\"roof\" is none")]),
        ("parts: []", [(10, "wrongAnswer", "one of door, wing, 1")]),
        ("km: many", [(7, "wrongAnswer", "A number such as")]), ("km: [1]", [(7, "wrongAnswer", "not a list")]),
        ("km: {file: a.jpg}", [(8, "unknownKey", "\"file\" is not known here")]),
        ("day: 25.11.2026", [(8, "wrongAnswer", "A day such as")]),
        ("day: 2026-02-30", [(8, "wrongAnswer", "A day such as")]),
        ("story: true", [(10, "wrongAnswer", "not true or false")]),
        ("story: {skip: no}", [(11, "cannotSkip", "cannot be skipped")]),
        ("story: {camera: true}", [(11, "wrongAnswer", "A picture is no answer")]),
        ("story: {vlue: a}", [(11, "unknownKey", "Did you mean \"value\"?")]),
        ("story: {value: a, take: \"\"}", [(21, "missingField", "\"take\" must say")]),
        ("story: {}", [(10, "wrongAnswer", "A text")]),
        ("plate: 5", [(10, "wrongAnswer", "not a whole number")]),
        ("plate: [a.jpg, b.jpg]", [(18, "tooManyPictures", "At most 1 picture")]),
        ("plate: {fil: a.jpg}", [(11, "unknownKey", "Did you mean \"file\"?")]),
        ("plate: []", [(10, "wrongAnswer", "is empty")]),
        ("plate: {file: a.jpg, camera: true}", [(10, "wrongAnswer", "Either")]),
        ("plate: {camera: false}", [(11, "badField", "only be true")]),
        ("photo: a.jpg", [(10, "cameraOnly", "from the camera")]),
        ("photo: {file: a.jpg}", [(17, "cameraOnly", "from the camera")]),
        ("damage: [a, b, c, d]", [(21, "tooManyPictures", "At most 3 pictures")]),
        ("damage: [a, [b]]", [(15, "wrongAnswer", "not a list")]),
        ("damage: {skip: [a]}", [(18, "badField", "must be text")]),
        ("corners: a.jpg", [(12, "wrongAnswer", "for each name")]),
        ("corners: [a.jpg]", [(12, "wrongAnswer", "have names")]),
        ("corners: {front lft: a.jpg}", [(13, "unknownPart", "Did you mean \"front left\"?")]),
        ("corners: {front left: a, front-left: b}", [(28, "tooManyPictures", "twice")]),
        ("corners: {}", [(12, "wrongAnswer", "No picture")]),
        ("corners: {file: a.jpg}", [(12, "wrongAnswer", "for each name")]),
        ("card: {value: 1, x: 2}", [(20, "unknownKey", "\"x\"")]),
        ("card: [a]", [(9, "wrongAnswer", "The text of a code")]),
    ]

    @Test(arguments: faults.map { Named($0.0, $0) }) func eachFaultHasItsPlace(
        _ fault: Named<(String, [(Int, String, String)])>
    ) throws {
        let (line, wanted) = fault.value
        let (_, problems) = try read(Self.head + "  " + line)
        #expect(problems.map { "\($0.place) \($0.code)" } == wanted.map { "a.yaml:4:\($0.0) \($0.1)" }, "\(problems)")
        for (problem, words) in zip(problems, wanted.map(\.2)) {
            #expect(problem.message.contains(words), "\(problem)")
        }
    }

    @Test(
        arguments: [
            ("", "a.yaml:1:1 badAnswers"), ("- a", "a.yaml:1:1 badAnswers"), ("answers: [", "badYAML"),
            ("answers: assent.answers/v2\nguide: damage\nsteps: {}", "a.yaml:1:1 badAnswers"),
            ("answers: assent.answers/v1\nguide: meter\nsteps: {}", "a.yaml:2:1 otherGuide"),
            ("answers: assent.answers/v1\nguide: damage", "a.yaml:1:1 missingField"),
            ("answers: assent.answers/v1\nguide: damage\nsteps: {}\nstep: {}", "a.yaml:4:1 unknownKey"),
            ("answers: assent.answers/v1\nguide: damage\nsteps: {story: a, story: b}", "badYAML"),
        ]) func otherFilesAreRefused(text: String, problem: String) throws
    {
        let (_, problems) = try read(text)
        #expect(problems.count == 1 && "\(problems[0].place) \(problems[0].code)".contains(problem), "\(problems)")
    }

    @Test func whatIsTooLargeIsRefused() throws {
        #expect(
            try read(Self.head + "  story: " + String(repeating: "a", count: 3 << 20)).1.map(\.code) == ["tooLarge"])
        #expect(try read(Self.head + "  plate: " + String(repeating: "a", count: 5000)).1.map(\.code) == ["badField"])
    }
}
