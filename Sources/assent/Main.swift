import Actions
import ArgumentParser
import Console
import Glibc
import Sandbox
import Services
import Synchronization
import Terminal
import Vips
import Vocabulary

/// The entry point of the program. It reads the options, makes the folders and the wiring, runs one command, and exits
/// with its code.
@main
struct Main {
    /// Starts the program. It is not `async`, since an async body would run on another thread. The main thread must
    /// block the signals before other threads exist.
    static func main() {
        // Nothing else is opened in that role, and no thread started.
        if VipsZygoteRole.isAsked { VipsZygoteRole.run() }
        VipsProgram.isOwn()
        StandardOutput.holdStandardDescriptors()
        // Writing to a closed pipe is an error, and does not end the program.
        signal(SIGPIPE, SIG_IGN)
        StandardOutput.onFailure { words in
            let failure = Failure(
                .outputFailed, "Standard output cannot be written: \(words).")
            // The message stays on one line, however long it is.
            complain(FailureLine.lines(failure, columns: 10_000).map(\.plain).joined(separator: "\n"))
        }
        let arguments: [String]
        do throws(Failure) { arguments = try ProgramArguments.ofThisProcess() } catch { refuse([], error) }
        if arguments == ["--version"] { tell("assent \(Root.version)") }
        let verb = parsed(arguments)
        do throws(Failure) { try AddressSpace.prepare() } catch { refuse(arguments, error) }
        Signals.hold()
        // Writing beyond a limit on the size of files is an error, too.
        signal(SIGXFSZ, SIG_IGN)
        if let folders = try? Folders.ofThisPerson() { Crashes.note(in: folders.data) }
        let isJSON = verb.shared.json
        let hasEnded = Atomic(false)
        let commands = EndedCommands()
        // Running work continues: children by themselves, and the rest at the next start.
        let end: @Sendable (Int32) -> Void = { status in
            // A second caller waits for the exit.
            if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { while true { pause() } }
            verb.printEnd(status, commands: commands.all)
            leave(status)
        }
        let opened = Opened()
        let completion = Completion()
        let screen: any Screen
        do throws(Failure) {
            screen = try Screens.make(for: verb, completion: completion, suspend: { opened.suspend() })
        } catch {
            refuse(arguments, error)
        }
        // Only the chat still has something to do after an interrupt.
        Signals(
            onInterrupt: { verb is Chat && screen.interrupt() },
            onEnd: { status in
                if status == ExitStatus.interrupted.rawValue, !isJSON, let words = opened.farewell() {
                    complain(words)
                }
                end(status)
            }
        ).listen()
        // The main thread only sleeps. A task that is not detached would wait for it.
        Task.detached { end(await run(verb, on: screen, completion, opened, commands, orInterrupted: end)) }
        while true { pause() }
    }

    /// Runs the command.
    ///
    /// - Returns: the exit code.
    private static func run(
        _ verb: any Verb, on screen: any Screen, _ completion: Completion, _ opened: Opened, _ commands: EndedCommands,
        orInterrupted end: @escaping @Sendable (Int32) -> Void
    ) async -> Int32 {
        let output = Output(isJSON: verb.shared.json, screen: screen, commands: commands)
        // On a terminal that Assent reads, Ctrl-C is a key. The chat handles it itself.
        if !(verb is Chat) {
            screen.setBusy(true)
            Task {
                for await input in screen.inputs where input == .interrupt {
                    // The words stand below the part of an answer that has arrived.
                    screen.endStream()
                    screen.show(StyledText(opened.farewell() ?? "Stopped.", .dim))
                    await screen.close()
                    end(ExitStatus.interrupted.rawValue)
                }
            }
        }
        var status = ExitStatus.succeeded
        do throws(Failure) {
            let wiring = OpenWorkspace(
                folders: try Folders.ofThisPerson(), workspace: try Folders.workingFolder(),
                kind: verb is Chat ? .chat : .ask, surroundings: EngineWorlds())
            opened.wiring = wiring
            completion.cutKeys { WeakKeys.cut(wiring.keyRing.filter.cut($0)) }
            let ending: Result<ExitStatus, Failure> = await Voice.$isShell.withValue(!(verb is Chat)) {
                let context = wiring.context(screen: screen)
                completion.open(context)
                do throws(Failure) { return .success(try await verb.carryOut(in: context, output)) } catch {
                    // The error may name text of the user that holds a key.
                    return .failure(wiring.keyRing.filter.cut(error))
                }
            }
            status = try ending.get()
            await output.finish()
            await wiring.close()
        } catch {
            Voice.$isShell.withValue(!(verb is Chat)) { output.fail(error, at: OpenWorkspace.now()) }
            status = ExitStatus(of: error)
        }
        await screen.close()
        return status.rawValue
    }

    private static func complain(_ words: String) {
        StandardError.write(Array((VisibleText.multiline(words) + "\n").utf8))
    }

    /// Prints the whole result of a command such as `--version`, and exits with 0.
    private static func tell(_ words: String) -> Never {
        StandardOutput.write(Array((words + "\n").utf8))
        leave(0)
    }

    /// Exits without the cleanup of libraries, since their threads and the engine's workers still run. If standard
    /// output failed, the graver of both statuses is used.
    private static func leave(_ status: Int32) -> Never {
        SavedTerminal.end()
        guard StandardOutput.hasFailed, let other = ExitStatus(rawValue: status) else { _exit(status) }
        _exit(ExitStatus.gravest([other, .failed]).rawValue)
    }

    /// Returns the requested command. Prints help or an error, and exits, if there is none.
    private static func parsed(_ arguments: [String]) -> any Verb {
        // The word after `help` is the name of a command, too.
        let name = arguments.first == ChatVerb.help.rawValue ? arguments.dropFirst().first : arguments.first
        if let name, !name.hasPrefix("-"), !Root.has(name) {
            let remedy = "'assent --help' lists them; what you want done is said with 'assent ask'."
            let failure = Voice.$isShell.withValue(true) { Root.noCommand(name, remedy: remedy) }
            refuse(arguments, failure, words: "Error: \(failure.description)")
        }
        do {
            var command = try Root.parseAsRoot(arguments)
            if let verb = command as? any Verb { return Root.opened(verb) }
            // Help is a command, which throws its text.
            try command.run()
            leave(0)
        } catch {
            guard Root.exitCode(for: error) == .success else {
                refuse(arguments, Root.failure(of: error), words: Root.fullMessage(for: error))
            }
            tell(Root.fullMessage(for: error))
        }
    }

    /// Reports a failure before anything is open, and exits.
    private static func refuse(_ arguments: [String], _ failure: Failure, words: String? = nil) -> Never {
        let status = ExitStatus(of: failure).rawValue
        if arguments.contains("--json") {
            Output.write(Event(at: OpenWorkspace.now(), .error(failure)).line)
            Root.printEnd(status, of: arguments)
        } else {
            let line = Voice.$isShell.withValue(true) { FailureLine.lines(failure, columns: 10_000) }
            complain(words ?? line.map(\.plain).joined(separator: "\n"))
        }
        leave(status)
    }
}

/// The wiring of this process once it is open, for the handler of interrupts.
private final class Opened: Sendable {
    private let kept = Mutex<OpenWorkspace?>(nil)

    var wiring: OpenWorkspace? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    /// Returns the words about the started workflows after an interrupt. `nil` if this process ran none.
    func farewell() -> String? { wiring.flatMap { StandingWorkflows($0).farewell() } }

    /// Stops this process, for Ctrl-Z. Blocks until the shell continues it.
    func suspend() {
        if let wiring { wiring.suspend() } else { Suspension.stop() }
    }
}
