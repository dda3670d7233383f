import CaseNames
import Conversations
import JSON
import Services
import Storage
import Testing
import Vocabulary

@testable import Actions

/// Conversations as people read them, from stored messages.
struct ConversationStoryTests {
    private let opened: OpenedWorkspace

    init() throws { opened = try OpenedWorkspace() }

    /// Returns the parts of a turn with one call and its result.
    private func parts(of name: String, _ arguments: JSON, result: String?) throws -> [StoryPart.Kind] {
        let (archive, now) = (try opened.shared.archive.get(), OpenWorkspace.now())
        let id = try ConversationLibrary(opened.shared).begin("do it").id
        try archive.append(ChatMessage(.user, "do it"), to: id, turn: 1, at: now)
        let call = ChatCall(id: "c1", name: name, arguments: arguments)
        try archive.append(ChatMessage(.assistant, "", calls: [call]), to: id, turn: 1, at: now)
        if let result { try archive.append(ChatMessage(.tool, result, callID: "c1"), to: id, turn: 1, at: now) }
        let records = WorkflowRecords(opened.shared)
        return try ConversationStory(id, records).parts(try records.messages(id)).dropFirst().map(\.kind)
    }

    @Test(
        arguments: [
            ("read", #"{"path":"a.txt"}"#, "a.txt · lines 1 to 2 of 2\n1 one", "read a.txt · lines 1 to 2 of 2"),
            ("read", #"{"path":"a.txt"}"#, "[a remark]\na.txt · line 1\n1 one", "read a.txt · line 1"),
            ("search", #"{"text":"plumber"}"#, "2 lines in 1 file\na.txt:2: x", "search “plumber”: 2 lines in 1 file"),
            ("list", #"{"path":"."}"#, ". · 2 files\na.txt", "list . · 2 files"),
            (
                "read", #"{"path":"b.txt"}"#, #"{"error":{"code":"fileNotFound","message":"There is no b.txt."}}"#,
                "read b.txt: There is no b.txt."
            ),
            ("find_tools", #"{"words":"resize"}"#, "{}", "looked for tools: resize"),
            ("results", #"{"workflow":"w3"}"#, "{}", "looked at w3"),
            ("results", "{}", "{}", "looked at the workflows"),
            ("wait", #"{"workflow":"w3"}"#, "w3 exit 0", "waited for w3"),
            ("workflow", #"{"workflow":"w3","do":"retry"}"#, "{}", "took w3 up again"),
            ("workflow", #"{"workflow":"w3","do":"cancel"}"#, "{}", "cancelled w3"),
        ] as [Row])
    func aLookIsOneLineInWords(row: Row) throws {
        let found = try parts(of: row.tool, try JSONReader.read(row.arguments), result: row.result)
        guard case .look(let words, let read)? = found.first, found.count == 1 else {
            Issue.record("\(found)")
            return
        }
        #expect(words == row.words && !read.hasPrefix("[a remark]"))
    }

    typealias Row = (tool: String, arguments: String, result: String, words: String)

    @Test(
        arguments: [
            ("workflow", #"{"steps":[]}"#, #"{"error":{"message":"workflow needs steps."}}"#, "workflow needs steps."),
            (
                "workflow", #"{"steps":[{"id":"a","kind":"Nope"}]}"#, #"{"problems":["a: no kind Nope"]}"#,
                "no kind Nope"
            ),
            ("propose_workflow", #"{"name":"x","nodes":[]}"#, #"{"declined":"The person said no."}"#, "said no."),
            ("format_disk", "{}", #"{"error":{"message":"There is no tool."}}"#, "There is no tool."),
            ("workflow", #"{"workflow":"w9","do":"cancel"}"#, #"{"error":{"message":"w9 is over."}}"#, "w9 is over."),
        ] as [Row])
    func anOrderThatWasRefusedSaysSo(row: Row) throws {
        let found = try parts(of: row.tool, try JSONReader.read(row.arguments), result: row.result)
        guard case .refusal(let words)? = found.first, found.count == 1 else {
            Issue.record("\(found)")
            return
        }
        #expect(words.contains(row.words) && !words.contains("{") && !words.contains("propose_workflow"), "\(words)")
    }

    @Test func aWorkflowHasItsPlanItsAnswersAndItsEnd() throws {
        let record = try opened.waiting([
            .init(node: "q", kind: "AskText", params: ["question": "Who?"], ask: .init(request: AwaitRequest()))
        ])[0]
        let id = record.step.workflow
        let call: JSON = [
            "schema": "app.workflow/v2", "name": "people",
            "nodes": [["id": "q", "kind": "AskText", "params": ["question": "Who?"]]], "edges": [],
        ]
        func work() throws -> StoryWork? {
            let result = #"{"result":{"workflow":"\#(id)","outcome":"waiting"}}"#
            guard case .work(let work)? = try parts(of: "propose_workflow", call, result: result).first else {
                return nil
            }
            return work
        }
        let open = try #require(try work())
        #expect(open.id == id && open.template.name == "people" && open.answers.isEmpty && open.end == nil)
        _ = try opened.shared.archive.get().answer(
            record.number, .no(reason: "not now"), approvals: [], by: "person on /dev/pts/3", at: OpenWorkspace.now())
        let closed = try #require(try work())
        #expect(
            closed.answers.map(\.resolution) == ["rejected"] && closed.answers.map(\.by) == ["person on /dev/pts/3"])
    }
}
