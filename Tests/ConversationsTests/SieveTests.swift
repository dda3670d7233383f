import Conversations
import JSON
import Synchronization
import Testing
import Vocabulary

/// No key gets into what a conversation stores, shows or sends, whoever says it (`consent.md` guarantee 14).
@Suite struct SieveTests {
    private static let key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2"
    private static let mark = "⟨cut: a GitHub token, 28 characters⟩"

    private struct Notes {
        var replies: [[ReplyPart]]
        var requests: [ChatRequest] = []
        var stored: [ChatMessage] = []
        var kept: [String] = []
        var events: [Event] = []
        var hints: [String] = []
        var performed: [PlannerCall] = []
    }

    private final class Heard: Sendable {
        let notes: Mutex<Notes>
        init(_ replies: [[ReplyPart]]) { notes = Mutex(Notes(replies: replies)) }
    }

    private func session(_ heard: Heard, history: [ChatMessage] = [], result: CallResult = .succeeded("done")) throws
        -> Session
    {
        let form = try #require(
            KeyForm(["name": "a GitHub token", "begins": ["ghp_"], "of": "A-Za-z0-9", "least": 20]))
        let login = ToolManifest(
            kind: "Login", title: "Log in", summary: "Logs in.",
            params: [
                ToolManifest.Param(name: "token", kind: .text, isSecret: true),
                ToolManifest.Param(name: "user", kind: .text),
            ], action: .builtin("login"), version: .ofNothing)
        let world = World(
            model: { request, tell in
                let parts = heard.notes.withLock { notes in
                    notes.requests.append(request)
                    return notes.replies.isEmpty ? [] : notes.replies.removeFirst()
                }
                parts.forEach(tell)
            },
            now: { Moment(milliseconds: 0) }, emit: { event in heard.notes.withLock { $0.events.append(event) } },
            keys: { KeyFilter(forms: [form]) },
            hint: { hint in if case .notice(let words) = hint { heard.notes.withLock { $0.hints.append(words) } } },
            store: { message, _ throws(Failure) in heard.notes.withLock { $0.stored.append(message) } },
            keep: { line throws(Failure) in heard.notes.withLock { $0.kept.append(line) } },
            perform: { call, _ in
                heard.notes.withLock { $0.performed.append(call) }
                return result
            },
            context: FixedFolder(listing: Listing(workspace: "/work", files: [FileEntry(name: "\(Self.key).txt")])))
        return Session(
            id: SessionID(1), world: world, catalogue: Catalogue([login]), prompt: PlannerPrompt("{{files}}"),
            history: history)
    }

    private func said(_ text: String) -> [ReplyPart] { [.text(text), .finished(Reply(text: text))] }

    private func called(_ name: String, _ arguments: JSON) -> [ReplyPart] {
        [.finished(Reply(text: "", calls: [ChatCall(id: "c1", name: name, arguments: arguments)]))]
    }

    private func expectNoKey(_ heard: Heard) {
        let notes = heard.notes.withLock { $0 }
        let words =
            notes.stored.flatMap { [$0.text] + $0.calls.map(\.arguments.text) } + notes.kept
            + notes.events.map(\.line.text)
        let sent = notes.requests.flatMap(\.messages).flatMap { [$0.text] + $0.calls.map(\.arguments.text) }
        for text in words + sent { #expect(!text.contains(Self.key.dropFirst(4)), "\(text.prefix(200))") }
    }

    @Test func whatThePersonAndTheModelSayIsCut() async throws {
        let parts = Array(Self.key).map { ReplyPart.text(String($0)) }
        let heard = Heard([
            [.text("it is ")] + parts + [.text("."), .finished(Reply(text: "it is \(Self.key)."))], said("ok"),
        ])
        let session = try session(heard, history: [ChatMessage(.user, "once \(Self.key)")])
        try await session.say("use \(Self.key) please")
        #expect(await session.finished() == .completed)
        let notes = heard.notes.withLock { $0 }
        #expect(notes.stored.map(\.text) == ["use \(Self.mark) please", "it is \(Self.mark)."])
        #expect(notes.kept == ["use \(Self.mark) please"] && notes.hints.contains { $0.contains("key was cut") })
        let streamed = notes.events.compactMap { event in
            if case .messageDelta(let text) = event.kind { text } else { nil }
        }
        #expect(streamed.joined() == "it is \(Self.mark).")
        expectNoKey(heard)
    }

    @Test func aReplyThatIsCutOffShowsNoBeginningOfAKey() async throws {
        let heard = Heard([[.text("take \(Self.key)")]])
        let session = try session(heard)
        try await session.say("hello")
        _ = await session.finished()
        #expect(heard.notes.withLock { $0.stored.last?.text } == "take \(Self.mark)")
        expectNoKey(heard)
    }

    @Test func resultsOfCallsAreCut() async throws {
        let heard = Heard([called("list_workflows", [:]), said("ok")])
        let session = try session(heard, result: .succeeded(["content": .string("TOKEN=\(Self.key)")]))
        try await session.say("look")
        _ = await session.finished()
        #expect(heard.notes.withLock { $0.requests.last?.messages.last?.text.contains(Self.mark) } == true)
        expectNoKey(heard)
    }

    /// Nothing that a model says needs to be a key, and no mark of one is given back its key.
    @Test(
        arguments: [
            (
                "propose_workflow",
                ["name": "x", "nodes": [["id": "a", "kind": "Login", "params": ["user": .string(key)]]]]
            ),
            (
                "propose_workflow",
                ["name": "x", "nodes": [["id": "a", "kind": "Login", "params": ["user": .string(mark)]]]]
            ),
            (
                "propose_workflow",
                ["name": "x", "nodes": [["id": "a", "kind": "Login", "params": ["token": "hunter2"]]]]
            ),
            (
                "propose_workflow",
                ["workflow": #"{"name": "x", "nodes": [{"id": "a", "kind": "Login", "params": {"token": "hunter2"}}]}"#]
            ),
            (
                "propose_workflow",
                [
                    "template": [
                        "name": "x", "nodes": [["id": "a", "kind": "Login", "params": ["token": ["deep": "hunter2"]]]],
                    ]
                ]
            ),
            ("call_tool", ["kind": "Login", "params": ["token": "hunter2"]]),
            ("call_tool", ["kind": "Login", "params": ["user": .string("x \(key)")]]),
            (
                "propose_workflow",
                [
                    "workflow": .string(
                        #"{"name": "x", "nodes": [{"id": "a", "kind": "Login", "params": {"user": "\u0067hp_\#(key.dropFirst(4))"}}]}"#
                    )
                ]
            ),
            (
                "call_tool",
                [
                    "kind": "Login",
                    "params": [
                        "user": ["sealed": .string("sha256:" + String(repeating: "ab", count: 32)), "shown": "nothing"]
                    ],
                ]
            ),
            ("retry", ["workflow": "w1", "step": .string(key)]),
        ] as [(String, JSON)])
    func noCallWithAKeyIsMade(name: String, arguments: JSON) async throws {
        let heard = Heard([called(name, arguments), said("ok")])
        let session = try session(heard)
        try await session.say("log in")
        _ = await session.finished()
        #expect(heard.notes.withLock { $0.performed.isEmpty })
        let notes = heard.notes.withLock { $0 }
        #expect(
            notes.stored.contains { $0.role == .tool && $0.text.contains("keyInCall") }, "\(notes.stored.map(\.text))")
        for text in notes.stored.flatMap({ $0.calls.map(\.arguments.text) }) + notes.events.map(\.line.text) {
            #expect(!text.contains("hunter2"), "\(text.prefix(300))")
        }
        expectNoKey(heard)
    }

    @Test func theFlawOfACallIsCut() async throws {
        var call = ChatCall(id: "c1", name: "propose_workflow", arguments: [:])
        call.flaw = "The key \(Self.key) stands twice."
        let heard = Heard([[.finished(Reply(text: "", calls: [call]))], said("ok")])
        let session = try session(heard)
        try await session.say("log in")
        #expect(await session.finished() == .completed)
        #expect(heard.notes.withLock { $0.stored[2].text.contains("The key \(Self.mark) stands twice.") })
        expectNoKey(heard)
    }

    @Test func aCallWithoutAKeyIsMadeAsItIs() async throws {
        let arguments: JSON = [
            "schema": .string(Template.schema), "name": "x",
            "nodes": [["id": "a", "kind": "Login", "params": ["user": "me", "token": .null]]],
            "options": ["errorPolicy": "fail-fast"],
        ]
        let heard = Heard([called("propose_workflow", arguments), said("ok")])
        let session = try session(heard)
        try await session.say("log in")
        _ = await session.finished()
        #expect(heard.notes.withLock { $0.performed } == [.workflow(arguments)])
    }
}
