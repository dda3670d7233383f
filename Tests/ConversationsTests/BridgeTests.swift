import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// A refused line has a way, which is offered and not done.
@Suite struct BridgeTests {
    private static let planner = BuiltInPlanner(catalogue: catalogue, language: english)

    @Test(
        arguments: [
            ("write happy birthday to card.txt", "write \"happy birthday\" to card.txt"),
            ("make beech.jpg gray", "make beach.jpg gray"), ("run hello.py", "run python3 hello.py"),
            ("make cat.jpg 300 px wide gladly", "make cat.jpg 300 px wide"), ("frobnicate everything", nil),
            ("email cat.jpg to Bob", nil),
            // What deletes is offered, and never guessed.
            ("delte a.txt", "delete a.txt"), ("throw away a.txt", "delete a.txt"),
            ("I don't need a.txt any more, so please delet it.", "delete a.txt"),
            ("zip a.txt and delete it afterwards", "zip a.txt"), ("delete old", "run rm -r old"),
            ("remove \"it's -f\"", "run rm -r './it'\\''s -f'"), ("delete /tmp/x/", nil),
            ("delete all jpgs", "delete beach.jpg, cat.jpg"), ("remove everything in old", nil),
            ("delete all jpgs except cat.jpg", nil), ("delete all jpgs and zip a.txt", nil),
            ("throw away everything", nil),
            // No words of several orders become one text, and no figure gets another meaning.
            ("cat.jpg smaller file 20 kb tops", nil),
            ("remove a.txt from backup.zip", nil), ("delete a.txt instead of hello.py", nil),
            ("delete a.txt after zipping it", nil), ("delete a.txt except on Mondays", nil),
            ("zip a.txt and hello.py and delete them", nil),
            ("make cat.jpg smaller than 100 KB but not below 400 px wide", nil), ("who is in a.txt?", nil),
            ("make a.txt nicer", nil), ("move a.txt docs und hello.py nach photos", nil),
        ] as [(String, String?)])
    func theWayWorks(line: String, way: String?) async throws {
        let request = ChatRequest(messages: [ChatMessage(.user, line)], tools: PlannerTools.all(catalogue))
        let parts = ReplyParts()
        try await Self.planner.model(listing: { _ in
            listing("cat.jpg, beach.jpg, a.txt, hello.py, backup.zip, old/, it's -f/")
        })(
            request
        ) {
            parts.add($0)
        }
        let reply = try #require(parts.finished)
        #expect(reply.way == way && reply.isRefusal && reply.calls.isEmpty, "\(reply.text)")
        if let way { #expect(reply.text.contains(way)) }
    }
}

/// Two orders in one sentence, of which the second speaks of the first.
@Suite struct LinkedLineTests {
    private static let planner = BuiltInPlanner(catalogue: catalogue, language: english)

    @Test(
        arguments: [
            (
                "create a folder called safe and copy a.txt into it",
                "create a folder called safe and copy a.txt into the folder safe/"
            ),
            (
                "make a folder pics and move all jpg files into it",
                "make a folder pics and move all jpg files into the folder pics/"
            ),
            ("make a folder pics and copy a.txt there", "make a folder pics and copy a.txt into the folder pics/"),
            ("move all jpg files into it", "move all jpg files into it"),
            ("rename a.txt to x.txt, and then move it into docs", "rename a.txt to docs/x.txt"),
            ("rename a.txt to x.txt and move it to docs/y.txt", "rename a.txt to docs/y.txt"),
            // What is understood by itself stays.
            ("make cat.jpg gray and blur it", "make cat.jpg gray and blur it"),
            // "It" is no name for what deletes.
            ("zip a.txt and delete it", "zip a.txt and delete it"),
        ])
    func theSecondOrderNamesWhatItMeans(line: String, sentence: String) {
        let here = listing("cat.jpg, a.txt, docs/, docs/b.txt")
        #expect(Self.planner.line(of: [ChatMessage(.user, line)], listing: here) == sentence)
    }

    @Test(arguments: ["yes", "Yes please!", "ja", "no", "blur it"]) func aYesCountsAfterDidYouMean(answer: String) {
        let here = listing("beach.jpg, a.txt")
        guard case .words(let asked) = Self.planner.answer("make beech.jpg gray", listing: here) else {
            Issue.record("no question")
            return
        }
        #expect(asked.contains("Did you mean beach.jpg?"))
        let messages = [
            ChatMessage(.user, "make beech.jpg gray"), ChatMessage(.assistant, asked + " This works: “…”"),
            ChatMessage(.user, answer),
        ]
        let isYes = answer.lowercased().hasPrefix("yes")
        #expect((Self.planner.line(of: messages, listing: here) == "make beach.jpg gray") == isYes)
    }
}

private final class ReplyParts: @unchecked Sendable {
    private(set) var all: [ReplyPart] = []
    func add(_ part: ReplyPart) { all.append(part) }

    var finished: Reply? {
        for case .finished(let reply) in all { return reply }
        return nil
    }
}
