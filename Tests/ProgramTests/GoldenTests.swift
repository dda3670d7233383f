import Glibc
import Harness
import JSON
import Testing

/// The screen of `design.md` §1, whole: durations, sizes and the folder's name normalised.
@Suite(.serialized) struct GoldenTests {
    @Test(arguments: [true, false]) func theTranscriptOfTheDesign(hasColour: Bool) async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg")
        let pty = try lab.terminal([], environment: hasColour ? [:] : ["NO_COLOR": "1"], columns: 90, rows: 24)
        #expect(await pty.see { $0.lines.contains { $0.hasPrefix("›") } }, "\(pty.screen.text)")
        pty.send("make cat.jpg 800 px wide, grayscale, under 60 KB\r")
        #expect(await pty.see { $0.text.contains("/show w1") && $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        print(Self.drawn(pty.screen, hasColour: true))
        print(pty.screen.text)
    }

    static func drawn(_ screen: PtyScreen, hasColour: Bool) -> String {
        screen.lines.enumerated().map { row, line in
            var (text, style) = ("", "")
            for column in 0..<90 {
                let now = screen.style(row: row, column: column)
                if now != style { text += "<\(now)>" }
                style = now
                if let c = screen.character(row: row, column: column) { text += c }
            }
            return text
        }.joined(separator: "\n")
    }
}
