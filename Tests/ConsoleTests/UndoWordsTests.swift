import CaseNames
import Console
import Testing

/// The console's own sentences for undo; no other line is one.
@Suite struct UndoWordsTests {
    @Test(
        arguments: [
            ("undo", ["undo"]), ("undo that", ["undo"]), ("Undo it.", ["undo"]), ("undo the last change!", ["undo"]),
            ("undo w3", ["undo", "w3"]), ("undo w3 2", ["undo", "w3", "2"]), ("undo w3.2", ["undo", "w3", "2"]),
            ("undo w3 step 2", ["undo", "w3", "2"]), ("redo", ["redo"]), ("redo that", ["redo"]),
            ("redo w9", ["redo", "w9"]),
            ("undo the crop of cat.jpg", nil), ("undo w3 and w4", nil), ("undo w3.2 4", nil),
            ("I want to undo that", nil),
            ("undo that later", nil), ("undo.txt", nil), ("", nil), ("undo w3.x", nil),
        ] as [(String, [String]?)])
    func aLineIsTheCommandThatItSays(line: String, words: [String]?) {
        #expect(UndoWords.command(line) == words)
    }
}
