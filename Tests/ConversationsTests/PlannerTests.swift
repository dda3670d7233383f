import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// What the built-in planner makes of a sentence. In the tables, a line `files: …` says what is there (1000 bytes each,
/// `big…` 5 MB); then comes a sentence, and below it, indented, the steps or, after a colon, what the words contain.
struct Sentence: CustomTestStringConvertible, Sendable {
    var table: String
    var line: Int
    var files: String
    var text: String
    var expected: String
    var testDescription: String { "\(table), line \(line): \(text)" }

    static let all: [Sentence] = [
        ("pictures", pictures), ("orders", orders), ("variations", variations), ("regressions", regressions),
        ("places", places), ("words for pictures", wordsForPictures), ("words for files", wordsForFiles),
        ("refusals", refusals), ("meanings", meanings),
        ("held out", heldOut),
    ].flatMap { sentences(in: $1, called: $0) }

    /// Each sentence with what the planner makes of it, worked out once for all tests.
    static let answered: [(Sentence, BuiltInPlanner.Answer)] = {
        let planner = BuiltInPlanner(catalogue: catalogue, language: english)
        return all.map { ($0, planner.answer($0.text, listing: listing($0.files))) }
    }()

    static func sentences(in text: String, called table: String) -> [Sentence] {
        var sentences: [Sentence] = []
        var files = ""
        var said: String?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("#") || line.trimmed.isEmpty { continue }
            if line.hasPrefix("files:") {
                files = line.dropFirst(6).trimmed
            } else if line.hasPrefix("  "), let text = said {
                sentences.append(
                    Sentence(table: table, line: number + 1, files: files, text: text, expected: line.trimmed))
                said = nil
            } else {
                said = line.trimmed
            }
        }
        return sentences
    }
}

@Suite struct PlannerTests {
    let planner = BuiltInPlanner(catalogue: catalogue, language: english)

    @Test func understands() {
        expectNoFaults(in: Sentence.answered) { fault(of: $0, $1) }
    }

    @Test("finding 12: a place, a time or an occasion that a plan cannot keep is refused")
    func refusesWhatItCannotKeep() {
        expectNoFaults(in: Sentence.sentences(in: Sentence.elsewhere, called: "elsewhere")) {
            fault(of: $0, planner.answer($0.text, listing: listing($0.files)))
        }
    }

    /// More files than go into one archive: the first are taken, and that is said.
    @Test("finding 11: an archive of too many files takes the first and says so") func anArchiveOfTooManyFilesSaysSo()
        throws
    {
        let files = (0..<(Limits.variadicPorts + 7)).map { FileEntry(name: "f\(100_000 + $0).txt", bytes: 1) }
        let answer = planner.answer("zip all txt files", listing: Listing(workspace: "/w", files: files))
        guard case .part(let plan, let words) = answer else { throw Refused("\(inShort(answer).prefix(200))") }
        #expect(words == "Zip takes at most 10000 files: it gets the first 10000 of 10007, by name.")
        #expect(plan["name"]?.string == "10000 of 10007 files: zip")
        let loaders = plan["nodes"]?.array?.filter { $0["kind"] == "FileLoader" } ?? []
        #expect(loaders.count == 10_000 && loaders.last?["params"]?["path"] == "f109999.txt")
        #expect(plan["edges"]?.array?.count { $0["to"]?[1]?.string?.hasPrefix("files.") == true } == 10_000)
    }

    @Test(
        "finding 11: what is not all known, or too much for steps, is refused with the number",
        arguments: [
            (
                "make every jpg gray", 1_001, true,
                "These are 1001 files; at most 1000 go through the steps of one workflow."
            ),
            (
                "make every jpg gray and zip them", 1_001, true,
                "These are 1001 files; at most 1000 go through the steps of one workflow."
            ),
            ("zip all jpgs", 3, false, "There are more than 100000 files here, and I know only those."),
        ] as [(String, Int, Bool, String)])
    func tooMuchIsRefusedWithTheNumber(line: String, count: Int, isWhole: Bool, words: String) {
        let files = (0..<count).map { FileEntry(name: "f\(10_000 + $0).jpg", bytes: 1) }
        let answer = inShort(planner.answer(line, listing: Listing(workspace: "/w", files: files, isWhole: isWhole)))
        #expect(answer.hasPrefix(": \(words)"), "\(answer.prefix(200))")
    }

    private struct Refused: Error, CustomStringConvertible {
        let description: String
        init(_ words: String) { description = words }
    }

    private func fault(of sentence: Sentence, _ answer: BuiltInPlanner.Answer) -> [String] {
        let short = inShort(answer)
        var isExpected = short == sentence.expected
        if sentence.expected.hasPrefix(":") {
            isExpected =
                short.hasPrefix(":") && short.lowercased().contains(sentence.expected.dropFirst().trimmed.lowercased())
        }
        return isExpected ? [] : ["\(sentence.testDescription) → \(short)\n   expected \(sentence.expected)"]
    }
}
