package import JSON

/// The words of one language, by which the built-in planner reads sentences (`Config/planner/en.yaml`). Read from YAML
/// by Manifests.
package struct PlannerLanguage: Sendable {
    /// A run of words with a meaning.
    package struct Phrase: Hashable, Sendable {
        /// Patterns of words and slots, such as `(to|at)? {n:length} wide`. Each of them has the meaning.
        package var patterns: [String]
        /// The meaning, such as `{"give": {"width": "$n"}}`.
        package var meaning: JSON.Object
        /// The place in its file, such as `en.yaml:12`.
        package var place: String

        /// Creates a phrase.
        package init(patterns: [String], meaning: JSON.Object, place: String) {
            (self.patterns, self.meaning, self.place) = (patterns, meaning, place)
        }
    }

    /// The id, such as `en`.
    package var id = ""
    /// The words without meaning, which may stand anywhere. There are at most `Limits.idleWords`.
    package var idle: [String] = []
    /// The words of `idle` that have a meaning outside of a phrase: `there` is a place.
    package var inner: [String] = []
    /// Whether words are compared by their English stems if a pattern says `~word`.
    package var hasStems = false
    /// Other spellings of words, by the spelling: `gonna` for `going`.
    package var spellings: [String: String] = [:]
    /// Numbers by their words, fractions included.
    package var numbers: [String: Double] = [:]
    /// Units by their words: `px`, `%`, `°`, `MP`, `-` for a unit that no tool takes, or a factor with `B` (bytes) or
    /// `s` (seconds), such as `1000 B`.
    package var units: [String: String] = [:]
    /// Signs by their names: `comma`.
    package var signs: [String: String] = [:]
    /// Kinds of files by their nouns in the singular: `photo` is `image`.
    package var nouns: [String: String] = [:]
    /// Singulars of nouns by their plurals, for nouns without a regular plural: `bilder` is `bild`.
    package var plurals: [String: String] = [:]
    /// The answers of the planner in this language, by name. `{}` stands for the words that the answer is about.
    package var sayings: [String: String] = [:]
    /// Translations of what the planner says, by its English words, with `{}` for each value: `There is no {} here.`
    package var translations: [String: String] = [:]
    /// The text that is added to an order for the answer to a question of the planner, by the property that was asked
    /// for (`name`, `folder`): `to {}`. The answer to any other question is added as it is.
    package var answers: [String: String] = [:]
    /// Words of lines that speak of the last order, by their kind: `no`, `same`, `on`, `again`, `ordinals`.
    package var thread: [String: [String]] = [:]
    /// Programs that run files, by the suffix of the file: `py` is `python3`.
    package var runners: [String: String] = [:]
    /// Patterns that phrases name as `<group>`.
    package var groups: [String: [String]] = [:]
    /// The words that refer to something instead of being a text, such as `it`. They are never written into a file.
    package var references: [String] = []
    package var phrases: [Phrase] = []

    /// Creates a language without words.
    package init() {}
}
