import Console
import Glibc
import Services
import Synchronization
import Terminal
import Vocabulary

/// The terminal for this command. Nothing here asks the terminal anything or reads a file but the history of lines.
///
/// A process has one reader of its terminal (`InputOwner`): the screen that is made here, or, if that reads nothing, the one of `ofThePerson`.
enum Screens {
    static func make(for verb: any Verb, completion: Completion) throws(Failure) -> any Screen {
        let plainFlag = verb.shared.plain || verb.shared.json
        let capabilities = TerminalCapabilities.detect(plainFlag: plainFlag)
        guard verb is Chat else {
            // The person's own editor gets the terminal, so we do not take it.
            if (verb as? Edit)?.opensEditor == true { return try silent(TerminalCapabilities.detect(plainFlag: true)) }
            // Nobody is asked here. What stands in standard input is left alone: it may be a key, or the terminal, at which `ofThePerson`
            // asks.
            let isLeftAlone = (verb as? ConnectCommand)?.takesKeyFromInput == true
            guard capabilities.isTerminal, !verb.shared.json, !isLeftAlone else { return try silent(capabilities) }
            return try owning { () throws(InputOwner.Taken) in try openScreen(plainFlag: plainFlag, prompt: "", hasLine: false) }
        }
        let folders = try? Folders.ofThisPerson()
        try? folders?.makeData()
        return try owning { () throws(InputOwner.Taken) in
            try openScreen(
                plainFlag: plainFlag, prompt: StyledText("›", .accent), historyPath: folders.map { $0.data + "/lines" },
                complete: { completion.candidates(for: $0) }, holds: { Root.mayAskForKey($0) }, remembers: { completion.withoutKeys($0) })
        }
    }

    /// Returns a screen that reads nothing.
    private static func silent(_ capabilities: TerminalCapabilities) throws(Failure) -> any Screen {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return try owning { () throws(InputOwner.Taken) in PlainScreen(try InputOwner(nothing), capabilities: capabilities, prompt: "") }
    }

    /// Opens the person's terminal, also where input and output are something else.
    ///
    /// - Returns: `nil` where there is none.
    /// - Throws: `terminalTaken`, if something in this process reads it already.
    static func ofThePerson() throws(Failure) -> (any Screen)? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        let capabilities = TerminalCapabilities.detect(output: terminal, plainFlag: CommandLine.arguments.contains("--plain"))
        return try owning { () throws(InputOwner.Taken) in
            let input: InputOwner
            do throws(InputOwner.Taken) { input = try InputOwner(terminal) } catch {
                close(terminal)
                throw error
            }
            guard !capabilities.isPlain else {
                return PlainScreen(input, output: terminal, capabilities: capabilities, prompt: "", hasLine: false)
            }
            var settings = LineEditor.Settings()
            (settings.output, settings.capabilities) = (terminal, capabilities)
            settings.terminal = TerminalCapabilities.environmentValue("TERM") ?? settings.terminal
            (settings.prompt, settings.hasLine) = ("", false)
            return LineEditor(input, settings)
        }
    }

    /// Reads a key from the first line of standard input.
    ///
    /// - Throws: `badUsage`, if a person would have to type it there: the terminal would show it.
    static func pipedKey() throws(Failure) -> String? {
        try owning { () throws(InputOwner.Taken) in try InputOwner(STDIN_FILENO) }.keyLine()
    }

    private static func owning<Owner>(_ make: () throws(InputOwner.Taken) -> Owner) throws(Failure) -> Owner {
        do throws(InputOwner.Taken) { return try make() } catch {
            throw Failure("terminalTaken", error.description, remedy: "This is a mistake in Assent: please report it.")
        }
    }
}

extension InputOwner {
    fileprivate func keyLine() throws(Failure) -> String? {
        guard !isTerminal else {
            throw Failure(
                "badUsage", "With --key-stdin a key is read from a pipe or a file, and standard input is a terminal, which would show it.",
                remedy: "Leave --key-stdin out: the key is asked for, hidden.")
        }
        return line(limit: Limits.keyBytes)
    }
}

/// Verbs, ids and files for Tab; and what of a line is remembered. What is asked of the database is asked only once somebody presses the key.
final class Completion: Sendable {
    private let ids = Mutex<@Sendable () -> [String]>({ [] })
    private let cutting = Mutex<(@Sendable (String) -> String)?>(nil)
    /// The milliseconds that a line which was entered at once waits until the forms of keys are known.
    private static let patience = 5_000

    /// Told what keys are once the house is open.
    func cutKeys(_ cut: @escaping @Sendable (String) -> String) { cutting.withLock { $0 = cut } }

    /// Returns a line without the keys in it, or an empty text if the forms of keys are not known in time.
    func withoutKeys(_ line: String) -> String {
        for _ in 0..<Self.patience {
            if let cut = cutting.withLock({ $0 }) { return cut(line) }
            usleep(1_000)
        }
        return ""
    }

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
