import Conversations
import JSON
import Testing
import Vocabulary

#if canImport(Glibc)
    import Glibc
#endif

/// `sentences.txt`: a line `files: …` says what is there; then a sentence, and below it, indented, the steps or what the words contain.
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
        for (number, line) in read("sentences.txt").split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
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

    static func read(_ name: String, from file: String = #filePath) -> String {
        let path = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/" + name
        guard let stream = fopen(path, "r") else { return "" }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
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
