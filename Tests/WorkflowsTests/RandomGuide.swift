import Harness
import JSON
import Vocabulary

/// Random guides with groups, conditions, replacements and skips, and answers for them that depend on the step and a
/// seed alone.
struct RandomGuide {
    let guide: Guide
    private let seed: UInt64

    private struct Making {
        var random: Seeded
        var count = 0
        var chooses: [String] = []
        let most: Int
    }

    init(seed: UInt64, most: Int = 50) {
        self.seed = seed
        var making = Making(random: Seeded(seed), most: most)
        var steps: [GuideStep] = []
        while making.count < most, steps.count < 12 { steps.append(Self.step(depth: 1, &making)) }
        guide = Guide(
            id: "g", title: "G", hasReview: making.random.chance(50), steps: Self.withJumps(steps, &making.random))
    }

    private static func step(depth: Int, _ making: inout Making) -> GuideStep {
        making.count += 1
        let id = "s\(making.count)"
        let earlier = making.chooses
        let isGroup = depth < 3 && making.count < making.most && making.random.chance(20)
        let kinds: [GuideStep.Kind] = [
            .text, .choose(words, isSeveral: false), .choose(words, isSeveral: false), .number(unit: "m"), .note,
            .capture(GuideStep.Capture()),
        ]
        var step = GuideStep(
            id: id, kind: kinds.randomElement(using: &making.random)!, title: id, instruction: "Do \(id).")
        if isGroup {
            var inner: [GuideStep] = []
            for _ in 0..<Int.random(in: 1...4, using: &making.random) {
                inner.append(Self.step(depth: depth + 1, &making))
            }
            step.kind = .group(inner)
        } else if making.random.chance(25) {
            step.skip = GuideStep.Skip(words: "no \(id)")
        }
        step.isRequired = step.skip == nil
        if let asked = earlier.randomElement(using: &making.random), making.random.chance(40) {
            step.when = condition(asked, earlier, &making.random)
            if !isGroup, making.random.chance(30) {
                making.count += 1
                step.otherwise = [GuideStep(id: "\(id).otherwise", kind: .text, title: id, instruction: "Else \(id).")]
            }
        }
        if case .choose = step.kind { making.chooses.append(id) }
        return step
    }

    static let words = ["a", "b", "c"]

    private static func condition(_ asked: String, _ earlier: [String], _ random: inout Seeded) -> Condition? {
        let word = words.randomElement(using: &random)!
        let other = earlier.randomElement(using: &random)!
        let text = [
            "\(asked) = '\(word)'", "\(asked) != '\(word)'", "not \(asked) exists",
            "\(asked) = '\(word)' and \(other) exists",
            "\(asked) = \(other) or \(other) in ['a', '\(word)']", "selected(\(asked), '\(word)')",
        ].randomElement(using: &random)!
        return try? Condition.read(text)
    }

    /// Some skips lead to a later step of the same list.
    private static func withJumps(_ steps: [GuideStep], _ random: inout Seeded) -> [GuideStep] {
        var steps = steps
        for index in steps.indices.dropLast() where steps[index].skip != nil && random.chance(40) {
            let target = steps[Int.random(in: index + 1..<steps.count, using: &random)].id
            steps[index].skip?.then = target
        }
        return steps
    }

    // MARK: Answers

    /// Whether the person skips a step that may be skipped.
    func skips(_ step: GuideStep) -> Bool { step.skip != nil && step.kind != .note && dice(step.id, 1) % 3 == 0 }

    func word(_ id: String) -> String { Self.words[Int(dice(id, 2) % 3)] }

    private func dice(_ id: String, _ salt: UInt64) -> UInt64 {
        var random = Seeded(id.utf8.reduce(seed &* 31 &+ salt) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
        return random.next() >> 8
    }

    // MARK: The second evaluator

    /// The steps that a person is asked, by a walk over the guide that knows nothing of workflows.
    func asked() -> Set<String> {
        var (asked, answers, jump) = (Set<String>(), [String: String](), String?.none)
        func holds(_ condition: Condition?) -> Bool { condition.map { Self.holds($0, answers) } ?? true }
        func walk(_ steps: [GuideStep], _ isOn: Bool) {
            for step in steps {
                if step.id == jump { jump = nil }
                let isWanted = isOn && holds(step.when)
                if step.inner.isEmpty {
                    if isWanted, jump == nil {
                        asked.insert(step.id)
                        if skips(step) {
                            jump = step.skip?.then
                        } else if case .choose = step.kind {
                            answers[step.id] = word(step.id)
                        }
                    }
                } else {
                    walk(step.inner, isWanted)
                }
                if step.when != nil { walk(step.otherwise, isOn && !holds(step.when)) }
            }
        }
        walk(guide.steps, true)
        return asked
    }

    /// Whether a condition over choices holds, written anew.
    private static func holds(_ condition: Condition, _ answers: [String: String]) -> Bool {
        func value(_ side: Condition.Value) -> String? {
            switch side {
            case .name(let name): answers[name.text]
            case .literal(.text(let text)): text
            case .literal, .count: nil
            }
        }
        switch condition {
        case .any(let parts): return parts.contains { holds($0, answers) }
        case .all(let parts): return !parts.contains { !holds($0, answers) }
        case .not(let part): return !holds(part, answers)
        case .exists(let name): return answers[name.text] != nil
        case .selected(let name, let word): return answers[name.text] == word
        case .matches: return false
        case .compare(let one, let comparison, let other):
            let isSame = value(one) != nil && value(one) == value(other)
            return comparison == .equal ? isSame : !isSame
        case .isIn(let one, let isNegated, let list):
            let isIn = value(one) != nil && list.contains { if case .text(value(one)!) = $0 { true } else { false } }
            return isIn != isNegated
        }
    }
}
