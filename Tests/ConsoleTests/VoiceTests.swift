import CaseNames
import Terminal
import Testing
import Vocabulary

@testable import Console

/// Calls of verbs in sentences, as the reader types them.
struct VoiceTests {
    private static let rows: [(text: String, inTheChat: String)] = [
        ("See 'assent list'.", "See /list."),
        ("Cancel it first: 'assent cancel w3'", "Cancel it first: /cancel w3"),
        (
            "'assent retry w3' takes it up again; 'assent why w3' says why.",
            "/retry w3 takes it up again; /why w3 says why."
        ),
        // Only a shell has the verb.
        ("Run 'assent work --until-idle'.", "Run 'assent work --until-idle'."),
        ("Run 'assent nothing'.", "Run 'assent nothing'."),
        // Other quotes are words.
        ("It's the user's 'make -j4'.", "It's the user's 'make -j4'."),
        ("An open mark: 'assent list", "An open mark: 'assent list"),
        ("", ""),
    ]

    @Test func theChatNamesVerbsByTheirSlash() {
        for row in Self.rows {
            #expect(Voice.worded(row.text) == row.inTheChat)
            #expect(Voice.$isShell.withValue(true) { Voice.worded(row.text) } == row.text)
        }
    }

    @Test func aFailureInTheChatNamesVerbsByTheirSlash() {
        let failure = Failure(.unknownWorkflow, "There is no workflow w9.", remedy: "See 'assent list'.")
        #expect(FailureLine.text(failure).plain == "There is no workflow w9. (unknownWorkflow) See /list.")
    }

    @Test func aRemedyIsWordsAndCalls() {
        #expect(
            Remedy("See 'assent show w3', or ask.").parts == [.words("See "), .call("show w3"), .words(", or ask.")])
        for row in Self.rows { #expect(Remedy(row.text).text { _ in nil } == row.text) }
    }
}
