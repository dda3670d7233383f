import JSON
import Vocabulary

/// A figure with the role that the words around it give it.
enum Measure: Hashable {
    case width(Double), height(Double), longest(Double), side(Double)
    case box(Double, Double), point(Double, Double)
    case bytes(Double, words: String)
    case angle(Double), time(Double), percent(Double), share(Double), megapixels(Double), quality(Double), bare(Double)
    /// A parameter by its name: "top 20".
    case named(String, Double)
    case format(String)
    /// A strength, `a little`, `some` or `a lot`, whose figure stands in the summary of a parameter.
    case strength(String)
    case foreign(String)
}

/// The object that a phrase refers to.
enum Reference: Hashable {
    case file(FileEntry, isExact: Bool)
    case missing(String)
    /// A path outside the listing that was not looked up: `/etc/passwd`, `../other/cat.jpg`.
    case outside(String)
    case url(String)
    /// Files by a pattern or by their kind: "*.png", "every jpg", "all pictures".
    case set(FileSet)
    /// "the picture": the only file of a kind.
    case definite(FileSet)
}

/// A tool that a clause calls for, before its inputs are connected.
struct Step {
    var tool: ToolManifest
    var params = JSON.Object()
    /// The words that called for it.
    var word: String
    /// The number of the part with these words.
    var place: Int
    /// The verb that the user used for it, or nil if there is none.
    var verb: String?

    /// The words that called for the step, as messages name it: `“half as big”`.
    var called: String { word.isEmpty ? tool.title : "“\(word)”" }

    /// The path of the file that is not there any more when the step is done, or nil if it takes none away.
    var gone: String? {
        guard tool.effects.contains(.deletes) else { return nil }
        return tool.params.lazy.filter { $0.kind == .path }.compactMap { params[$0.name]?.string }.first
    }

    /// The step with its parameters in the order of the manifest.
    var ordered: Step {
        var step = self
        step.params = JSON.Object(
            members: tool.params.compactMap { param in params[param.name].map { .init(key: param.name, value: $0) } })
        return step
    }
}

/// The reason why nothing is proposed, in words for the user.
struct Refusal: Error, Hashable {
    var words: String
    /// The words of the sentence that were not understood.
    var notUnderstood: [String] = []
    /// The name of a file that does not exist.
    var missing: String?
    /// The names that the words list, of which the next line may choose one.
    var choices: [String] = []
    /// Whether the words explain why it cannot be done.
    var isReasoned = false
    /// The line that is offered in its place, if the words themselves name one.
    var way: String?
    /// The name of the words among the sayings of a language, if a language has them.
    var saying: String?
    /// The kind of words that the refusal asks for, if it is a question.
    var asks: Asked?
    /// The id of the language in which the sentence was read. It is empty before it was read as a whole.
    var language = ""

    /// The words in a form that can be translated, or nil if they cannot.
    private var wording: PlannerText?

    init(_ words: PlannerText) { (self.words, wording) = (words.inEnglish, words) }

    /// Creates a refusal in words that stand in a file.
    init(asWritten words: String) { self.words = words }

    private static func quoted(_ words: [String]) -> String { words.map { "“\($0)”" }.joined(separator: ", ") }

    /// Returns the same refusal in the words of a language, if it has them.
    func said(in language: PlannerLanguage) -> Refusal {
        var refusal = self
        if let wording, words == wording.inEnglish { refusal.words = wording.text(in: language) }
        guard let saying, let words = language.sayings[saying] else { return refusal }
        refusal.words = words.replacing("{}", with: Self.quoted(notUnderstood))
        return refusal
    }

    /// Returns the same refusal with the words of the sentence that caused it.
    func naming(_ words: [String]) -> Refusal {
        var refusal = self
        refusal.notUnderstood = words
        refusal.isReasoned = true
        return refusal
    }

    /// The advice about words that were not understood, at the end of such a refusal.
    static let advice = "Leave that out, or say it in other words; /help tells how, /tools what there is."

    /// Returns the words of the refusal, without advice if a line is offered instead, and with what was understood.
    func told(understood: String?, hasWay: Bool, in language: PlannerLanguage) -> String {
        guard !notUnderstood.isEmpty else { return words }
        let advice = language.sayings["advice"] ?? Self.advice
        var told = words
        if hasWay, told.hasSuffix(" " + advice) { told.removeLast(advice.count + 1) }
        guard let understood, let pattern = language.sayings["understood"] else { return told }
        return "\(told) \(pattern.replacing("{}", with: understood))"
    }

    /// Returns a refusal of words that would have no effect in a plan.
    static func notUnderstood(_ words: [String]) -> Refusal {
        var refusal = Refusal("I do not understand: \(quoted(words)). Nothing was done. \(advice)")
        refusal.notUnderstood = words
        refusal.saying = "notUnderstood"
        return refusal
    }
}
