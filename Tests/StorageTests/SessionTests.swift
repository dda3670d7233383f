import CaseNames
import GRDB
import Harness
import JSON
import Testing
import Vocabulary

@testable import Storage

/// Conversations that are looked for, copied, opened and taken away.
@Suite struct SessionTests {
    private let scratch: ScratchFolder
    private let archive: Archive
    private let now = Moment(milliseconds: 1_795_000_000_000)

    init() throws {
        scratch = try ScratchFolder()
        archive = try Archive(folder: scratch.path)
    }

    private func session(_ title: String, _ texts: String..., workspace: String = "/w") throws -> SessionID {
        let id = try archive.begin(title: title, workspace: workspace, at: now).id
        for (number, text) in texts.enumerated() {
            try archive.append(ChatMessage(.user, text), to: id, turn: number + 1, at: now + Double(number))
        }
        return id
    }

    private func workflow(of session: SessionID, outcome: Outcome?) throws -> WorkflowID {
        let record = WorkflowRecord(
            id: WorkflowID(0), title: "w", session: session, workspace: "/w", createdAt: now, updatedAt: now)
        let id = try archive.create(record, template: "{}", owner: "one") { _ in [] }.0.id
        try archive.write { db in
            try db.execute(
                sql: "UPDATE workflows SET outcome = ? WHERE id = ?", arguments: [outcome?.rawValue, id.number])
        }
        return id
    }

    // MARK: Searching

    private func fill() throws {
        _ = try session("first", "Make Cat.jpg smaller", "Grüße aus dem photo-album")
        let second = try session("second", "100% of dogs", "写真を小さくして", "เปลี่ยนขนาดรูป")
        let call = ChatCall(id: "1", name: "propose_workflow", arguments: ["path": "holiday/beach.png", "n": [1, 2]])
        try archive.append(ChatMessage(.assistant, "As you like.", calls: [call]), to: second, turn: 3, at: now + 9)
        _ = try session("pictures of the garden", "cat cat cat", workspace: "/v")
    }

    @Test(arguments: [
        ("cat", ["pictures of the garden", "first"]), ("CAT smaller", ["first"]), ("smaller cat", ["first"]),
        ("sma", ["first"]),
        // Only the last word is a beginning.
        ("sma cat", []), ("grusse", []), ("grüsse", []), ("Grüße", ["first"]), ("photo-al", ["first"]), ("to alb", []),
        ("c", ["pictures of the garden", "first"]), ("of", ["second", "pictures of the garden"]),
        ("o", ["second", "pictures of the garden"]), ("写真", ["second"]), ("小", ["second"]),
        ("写真 小さく", ["second"]), ("100% 写真", []), ("ขนาด", ["second"]), ("propose_w", ["second"]),
        ("beach.png", ["second"]),
        ("holiday/be", ["second"]), ("%", ["second"]), ("garden", ["pictures of the garden"]), ("bird", []),
        ("100%", ["second"]),
        // No syntax of FTS5 is one here.
        ("\"", ["second"]), ("\"cat", ["pictures of the garden", "first"]), ("cat AND", []), ("cat OR dogs", []),
        ("NOT cat", []),
        ("cat*", ["pictures of the garden", "first"]), ("text:cat", []), ("(cat", ["pictures of the garden", "first"]),
        ("cat)", ["pictures of the garden", "first"]), ("^make", ["first"]), ("NEAR(cat", []), ("cat + smaller", []),
        ("-", ["first"]),
        ("cat\u{0}", ["pictures of the garden", "first"]), ("a'; DROP TABLE messages; --", []), ("\u{202E}", []),
        ("👩‍🚀", []),
    ])
    func wordsFindConversations(words: String, titles: [String]) throws {
        try fill()
        #expect(try archive.search(words, limit: 10).map(\.session.title).sorted() == titles.sorted())
    }

    @Test func theNewestComesFirstWithTheMatchMarked() throws {
        try fill()
        let again = try session("again", "a cat, at last")
        let hits = try archive.search("cat", limit: 2)
        #expect(hits.count == 2 && hits.allSatisfy { $0.turn == 1 })
        #expect(hits.map(\.session.id).contains(again))
        let hit = try #require(try archive.search("小さ", limit: 5).first)
        #expect(
            hit.turn == 2 && hit.snippet.map(\.text) == ["写真を", "小さ", "くして"]
                && hit.snippet.map(\.isMatch) == [false, true, false])
        let call = try #require(try archive.search("beach", limit: 5).first)
        #expect(call.snippet.first { $0.isMatch }?.text == "beach" && call.session.messageCount == 4)
    }

    @Test func whatCannotBeLookedForIsRefused() throws {
        for words in ["", " \n\t", "\0", String(repeating: "a ", count: 17), String(repeating: "a", count: 1001)] {
            let failure = #expect(throws: Failure.self) { _ = try archive.search(words, limit: 5) }
            #expect(failure?.code == "badUsage", "\(words.prefix(20))")
        }
    }

    @Test func aMessageThatWasDeletedIsNotFoundAndOneThatWasChangedIsFoundAnew() throws {
        try fill()
        try archive.write { db in
            try db.execute(sql: "UPDATE messages SET text = 'a zebra' WHERE text LIKE 'Make Cat%'")
            try db.execute(sql: "DELETE FROM messages WHERE text = 'cat cat cat'")
        }
        #expect(try archive.search("cat", limit: 5).isEmpty && archive.search("zebra", limit: 5).count == 1)
        #expect(try !archive.hasDamagedIndex() && archive.alteredRows().isEmpty)
    }

    @Test func aDamagedIndexIsToldAndMadeAnewAndStopsNoConversation() throws {
        try fill()
        func damage() throws {
            try archive.write { db in
                try db.execute(sql: "INSERT INTO message_index (message_index) VALUES ('optimize')")
                try db.execute(sql: "DELETE FROM message_index_data WHERE id > 10")
            }
        }
        try damage()
        #expect(try archive.hasDamagedIndex() && archive.faults().isEmpty && archive.alteredRows().isEmpty)
        try archive.rebuildIndex()
        #expect(try !archive.hasDamagedIndex() && archive.search("cat", limit: 5).count == 2)
        try damage()
        #expect(try archive.search("cat", limit: 5).count == 2)
        try damage()
        _ = try session("more", "another cat")
        #expect(try archive.search("cat", limit: 5).count == 3 && !archive.hasDamagedIndex())
    }

    // MARK: Messages and usage

    @Test func whatAModelThoughtAndSealedComesBackAsItWas() throws {
        let id = try session("s", "hello")
        let opaque = OpaqueParts(
            origin: "responses api.example.com:443 m",
            parts: JSON.Object(members: [.init(key: "x", value: [1, .null])]))
        let messages = [
            ChatMessage(.assistant, "a", reasoning: "first\nsecond", opaque: opaque),
            ChatMessage(.assistant, "b", reasoning: "only"),
            ChatMessage(.assistant, "c", opaque: opaque), ChatMessage(.assistant, "d"),
        ]
        for message in messages { try archive.append(message, to: id, turn: 1, at: now) }
        #expect(try archive.messages(of: id).dropFirst().map(\.message) == messages)
    }

    @Test func usageIsSummedUpBySessionModelAndDay() throws {
        let (one, two) = (try session("one", "a"), try session("two", "b"))
        let rows: [(SessionID?, String, Double, Reply.Usage)] = [
            (
                one, "m", 0,
                Reply.Usage(promptTokens: 10, completionTokens: 2, cachedTokens: 4, reasoningTokens: 1, cost: 100)
            ),
            (one, "m", 1, Reply.Usage(promptTokens: 20, completionTokens: 3, cost: 50)),
            (two, "n", 200_000, Reply.Usage(promptTokens: 5, completionTokens: 5)),
            // What a server says may be anything.
            (nil, "m", 200_001, Reply.Usage(promptTokens: -7, completionTokens: Int.max, cost: Int.max)),
        ]
        for (session, model, after, usage) in rows {
            try archive.append(Event(at: now + after, session: session, turn: 1, .usage(model: model, usage)))
        }
        let most = Limits.replyTokens
        let bySession = try archive.usage(by: .session, limit: 9)
        #expect(bySession.map(\.name) == ["-", two.description, one.description])
        #expect(
            bySession[2].usage
                == Reply.Usage(promptTokens: 30, completionTokens: 5, cachedTokens: 4, reasoningTokens: 1, cost: 150))
        #expect(
            bySession[1].usage.cost == nil && bySession.map(\.unpricedReplies) == [0, 1, 0]
                && bySession.map(\.replies) == [1, 1, 2])
        #expect(
            try archive.usage(by: .model, limit: 9).map { [$0.replies, $0.usage.completionTokens] } == [
                [3, most + 5], [1, 5],
            ])
        #expect(
            try archive.usage(by: .day, limit: 1).map(\.replies) == [2] && archive.usage(by: .day, limit: 9).count == 2)
        #expect(
            try archive.usage(by: .model, limit: 9).allSatisfy { $0.usage.promptTokens <= 30 }
                && archive.alteredRows().isEmpty)
    }

    // MARK: Opening, copying, deleting

    @Test func aTurnOfAScriptThatIsUnderWayIsToldFromAChat() throws {
        let id = try session("s", "hello")
        _ = try archive.open(id, owner: "chat-ask-1-a") { _ in true }
        let failure = #expect(throws: Failure.self) { _ = try archive.open(id, owner: "chat-ask-2-b") { _ in true } }
        #expect(failure?.code == "sessionBusy" && failure?.message == "Another 'assent ask' answers in \(id).")
    }

    /// A line that came into a turn leaves the lines that wait, also those that were stored before it.
    @Test func aLineForATurnIsStoredAsOneAndItsAttachmentsStay() throws {
        let id = try session("s", "hello")
        for line in ["later", "use tabs", "use tabs"] { try archive.keep(line, of: id, owner: "a") }
        var line = ChatMessage(.user, "use tabs", aside: ChatMessage.Aside(news: "n", words: "w", whole: "w"))
        line.isInterjected = true
        line.aside?.attached = "main.py · line 1 of 1"
        try archive.append(line, to: id, turn: 1, at: now)
        #expect(try archive.messages(of: id).last?.message == line)
        #expect(line.sentText == "n\n\nuse tabs\n\nmain.py · line 1 of 1\n\nw")
        #expect(try archive.open(id, owner: "a") { _ in true } == ["later", "use tabs"])
    }

    @Test func oneChatAtATimeHasAConversationOpen() throws {
        let id = try session("s", "hello")
        #expect(try archive.open(id, owner: "a") { _ in true } == [])
        try archive.keep("later", of: id, owner: "a")
        #expect(
            #expect(throws: Failure.self) { _ = try archive.open(id, owner: "b") { $0 == "a" } }?.code == "sessionOpen")
        #expect(try archive.open(id, owner: "a") { _ in true } == ["later"], "its own")
        #expect(try archive.open(id, owner: "b") { _ in false } == ["later"], "of one that was killed")
        try archive.close(id, owner: "a")
        #expect(throws: Failure.self, "who has lost it gives nothing back") {
            _ = try archive.open(id, owner: "c") { _ in true }
        }
        try archive.close(id, owner: "b")
        #expect(try archive.open(id, owner: "c") { _ in true } == ["later"])
        #expect(
            #expect(throws: Failure.self) { _ = try archive.open(SessionID(99), owner: "c") { _ in true } }?.code
                == "unknownSession")
    }

    @Test func aForkHasWhatWasSaidUpToATurn() throws {
        let id = try session("s", "alpha", "beta", "gamma")
        try archive.append(
            ChatMessage(
                .assistant, "two", calls: [ChatCall(id: "1", name: "find", arguments: ["q": "delta"])], reasoning: "hm"),
            to: id,
            turn: 2, at: now)
        let before = try archive.messages(of: id)
        let made = try archive.fork(id, through: 2, title: "s (fork of s1)", at: now + 60)
        #expect(made.id != id && made.messageCount == 3 && made.workspace == "/w" && made.title == "s (fork of s1)")
        #expect(try archive.messages(of: made.id).map(\.message) == before.filter { $0.turn <= 2 }.map(\.message))
        #expect(try archive.messages(of: id) == before && archive.search("delta", limit: 9).count == 2)
        #expect(try archive.search("gamma", limit: 9).map(\.session.id) == [id])
        for turn in [0, 4, -1, Int.max] {
            #expect(
                #expect(throws: Failure.self) { _ = try archive.fork(id, through: turn, title: "", at: now) }?.code
                    == "unknownTurn")
        }
        #expect(try archive.sessions().count == 2 && archive.alteredRows().isEmpty)
    }

    /// Every table with a column `session`, and how many rows of it are left.
    private func rows(of id: SessionID) throws -> [String: Int] {
        try archive.read { db in
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT m.name FROM sqlite_master AS m WHERE m.type = 'table'
                    AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) AS c WHERE c.name = 'session')
                    """)
            return try Dictionary(
                uniqueKeysWithValues: tables.map { table in
                    (
                        table,
                        try Int.fetchOne(
                            db, sql: "SELECT count(*) FROM \(table) WHERE session = ?", arguments: [id.number]) ?? 0
                    )
                })
        }
    }

    @Test func deletingLeavesNothingButTheWorkflows() throws {
        let (gone, kept) = (try session("gone", "quokka"), try session("kept", "wombat"))
        for id in [gone, kept] {
            try archive.keep("later", of: id, owner: "dead")
            var seen = ChatMessage(.tool, "seen", callID: "c")
            seen.pictures = [ChatPicture(name: "a", mime: "image/png", width: 1, height: 1, bytes: [1])]
            try archive.append(seen, to: id, turn: 1, at: now)
            try archive.append(
                Event(
                    at: now, session: id, turn: 1, .usage(model: "m", Reply.Usage(promptTokens: 1, completionTokens: 1))
                ))
            let made = try workflow(of: id, outcome: .succeeded)
            try archive.hear([HeardWorkflow(made, seq: 1, isReported: true)], in: id)
        }
        let before = try rows(of: kept)
        #expect(before.values.allSatisfy { $0 > 0 }, "there is something in every table: \(before)")
        #expect(Set(before.keys) == Set(Archive.tablesOfSession + ["events", "workflows"]))
        #expect(try archive.delete(gone) { _ in false } == [WorkflowID(1)])
        #expect(try rows(of: gone) == before.mapValues { _ in 0 }.merging(["workflows": 1, "events": 1]) { $1 })
        #expect(
            try rows(of: kept) == before && archive.session(gone) == nil && archive.search("quokka", limit: 5).isEmpty)
        #expect(try archive.summaries(only: WorkflowID(1)).first?.record.session == gone)
        #expect(
            try !archive.hasDamagedIndex() && (archive.faults() + archive.orphans()).isEmpty
                && archive.alteredRows().isEmpty)
        // Its number is not given to another.
        #expect(try session("new", "a") == SessionID(3))
        #expect(#expect(throws: Failure.self) { _ = try archive.delete(gone) { _ in false } }?.code == "unknownSession")
    }

    @Test func whatIsOpenOrUnderWayIsNotDeleted() throws {
        let id = try session("s", "hello")
        _ = try archive.open(id, owner: "a") { _ in true }
        #expect(#expect(throws: Failure.self) { _ = try archive.delete(id) { _ in true } }?.code == "sessionOpen")
        let open = try workflow(of: id, outcome: nil)
        let failure = #expect(throws: Failure.self) { _ = try archive.delete(id) { _ in false } }
        #expect(failure?.code == "workflowUnderWay" && failure?.message.contains("\(open)") == true)
        #expect(try archive.messages(of: id).count == 1)
    }

    // MARK: Calls without an answer

    @Test func theEventsTellWhatBecameOfACall() throws {
        let id = try session("s", "hello")
        func add(_ kind: Event.Kind) throws { try archive.append(Event(at: now, session: id, turn: 1, kind)) }
        for call in ["a", "b", "c"] { try add(.call(id: call, name: "x", .pending)) }
        try add(.call(id: "a", name: "x", .running))
        let first = try workflow(of: id, outcome: .succeeded)
        try add(.call(id: "a", name: "x", .succeeded))
        try add(.call(id: "b", name: "x", .running))
        let second = try workflow(of: id, outcome: nil)
        let traces = try ["a", "b", "c", "d"].map { try archive.trace(of: $0, in: id) }
        #expect(traces == [.begun([first]), .begun([second]), .notBegun, .unknown])
        #expect(try archive.trace(of: "a", in: SessionID(9)) == .unknown)
    }
}
