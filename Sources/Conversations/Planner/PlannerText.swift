import Vocabulary

/// Words for the user, with the values in them. They are written in English, and a language may have a translation of
/// them by their text, in which `{}` stands for each value (`PlannerLanguage.translations`).
struct PlannerText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// A text with values, which is translated as a whole.
    fileprivate struct Passage: Hashable {
        var text = ""
        var values: [Value] = []
    }

    fileprivate enum Value: Hashable {
        case text(String)
        case words(PlannerText)
    }

    private var passages: [Passage]

    init(stringLiteral text: String) { passages = [Passage(text: text)] }

    init(stringInterpolation words: StringInterpolation) { passages = [words.passage] }

    /// Returns the words in English.
    var inEnglish: String { text { _ in nil } }

    /// Returns the words in a language, or in English where it has no translation.
    func text(in language: PlannerLanguage) -> String { text { language.translations[$0] } }

    private func text(_ translation: (String) -> String?) -> String {
        passages.map { passage in
            let values = passage.values.map { value in
                switch value {
                case .text(let text): text
                case .words(let words): words.text(translation)
                }
            }
            return Self.filled(translation(passage.text) ?? passage.text, with: values)
        }.joined()
    }

    /// Returns names of which one is meant: "a.txt or b.txt".
    static func choice(of names: [String]) -> PlannerText {
        names.dropFirst().reduce("\(names.first ?? "")") { $0 + " or \($1)" }
    }

    /// Returns a text with the values in the places of `{}`, in their order, and of `{1}`, by their numbers from 0.
    private static func filled(_ text: String, with values: [String]) -> String {
        var rest = values[...]
        var filled = ""
        for (number, piece) in text.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            guard number > 0, let end = piece.firstIndex(of: "}") else {
                filled += (number > 0 ? "{" : "") + piece
                continue
            }
            let place = Int(piece[..<end])
            let value = place.map { values.indices.contains($0) ? values[$0] : "" } ?? rest.popFirst()
            filled += (value ?? "") + piece[piece.index(after: end)...]
        }
        return filled
    }

    static func + (one: PlannerText, other: PlannerText) -> PlannerText {
        var both = one
        both.passages += other.passages
        return both
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var passage = Passage()

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ text: String) { passage.text += text }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) { add(.text(value.description)) }

        /// Adds words that are translated by themselves.
        mutating func appendInterpolation(_ words: PlannerText) { add(.words(words)) }

        private mutating func add(_ value: Value) {
            passage.text += "{}"
            passage.values.append(value)
        }
    }
}
