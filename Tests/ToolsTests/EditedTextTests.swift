import CaseNames
import JSON
import Testing
@testable import Tools
import Vocabulary

/// An edit takes place exactly where its text stands, or says why not.
struct EditedTextTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var text: String
        var find: String
        var replace: String
        var all = false
        /// The new text, or nil if nothing is replaced.
        var result: String?
        /// A part of the reason why nothing is replaced.
        var why = ""

        var testDescription: String { "\(text.debugDescription): \(find.debugDescription)" }
    }

    static let cases = [
        Case(text: "a\nb\n", find: "b", replace: "c", result: "a\nc\n"),
        Case(text: "a\nb\n", find: "a\nb", replace: "c", result: "c\n"),
        Case(text: "a\nb", find: "b", replace: "", result: "a\n"),
        Case(text: "aaa", find: "aa", replace: "b", why: "stands 2 times"),
        Case(text: "aaaa", find: "aa", replace: "b", all: true, result: "bb"),
        Case(text: "x\nx\ny x", find: "x", replace: "z", why: "3 times, in lines 1, 2, 3, and must stand once"),
        Case(text: "x\nx\n", find: "x", replace: "z", all: true, result: "z\nz\n"),
        Case(text: "def total(a):\n    return a\n", find: "return b", replace: "c", why: "2:     return a"),
        Case(text: "  foo(1)\n", find: "\tfoo(1)", replace: "c", why: "1:   foo(1)"),
        Case(text: "abc\n", find: "zzz", replace: "c", why: "No line is like it"),
        Case(text: "", find: "a", replace: "c", why: "0 times"),
        // Line ends are those of the file.
        Case(text: "a\r\nb\r\n", find: "a\nb", replace: "a\nc\nd", result: "a\r\nc\r\nd\r\n"),
        Case(text: "a\r\nb\r\n", find: "b", replace: "b\nc", result: "a\r\nb\r\nc\r\n"),
        Case(text: "a\nb\n", find: "a\r\nb", replace: "a\r\nc", result: "a\nc\n"),
        // Bytes are compared: é in two ways is two texts.
        Case(text: "e\u{301}\n", find: "\u{E9}", replace: "e", why: "0 times"),
        Case(text: "\u{E9}\n", find: "\u{E9}", replace: "e", result: "e\n"),
    ]

    @Test(arguments: cases) func anEditIsExact(_ edit: Case) {
        var text = EditedText(Array(edit.text.utf8))
        let why = text.replace(edit.find, with: edit.replace, isEverywhere: edit.all)
        #expect(String(decoding: text.utf8, as: UTF8.self).utf8.elementsEqual((edit.result ?? edit.text).utf8))
        #expect((why == nil) == (edit.result != nil))
        #expect(why?.contains(edit.why) ?? true, "\(why ?? "")")
    }

    /// Whatever is cut out of a text and put back at the same place gives the text again.
    @Test func anEditAndItsReverseChangeNothing() {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let lines = (0..<Int.random(in: 1...30, using: &numbers)).map { "line \($0) \(UInt32.random(in: 0...9))" }
            let end = Bool.random() ? "\n" : "\r\n"
            let whole = lines.map { $0 + end }.joined()
            let line = lines.randomElement() ?? ""
            var text = EditedText(Array(whole.utf8))
            guard text.replace("\(line)\n", with: "new\nmore\n", isEverywhere: false) == nil else { continue }
            #expect(text.replace("new\nmore\n", with: "\(line)\n", isEverywhere: false) == nil)
            #expect(text.utf8 == Array(whole.utf8))
        }
    }

    @Test(
        arguments: [
            ("[]", "at least one"), (#"[{"path":"a"}]"#, "needs find and replace, or text"),
            (#"[{"path":"a","find":"x","replace":"x"}]"#, "are the same"),
            (#"[{"path":"a","find":"","replace":"x"}]"#, "find is empty"),
            (#"[{"path":"a","text":"x","find":"y","replace":"z"}]"#, "or text alone"),
            (#"[{"find":"y","replace":"z"}]"#, "needs a path"), (#"["a"]"#, "It is no object"),
            (#"[{"path":"a","old":"y"}]"#, #"no "old""#),
            (#"[{"path":"a"},{"path":"b"}]"#, "Edit 2 of 2"),
        ])
    func aListThatIsNoneIsRefusedWithWhatMendsIt(json: String, words: String) throws {
        let json = try JSONReader.read(json)
        let failure = #expect(throws: Failure.self) { try TextEdit.list(json) }
        #expect(failure?.message.contains(words) ?? false, "\(failure?.message ?? "")")
    }
}
