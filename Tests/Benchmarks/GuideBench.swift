import Manifests
import Vocabulary
import Workflows
import Yams

/// How long a guide of 50 steps takes to be read, checked and made a workflow of: beside a reader of YAML that only
/// reads it.
enum GuideBench {
    private static let steps = 50
    private static let times = 20

    private struct Failed: Error { let words: String }

    static func run() throws -> [Figure] {
        let text = guide()
        let pairs = try Pairs(31) {
            try milliseconds {
                let (guide, problems) = readGuide(text, file: "guide.yaml")
                guard let guide, problems.isEmpty else { throw Failed(words: "\(problems)") }
                _ = Template(guide, text: text)
            }
        } _: {
            try milliseconds { _ = try Yams.compose(yaml: text) }
        }
        return [
            Figure(
                name: "a guide of \(steps) steps to a workflow", pairs, unit: "ms", reference: "Yams alone",
                bar: .ratioAtMost(3))
        ]
    }

    private static func milliseconds(_ work: () throws -> Void) throws -> Double {
        let clock = ContinuousClock()
        let began = clock.now
        for _ in 1...times { try work() }
        return (clock.now - began) / .milliseconds(1) / Double(times)
    }

    private static func guide() -> String {
        let kinds = [
            "text: Say what you see.",
            "number: What does it say?\n    unit: kWh\n    accept: [{test: \"answer > 0\", say: Not zero.}]",
            "choose: [\"yes\", \"no\", maybe]\n    ask: Is it so?",
            "capture: The thing, from 50 cm.\n    count: 1..8\n    skip: There is none.",
        ]
        let list = (1...steps).map { number in
            let when = number > 4 ? "\n    when: \"s\(number - 1 - (number - 4) % 4) != 'no'\"" : ""
            return "  - id: s\(number)\n    \(kinds[(number - 1) % kinds.count])\(number % 4 == 0 ? when : "")"
        }
        return "guide: assent.guide/v1\nid: bench\ntitle: Bench\nsteps:\n" + list.joined(separator: "\n") + "\n"
    }
}
