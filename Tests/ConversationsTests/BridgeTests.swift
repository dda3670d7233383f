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
        ] as [(String, String?)])
    func theWayWorks(line: String, way: String?) async throws {
        let request = ChatRequest(messages: [ChatMessage(.user, line)], tools: PlannerTools.all(catalogue))
        let parts = ReplyParts()
        try await Self.planner.model(listing: { _ in listing("cat.jpg, beach.jpg, a.txt, hello.py") })(request) {
            parts.add($0)
        }
        let reply = try #require(parts.finished)
        #expect(reply.way == way && reply.isRefusal && reply.calls.isEmpty, "\(reply.text)")
        if let way { #expect(reply.text.contains(way)) }
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
