import JSON
import Vocabulary

/// The meaning of a phrase, as a language writes it.
struct Meaning: Sendable {
    /// A value that a phrase gives: a fixed one, or the content of one of its slots (`$n`).
    enum Value: Sendable {
        case slot(String)
        case constant(JSON)

        init(_ json: JSON) {
            if let text = json.string, text.hasPrefix("$") {
                self = .slot(String(text.dropFirst()))
            } else {
                self = .constant(json)
            }
        }
    }

    /// The kind of a phrase, beside its effect and its values (`is:`).
    enum Kind: String, Sendable {
        /// A verb without a meaning of its own: "make".
        case light
        /// A word for the current object: "it", "the result".
        case pronoun
        /// "the copy": the result of the order before, if that copied.
        case copied
        /// A word that ends a part of the sentence: `then` always, `and` if an order follows.
        case and, then
        /// A word that stands at the beginning of an order: "first".
        case start
        case save, copy, overwrite
        /// A part of the lines, without a verb that cuts it out: "the first line".
        case part
        /// A phrase for the default: "don't overwrite it".
        case kept
        /// The files that the steps before were given: "the originals".
        case originals
        /// "show", whose effect depends on the kind of the files.
        case look
        /// Words that have no meaning together.
        case idle
    }

    /// The tools, of which the sentence means one.
    var tools: [String] = []
    /// The parameters of the tool.
    var with: [String: Value] = [:]
    /// The figures, by the names in `Figures`.
    var gives: [(name: String, value: Value)] = []
    /// The role of the file in the slot `f`: `object`, `to`, `as`, `with`, `on`, `of`, `in`, `except`, `name`.
    var role: String?
    /// The kind of files in the slot `k`: `every`, `definite`, or `both`.
    var set: String?
    /// The conditions on the files of a set: `larger`, `smaller` (bytes), `begins`, `ends`, `holds` (names), `results`
    /// (`also` or `only`).
    var filters: [(name: String, value: Value)] = []
    var kind: Kind?
    /// Whether the phrase may join another one for the same tool: "pack … into an archive".
    var joins = false
    /// The reason for which such words are refused. `{}` stands for the words.
    var refusal: String?
    /// The line that is offered in the place of refused words, with `{slots}`.
    var way: String?
    /// Whether such words are refused even if other phrases explain them.
    var isSure = false
    /// Whether an unknown word elsewhere in the sentence is the likelier reason of a refusal.
    var isWeak = false
    /// The name of the answer in words (`Talk`).
    var answer: String?
    var template: String?

    var isRefusal: Bool { refusal != nil }

    /// Whether it is tools and nothing else.
    var isBare: Bool {
        !tools.isEmpty && with.isEmpty && gives.isEmpty && role == nil && set == nil && filters.isEmpty && kind == nil
            && !joins && !isRefusal && answer == nil && template == nil
    }

    /// Adds the tools of a meaning that has the same words.
    mutating func addTools(of other: Meaning) { tools += other.tools.filter { !tools.contains($0) } }

    /// The words that delete. No mistyped word is corrected to one of them.
    static let destroying: Set = ["delete", "remove", "rm", "erase", "trash", "destroy"]

    init(tools: [String]) { self.tools = tools }
    init(template: String) { self.template = template }

    /// Reads a meaning.
    ///
    /// - Throws: an error that names an unknown key or value.
    init(_ json: JSON.Object) throws(Pattern.Fault) {
        for member in json.members {
            switch member.key {
            case "do": tools = member.value.array?.compactMap(\.string) ?? member.value.string.map { [$0] } ?? []
            case "with": for pair in member.value.object?.members ?? [] { with[pair.key] = Value(pair.value) }
            case "give": gives = (member.value.object?.members ?? []).map { ($0.key, Value($0.value)) }
            case "where": filters = (member.value.object?.members ?? []).map { ($0.key, Value($0.value)) }
            case "file": role = member.value.string
            case "set": set = member.value.string
            case "refuse": refusal = member.value.string
            case "forbid": (refusal, isSure) = (member.value.string, true)
            case "way": way = member.value.string
            case "weak": isWeak = member.value.bool ?? false
            case "answer": answer = member.value.string
            case "joins": joins = member.value.bool ?? false
            case "is":
                guard let kind = member.value.string.flatMap(Kind.init(rawValue:)) else {
                    throw Pattern.Fault(words: "\"is: \(member.value.text)\" is not known.")
                }
                self.kind = kind
            default: throw Pattern.Fault(words: "\"\(member.key)\" is no part of a meaning.")
            }
        }
    }
}
