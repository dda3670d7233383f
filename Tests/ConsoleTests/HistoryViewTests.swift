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

private func transcript(_ columns: Int = 60, isWhole: Bool = false) -> HistoryTranscript {
    HistoryTranscript(catalogue: catalogue, workspace: "/home/ana", isWhole: isWhole, columns: columns)
}

private func parts(_ kinds: [StoryPart.Kind], turn: Int = 1) -> [StoryPart] {
    kinds.map { StoryPart($0, turn: turn) }
}

/// A conversation with parts of every kind.
private func conversation(_ text: String) -> [StoryPart] {
    var node = Template.Node(id: "resize", kind: "Resize")
    node.params["width"] = 800
    var work = StoryWork(WorkflowID(3), Template(name: text, nodes: [node], edges: []))
    work.answers = [StoryWork.Answer(text, "approved", by: text), StoryWork.Answer("Which?", "done", words: text)]
    work.outputs = [
        Event.Output(step: 1, port: "image", type: .image, path: "/home/ana/\(text)", hash: .ofNothing, bytes: 9)
    ]
    return parts([
        .line(text), .thought(text), .words(text, isPartial: false), .look("read \(text)", read: text), .refusal(text),
        .work(work), .words("Done", isPartial: true), .system(text),
    ])
}

@Test func aConversationReadAgain() {
    #expect(
        transcript().lines(session, conversation("hello"), now: now).plain == """
              s2  Cats                              5 messages · 2 m ago
            1 › hello
              thought: 1 word
              ┆ hello
              read hello
              ✗ hello
              plan  "hello"
                1 step · changes nothing outside the asset store
               1   Resize   width=800 px
              ? hello → approved by hello
              ? Which? → hello
              ▣ image  hello  9 bytes   → ./hello          w3 · /show w3
              w3 is under way
              ┆ Done
              … cut off
            * hello
            """)
}

@Test func aThoughtIsFoldedUnlessAllIsWanted() {
    let story = parts([.thought("let me\nsee"), .words("Yes.", isPartial: false)])
    let folded = transcript().lines(session, story, now: now)
    #expect(folded.map(\.plain).dropFirst() == ["  thought: 3 words", "  ┆ Yes."])
    #expect(folded[1].rendered(hasColour: true).hasPrefix("\u{1B}[2m"), "dim")
    let whole = transcript(isWhole: true).lines(session, story, now: now)
    #expect(whole.map(\.plain).dropFirst() == ["  thought: 3 words", "  ┆ let me", "  ┆ see", "  ┆ Yes."])
    #expect(
        records([ChatMessage(.assistant, "Yes.", reasoning: "let me\nsee")])[0].json["reasoning"] == "let me\nsee"
            && records([ChatMessage(.assistant, "a")])[0].json["reasoning"] == nil)
}

/// A look is one line, however long its text is. The text is shown if all is wanted.
@Test func aLookIsOneLine() {
    let story = parts([.look("read a.txt · lines 1 to 90", read: "1 one\n2 two")])
    #expect(transcript().lines(session, story, now: now).map(\.plain).dropFirst() == ["  read a.txt · lines 1 to 90"])
    #expect(
        transcript(isWhole: true).lines(session, story, now: now).map(\.plain).dropFirst() == [
            "  read a.txt · lines 1 to 90", "  ┆ 1 one", "  ┆ 2 two",
        ])
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
    let story =
        parts([.line(attack), .words("fine", isPartial: false), .look(attack, read: ""), .refusal(attack)])
        + parts([.thought("so")], turn: 2)
    var named = session
    named.title = "<b>*x*\n# y"
    let text = SessionExport(transcript: transcript()).markdown(named, story).map(\.plain)
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
    #expect(outside == ["## Turn 1", "**You**", "**Assent**", "**Look**", "**Refused**", "## Turn 2", "**Thought**"])
    #expect(text.contains("``````text") && text.contains("## Turn 9"))
}

@Test(arguments: widths) func whatOthersWroteHarmsNoViewOfHistory(columns: Int) {
    let record = SessionRecord(
        id: SessionID(2), title: hostile, workspace: hostile, startedAt: now, updatedAt: now, messageCount: 5)
    let hit = SearchHit(session: record, turn: 3, at: now, snippet: [.init(hostile), .init(hostile, isMatch: true)])
    let total = UsageTotal(
        name: hostile, replies: 3, usage: Reply.Usage(promptTokens: .max, completionTokens: .max, cost: .max),
        unpricedReplies: 1)
    let story = conversation(hostile + "\n\n```\n\(hostile)\n```\n| a | b |\n|---|---|\n| x | y |")
    let views: [[StyledText]] = [
        SearchView.lines([hit], hasMore: true, now: now, columns: columns), TokenView.lines([total], columns: columns),
        transcript(columns, isWhole: true).lines(record, story, now: now), transcript(columns).tail(story),
    ]
    for (index, lines) in views.enumerated() {
        #expect(lines.widest() <= columns, "view \(index)")
        #expect(lines.isHarmless, "view \(index)")
    }
    #expect(SessionExport(transcript: transcript()).markdown(record, story).isHarmless)
}

@Test(arguments: [
    ("hello", "hello"), ("\n  two\nlines", "two"), ("", ""), (" \n ", ""),
    (String(repeating: "a", count: 60), String(repeating: "a", count: 60)),
    (String(repeating: "a", count: 61), String(repeating: "a", count: 59) + "…"),
]) func aTitleIsTheFirstLineThatSaysSomething(line: String, title: String) {
    #expect(SessionRecord.title(of: line) == title)
}

/// A conversation that goes on shows the last line and what came of it, as the chat drew it.
@Test func theEndOfAConversationIsItsLastTurn() {
    let story =
        parts([.line("count"), .words("3 lines.", isPartial: false)])
        + parts(
            [.line("read it all")] + (1...6).map { .look("read \($0).txt", read: "") }
                + [.words("Done: **cat-1.jpg**.", isPartial: false)], turn: 2)
    #expect(
        transcript().tail(story).map(\.plain) == [
            "2 › read it all", "  read 5.txt", "  read 6.txt", "  ┆ Done: cat-1.jpg.",
        ])
}
