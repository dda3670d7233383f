import Actions
import Console
import Glibc
import Services
import Synchronization
import Terminal
import Vocabulary

/// The terminal for this command. Nothing here waits for an answer of the terminal, or reads a file but the settings and
/// the history of lines.
///
/// A process has one reader of its terminal (`InputOwner`): the screen that is made here, or, if that reads nothing,
/// the one of `ofThePerson`.
enum Screens {
    static func make(for verb: any Verb, completion: Completion, suspend: @escaping @Sendable () -> Void)
        throws(Failure) -> any Screen
    {
        let plainFlag = verb.shared.plain || verb.shared.json
        let capabilities = TerminalCapabilities.detect(plainFlag: plainFlag)
        guard verb is Chat else {
            // The person's own editor gets the terminal, so we do not take it.
            if (verb as? Edit)?.opensEditor == true { return try silent(TerminalCapabilities.detect(plainFlag: true)) }
            // Nobody is asked here. What stands in standard input is left alone: it may be a key, or the terminal, at
            // which `ofThePerson` asks.
            let isLeftAlone = (verb as? ConnectCommand)?.takesKeyFromInput == true
            guard capabilities.isTerminal, !verb.shared.json, !isLeftAlone else { return try silent(capabilities) }
            return try owning { () throws(InputOwner.Taken) in
                try openScreen(plainFlag: plainFlag, prompt: "", hasLine: false, suspend: suspend)
            }
        }
        let folders = try? Folders.ofThisPerson()
        try? folders?.makeData()
        let isSilent = folders.map { Settings(folder: $0.config).notify.when == .never } ?? false
        return try owning { () throws(InputOwner.Taken) in
            try openScreen(
                plainFlag: plainFlag, prompt: StyledText("›", .accent), historyPath: folders.map { $0.data + "/lines" },
                reports: isSilent ? .none : .detect(), help: completion, holds: { Root.mayAskForKey($0) },
                remembers: { completion.withoutKeys($0) },
                edit: OwnEditor.ofThePerson?.write(_:at:), suspend: suspend)
        }
    }

    /// Returns a screen that reads nothing.
    private static func silent(_ capabilities: TerminalCapabilities) throws(Failure) -> any Screen {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return try owning { () throws(InputOwner.Taken) in
            PlainScreen(try InputOwner(nothing), capabilities: capabilities, prompt: "")
        }
    }

    /// Opens the person's terminal, also where input and output are something else.
    ///
    /// - Returns: `nil` where there is none.
    /// - Throws: `terminalTaken`, if something in this process reads it already.
    static func ofThePerson() throws(Failure) -> (any Screen)? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        let capabilities = TerminalCapabilities.detect(
            output: terminal,
            plainFlag: (try? ProgramArguments.ofThisProcess())?.contains("--plain") ?? false)
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
            throw Failure(.terminalTaken, error.description, remedy: "This is a mistake in Assent: please report it.")
        }
    }
}

extension InputOwner {
    fileprivate func keyLine() throws(Failure) -> String? {
        guard !isTerminal else {
            throw Failure(
                .badUsage,
                "With --key-stdin a key is read from a pipe or a file, and standard input is a terminal, which would show it.",
                remedy: "Leave --key-stdin out: the key is asked for, hidden.")
        }
        return line(limit: Limits.keyBytes)
    }
}

/// The help for lines of the chat, and what of a line is remembered. Nothing is asked of the database before Tab is
/// pressed.
final class Completion: LineHelp {
    private let names = Mutex<any CompletionWorld>(NoNames(folders: DiskFolders(workspace: ".")))
    private let cutting = Mutex<(@Sendable (String) -> String)?>(nil)
    /// The milliseconds that a line which was entered at once waits until the forms of keys are known.
    private static let patience = 5_000

    /// Sets how keys are cut out of a line, once the forms of keys are known.
    func cutKeys(_ cut: @escaping @Sendable (String) -> String) { cutting.withLock { $0 = cut } }

    /// Returns a line without the keys in it, or an empty text if the forms of keys are not known in time.
    func withoutKeys(_ line: String) -> String {
        for _ in 0..<Self.patience {
            if let cut = cutting.withLock({ $0 }) { return cut(line) }
            usleep(1_000)
        }
        return ""
    }

    /// Learns the names that a context knows.
    func open(_ context: CommandContext) { names.withLock { $0 = KnownNames(context) } }

    func menu(for line: String) -> [LineCandidate] { LineCompletion.menu(for: line) }

    func completions(of line: String) -> LineCompletions { LineCompletion(names.withLock { $0 }).completions(of: line) }
}
