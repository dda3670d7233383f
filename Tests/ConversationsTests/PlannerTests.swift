import Conversations
import JSON
import Testing
import Vocabulary

/// What the built-in planner makes of a sentence. In the tables, a line `files: …` says what is there (1000 bytes each, `big…` 5 MB); then
/// comes a sentence, and below it, indented, the steps or, after a colon, what the words contain.
struct Sentence: CustomTestStringConvertible, Sendable {
    var table: String
    var line: Int
    var files: String
    var text: String
    var expected: String
    var testDescription: String { "\(table), line \(line): \(text)" }

    static let all: [Sentence] = [
        ("pictures", pictures), ("orders", orders), ("variations", variations), ("regressions", regressions),
        ("places", places), ("words for pictures", wordsForPictures), ("words for files", wordsForFiles), ("refusals", refusals),
        ("held out", heldOut),
    ].flatMap { sentences(in: $1, called: $0) }

    private static func sentences(in text: String, called table: String) -> [Sentence] {
        var sentences: [Sentence] = []
        var files = ""
        var said: String?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("#") || line.trimmed.isEmpty { continue }
            if line.hasPrefix("files:") {
                files = line.dropFirst(6).trimmed
            } else if line.hasPrefix("  "), let text = said {
                sentences.append(Sentence(table: table, line: number + 1, files: files, text: text, expected: line.trimmed))
                said = nil
            } else {
                said = line.trimmed
            }
        }
        return sentences
    }
}

@Suite struct PlannerTests {
    let planner = BuiltInPlanner(catalogue: catalogue)

    @Test(arguments: Sentence.all) func understands(_ sentence: Sentence) {
        let answer = inShort(planner.answer(sentence.text, listing: listing(sentence.files)))
        if sentence.expected.hasPrefix(":") {
            let words = sentence.expected.dropFirst().trimmed.lowercased()
            #expect(answer.hasPrefix(":") && answer.lowercased().contains(words), "\(sentence.text) → \(answer)")
        } else {
            #expect(answer == sentence.expected, "\(sentence.text)")
        }
    }
}
