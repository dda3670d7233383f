/// The sources of phrases by the tokens with which they can begin. Groups are words of many sources, and stand for
/// them.
struct PhraseBeginnings: Sendable {
    private var byWord: [String: [Int]] = [:]
    private var byStem: [String: [Int]] = [:]
    private var byGroup: [String: [Int]] = [:]
    private var groupsByWord: [String: [String]] = [:]
    private var groupsByStem: [String: [String]] = [:]
    /// The sources that can begin with a slot.
    private(set) var sourcesWithSlots: [Int] = []
    private var slottedGroups: Set<String> = []
    private var groups: Set<String> = []

    func knows(_ group: String) -> Bool { groups.contains(group) }

    /// Adds a group with the tokens with which it can begin.
    mutating func set(_ beginning: Pattern.Beginning, of group: String) {
        groups.insert(group)
        for word in Set(beginning.words) { groupsByWord[word, default: []].append(group) }
        for stem in Set(beginning.stems) { groupsByStem[stem, default: []].append(group) }
        if !beginning.slots.isEmpty { slottedGroups.insert(group) }
    }

    /// Adds a source with the tokens and groups with which it can begin.
    mutating func add(_ beginning: Pattern.Beginning, _ groups: [String] = [], of source: Int) {
        for word in beginning.words { byWord[word, default: []].append(source) }
        for stem in beginning.stems { byStem[stem, default: []].append(source) }
        for group in groups { byGroup[group, default: []].append(source) }
        if !beginning.slots.isEmpty || groups.contains(where: slottedGroups.contains) {
            sourcesWithSlots.append(source)
        }
    }

    func hasStem(_ stem: String) -> Bool { byStem[stem] != nil || groupsByStem[stem] != nil }

    func sources(word: String) -> [Int] { joined(byWord[word], groupsByWord[word]) }
    func sources(stem: String) -> [Int] { joined(byStem[stem], groupsByStem[stem]) }

    private func joined(_ own: [Int]?, _ groups: [String]?) -> [Int] {
        Set((own ?? []) + (groups ?? []).flatMap { byGroup[$0] ?? [] }).sorted()
    }
}
