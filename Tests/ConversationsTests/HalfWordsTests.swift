import CaseNames
import Testing
import Vocabulary

/// The kept end of a long text: a name that tells a key may stand in front of it.
struct HalfWordsTests {
    @Test func theEndOfATextBeginsWithAWholeLineOrWord() {
        let rows: [(text: String, bytes: Int, end: String)] = [
            ("short", 5, "short"), ("API_KEY=abcdefgh\nnext", 12, "next"), ("API_KEY=abcdefgh next", 12, " next"),
            ("one\ntwo\n", 6, "two\n"), ("one two\n", 4, "\n"), ("ééé", 5, "éé"), ("", 3, ""),
        ]
        expectNoFaults(in: rows) { row in
            let end = row.text.lastLines(bytes: row.bytes)
            return end == row.end ? [] : ["\(row.text.debugDescription), \(row.bytes): \(end.debugDescription)"]
        }
    }

    /// Wherever the end begins, no part of the value is left without its name.
    @Test func noEndShowsAValueWithoutItsName() {
        let text = "before\nhttps://ana:zqxjkvbw7731@example.org is it\nafter"
        for bytes in 0...text.utf8.count {
            #expect(!WeakKeys.cut(text.lastLines(bytes: bytes)).contains("bw7731"), "\(bytes)")
        }
    }
}
