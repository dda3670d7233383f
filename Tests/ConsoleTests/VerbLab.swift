import ArgumentParser
import Harness
import JSON
import Synchronization
import Terminal
import Testing
import Vocabulary

@testable import Actions
@testable import Console
@testable import Services
@testable import assent

/// A process without standard input and without a terminal.
private struct NoInput: PersonsInput {
    func pipedKey() throws(Failure) -> String? { nil }

    func terminal() throws(Failure) -> (any Screen)? { nil }
}

/// Verbs in this process, each called as a shell calls it, with data and a workspace of their own.
///
/// What only a process has is left out: its streams, its signals, the parse of wrong arguments. `ProgramLab` starts the
/// program for that.
final class VerbLab: Sendable {
    private let scratch: ScratchFolder
    /// The workspace.
    let folder: String
    /// The folder of data, settings and cache.
    let home: String
    private let opened: Mutex<OpenWorkspace>

    init() throws {
        scratch = try ScratchFolder()
        (folder, home) = ("\(scratch.path)/work", "\(scratch.path)/home")
        for made in [folder, home] { try ScratchFolder.makeFolder(made) }
        opened = Mutex(Self.open(folder, home))
    }

    private static func open(_ folder: String, _ home: String) -> OpenWorkspace {
        OpenWorkspace(
            folders: Folders(config: "\(home)/config", data: "\(home)/data", cache: "\(home)/cache"),
            workspace: folder, kind: .ask, surroundings: EngineWorlds())
    }

    /// The open parts that all calls share.
    var shared: OpenWorkspace { opened.withLock { $0 } }

    /// Opens all again, as a new process would: tools and providers are read once.
    func reopen() { opened.withLock { $0 = Self.open(folder, home) } }

    // MARK: Calls

    /// Calls a verb.
    ///
    /// - Parameter onLine: called with each line that a person sees.
    func run(_ arguments: [String], onLine: @escaping @Sendable (String) -> Void = { _ in }) async throws
        -> ProgramEnding
    {
        let (results, errors) = (Written(), Written())
        let screen = PaperScreen(results, onLine)
        let streams = OutputStreams(results: { results.add($0) }, errors: { errors.add($0) })
        let verb: any Verb
        do {
            verb = try #require(try Root.parseAsRoot(arguments) as? any Verb, "\(arguments)")
        } catch {
            return Self.refusal(arguments, Root.fullMessage(for: error), streams, { (results.text, errors.text) })
        }
        let output = Output(isJSON: verb.shared.json, screen: screen, streams: streams)
        let shared = shared
        let status = await Voice.$isShell.withValue(true) {
            let context = CommandContext(
                shared: shared, isOwnChild: false, folders: DiskFolders(workspace: folder), screen: screen,
                input: NoInput())
            do throws(Failure) {
                let status = try await verb.carryOut(in: context, output)
                await output.finish()
                return status
            } catch {
                output.fail(shared.keyRing.filter.cut(error), at: OpenWorkspace.now())
                return ExitStatus(of: error)
            }
        }
        await endEngine()
        verb.printEnd(status.rawValue, commands: output.commands.all, to: streams)
        return ProgramEnding(exit: status.rawValue, output: results.text, errors: errors.text)
    }

    /// Reports arguments that cannot be understood, as the program does.
    private static func refusal(
        _ arguments: [String], _ words: String, _ streams: OutputStreams, _ written: () -> (String, String)
    ) -> ProgramEnding {
        let first = words.split(separator: "\n").first.map { $0.trimmingPrefix("Error: ") } ?? ""
        let failure = Failure(.badUsage, String(first))
        if arguments.contains("--json") {
            Output.write(Event(at: OpenWorkspace.now(), .error(failure)).line, to: streams)
            Root.printEnd(ExitStatus(of: failure).rawValue, of: arguments, to: streams)
        } else {
            streams.errors(Array((words + "\n").utf8))
        }
        let (output, errors) = written()
        return ProgramEnding(exit: ExitStatus(of: failure).rawValue, output: output, errors: errors)
    }

    func run(_ arguments: String...) async throws -> ProgramEnding { try await run(arguments) }

    /// The JSON lines of a verb.
    func json(_ arguments: String...) async throws -> [JSON] { try await run(arguments + ["--json"]).lines }

    /// Calls a verb, and expects that all went well.
    func succeeds(_ arguments: String..., at location: SourceLocation = #_sourceLocation) async throws {
        try await succeeds(arguments, at: location)
    }

    func succeeds(_ arguments: [String], at location: SourceLocation = #_sourceLocation) async throws {
        let ending = try await run(arguments)
        #expect(
            ending.exit == 0, "\(arguments.joined(separator: " ")): \(ending.output)\(ending.errors)",
            sourceLocation: location)
    }

    /// The workflow with its steps, as `show --json` prints it.
    func shown(_ workflow: String = "w1") async throws -> JSON { try #require(try await json("show", workflow).first) }

    /// Keeps an engine at work while `body` runs, as a process beside the verbs does.
    func working<Value>(_ body: () async throws -> Value) async throws -> Value {
        try WorkflowActions(shared).startEngine()
        let value: Value
        do { value = try await body() } catch {
            await endEngine()
            throw error
        }
        await endEngine()
        return value
    }

    /// Stores a command for a workflow that no engine carries out before the next verb.
    func store(_ verb: Command.Verb, for workflow: WorkflowID = WorkflowID(1)) throws {
        try Reruns(shared).command(workflow, verb)
    }

    /// Ends the engine, as if the next verb had a process of its own, in which none has run.
    private func endEngine() async {
        let life = shared.living.withLock { $0.life }
        await shared.close()
        // A worker may have told its end and not yet be done.
        _ = try? await eventually { life?.isGivenUp ?? true }
        shared.living.withLock { $0 = OpenWorkspace.Living() }
    }

    /// The states of the steps, as they are stored, in the order of the list of the file.
    func states(of workflow: WorkflowID) throws -> [String] {
        let rows = WorkflowRecords(shared).rows(of: workflow)
        return try WorkflowRecords(shared).steps(workflow).sorted {
            rows.place($0.id.index) < rows.place($1.id.index)
        }
        .map(\.state.rawValue)
    }

    /// The numbers of the steps of w1, and their places in the list of the file.
    func rows() -> StepRows { WorkflowRecords(shared).rows(of: WorkflowID(1)) }

    func states(_ workflow: String = "w1") async throws -> [String] {
        try await shown(workflow)["steps"]?.array?.map { $0["state"]?.string ?? "" } ?? []
    }

    // MARK: Files of the workspace

    func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(folder)/\(name)" }
    func names() -> [String] { ScratchFolder.names(in: folder) }
    func exists(_ name: String) -> Bool { ScratchFolder.exists(path(name)) }
    func text(_ name: String) -> String? { ScratchFolder.text(path(name)) }
    func bytes(_ name: String) -> [UInt8]? { ScratchFolder.bytes(path(name)) }
    func write(_ text: String, to name: String) throws { try ScratchFolder.write(text, to: path(name)) }
    func write(_ json: JSON, to name: String) throws { try ScratchFolder.write(json.text, to: path(name)) }
    func write(_ bytes: [UInt8], to name: String) throws { try ScratchFolder.write(bytes, to: path(name)) }
}

/// Bytes that were written, in their order.
private final class Written: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    func add(_ more: [UInt8]) { bytes.withLock { $0 += more } }
}

/// The screen of a command whose output is a file.
private final class PaperScreen: Screen {
    let inputs = AsyncStream<ScreenInput> { $0.finish() }
    let capabilities = TerminalCapabilities(isTerminal: false, hasColour: false, isPlain: true)
    let columns = TerminalLimits.fallbackColumns
    private let paper: Written
    private let onLine: @Sendable (String) -> Void

    init(_ paper: Written, _ onLine: @escaping @Sendable (String) -> Void) {
        (self.paper, self.onLine) = (paper, onLine)
    }

    func show(_ lines: [StyledText]) {
        for line in lines.map(\.plain) {
            paper.add(Array((line + "\n").utf8))
            onLine(line)
        }
    }

    func stream(_ piece: String) { paper.add(Array(piece.utf8)) }
    func endStream() { paper.add([0x0A]) }
    func setPrompt(_ prompt: StyledText) {}
    func setStatus(_ lines: [StyledText]) {}
    func setBusy(_ isBusy: Bool) {}
    func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer { .none(.withdrawn) }
    func lend(_ body: @escaping @Sendable (Int32) -> Void) async -> Bool { false }
    func close() async {}
}
