import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// Lines that speak of the last order. Each conversation is lines with `|` between them; the results of a line are the
/// files after `→`.
@Suite struct ThreadTests {
    private static let planner = BuiltInPlanner(catalogue: catalogue, language: english)
    private static let files =
        "cat.jpg, cat-1.jpg, dog.png, a.txt, b.txt, a-1.txt, docs/, docs/a.txt, photos/, photos/a.txt, docs.zip, people.csv, config.json, config-1.json"

    /// Returns what the last line stands for.
    private func sentence(_ conversation: String) -> String? {
        var messages: [ChatMessage] = []
        let lines = conversation.split(separator: "|").map { $0.trimmed }
        for (number, line) in lines.enumerated() {
            let sides = line.split(separator: "→").map { $0.trimmed }
            // A result is not there before its own line.
            var here = listing(Self.files)
            here.files.removeAll { sides.dropFirst().joined().split(separator: " ").contains($0.name[...]) }
            messages.append(ChatMessage(.user, sides[0]))
            guard number < lines.count - 1 else { break }
            let said = Self.planner.line(of: messages, listing: here) ?? ""
            guard case .workflow(let plan) = Self.planner.answer(said, listing: here) else { return nil }
            let call = ChatCall(id: "plan-\(number)", name: "propose_workflow", arguments: plan)
            messages.append(ChatMessage(.assistant, "", calls: [call]))
            let outputs = sides.dropFirst().flatMap { $0.split(separator: " ") }.map { name in
                JSON.of(["step": 1, "path": .string("/work/\(name)")])
            }
            let result = JSON.of([
                "result": .of(["workflow": "w1", "outcome": "succeeded", "outputs": .array(outputs)])
            ])
            messages.append(ChatMessage(.tool, result.text, callID: call.id))
        }
        return Self.planner.line(of: messages, listing: listing(Self.files))
    }

    @Test(arguments: [
        // Going on with the result.
        ("make cat.jpg 800 px wide → cat-1.jpg | and gray", "gray cat-1.jpg"),
        ("make cat.jpg 800 px wide → cat-1.jpg | make it gray", "gray cat-1.jpg"),
        ("make cat.jpg 800 px wide → cat-1.jpg | under 50 KB", "under 50 KB cat-1.jpg"),
        ("make cat.jpg gray → cat-1.jpg | call it x.jpg", "rename cat-1.jpg to x.jpg"),
        ("make cat.jpg gray → cat-1.jpg | show me", "show cat-1.jpg"),
        // The same for others.
        ("make cat.jpg gray → cat-1.jpg | the same for dog.png", "make dog.png gray"),
        ("make cat.jpg gray → cat-1.jpg | also dog.png", "make dog.png gray"),
        ("copy the jpgs into docs → docs/cat.jpg docs/cat-1.jpg | dog.png as well, please", "copy dog.png into docs"),
        (
            "make a folder called photos | copy the txt files from docs into it. → photos/a.txt | b.txt as well, please.",
            "copy b.txt into the folder photos/"
        ),
        (
            "copy the txt files from docs into photos → photos/a.txt | b.txt as well, please", "copy b.txt into photos"
        ),
        ("make cat.jpg 80 px wide → cat-1.jpg | the same for dog.png, but 90 px", "make dog.png 90 px"),
        ("zip a.txt → a.zip | also b.txt", "zip a.txt and b.txt"),
        ("zip the docs folder → docs.zip | and a.txt should be in the zip as well", "zip docs and a.txt"),
        ("set debug to true in config.json → config-1.json | and port to 3000", "set port to 3000 in config-1.json"),
        ("make cat.jpg gray → cat-1.jpg | rotate all of those", "rotate cat-1.jpg"),
        ("move b.txt into docs → docs/b.txt | what is in that folder now?", "what is in the folder docs/"),
        // The words by which a plan says that more can be taken.
        ("zip all png files → dog.zip | also the hidden files", "zip all png files, also the hidden files"),
        ("make all jpgs gray → cat-2.jpg | also the results", "make all jpgs gray, also the results"),
        ("zip all png files → dog.zip | in all folders", "zip all png files, in all folders"),
        // Corrections of the original.
        ("make cat.jpg 800 px wide → cat-1.jpg | no, 600", "make cat.jpg 600 px wide"),
        ("make cat.jpg 800 px wide → cat-1.jpg | again, but 400 px", "make cat.jpg 400 px"),
        ("convert cat.jpg to png → cat-1.png | no, webp", "convert cat.jpg to webp"),
        ("turn cat.jpg to the left → cat-1.jpg | no, the other way", "turn cat.jpg to the right"),
        ("make cat.jpg gray → cat-1.jpg | do it again", "make cat.jpg gray"),
        ("move b.txt to docs → docs/b.txt | and people.csv to docs", "move people.csv to docs"),
        // What is no part of the last order does not become one.
        ("run echo hi | a.txt", "a.txt"), ("run date | cat.jpg", "cat.jpg"), ("run date | again", "run date"),
        ("make cat.jpg gray → cat-1.jpg | dog.png", "dog.png"),
        ("make cat.jpg gray → cat-1.jpg | what is in dog.png", "what is in dog.png"),
        ("zip a.txt → a.zip | compress dog.png", "compress dog.png"),
        ("make cat.jpg gray → cat-1.jpg | yes", "yes"), ("make cat.jpg gray → cat-1.jpg | no", "no"),
        // What stands by itself, deletes, or has no meaning stays as it is.
        ("make cat.jpg gray → cat-1.jpg | delete it", "delete it"),
        ("make cat.jpg gray → cat-1.jpg | blur dog.png", "blur dog.png"),
        ("make cat.jpg gray → cat-1.jpg | no, frobnicate", "no, frobnicate"),
        ("make cat.jpg gray → cat-1.jpg | undo that", "undo that"),
    ])
    func aLineStandsForASentence(conversation: String, expected: String) {
        #expect(sentence(conversation) == expected)
    }

    @Test func withoutAnOrderALineStandsForItself() {
        #expect(sentence("and gray") == "and gray")
    }
}
