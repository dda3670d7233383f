import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// Lines that come into a turn, and turns that are stopped while something goes on (`play`).
@Suite struct InterjectedLineTests {
    @Test func aLineComesBehindAllResultsOfTheReply() {
        #expect(
            play("> do it\n< call read_inbox list_workflows\n+ use tabs\n= done\n+ and go on\n= done\n< Fine.\n< ok")
                == """
                store user do it
                ask 1: system user
                store assistant  [c1 read_inbox] [c2 list_workflows]
                c1 pending
                c2 pending
                c1 running
                perform c1
                store tool c1{"result":"fine"}
                c1 succeeded
                c2 running
                perform c2
                store tool c2{"result":"fine"}
                c2 succeeded
                store user use tabs
                store user and go on
                ask 2: system user assistant tool tool user user
                delta Fine.
                store assistant Fine.
                end
                """)
    }

    @Test func aLineDuringTheLastAnswerIsAskedInTheSameTurn() {
        #expect(
            play("> do it\n< Fi\n+ use tabs\n< ne.\n< ok\n< Tabs.\n< ok") == """
                store user do it
                ask 1: system user
                delta Fi
                delta ne.
                store assistant Fine.
                store user use tabs
                ask 2: system user assistant user
                delta Tabs.
                store assistant Tabs.
                end
                """)
    }

    /// A turn that ends before never stores the line, so that its session keeps it.
    @Test(arguments: [
        "< call read_inbox\n+ use tabs\n^C", "< Fi\n+ use tabs\n^C", "+ use tabs\n< cut", "+ use tabs\n< broken",
        "< call read_inbox\n+ use tabs\n= waits", "< call read_inbox\n+ use tabs\n= full", "< ok\n+ use tabs",
    ])
    func aLineThatATurnDoesNotReachIsNoMessage(rest: String) {
        let log = play("> do it\n\(rest)")
        #expect(!log.contains("use tabs") && log.contains("\nend"), "\(log)")
    }

    @Test func aLineWaitsWhileTheUserIsAskedWhetherTheTurnGoesOn() {
        let calls = (0...Limits.callsPerTurn).map { "read_mode?\($0)" }.joined(separator: " ")
        let done = String(repeating: "= done\n", count: Limits.callsPerTurn)
        let log = play("> do it\n< call \(calls)\n\(done)+ use tabs\n= yes\n= done\n< ok")
        #expect(log.contains("c201 succeeded\nstore user use tabs\nask 2") && log.hasSuffix("end"))
    }

    @Test(arguments: [
        ("", "turn. What was started before goes on."), (" w5", "turn; w5 goes on."),
        (" w5 w7", "turn; w5 and w7 go on."),
    ])
    func aStoppedTurnNamesWhatGoesOn(goingOn: String, words: String) {
        #expect(play("> do it\n< call read_inbox\n^C\(goingOn)").contains("The person stopped the \(words)\"}"))
    }

    /// The next turn reads the same as the turn before has sent.
    @Test func aLineThatCameIntoATurnNeedsNoAnswerBeforeIt() {
        var line = ChatMessage(.user, "use tabs")
        line.isInterjected = true
        let call = ChatCall(id: "c1", name: "read_inbox", arguments: [:])
        let history = [
            ChatMessage(.user, "do it"), ChatMessage(.assistant, "", calls: [call]),
            ChatMessage(.tool, "fine", callID: "c1"), line, ChatMessage(.assistant, "Tabs."),
        ]
        #expect(play("> and now?", history: history).hasSuffix("ask 1: system user assistant tool user assistant user"))
        line.isInterjected = false
        #expect(
            play("> and now?", history: history.prefix(3) + [line] + history.suffix(1))
                .hasSuffix("ask 1: system user assistant tool assistant user assistant user"))
    }
}
