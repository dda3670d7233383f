import CaseNames
import Testing
import Vocabulary

/// The language of `when` and `accept` (`docs/design/conditions.md`).
@Suite struct ConditionTests {
    private static let types: [String: AnswerType] = [
        "hurt": .choice(["nobody", "somebody"]), "parts": .choices(["front", "rear", "roof"]), "story": .text,
        "plate": .text,
        "reading": .number,
        "before": .number, "day": .date, "damage": .media, "corners.front-left": .media,
        "seen": .choice(["nobody", "me"]),
    ]

    private static let full: [String: ConditionAnswer] = [
        "hurt": .words(["somebody"]), "parts": .words(["front", "roof"]), "story": .text("It rained."),
        "plate": .text("B-AN 12"),
        "reading": .number(ExactNumber("12.50")!), "before": .number(ExactNumber("-3")!),
        "day": .date(CivilDate("2026-11-25")!),
        "damage": .media(2), "seen": .words(["nobody"]),
    ]

    private static func holds(_ text: String, _ answers: [String: ConditionAnswer]) -> Result<Bool, ConditionFault> {
        do throws(ConditionFault) {
            let condition = try Condition.read(text)
            if let fault = condition.faults(types: types).first { return .failure(fault) }
            return .success(condition.holds { answers[$0] ?? .empty })
        } catch { return .failure(error) }
    }

    // MARK: What holds

    /// A condition; whether it holds where everything was answered, and where nothing was.
    private static let truths: [(String, full: Bool, empty: Bool)] = [
        ("hurt = 'somebody'", true, false), ("hurt != 'somebody'", false, true), ("hurt = \"nobody\"", false, false),
        ("hurt = ''", false, true),
        ("'' = hurt", false, true), ("hurt != ''", true, false), ("not hurt = ''", true, false),
        ("story = 'It rained.'", true, false),
        ("story = 'it rained.'", false, false), ("story = ''", false, true), ("damage = ''", false, true),
        ("reading = ''", false, true),
        ("parts = ''", false, true), ("day = ''", false, true), ("reading = 12.5", true, false),
        ("reading = 012.500", true, false),
        ("reading > 12.49", true, false), ("reading >= 12.5", true, false), ("reading <= 12.5", true, false),
        ("reading < 12.5", false, false),
        ("before < 0", true, false), ("before < -2.99", true, false), ("before > -3.01", true, false),
        ("before <= reading", true, false),
        ("reading > before", true, false), ("reading != before", true, true), ("reading = before", false, false),
        ("0 < reading", true, false),
        ("day = 2026-11-25", true, false), ("day < 2026-12-01", true, false), ("day >= 2027-01-01", false, false),
        ("day > 2026-11-24", true, false),
        ("count(damage) = 2", true, false), ("count(damage) = 0", false, true),
        ("count(damage) > 1 and count(parts) = 2", true, false),
        ("count(parts) <= 0", false, true), ("selected(parts, 'roof')", true, false),
        ("selected(parts, 'rear')", false, false),
        ("selected(hurt, 'somebody')", true, false), ("not selected(parts, 'rear')", true, true),
        ("damage exists", true, false),
        ("corners.front-left exists", false, false), ("not story exists", false, true),
        ("plate matches '[A-Z]+-[A-Z]+ [0-9]+'", true, false),
        ("plate matches '[A-Z]+'", false, false), ("plate matches 'B|X'", false, false),
        ("plate matches '.*'", true, true),
        ("plate matches '(B-AN 12)?'", true, true), ("hurt in ['nobody', 'somebody']", true, false),
        ("hurt not in ['nobody']", true, true),
        ("hurt not in ['somebody']", false, true), ("reading in [1, 12.5, -3]", true, false),
        ("day in [2026-11-25]", true, false),
        ("story in ['']", false, false), ("hurt = seen", false, false), ("hurt != seen", true, true),
        ("'a' = 'a'", true, true),
        ("'' = ''", true, true),
        ("1 < 2", true, true), ("hurt = 'nobody' or story exists and reading > 13", false, false),
        ("hurt = 'somebody' or story exists and reading > 13", true, false),
        ("(hurt = 'somebody' or story exists) and reading > 13", false, false),
        ("not hurt = 'nobody' and not (day < 2020-01-01)", true, true), ("not not hurt = 'somebody'", true, false),
        ("story = 'It''s'", false, false), ("\thurt\n=\r\n'somebody' ", true, false),
        ("count( damage )=2", true, false),
        ("reading>12 and before<0", true, false),
    ]

    @Test func eachConditionHoldsAsDecided() {
        expectNoFaults(in: Self.truths) { text, full, empty in
            [(Self.full, full), ([:], empty)].compactMap { answers, wanted in
                let found = Self.holds(text, answers)
                return found == .success(wanted)
                    ? nil : "\(text): \(found), wanted \(wanted) (\(answers.isEmpty ? "empty" : "full"))"
            }
        }
    }

    // MARK: What is refused

    /// A text, the code, the offset, and words of the message.
    private static let refused: [(String, code: String, offset: Int, words: String)] = [
        ("", "badCondition", 0, "the end"), ("   ", "badCondition", 3, "the end"),
        ("hurt", "badCondition", 4, "a comparison"),
        ("hurt =", "badCondition", 6, "a text in quotes"), ("hurt = somebody", "unknownStep", 7, "somebody"),
        ("hurt = 'somebod'", "unknownChoice", 0, "Did you mean \"somebody\""),
        ("hrut = 'nobody'", "unknownStep", 0, "Did you mean \"hurt\""),
        ("hurt == 'nobody'", "badCondition", 6, "not \"=\""),
        ("hurt = 'nobody", "badCondition", 7, "no closing '"), ("hurt = ‘nobody’", "badCondition", 7, "U+2018"),
        ("hurt & story", "badCondition", 5, "means nothing"),
        ("hurt = 'nobody' story exists", "badCondition", 16, "\"and\", \"or\""),
        ("(hurt = 'nobody'", "badCondition", 16, "\")\""),
        ("hurt = 'nobody')", "badCondition", 15, "the end"),
        ("and", "badCondition", 0, "not and"), ("not", "badCondition", 3, "not the end"),
        ("hurt < 'nobody'", "wrongType", 0, "two numbers or two days"),
        ("story > 'a'", "wrongType", 0, "two numbers or two days"),
        ("reading < day", "wrongType", 0, "a number and a day"),
        ("reading = '5'", "wrongType", 0, "A number is never a text"),
        ("story = 5", "wrongType", 0, "never"), ("day = '2026-11-25'", "wrongType", 0, "never"),
        ("parts = 'front'", "wrongType", 0, "selected(parts"), ("damage = 'x'", "wrongType", 0, "never"),
        ("hurt = story", "wrongType", 0, "never"),
        ("count(story) = 1", "wrongType", 6, "only several choices and media"),
        ("count(hurt) = 1", "wrongType", 6, "only several choices"),
        ("selected(story, 'a')", "wrongType", 9, "nothing is selected"),
        ("selected(parts, 'side')", "unknownChoice", 9, "side"),
        ("selected(parts)", "badCondition", 14, "\",\""),
        ("hurt matches 'a'", "wrongType", 0, "a pattern fits a text only"),
        ("story matches a", "badCondition", 14, "the pattern, in quotes"),
        ("story matches '('", "badCondition", 14, "cannot be used"),
        ("story matches ''", "badCondition", 14, "is empty"),
        ("story matches '(?=a)'", "badCondition", 14, "cannot be used"),
        ("hurt in []", "badCondition", 9, "a text in quotes"), ("hurt in [nobody]", "badCondition", 9, "not nobody"),
        ("hurt in ['x']", "unknownChoice", 0, "x"), ("reading in ['1']", "wrongType", 0, "never"),
        ("parts in ['front']", "wrongType", 0, "selected"), ("day = 2026-02-30", "badCondition", 6, "neither a number"),
        ("reading = 1.", "badCondition", 10, "neither a number"),
        ("reading = 1e5", "badCondition", 10, "neither a number"),
        ("reading = - 5", "badCondition", 10, "neither a number"), ("hurt- = 'a'", "badCondition", 0, "no name"),
        ("a..b exists", "badCondition", 0, "no name"), ("corners.front-left. exists", "badCondition", 0, "no name"),
        ("exists", "badCondition", 0, "not exists"), ("in in ['a']", "badCondition", 0, "not in"),
    ]

    @Test func whatMeansNothingIsRefusedWithItsPlace() {
        expectNoFaults(in: Self.refused) { text, code, offset, words in
            guard case .failure(let fault) = Self.holds(text, Self.full) else { return ["\(text) was taken"] }
            let isRight = fault.code == code && fault.offset == offset && fault.message.contains(words)
            return isRight ? [] : ["\(text): \(fault)"]
        }
    }

    @Test func limitsHold() {
        func parts(_ count: Int) -> String { Array(repeating: "damage exists", count: count).joined(separator: " or ") }
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "damage exists" + String(repeating: ")", count: depth)
        }
        func nots(_ depth: Int) -> String { String(repeating: "not ", count: depth) + "damage exists" }
        func list(_ count: Int) -> String {
            "reading in [" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
        }
        let rows = [
            (parts(199), true), (parts(200), false), (nested(31), true), (nested(32), false), (nots(31), true),
            (nots(32), false),
            (list(100), true), (list(101), false),
            (String(repeating: " ", count: 4083) + "damage exists", true),
            (String(repeating: " ", count: 4084) + "damage exists", false),
            ("story matches '" + String(repeating: "a", count: 256) + "'", true),
            ("story matches '" + String(repeating: "a", count: 257) + "'", false),
            ("reading = 0." + String(repeating: "1", count: 38), true),
            ("reading = 0." + String(repeating: "1", count: 39), false),
        ]
        expectNoFaults(in: rows) { text, isTaken in
            let isRead = (try? Condition.read(text)) != nil
            return isRead == isTaken ? [] : ["\(text.prefix(60)) … \(text.utf8.count): \(isRead)"]
        }
    }

    // MARK: Properties

    /// Any text is read or refused, with a place inside it; it never stops the program.
    @Test func noTextStopsTheReader() {
        let pieces = [
            "hurt", "parts", "story", "=", "!=", "<", "and", "or", "not", "in", "exists", "matches", "(", ")", "[", "]",
            ",", "'a'", "\"",
            "'", "1", "-", "2026-01-01", "count(", "selected(",
            " ", "\n", "é", "👩‍🚒", "\u{0}", ".", "-1.5", "answer",
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined(
                    separator: Bool.random() ? " " : "")
            if case .failure(let fault) = Self.holds(text, Self.full),
                !(0...text.unicodeScalars.count).contains(fault.offset)
            {
                Issue.record("\(text.debugDescription): \(fault)")
            }
        }
    }

    /// Numbers of up to twelve digits are ordered as the machine's own are, and written so that they read the same.
    @Test func numbersAreComparedExactly() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let (one, other) = (
                Int.random(in: -999_999...999_999, using: &random), Int.random(in: -999_999...999_999, using: &random)
            )
            func text(_ number: Int) -> String {
                let digits = String(number.magnitude + 1_000_000).dropFirst()
                return (number < 0 ? "-" : "") + digits.prefix(3) + "." + digits.dropFirst(3)
            }
            let (left, right) = (try #require(ExactNumber(text(one))), try #require(ExactNumber(text(other))))
            #expect(
                (left < right) == (one < other) && (left == right) == (one == other)
                    && ExactNumber(left.description) == left)
        }
        #expect(
            ExactNumber("-0") == ExactNumber("0.00") && ExactNumber(7) == ExactNumber("007.0")
                && ExactNumber(-7) < ExactNumber(0))
    }

    @Test func daysAreThoseOfTheCalendar() {
        let rows = [
            ("2024-02-29", true), ("2023-02-29", false), ("1900-02-29", false), ("2000-02-29", true),
            ("2026-04-31", false),
            ("2026-00-10", false), ("2026-1-10", false), ("0001-01-01", true),
        ]
        expectNoFaults(in: rows) { text, isDay in
            let date = CivilDate(text)
            return (date != nil) == isDay && (date.map { $0.description == text } ?? true)
                ? [] : ["\(text): \(String(describing: date))"]
        }
    }

    @Test func namesAreReadOnceInTheirOrder() throws {
        let condition = try Condition.read(
            "count(damage) > 0 and (hurt = 'nobody' or not damage exists) and answer != ''")
        #expect(condition.names == ["damage", "hurt", "answer"])
    }
}
