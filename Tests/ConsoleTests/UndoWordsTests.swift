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
            ("redo w9", ["redo", "w9"]), ("hm no, take that back", ["undo"]), ("Oh no, bring it back!", ["undo"]),
            ("That was a mistake, can you bring it back?", ["undo"]), ("Mach das bitte rückgängig", nil),
            ("Nein, mach das rückgängig.", ["undo"]), ("no", nil), ("no, 600", nil), ("take that back to docs", nil),
            ("bring docs/plan.txt back", nil), ("put it back into docs", nil), ("please", nil),
            ("undo the crop of cat.jpg", nil), ("undo w3 and w4", nil), ("undo w3.2 4", nil),
            ("I want to undo that", nil),
            ("undo that later", nil), ("undo.txt", nil), ("", nil), ("undo w3.x", nil),
        ] as [(String, [String]?)])
    func aLineIsTheCommandThatItSays(line: String, words: [String]?) {
        #expect(UndoWords.command(line) == words)
    }
}
