import Conversations
import Harness
import JSON
import Vocabulary

/// One sentence with words put into it, and what the planner made of both.
struct Insertion: Sendable {
    /// What became of a sentence.
    enum Outcome: Hashable, Sendable {
        /// Nothing is planned. `isNamed`: the words of the refusal hold an inserted word.
        case refused(String, isNamed: Bool)
        /// The plan is another one, and an inserted word says why.
        case changed
        /// The plan is the same, as one of the rules of `InsertionRules` allows.
        case allowed(rule: String)
        /// The plan changes, and the test knows no reason.
        case unexplained(String)
        /// The plan is the same without a rule, or destroys something.
        case fault(String)
    }

    var sentence: Sentence
    /// The plan of the sentence as it stands in its table.
    var before: JSON
    var inserted: String
    /// The number of words before the insertion.
    var position: Int
    var line: String

    /// Puts a word into a sentence, or a condition behind it, as a seed says.
    init(_ rows: [(Sentence, JSON)], seed: UInt64) {
        var random = Seeded(seed)
        let (sentence, before) = rows[Int.random(in: 0..<rows.count, using: &random)]
        var words = sentence.text.split(separator: " ").map(String.init)
        (self.sentence, self.before) = (sentence, before)
        let word = { (random: inout Seeded) in
            InsertionWords.all[Int.random(in: 0..<InsertionWords.all.count, using: &random)]
        }
        if random.chance(60) {
            inserted = word(&random)
            position = Int.random(in: 0...words.count, using: &random)
        } else {
            var text = InsertionWords.conditions[Int.random(in: 0..<InsertionWords.conditions.count, using: &random)]
            while let place = text.firstRange(of: "{}") {
                // "like ->" is no condition.
                let filler = word(&random)
                if filler.contains(where: { $0.isLetter || $0.isNumber }) { text.replaceSubrange(place, with: filler) }
            }
            inserted = text
            position = words.count
            // A sentence that ends with a sign goes on before it.
            while let last = words.last?.last, ".!?".contains(last), !words[words.count - 1].contains("://") {
                words[words.count - 1].removeLast()
            }
        }
        words.insert(inserted, at: position)
        line = words.joined(separator: " ")
    }

    /// Returns what the planner makes of the insertion, judged.
    func outcome(_ planner: BuiltInPlanner) -> Outcome {
        switch planner.answer(line, listing: listing(sentence.files)) {
        case .words(let words): return .refused(words, isNamed: isNamed(in: words))
        case .console(let request, _): return fault("is a request of the console: \(request)")
        case .workflow(let after), .part(let after, _):
            let change = PlanChange(from: before, to: after)
            if let words = InsertionRules.harm(of: change, by: tokens, isQuoted: isQuoted) {
                return fault("\(words): \(PlanChange.words(after))")
            }
            guard change.isEmpty else {
                return InsertionRules.explains(tokens, change)
                    ? .changed : .unexplained(report("changes for no reason: \(PlanChange.words(after))"))
            }
            return InsertionRules.allowed(self).map { .allowed(rule: $0) } ?? fault("is dropped")
        }
    }

    /// Whether the words were inserted between quotes, so that they belong to a text.
    private var isQuoted: Bool {
        let before = line.split(separator: " ").prefix(position).joined(separator: " ")
        return before.count { $0 == "\"" } % 2 == 1 || before.count { "“”„".contains($0) } % 2 == 1
    }

    private func fault(_ words: String) -> Outcome { .fault(report(words)) }

    private func report(_ words: String) -> String {
        "“\(inserted)” at \(position) \(words)\n    \(sentence.table): \(line)\n    before: \(PlanChange.words(before))"
    }

    /// The inserted words, without the signs around them, in lower case.
    var tokens: [String] {
        inserted.lowercased().split(separator: " ").map { word in
            let bare = word.drop { ",(\"=-".contains($0) }
            return String(
                !bare.contains { $0.isLetter || $0.isNumber }
                    ? word : bare.last.map { ",)\"".contains($0) } ?? false ? bare.dropLast() : bare)
        }
    }

    private func isNamed(in words: String) -> Bool {
        let lower = words.lowercased()
        return tokens.contains { token in
            lower.contains(token) || lower.contains(token.replacing("-", with: " "))
                || InsertionRules.numbers(in: token).contains { lower.contains($0) }
        }
    }
}

/// The difference of two plans: their tools, parameters and edges.
struct PlanChange {
    /// `Resize`, `Resize.width=800`.
    private(set) var added: [String] = []
    private(set) var removed: [String] = []
    private let hasOtherEdges: Bool

    init(from before: JSON, to after: JSON) {
        let (old, new) = (Self.facts(before), Self.facts(after))
        added = Self.without(new, old)
        removed = Self.without(old, new)
        hasOtherEdges = Self.edges(before) != Self.edges(after) || old != new
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty && !hasOtherEdges }
    /// Whether nothing but the order of steps changed.
    var isOrder: Bool { added.isEmpty && removed.isEmpty && hasOtherEdges }

    private static func nodes(_ plan: JSON) -> [JSON] { plan["nodes"]?.array ?? [] }

    private static func facts(_ plan: JSON) -> [String] {
        nodes(plan).flatMap { node in
            let kind = node["kind"]?.string ?? ""
            let params = node["params"]?.object?.members ?? []
            return [kind] + params.map { "\(kind).\($0.key)=\($0.value.string ?? $0.value.text)" }
        }
    }

    private static func edges(_ plan: JSON) -> [String] { (plan["edges"]?.array ?? []).map(\.text) }

    private static func without(_ facts: [String], _ others: [String]) -> [String] {
        var rest = others
        return facts.filter { fact in
            guard let place = rest.firstIndex(of: fact) else { return true }
            rest.remove(at: place)
            return false
        }
    }

    /// A plan on one line.
    static func words(_ plan: JSON) -> String { inShort(.workflow(plan)) }
}
