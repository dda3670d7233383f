package import JSON
import Synchronization
package import Terminal
package import Vocabulary

/// Where the results of a command go: lines of JSON for programs, drawn lines for people.
package struct Output: Sendable {
    package let isJSON: Bool
    package let screen: any Screen
    /// Whether somebody tells the person of the inbox anyway.
    let isChat: Bool
    /// The small pictures of results, which come after their lines.
    let pictures = ComingPictures()
    /// The workflows whose ends commands tell by themselves.
    let followed = FollowedWorkflows()
    /// The workflows whose steps a command asks by itself.
    let led = FollowedWorkflows()

    package init(isJSON: Bool, screen: any Screen, isChat: Bool = false) {
        self.isJSON = isJSON
        self.screen = screen
        self.isChat = isChat
    }

    package var columns: Int { screen.columns }

    /// Waits for what is shown after the results, where nothing else is left to do.
    package func finish() async { if !isChat { await pictures.finish() } }

    /// One of the two, made only if it is wanted.
    func show(_ lines: @autoclosure () -> [StyledText], json: @autoclosure () -> [JSON]) {
        if isJSON {
            for value in json() { Self.write(value) }
        } else {
            screen.show(lines())
        }
    }

    /// The event as a line of JSON; people are shown events by views.
    /// - Parameter texts: the contents of short results, by their hashes: they stand in the line, beside their paths.
    package func line(_ event: Event, texts: [ContentHash: String] = [:]) {
        guard isJSON else { return }
        guard case .workflowFinished(_, let outputs) = event.kind, !texts.isEmpty, var line = event.line.object else {
            return Self.write(event.line)
        }
        line["outputs"] = .array(
            outputs.map { output in
                guard let text = texts[output.hash], var json = output.json.object else { return output.json }
                json["text"] = .string(text)
                return .object(json)
            })
        Self.write(.object(line))
    }

    package func fail(_ failure: Failure, at now: Moment) {
        if isJSON {
            Self.write(Event(at: now, .error(failure)).line)
        } else {
            let lines = FailureLine.lines(failure, columns: columns)
            if screen.capabilities.isPlain { Self.writeErrors(lines) } else { screen.show(lines) }
        }
    }

    /// What the person should know before anything begins; never among results.
    func tell(notice: String?) {
        guard let notice else { return }
        let line = StyledText(notice, .dim)
        if isJSON || screen.capabilities.isPlain { Self.writeErrors([line]) } else { screen.show(line) }
    }

    /// Where no terminal draws, what went wrong is not mixed with results.
    private static func writeErrors(_ lines: [StyledText]) {
        StandardError.write(Array((lines.map(\.plain).joined(separator: "\n") + "\n").utf8))
    }

    /// Whole lines in one write each, so that two writers never mix within a line.
    package static func write(_ json: JSON) {
        StandardOutput.write(Array((line(of: json) + "\n").utf8))
    }

    /// The same value in JSON's own escapes wherever a character cannot be seen: a terminal obeys C1 controls and marks
    /// of direction also where a line was meant for a program. What is stored and hashed stays as it is.
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

/// Workflows that commands see to, so that the chat does not tell the same.
final class FollowedWorkflows: Sendable {
    private let ids = Mutex<Set<WorkflowID>>([])

    func insert(_ id: WorkflowID) { ids.withLock { _ = $0.insert(id) } }
    func remove(_ id: WorkflowID) { ids.withLock { _ = $0.remove(id) } }
    func contains(_ id: WorkflowID) -> Bool { ids.withLock { $0.contains(id) } }
}
