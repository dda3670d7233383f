import Console
import Terminal
import Testing
import Vocabulary

@Test func aShellIsToldWhatIsTypedThere() {
    #expect(Voice.call("show w3") == "/show w3")
    let none = { WorkflowList.lines([], now: now, columns: 100).plain }
    #expect(none().contains("or /run FILE"))
    Voice.$isShell.withValue(true) {
        #expect(Voice.call("show w3") == "assent show w3")
        #expect(none().contains("or assent run FILE") && !none().contains("/run"))
    }
}

@Test(arguments: [
    ("full \u{1B}[2J\u{1B}]0;x\u{7}", "full ␛[2J␛]0;x␇"), ("a\u{7F}\u{9B}b", "a␡␦b"),
    ("plain é\u{202E}", "plain é\u{202E}"),
])
func controlsOfOthersAreToldAndDoNothing(text: String, told: String) { #expect(text.withSignsForControls == told) }
