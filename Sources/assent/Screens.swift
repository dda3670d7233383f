import Console
import Glibc
import Services
import Synchronization
import Terminal
import Vocabulary

/// The terminal for this command. Nothing here asks the terminal anything or reads a file but the history of lines.
enum Screens {
    static func make(for verb: any Verb, completion: Completion) -> any Screen {
        let plainFlag = verb.shared.plain || verb.shared.json
        guard verb is Chat else {
            // The person's own editor gets the terminal, so we do not take it.
            if (verb as? Edit)?.opensEditor == true {
                return PlainScreen(
                    input: open("/dev/null", O_RDONLY | O_CLOEXEC), capabilities: TerminalCapabilities.detect(plainFlag: true), prompt: "")
            }
            let capabilities = TerminalCapabilities.detect(plainFlag: plainFlag)
            guard !capabilities.isTerminal else { return openScreen(plainFlag: plainFlag, prompt: "") }
            // Nobody is asked here. What stands in standard input is left alone: it may be the terminal, at which `ofThePerson` asks.
            return PlainScreen(input: open("/dev/null", O_RDONLY | O_CLOEXEC), capabilities: capabilities, prompt: "")
        }
        let folders = try? Folders.ofThisPerson()
        try? folders?.makeData()
        return openScreen(
            plainFlag: plainFlag, prompt: StyledText("›", .accent), historyPath: folders.map { $0.data + "/lines" },
            complete: { completion.candidates(for: $0) }, remembers: { completion.withoutKeys($0) })
    }

    /// The person's terminal, also where input and output are something else; `nil` where there is none, or none to draw on.
    static func ofThePerson() -> (any Screen)? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        var settings = LineEditor.Settings()
        settings.capabilities = TerminalCapabilities.detect(output: terminal)
        guard !settings.capabilities.isPlain else {
            close(terminal)
            return nil
        }
        (settings.input, settings.output) = (terminal, terminal)
        settings.terminal = TerminalCapabilities.environmentValue("TERM") ?? settings.terminal
        settings.prompt = ""
        return LineEditor(settings)
    }
}

/// Verbs, ids and files for Tab; and what of a line is remembered. What is asked of the database is asked only once somebody presses the key.
final class Completion: Sendable {
    private let ids = Mutex<@Sendable () -> [String]>({ [] })
    private let cutting = Mutex<@Sendable (String) -> String>({ $0 })

    /// Told what keys are once the house is open.
    func cutKeys(_ cut: @escaping @Sendable (String) -> String) { cutting.withLock { $0 = cut } }

    func withoutKeys(_ line: String) -> String { cutting.withLock { $0 }(line) }

    /// Told how to find ids once the house is open.
    func findIDs(_ find: @escaping @Sendable () -> [String]) { ids.withLock { $0 = find } }

    /// - Parameter line: all that stands before the cursor.
    func candidates(for line: String) -> [String] {
        let word = line.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        if line.hasPrefix("/"), !line.contains(" ") { return Root.slashVerbs.filter { $0.hasPrefix(word) } }
        let known = line.hasPrefix("/") ? ids.withLock { $0 }().filter { $0.hasPrefix(word) } : []
        return known + files(word)
    }

    private func files(_ word: String) -> [String] {
        let slash = word.lastIndex(of: "/")
        let folder = slash.map { String(word[...$0]) } ?? ""
        let stem = slash.map { String(word[word.index(after: $0)...]) } ?? word
        guard !word.isEmpty else { return [] }
        return Files.names(in: folder.isEmpty ? "." : folder).filter { $0.hasPrefix(stem) && (!$0.hasPrefix(".") || stem.hasPrefix(".")) }
            .prefix(100)
            .map { folder + $0 }
    }
}
