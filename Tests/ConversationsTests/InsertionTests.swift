import Conversations
import Foundation
import JSON
import Testing
import Vocabulary

/// A word more is a plan more, another plan, or no plan: the planner drops none.
@Suite struct InsertionTests {
    private static let planner = BuiltInPlanner(catalogue: catalogue, language: english)

    /// The sentences of the tables that give a plan, and every second pair of neighbours that give one together.
    private static let rows: [(Sentence, JSON)] = {
        let rows = Sentence.answered.compactMap { sentence, answer in plan(answer).map { (sentence, $0) } }
        let pairs = stride(from: 0, to: rows.count - 1, by: 2).compactMap { place -> (Sentence, JSON)? in
            var sentence = rows[place].0
            guard sentence.files == rows[place + 1].0.files, !sentence.text.hasSuffix("?"),
                !sentence.text.hasSuffix(".")
            else {
                return nil
            }
            sentence.text += ", then " + rows[place + 1].0.text
            return plan(planner.answer(sentence.text, listing: listing(sentence.files))).map { (sentence, $0) }
        }
        return rows + pairs
    }()

    private static func plan(_ answer: BuiltInPlanner.Answer) -> JSON? {
        switch answer {
        case .workflow(let plan), .part(let plan, _): plan
        case .words, .console: nil
        }
    }

    /// What became of many insertions.
    private struct Tally: Sendable {
        var refused = 0
        var named = 0
        var changed = 0
        var allowed: [String: Int] = [:]
        var faults: [String] = []
        /// Changes of which the test knows no reason.
        var unexplained: [String] = []
        /// Refusals that do not name the word, for a look at them.
        var unnamed: [String] = []

        mutating func add(_ outcome: Insertion.Outcome, of insertion: Insertion, seed: UInt64) {
            switch outcome {
            case .refused(let words, let isNamed):
                refused += 1
                if isNamed {
                    named += 1
                } else {
                    unnamed.append("“\(insertion.inserted)”: \(insertion.line) → \(words)")
                }
            case .changed: changed += 1
            case .allowed(let rule): allowed[rule, default: 0] += 1
            case .unexplained(let words): unexplained.append("INSERT_SEED=\(seed) INSERT_COUNT=1: \(words)")
            case .fault(let words): faults.append("INSERT_SEED=\(seed) INSERT_COUNT=1: \(words)")
            }
        }

        mutating func add(_ other: Tally) {
            refused += other.refused
            named += other.named
            changed += other.changed
            allowed.merge(other.allowed, uniquingKeysWith: +)
            faults += other.faults
            unexplained += other.unexplained
            unnamed += other.unnamed
        }
    }

    /// The seed of an ordinary run: what fails one change fails the next. `make soak` begins at a new one each time.
    private static let usualSeed: UInt64 = 200_000

    /// `INSERT_SEED` and `INSERT_COUNT` choose others: `make soak` inserts a hundred thousand.
    @Test func noInsertedWordIsDropped() async {
        let seed = Self.number("INSERT_SEED") ?? Self.usualSeed
        let count = Self.number("INSERT_COUNT") ?? 5_000
        let tally = await Self.tally(seed..<seed + count)
        print("insertions: \(count) into \(Self.rows.count) sentences, INSERT_SEED=\(seed)")
        print(
            "refused \(tally.refused), of them \(tally.named) by name; changed \(tally.changed), unexplained \(tally.unexplained.count); the same \(tally.allowed)"
        )
        if getenv("INSERT_SHOW") != nil {
            tally.unnamed.forEach { print("UNNAMED", $0) }; tally.faults.forEach { print("FAULT", $0) }
            tally.unexplained.forEach { print("UNEXPLAINED", $0) }
        }
        #expect(
            tally.faults.isEmpty, "\(tally.faults.count) faults:\n\(tally.faults.prefix(40).joined(separator: "\n"))")
        // What a change comes from can be told only as far as the tables of the test go.
        #expect(
            tally.unexplained.count * 200 <= count,
            "\(tally.unexplained.count) unexplained:\n\(tally.unexplained.prefix(20).joined(separator: "\n"))")
        #expect(Self.rows.count >= 800)
        #expect(count < 1_000 || tally.named * 100 >= tally.refused * 95, "\(tally.unnamed.prefix(20))")
    }

    /// In four parts, so that two processors have something to do.
    private static func tally(_ seeds: Range<UInt64>) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for part in 0..<4 as Range<UInt64> {
                group.addTask {
                    var tally = Tally()
                    for seed in seeds where seed % 4 == part {
                        let insertion = Insertion(rows, seed: seed)
                        tally.add(insertion.outcome(planner), of: insertion, seed: seed)
                    }
                    return tally
                }
            }
            return await group.reduce(into: Tally()) { $0.add($1) }
        }
    }

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    @Test func theWordsAreFiveHundredAndNoneOfThemCarriesNothing() {
        #expect(InsertionWords.all.count == 500)
        #expect(Set(InsertionWords.all).count == 500)
        #expect(Set(InsertionWords.all.map { $0.lowercased() }).intersection(english.idle) == [])
    }
}
