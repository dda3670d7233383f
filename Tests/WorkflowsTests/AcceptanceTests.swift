import CaseNames
import JSON
import Testing
import Vocabulary

/// What a step accepts: forms, tests, pictures, and how it is written.
@Suite struct AcceptanceTests {
    private func read(_ typed: String, _ form: Acceptance.Form, unit: String = "") -> String {
        var accept = Acceptance(form)
        accept.unit = unit
        switch accept.answer(typed, choices: ["nobody", "Somebody", "3"]) {
        case .success(let json): return json.text
        case .failure(let refusal): return refusal.code.text
        }
    }

    @Test(
        arguments: [
            ("1202", .number, "", "\"1202\""), (" 1202.50 ", .number, "", "\"1202.50\""),
            ("1202,5", .number, "", "\"1202.5\""),
            ("1,202.5", .number, "", "notANumber"), ("123,456", .number, "", "ambiguous"),
            ("123,456 km", .number, "km", "ambiguous"),
            ("1234,567", .number, "", "\"1234.567\""), ("12 kWh", .number, "kWh", "\"12\""),
            ("12kWh", .number, "kWh", "\"12\""),
            ("kWh", .number, "kWh", "notANumber"), ("-3", .number, "", "\"-3\""), ("1e5", .number, "", "notANumber"),
            ("2026-11-26", .date, "", "\"2026-11-26\""), ("2026-02-29", .date, "", "notADate"),
            ("26.11.2026", .date, "", "notADate"),
            ("1", .choice, "", "\"nobody\""), ("somebody", .choice, "", "\"Somebody\""), ("3", .choice, "", "\"3\""),
            ("4", .choice, "", "noChoice"),
            ("1, somebody", .choices, "", #"["nobody","Somebody"]"#), ("1,1", .choices, "", #"["nobody"]"#),
            (",", .choices, "", "noChoice"),
            ("  spaced ", .text, "", "\"  spaced \""), ("x", .media, "", "notAText"),
        ] as [(String, Acceptance.Form, String, String)])
    func anAnswerHasItsForm(typed: String, form: Acceptance.Form, unit: String, read: String) {
        #expect(self.read(typed, form, unit: unit) == read)
    }

    /// A number with one sign before three digits, for people whose language groups digits with a comma, a point or both.
    @Test(
        arguments: [
            ("1.234", ",", "\"1.234\""), ("1.234", ",.", "1234 or 1.2340"), ("1,234", ",", "1234 or 1,2340"),
            ("1,234", ",.", "1234 or 1,2340"), ("-12.345 kWh", ",.", "-12345 or -12.3450"), ("1.234", "", "\"1.234\""),
            ("1,234", "", "\"1.234\""), ("0.123", ",.", "\"0.123\""), ("0,123", ",.", "\"0.123\""),
            ("1234.567", ",.", "\"1234.567\""), ("1.2340", ",.", "\"1.2340\""), ("1,2340", ",.", "\"1.2340\""),
            ("1.23", ",.", "\"1.23\""), ("1.5", ",.", "\"1.5\""), ("1,5", ",.", "\"1.5\""), ("1234", ",.", "\"1234\""),
            ("1.234.567", ",.", "is no number"), ("1.234,5", ",.", "is no number"), ("١.٢٣٤", ",.", "is no number"),
        ])
    func aNumberThatCanBeReadInTwoWaysIsAsked(typed: String, signs: String, read: String) {
        var accept = Acceptance(.number)
        accept.unit = "kWh"
        switch accept.answer(typed, choices: [], groupSigns: Set(signs)) {
        case .success(let json): #expect(json.text == read)
        case .failure(let refusal):
            #expect(refusal.words.contains(read), "\(refusal.words)")
            #expect((refusal.code == .ambiguous) == refusal.words.contains("two ways"))
        }
    }

    @Test(arguments: [
        ("1.234", "1.234"), ("12.500", "\"12.5000\""), ("1202.5", "\"1202.5\""), ("5", "\"5\""), ("-1.234", "-1.234"),
        ("0.123", "\"0.123\""),
    ])
    func aStoredNumberIsWrittenForEveryLanguage(plain: String, written: String) {
        let json = TypedNumber.unambiguous(plain)
        #expect(json.text == written)
        if let text = json.string {
            guard case .exact(let read) = TypedNumber(text, groupedBy: [",", "."]) else {
                Issue.record("\(text)")
                return
            }
            #expect(ExactNumber(read) == ExactNumber(plain))
        }
    }

    @Test func theFirstTestThatDoesNotHoldRefuses() throws {
        var accept = Acceptance(.number)
        accept.demands.tests = [
            .init(condition: try Condition.read("answer > 0"), words: "Not zero."),
            .init(condition: try Condition.read("answer < 100"), words: "Too much."),
        ]
        #expect(
            accept.refusal(of: "50") == nil && accept.refusal(of: "0")?.words == "Not zero."
                && accept.refusal(of: "100")?.words == "Too much.")
    }

    @Test func anAcceptanceReadBackIsTheSame() throws {
        var accept = Acceptance(.media)
        accept.capture = GuideStep.Capture(count: 1...8, source: .camera)
        (accept.skip, accept.example, accept.isAnnotated, accept.attempts) = ("none", "a.jpg", true, 5)
        (accept.demands.picture.sharp, accept.demands.picture.bright, accept.demands.picture.clipped) = (
            90, 40...210, 25
        )
        (accept.demands.picture.width, accept.demands.picture.height, accept.demands.picture.different) = (1280, 960, 8)
        accept.demands.tests = [.init(condition: try Condition.read("answer != 'it''s'"), words: "No.")]
        #expect(try Acceptance(json: accept.json) == accept)
        var named = Acceptance(.media)
        named.capture = GuideStep.Capture(count: 2...2, each: ["front left", "rear"])
        #expect(try Acceptance(json: named.json) == named)
        var number = Acceptance(.number)
        (number.unit, number.initial) = ("kWh", "3.5")
        #expect(try Acceptance(json: number.json) == number)
    }

    @Test(
        arguments: [
            (#"{}"#, "answer"), (#"{"answer":"text","attempts":0}"#, "attempts"),
            (#"{"answer":"text","smell":1}"#, "smell"),
            (#"{"answer":"media","count":[2,1]}"#, "count"), (#"{"answer":"media","each":["a","a"]}"#, "each"),
            (#"{"answer":"media","picture":{"sharp":-1}}"#, "picture.sharp"),
            (#"{"answer":"media","picture":{"bright":[9,1]}}"#, "picture.bright"),
            (#"{"answer":"media","source":"web"}"#, "source"),
            (#"{"answer":"text","tests":[{"test":"answer ="}]}"#, "tests"), (#"[]"#, ""),
        ])
    func aFaultNamesItsKey(text: String, key: String) throws {
        let json = try JSONReader.read(text)
        #expect { try Acceptance(json: json) } throws: { ($0 as? Acceptance.Fault)?.key == key }
    }
}
