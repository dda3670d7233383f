import CaseNames
import Terminal
import Testing
import Vocabulary

@testable import Console

/// The commands of the mask editor.
struct MaskCommandTests {
    private func changed(_ lines: [String]) throws(Failure) -> MaskDrawing {
        var drawing = MaskDrawing(width: 100, height: 80)
        for line in lines { try drawing.change(Words.split(line)) }
        return drawing
    }

    @Test func shapesFeatherInversionAndUndo() throws {
        let drawing = try changed([
            "rect 1 2 30 40", "ellipse -5 0 10 10", "erase 2 2 1 1", "undo", "feather 8", "invert",
        ])
        #expect(
            drawing.shapes == [
                .rectangle(x: 1, y: 2, width: 30, height: 40), .ellipse(x: -5, y: 0, width: 10, height: 10),
            ])
        #expect(drawing.feather == 8 && drawing.isInverted)
        #expect(try changed(["rect 1 2 3 4", "invert", "feather 2", "reset"]) == MaskDrawing(width: 100, height: 80))
        #expect(try changed(["invert", "invert"]) == MaskDrawing(width: 100, height: 80))
    }

    @Test(arguments: [
        "rect", "rect 1 2 3", "rect 1 2 3 x", "rect 1 2 0 4", "rect 1 2 3 -4", "rect 1 2 3 4 5", "rect 1.5 2 3 4",
        "feather", "feather -1",
        "feather 501", "feather x", "undo", "undo 2", "circle 1 2 3 4", "rect 99999999999 0 1 1", "invert now",
    ])
    func whatIsNoCommandChangesNothing(line: String) {
        var drawing = MaskDrawing(width: 100, height: 80)
        let failure = #expect(throws: Failure.self) { try drawing.change(Words.split(line)) }
        #expect(failure?.code == "badAnswer" && drawing == MaskDrawing(width: 100, height: 80))
    }
}
