import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// Verbs of the console that are said in words are done, or refused with the verb that does them.
@Suite struct ConsoleRequestTests {
    private static let planner = BuiltInPlanner(catalogue: catalogue, language: english)

    /// Returns the last part of the planner's reply to a conversation.
    private static func reply(to messages: [ChatMessage]) async throws -> Reply? {
        var reply: Reply?
        let request = ChatRequest(messages: messages, tools: PlannerTools.all(catalogue))
        let parts = Parts()
        try await planner.model(listing: { _ in listing("notes.txt") })(request) { parts.add($0) }
        for case .finished(let finished) in parts.all { reply = finished }
        return reply
    }

    /// A workflow was begun before.
    private static let begun = [
        ChatMessage(.user, "count the words in notes.txt"),
        ChatMessage(.assistant, "", calls: [ChatCall(id: "plan-1", name: "propose_workflow", arguments: [:])]),
        ChatMessage(.tool, #"{"result":{"workflow":"w7","outcome":"failed"}}"#, callID: "plan-1"),
    ]

    @Test(arguments: [
        ("why did it fail", "show_workflow w7"), ("cancel that", "cancel w7"), ("retry", "retry w7"),
        ("try again", "retry w7"),
        ("show w3", "show_workflow w3"), ("why did w3 fail", "show_workflow w3"),
        ("what is waiting for me?", "read_inbox "),
        ("list my workflows", "list_workflows "), ("which mode am I in?", "read_mode "),
    ])
    func aVerbInWordsIsCalled(line: String, expected: String) async throws {
        let reply = try #require(try await Self.reply(to: Self.begun + [ChatMessage(.user, line)]))
        let call = try #require(reply.calls.first, "\(reply.text)")
        #expect("\(call.name) \(call.arguments["workflow"]?.string ?? "")" == expected)
    }

    /// The person alone asks for less to be asked, and undoes; and without a workflow there is nothing to cancel.
    @Test(arguments: ["switch to auto mode", "undo that", "cancel that", "retry"])
    func whatOnlyThePersonDoesIsRefusedWithItsVerb(line: String) async throws {
        let reply = try #require(try await Self.reply(to: [ChatMessage(.user, line)]))
        #expect(reply.calls.isEmpty && reply.isRefusal && reply.text.contains("/"), "\(reply.text)")
    }

    /// "why did it fail" without a workflow in the conversation is about the newest of the folder.
    @Test func theNewestWorkflowIsMeantWhereNoneIs() async throws {
        let asked = [ChatMessage(.user, "why did it fail")]
        let first = try #require(try await Self.reply(to: asked)?.calls.first)
        #expect(first.name == "list_workflows")
        let told = ChatMessage(.tool, #"{"result":{"count":1,"newest":[{"workflow":"w4"}]}}"#, callID: first.id)
        let next = try #require(
            try await Self.reply(to: asked + [ChatMessage(.assistant, "", calls: [first]), told])?.calls.first)
        #expect(next.name == "show_workflow" && next.arguments["workflow"]?.string == "w4")
    }
}

/// The parts of a reply, in order.
private final class Parts: @unchecked Sendable {
    private(set) var all: [ReplyPart] = []
    func add(_ part: ReplyPart) { all.append(part) }
}
