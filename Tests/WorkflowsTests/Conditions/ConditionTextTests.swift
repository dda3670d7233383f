import CaseNames
import Harness
import Testing
import Vocabulary

/// A condition as text is that condition.
@Suite struct ConditionTextTests {
    @Test(
        arguments: [
            "a = 'x'", "a = 'it''s'", "not (a = 'x' or b exists)", "(a = 'x' or b exists) and c > 3", "a in ['x', 'y']",
            "a not in [1, 2.50]",
            "count(a) >= 2", "a matches '[A-Z]+'", "selected(a, 'x y')", "d < 2026-11-26", "not not a exists",
            "(a exists and b exists) and c exists", "(a exists or b exists) or c exists", "not (a exists and b exists)",
        ])
    func aConditionReadBackIsTheSame(text: String) throws {
        let condition = try Condition.read(text)
        #expect(try Condition.read(condition.description) == condition)
    }

    @Test func randomConditionsReadBackAreTheSame() throws {
        var random = Seeded(5)
        func value() -> Condition.Value {
            let name = ConditionName(["a", "b.c-d"].randomElement(using: &random)!)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return .name(name)
            case 1: return .count(name)
            case 2: return .literal(.number(ExactNumber("-2.5")!))
            default: return .literal(.text(["", "'", "x y", "\"", "''"].randomElement(using: &random)!))
            }
        }
        func make(_ depth: Int) -> Condition {
            switch Int.random(in: 0..<(depth > 4 ? 4 : 7), using: &random) {
            case 0: return .exists(ConditionName("a"))
            case 1: return .selected(ConditionName("a"), "it's")
            case 2: return .compare(value(), .allCases.randomElement(using: &random)!, value())
            case 3: return .isIn(value(), isNegated: random.chance(50), [.text("x"), .number(ExactNumber(3))])
            case 4: return .not(make(depth + 1))
            case 5: return .all((0..<2).map { _ in make(depth + 1) })
            default: return .any((0..<3).map { _ in make(depth + 1) })
            }
        }
        for _ in 1...2000 {
            let condition = make(0)
            do {
                let again = try Condition.read(condition.description)
                #expect(again == condition, "\(condition)")
            } catch {
                #expect(error.code == "tooLarge", "\(condition): \(error)")
            }
        }
    }
}
