import CaseNames
@testable import Conversations
import JSON
import Testing
import Vocabulary

/// The answer that a model gives beside its last call (`then_say`) is shown only if all of the reply was done.
@Suite struct ForeseenAnswerTests {
    private struct Row {
        let name: String
        let script: String
        /// How many times the model is asked.
        let asked: Int
        let isShown: Bool
        var end = "end"
    }

    private static let rows = [
        Row(name: "all is done", script: "< call edit+\n= whole", asked: 1, isShown: true),
        Row(name: "two that are done", script: "< call edit edit+\n= whole\n= whole", asked: 1, isShown: true),
        Row(name: "nothing beside it", script: "< call edit\n= whole\n< ok", asked: 2, isShown: false),
        Row(name: "done in part", script: "< call edit+\n= done\n< ok", asked: 2, isShown: false),
        Row(name: "failed", script: "< call edit+\n= failed\n< ok", asked: 2, isShown: false),
        Row(name: "faulty", script: "< call edit+\n= faulty\n< ok", asked: 2, isShown: false),
        Row(name: "problems", script: "< call workflow+\n= problems\n< ok", asked: 2, isShown: false),
        Row(
            name: "declined", script: "< call edit+\n= no\n< ok", asked: 2, isShown: false,
            end: "end declined: not today"),
        Row(
            name: "declined, and the same again", script: "< call edit+\n= no\n< call edit+\n< ok", asked: 3,
            isShown: false, end: "end declined: not today"),
        Row(
            name: "one before it is not done", script: "< call edit edit+\n= done\n= whole\n< ok", asked: 2,
            isShown: false),
        Row(name: "a look beside it", script: "< call read edit+\n= done\n= whole\n< ok", asked: 2, isShown: false),
        Row(
            name: "beside the first call", script: "< call edit+ edit\n= whole\n= whole\n< ok", asked: 2, isShown: false
        ),
        Row(name: "behind a faulty call", script: "< call edit! edit+\n< ok", asked: 2, isShown: false),
        Row(
            name: "after a failed one", script: "< call edit+\n= failed\n< call edit+\n= whole", asked: 2, isShown: true
        ),
        Row(name: "it waits", script: "< call edit+\n= waits", asked: 1, isShown: false, end: "end waiting"),
        Row(name: "stopped", script: "< call edit+\n^C\n= whole", asked: 1, isShown: false, end: "end interrupted"),
    ]

    @Test func itIsShownOnlyIfAllOfTheReplyWasDone() {
        expectNoFaults(in: Self.rows) { row in
            let log = play("> go\n" + row.script).split(separator: "\n").map(String.init)
            let asked = log.filter { $0.hasPrefix("ask ") }.count
            let isShown = log.contains("store assistant It is done.")
            return asked == row.asked && isShown == row.isShown && log.last == row.end
                ? [] : ["\(row.name): asked \(asked), shown \(isShown), \(log.last ?? "")"]
        }
    }

    @Test func itStandsBehindTheResultAsAnyAnswer() {
        #expect(
            play("> go\n< call edit+\n= whole") == """
                store user go
                ask 1: system user
                store assistant  [c1 edit]
                c1 pending
                c1 running
                perform c1
                store tool c1{"result":"fine"}
                c1 succeeded
                delta It is done.
                store assistant It is done.
                end
                """)
    }

    @Test(arguments: ["= done", "= failed", "= no", "= faulty"]) func theModelHearsThatItWasNotShown(outcome: String) {
        let log = play("> go\n< call edit+\n\(outcome)")
        #expect(log.contains("store tool c1{\"remark\":\"Your then_say was not shown"), "\(log)")
    }

    @Test func aLineThatCameIntoTheTurnIsAskedBehindIt() {
        let log = play("> go\n< call edit+\n+ use tabs\n= whole\n< Tabs.\n< ok")
        #expect(log.contains("store assistant It is done.\nstore user use tabs\nask 2: "), "\(log)")
    }

    /// A crash loses how the other calls of the reply ended.
    @Test(arguments: [(1, true), (2, false)]) func aTurnThatIsResumedShowsItIfNoOtherCallWasMade(
        calls: Int, isShown: Bool
    ) {
        let call = ChatCall(id: "c2", name: "edit", arguments: ["then_say": "It is done."])
        let before = ChatCall(id: "c1", name: "edit", arguments: [:])
        var history = [
            ChatMessage(.user, "go"), ChatMessage(.assistant, "", calls: calls == 1 ? [call] : [before, call]),
        ]
        if calls == 2 { history.append(ChatMessage(.tool, "fine", callID: "c1")) }
        let log = play("> …\n= whole", history: history, resumes: true)
        #expect(log.contains("store assistant It is done.") == isShown, "\(log)")
    }

    /// The result of a resumed turn does not say whether the workflow was kept.
    @Test func aTurnThatIsResumedDoesNotShowItForATemplate() {
        let call = ChatCall(id: "c", name: "workflow", arguments: ["then_say": "It is kept.", "keep_as": "x"])
        let history = [ChatMessage(.user, "go"), ChatMessage(.assistant, "", calls: [call])]
        #expect(!play("> …\n= whole", history: history, resumes: true).contains("It is kept."))
    }

    @Test(arguments: ["", " \n", nil]) func anEmptyOneIsNone(words: String?) {
        var answer = ForeseenAnswer()
        let call = ChatCall(id: "c", name: "edit", arguments: .of(["then_say": words.map { .string($0) }]))
        answer.begin([call])
        answer.count(.whole(.succeeded("fine")))
        #expect(answer.words == nil && answer.remark(on: call) == nil)
    }
}
