import Conversations
import JSON
import Testing
import Vocabulary

/// One of `sentenceTable`.
struct Sentence: CustomTestStringConvertible, Sendable {
    var line: Int
    var files: String
    var text: String
    var expected: String
    var testDescription: String { "line \(line): \(text)" }

    static let all: [Sentence] = {
        var sentences: [Sentence] = []
        var files = ""
        var text: String?
        for (number, line) in sentenceTable.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("#") || line.trimmed.isEmpty { continue }
            if line.hasPrefix("files:") {
                files = line.dropFirst(6).trimmed
            } else if line.hasPrefix("  "), let said = text {
                sentences.append(Sentence(line: number, files: files, text: said, expected: line.trimmed))
                text = nil
            } else {
                text = line.trimmed
            }
        }
        return sentences
    }()
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
