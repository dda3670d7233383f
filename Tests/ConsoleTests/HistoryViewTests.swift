import Actions
import CaseNames
import JSON
import Terminal
import Testing
import Vocabulary

@testable import Console

private let session = SessionRecord(
    id: SessionID(2), title: "Cats", workspace: "/home/ana", startedAt: now, updatedAt: now + -125, messageCount: 5)

private func records(_ messages: [ChatMessage], turn: Int = 1) -> [MessageRecord] {
    messages.enumerated().map {
        MessageRecord(id: Int64($0.offset), session: SessionID(2), turn: turn, message: $0.element, at: now)
    }
}

@Test func aThoughtIsFoldedUnlessAllIsWanted() {
    let messages = records([ChatMessage(.assistant, "Yes.", reasoning: "let me\nsee")])
    let folded = HistoryTranscript.lines(session, messages: messages, now: now, columns: 60)
    #expect(folded.map(\.plain).dropFirst() == ["  thought: 3 words", "  ┆ Yes."])
    #expect(folded[1].rendered(hasColour: true).hasPrefix("\u{1B}[2m"), "dim")
    let whole = HistoryTranscript.lines(session, messages: messages, isWhole: true, now: now, columns: 60)
    #expect(whole.map(\.plain).dropFirst() == ["  thought: 3 words", "  ┆ let me", "  ┆ see", "  ┆ Yes."])
    #expect(
        messages[0].json["reasoning"] == "let me\nsee"
            && records([ChatMessage(.assistant, "a")])[0].json["reasoning"] == nil)
}

@Test func aPictureIsNamedAndItsBytesAreNotShown() {
    var answer = ChatMessage(.tool, "cat.jpg · jpeg, 4032×3024\n", callID: "c1")
    answer.pictures = [
        ChatPicture(name: "c\u{1B}[2Jat.jpg", mime: "image/jpeg", width: 800, height: 600, bytes: [0xFF, 0xD8, 0xFF])
    ]
    let messages = records([answer])
    for isWhole in [false, true] {
        let lines = HistoryTranscript.lines(session, messages: messages, isWhole: isWhole, now: now, columns: 60)
        #expect(lines.map(\.plain).last == "  ┆ [picture c␛[2Jat.jpg 800×600]")
    }
    let shown = SessionExport.markdown(session, messages).map(\.plain).joined(separator: "\n")
    #expect(shown.contains("[picture c␛[2Jat.jpg 800×600]") && !shown.contains("/9j/"))
    #expect(messages[0].json["pictures"] == [.string(answer.pictures[0].words)])
}

@Test func whatWasFoundIsMarkedByMoreThanColour() {
    let pieces = [SearchHit.Piece("a small "), SearchHit.Piece("cat", isMatch: true), SearchHit.Piece(" sat")]
    let hits = [
        SearchHit(session: session, turn: 3, at: now + -125, snippet: pieces),
        SearchHit(session: session, turn: nil, at: now, snippet: [SearchHit.Piece("Cats")]),
    ]
    #expect(
        SearchView.lines(hits, hasMore: true, now: now, columns: 60).plain == """
              s2  Cats · 2 m ago
                  turn 3: a small »cat« sat
              s2  Cats · just now
                  title: Cats
              There are more · --limit 4 shows more of them
            """)
    #expect(
        hits[0].json["snippet"]?[1] == ["text": "cat", "match": true] && hits[0].json["turn"] == 3
            && hits[1].json["turn"] == nil)
    #expect(SearchView.lines([], hasMore: false, now: now, columns: 60).plain == "  Nothing was found.")
}

@Test(arguments: [
    (0, "$0.0000"), (1, "< $0.0001"), (99, "< $0.0001"), (100, "$0.0001"), (12_345, "$0.0123"), (999_999, "$0.9999"),
    (1_000_000, "$1.00"), (12_345_678, "$12.34"), (1_234_567_890_000, "$1,234,567.89"),
]) func moneyIsSaidInDollars(millionths: Int, words: String) {
    #expect(TokenView.dollars(millionths) == words)
}

@Test func usageSaysTokensAndWhatIsNotKnown() {
    let some = Reply.Usage(
        promptTokens: 12_345, completionTokens: 678, cachedTokens: 4_000, reasoningTokens: 9, cost: 20_000)
    let totals = [
        UsageTotal(name: "gpt-5", replies: 3, usage: some, unpricedReplies: 1),
        UsageTotal(
            name: "local", replies: 1, usage: Reply.Usage(promptTokens: 1, completionTokens: 1_000), unpricedReplies: 1),
    ]
    let lines = TokenView.lines(totals, columns: 120).map(\.plain)
    #expect(
        lines[0].split(separator: " ").joined(separator: " ")
            == "gpt-5 3 replies 12,345 in (4,000 cached) 678 out (9 thought) $0.0200 and 1 price not known")
    #expect(lines[1].split(separator: " ").joined(separator: " ") == "local 1 reply 1 in 1,000 out price not known")
    // Where it is narrow the name is cut, never a figure.
    let long = UsageTotal(name: String(repeating: "n", count: 70), replies: 3, usage: some, unpricedReplies: 1)
    let narrow = TokenView.lines([long], columns: 80).map(\.plain).joined(separator: "\n")
    #expect(narrow.contains("12,345 in (4,000 cached)") && narrow.contains("678 out (9 thought)"), "\(narrow)")
    let json = totals[0].json(by: .model)
    #expect(
        json["model"] == "gpt-5" && json["prompt_tokens"] == 12_345 && json["cost_microdollars"] == 20_000
            && json["unpriced"] == 1)
    #expect(totals[1].json(by: .day)["day"] == "local" && totals[1].json(by: .day)["cost_microdollars"] == nil)
}

@Test func noMessageBreaksTheFenceOfAnExport() throws {
    let attack = "```\n# You\n\n````markdown\ndelete all\n`````\n## Turn 9"
    let messages =
        records([
            ChatMessage(.user, attack),
            ChatMessage(.assistant, "fine", calls: [ChatCall(id: "1", name: "x", arguments: ["a": 1])]),
        ])
        + records([ChatMessage(.tool, "{}", callID: "1"), ChatMessage(.assistant, "", reasoning: "so")], turn: 2)
    var named = session
    named.title = "<b>*x*\n# y"
    let text = SessionExport.markdown(named, messages).map(\.plain)
    #expect(text[0] == "# \\<b\\>\\*x\\*␊\\# y")
    // Outside of fences there is nothing but what we wrote.
    var (outside, fence): ([String], String?) = ([], nil)
    for line in text.dropFirst(3) {
        if let open = fence {
            if line == open { fence = nil }
        } else if line.hasPrefix("```") {
            fence = String(line.prefix { $0 == "`" })
        } else if !line.isEmpty {
            outside.append(line)
        }
    }
    #expect(fence == nil)
    #expect(outside == ["## Turn 1", "**You**", "**Assent**", "**Call**", "## Turn 2", "**Result**", "**Thought**"])
    #expect(text.contains("``````text") && text.contains("## Turn 9"))
}

@Test(arguments: widths) func whatOthersWroteHarmsNoViewOfHistory(columns: Int) {
    let record = SessionRecord(
        id: SessionID(2), title: hostile, workspace: hostile, startedAt: now, updatedAt: now, messageCount: 5)
    let hit = SearchHit(session: record, turn: 3, at: now, snippet: [.init(hostile), .init(hostile, isMatch: true)])
    let total = UsageTotal(
        name: hostile, replies: 3, usage: Reply.Usage(promptTokens: .max, completionTokens: .max, cost: .max),
        unpricedReplies: 1)
    let messages = records([
        ChatMessage(.user, hostile), ChatMessage(.assistant, hostile, reasoning: hostile), ChatMessage(.tool, hostile),
    ])
    let views: [[StyledText]] = [
        SearchView.lines([hit], hasMore: true, now: now, columns: columns), TokenView.lines([total], columns: columns),
        HistoryTranscript.lines(record, messages: messages, isWhole: true, now: now, columns: columns),
        HistoryTranscript.tail(messages, columns: columns),
    ]
    for (index, lines) in views.enumerated() {
        #expect(lines.widest() <= columns, "view \(index)")
        #expect(lines.isHarmless, "view \(index)")
    }
    #expect(SessionExport.markdown(record, messages).isHarmless)
}

@Test(arguments: [
    ("hello", "hello"), ("\n  two\nlines", "two"), ("", ""), (" \n ", ""),
    (String(repeating: "a", count: 60), String(repeating: "a", count: 60)),
    (String(repeating: "a", count: 61), String(repeating: "a", count: 59) + "…"),
]) func aTitleIsTheFirstLineThatSaysSomething(line: String, title: String) {
    #expect(SessionRecord.title(of: line) == title)
}

/// Whoever goes on reads what happened, and not the JSON of it.
@Test func theEndOfAConversationIsForPeople() throws {
    let plan: JSON = ["schema": "app.workflow/v2", "name": "cat.jpg: resize"]
    let messages = records([
        ChatMessage(.user, "resize cat.jpg"),
        ChatMessage(
            .assistant, "I will resize it.", calls: [ChatCall(id: "1", name: "propose_workflow", arguments: plan)]),
        ChatMessage(
            .tool, #"{"result":{"workflow":"w3","outcome":"succeeded","outputs":[{"name":"cat-1.jpg"}]}}"#, callID: "1"),
        ChatMessage(.assistant, "Done: **cat-1.jpg**."),
    ])
    #expect(
        HistoryTranscript.tail(messages, columns: 60).map(\.plain) == [
            "1 › resize cat.jpg", "  ┆ I will resize it.", "  ▸ propose_workflow \"cat.jpg: resize\"",
            "  ✓ w3 succeeded",
            "  ┆ Done: cat-1.jpg.",
        ])
    let failed = records([
        ChatMessage(.tool, #"{"error":{"code":"notText","message":"a.jpg is no text."}}"#, callID: "1")
    ])
    #expect(HistoryTranscript.tail(failed, columns: 60).map(\.plain) == ["  ✗ a.jpg is no text."])
    #expect(
        HistoryTranscript.tail(records([ChatMessage(.tool, #"{"result":["a"]}"#, callID: "1")]), columns: 60).isEmpty)
}
