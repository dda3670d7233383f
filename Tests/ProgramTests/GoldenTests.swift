import CaseNames
import Harness
import JSON
import Testing

/// The screen of `architecture.md`, "What a session looks like", whole: durations and sizes normalised.
@Suite(.process) struct GoldenTests {
    @Test(.enabled(if: Rehearsals.areHere, "a notice would stand in it"), arguments: [true, false])
    func theTranscriptOfTheDesign(
        hasColour: Bool
    ) async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg")
        var environment = ["HOME": String(lab.folder.dropLast("/photos".count))]
        if !hasColour { environment["NO_COLOR"] = "1" }
        let pty = try lab.terminal([], environment: environment, columns: 100, rows: 24)
        // The prompt may come before the banner: who types at once reads it below their line.
        #expect(
            await pty.see { $0.text.contains("~/photos") && $0.lines.contains { $0.hasPrefix("›") } },
            "\(pty.screen.text)")
        pty.send("make cat.jpg 800 px wide, grayscale, under 60 KB\r")
        #expect(
            await pty.see { $0.text.contains("/show w1") && $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)"
        )
        let screen = pty.screen
        // Without colours it is plain mode: lines only, the same ones.
        #expect(hasColour || !pty.output.contains("\u{1B}"))
        #expect(
            withoutSuggestions(normalised(drawn(screen)))
                == (hasColour ? GoldenTranscript.coloured : plain(GoldenTranscript.coloured)))
        #expect(screen.unknown.isEmpty, "\(screen.unknown)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test(arguments: [["--plain"], []]) func theSameInPlainLines(arguments: [String]) async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg")
        let home = String(lab.folder.dropLast("/photos".count))
        let input = "make cat.jpg 800 px wide, grayscale, under 60 KB\n"
        // A pipe is plain by itself; it is wide enough for the plan to stand on one line or two.
        let ending = try await lab.run(arguments, environment: ["HOME": home], input: input)
        #expect(ending.exit == 0, "\(ending.errors)")
        let expected = plain(GoldenTranscript.coloured).split(separator: "\n").filter { !$0.hasPrefix("›") }
        let squeezed = squeeze(normalised(ending.output))
        for line in expected {
            for part in line.split(separator: "   ") {
                #expect(squeezed.contains(squeeze(String(part))), "\(part) in:\n\(ending.output)")
            }
        }
        #expect(!ending.output.contains("\u{1B}") && ending.complaints.isEmpty)
    }

    /// The rows without the things to try, which a person sees who is slower than the look at their folder.
    private func withoutSuggestions(_ text: String) -> String {
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isSuggestion: (Substring) -> Bool = { row in
            let bare = row.replacing(/<[0-9;]*>/, with: "")
            return bare.hasPrefix("Say what you want done") || bare.hasPrefix("  › ")
                || bare.hasPrefix("/help lists the verbs")
        }
        guard let first = rows.firstIndex(where: isSuggestion) else { return text }
        var left = Array(rows[..<first]) + rows[first...].filter { !isSuggestion($0) }
        // In plain mode the prompt stands above them, and again below.
        if first > 0, left[first - 1].replacing(/<[0-9;]*>/, with: "") == "›" { left.remove(at: first - 1) }
        return left.joined(separator: "\n")
    }

    private func squeeze(_ text: String) -> String { text.split { $0.isWhitespace }.joined(separator: " ") }

    private func plain(_ coloured: String) -> String { coloured.replacing(/<[0-9;]*>/, with: "") }

    private func normalised(_ text: String) -> String {
        // The places keep their width where columns depend on it.
        text.replacing(/[0-9]+(\.[0-9]+)? s\b/, with: "T s").replacing(/\b[0-9]{2} KB(?=[ ]{2})/, with: "NN KB")
    }

    /// The rows with what is not plain marked, without the empty ones at the end.
    private func drawn(_ screen: PtyScreen) -> String {
        var rows = screen.lines.indices.map { row in
            var (text, style) = ("", "")
            for column in 0..<screen.columns {
                guard let character = screen.character(row: row, column: column) else { continue }
                let now = screen.style(row: row, column: column)
                if now != style { text += "<\(now)>" }
                style = now
                text += character
            }
            if !style.isEmpty { text += "<>" }
            while text.last == " " { text.removeLast() }
            return text
        }
        while rows.last == "" { rows.removeLast() }
        return rows.joined(separator: "\n")
    }
}
