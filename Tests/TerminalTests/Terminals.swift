import Glibc
import Harness
import Terminal
import Testing

/// What `detect` finds on a pseudo-terminal.
func terminalCapabilities(_ environment: [String: String], _ plainFlag: Bool) throws -> TerminalCapabilities {
    let pty = try Pty.pair()
    return TerminalCapabilities.detect(output: pty.slave, plainFlag: plainFlag, environment: { environment[$0] })
}

/// A line editor on a pseudo-terminal, and what it has said so far.
final class Desk: Sendable {
    let pty: Pty
    let editor: LineEditor

    init(
        columns: Int = 60, rows: Int = 14, hasColour: Bool = false,
        _ change: (inout LineEditor.Settings) -> Void = { _ in }
    ) throws {
        pty = try Pty.pair(columns: columns, rows: rows, width: { DisplayWidth.of($0) })
        var settings = LineEditor.Settings()
        settings.output = pty.slave
        settings.capabilities = TerminalCapabilities(isTerminal: true, hasColour: hasColour, isPlain: false)
        settings.ownsProcess = false
        change(&settings)
        editor = try LineEditor(InputOwner(pty.slave), settings)
    }

    /// The next thing the person did.
    func next() async -> ScreenInput? {
        for await input in editor.inputs { return input }
        return nil
    }

    /// Waits until the rows that are not empty, from the top of the screen, are these.
    func sees(_ rows: [String], _ location: SourceLocation = #_sourceLocation) async {
        let matches = await pty.see { Self.rows($0) == rows }
        #expect(matches, "\(Self.rows(pty.screen)) is not \(rows)", sourceLocation: location)
    }

    static func rows(_ screen: PtyScreen) -> [String] {
        screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

/// Returns a plain screen on a pseudo-terminal, whose time a test moves.
func plainScreen(on pty: Pty, now: @escaping @Sendable () -> Int64) throws -> PlainScreen {
    let plain = TerminalCapabilities(isTerminal: true, hasColour: false, isPlain: true)
    return PlainScreen(
        try InputOwner(pty.slave), output: pty.slave, capabilities: plain, prompt: "›", ownsProcess: false, now: now)
}

extension Pty {
    /// Waits until all that was typed has been read.
    func isRead() async throws -> Bool { try await eventually { unread == 0 } }
}

/// A help that knows some words, and has no menu unless it is asked for.
struct ListedWords: LineHelp {
    var words: [String] = []
    var about: [String: String] = [:]
    var hasMenu = false
    var areAll = true

    func menu(for line: String) -> [LineCandidate] {
        guard hasMenu, line.hasPrefix("/"), !line.contains(" ") else { return [] }
        return candidates(line)
    }

    func completions(of line: String) -> LineCompletions {
        let word = String(line.split(separator: " ", omittingEmptySubsequences: false).last ?? "")
        return LineCompletions(replaced: word, candidates: candidates(word), areAll: areAll)
    }

    private func candidates(_ word: String) -> [LineCandidate] {
        words.filter { $0.hasPrefix(word) }.map { LineCandidate($0, about: about[$0] ?? "") }
    }
}
