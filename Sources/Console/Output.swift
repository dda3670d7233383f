import Actions
package import JSON
import Progress
import Synchronization
package import Terminal
package import Vocabulary

/// The streams that a command writes to beside its screen.
package struct OutputStreams: Sendable {
    /// Writes bytes to standard output.
    package let results: @Sendable ([UInt8]) -> Void
    /// Writes bytes to standard error.
    package let errors: @Sendable ([UInt8]) -> Void

    /// Creates streams.
    package init(results: @escaping @Sendable ([UInt8]) -> Void, errors: @escaping @Sendable ([UInt8]) -> Void) {
        (self.results, self.errors) = (results, errors)
    }

    /// The standard streams of this process.
    package static let ofThisProcess = OutputStreams(
        results: { StandardOutput.write($0) }, errors: { StandardError.write($0) })
}

/// The destination of a command's results: lines of JSON for programs, drawn lines for people.
package struct Output: Sendable {
    private(set) package var isJSON: Bool
    package let screen: any Screen
    private let streams: OutputStreams
    /// Whether the output belongs to a chat, which shows news of the inbox itself.
    let isChat: Bool
    /// The rows that are drawn in place.
    let live: LiveRegion
    /// The small pictures of results, which are shown after their lines.
    let pictures = ComingPictures()
    /// The workflows whose ends are reported by the commands that follow them.
    let followed = FollowedWorkflows()
    /// The commands that ended with a code which their steps do not list, for the last line of JSON.
    package let commands: EndedCommands
    /// The workflows whose steps are asked by the commands that lead through them.
    let led = FollowedWorkflows()

    /// Creates the output of a command.
    ///
    /// - Parameter streams: take JSON, and errors that no terminal draws.
    package init(
        isJSON: Bool, screen: any Screen, isChat: Bool = false, streams: OutputStreams = .ofThisProcess,
        commands: EndedCommands = EndedCommands()
    ) {
        self.isJSON = isJSON
        self.screen = screen
        self.streams = streams
        self.isChat = isChat
        self.commands = commands
        live = LiveRegion(screen, isChat: isChat)
    }

    package var columns: Int { screen.columns }

    /// Returns this output in JSON, or for people.
    func inJSON(_ isJSON: Bool) -> Output {
        var output = self
        output.isJSON = isJSON
        return output
    }

    /// Waits for the pictures that are shown after the results, unless a chat continues.
    package func finish() async { if !isChat { await pictures.finish() } }

    /// Prints the JSON or shows the lines. Only the form that is needed is made.
    func show(_ lines: @autoclosure () -> [StyledText], json: @autoclosure () -> [JSON]) {
        if isJSON {
            for value in json() { write(value) }
        } else {
            screen.show(lines())
        }
    }

    /// Prints an event as a line of JSON. For people, views show events instead.
    ///
    /// - Parameter texts: the contents of short results, by their hashes. They are added to the line, beside the paths.
    package func line(_ event: Event, texts: [ContentHash: String] = [:]) {
        guard isJSON else { return }
        guard case .workflowFinished(_, let outputs) = event.kind, !texts.isEmpty, var line = event.line.object else {
            return write(event.line)
        }
        line["outputs"] = .array(
            outputs.map { output in
                guard let text = texts[output.hash], var json = output.json.object else { return output.json }
                json["text"] = .string(text)
                return .object(json)
            })
        write(.object(line))
    }

    package func fail(_ failure: Failure, at now: Moment) {
        if isJSON {
            write(Event(at: now, .error(failure)).line)
        } else {
            let lines = FailureLine.lines(failure, columns: columns)
            if screen.capabilities.isPlain { writeErrors(lines) } else { screen.show(lines) }
        }
    }

    /// Shows a notice before a command begins. It never mixes with results.
    func tell(notice: String?) {
        guard let notice else { return }
        let line = StyledText(notice, .dim)
        if isJSON || screen.capabilities.isPlain { writeErrors([line]) } else { screen.show(line) }
    }

    /// Writes lines to standard error, so that errors do not mix with results if no terminal draws.
    private func writeErrors(_ lines: [StyledText]) {
        streams.errors(Array((lines.map(\.plain).joined(separator: "\n") + "\n").utf8))
    }

    /// Writes JSON as a whole line in one write, so that two writers never mix within a line.
    package static func write(_ json: JSON, to streams: OutputStreams = .ofThisProcess) {
        streams.results(Array((line(of: json) + "\n").utf8))
    }

    /// Writes the event `end`, with which the output of a call that began or changed something ends.
    package static func writeEnd(
        _ status: Int32, commands: [CommandExit] = [], to streams: OutputStreams = .ofThisProcess
    ) {
        write(Event(at: OpenWorkspace.now(), .end(exit: Int(status), commands: commands)).line, to: streams)
    }

    /// Writes a line of JSON. In a chat the screen draws it, since its lines and the prompt share the terminal.
    private func write(_ json: JSON) {
        guard isChat else { return Self.write(json, to: streams) }
        screen.show(StyledText(Self.line(of: json)))
    }

    /// Prints the line `end` of a command of a chat, if its output is JSON.
    func endInChat(_ verb: any Verb, _ status: ExitStatus) {
        guard isJSON, isChat, verb.endsWithEndLine else { return }
        write(Event(at: OpenWorkspace.now(), .end(exit: Int(status.rawValue))).line)
    }

    /// Returns a value as a line of JSON in which every invisible character is escaped. A terminal would obey C1
    /// controls and marks of direction even in a line for a program. The stored and hashed text stays unchanged.
    static func line(of json: JSON) -> String {
        let text = json.text
        guard !text.utf8.allSatisfy({ $0 < 0x7F }) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // Outside of strings JSON has nothing of the kind.
            guard scalar.value >= 0x7F, VisibleText.isHidden(scalar) else {
                shown.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar) ?? UTF16.encode("\u{FFFD}")! {
                let digits = String(unit, radix: 16)
                shown.append(
                    contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
            }
        }
        return String(shown)
    }
}

/// A set of workflows that commands report on, so that the chat does not repeat it.
final class FollowedWorkflows: Sendable {
    private let ids = Mutex<Set<WorkflowID>>([])

    func insert(_ id: WorkflowID) { ids.withLock { _ = $0.insert(id) } }
    func remove(_ id: WorkflowID) { ids.withLock { _ = $0.remove(id) } }
    var all: Set<WorkflowID> { ids.withLock { $0 } }
    func contains(_ id: WorkflowID) -> Bool { ids.withLock { $0.contains(id) } }
}

/// The commands of a process that ended with a code which their steps do not list.
package final class EndedCommands: Sendable {
    private let found = Mutex<[CommandExit]>([])

    /// Creates an empty list.
    package init() {}

    /// The commands in the order of their workflows' ends.
    package var all: [CommandExit] { found.withLock { $0 } }

    /// Adds the commands of a workflow that has rested.
    func add(_ commands: [CommandExit]) { found.withLock { $0 += commands.filter { !$0.isListed } } }
}
