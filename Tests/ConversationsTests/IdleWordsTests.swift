import Testing
import Vocabulary

/// The words that the planner lets carry nothing are few, and none of them can change what a sentence means.
@Suite struct IdleWordsTests {
    @Test func theWordsThatCarryNothingAreFew() {
        print("words that carry nothing (\(english.idle.count)): \(english.idle.joined(separator: " "))")
        #expect(english.idle.count <= Limits.idleWords)
        #expect(Limits.idleWords <= 120)
        #expect(Set(english.idle).count == english.idle.count, "a word stands in the list twice")
    }

    /// Words that carry a meaning wherever they stand.
    private static let meaningful = [
        "negations":
            "not no never none nothing neither nor nobody nowhere don't doesn't didn't won't cannot can't without except but unless",
        "quantities":
            "only same whole every all both half each any most many few less more least enough double another other others "
            + "first last once twice one two three",
        "conditions":
            "if when while until unless before after because although whenever wherever provided otherwise instead else or",
        "times": "now! later tomorrow today tonight yesterday daily weekly always sometimes often again soon",
        "places": "in into on onto from to under over above below beside",
    ]

    @Test func noNegationQuantityConditionTimeOrPlaceCarriesNothing() {
        let idle = Set(english.idle)
        for (kind, words) in Self.meaningful {
            let found = words.split(separator: " ").map(String.init).filter(idle.contains)
            #expect(found == [], "\(kind) among the words that carry nothing")
        }
    }
}
