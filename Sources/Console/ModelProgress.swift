import Conversations
import Terminal
import Vocabulary

/// The status of a model's reply in the chat: how long it has been waited for, or has been thinking, and in the end its
/// usage.
struct ModelProgress {
    private enum Phase {
        case idle
        case waiting(since: Moment)
        case thinking(since: Moment)
    }

    private var phase = Phase.idle
    /// The end of the model's thoughts.
    private var thought = ""
    private var thoughtSeconds = 0

    /// Records a hint of a turn.
    ///
    /// - Returns: the status below the text, or nil to leave it.
    mutating func hear(_ hint: Turn.Hint, at now: Moment) -> [StyledText]? {
        switch hint {
        case .waiting: phase = .waiting(since: now)
        case .reasoning(let piece):
            if case .thinking = phase {
            } else {
                phase = .thinking(since: now)
                thought = ""
            }
            thought = String((thought + piece).suffix(200))
            return status("", at: now)
        case .queued, .stopped, .callStarted, .notice: break
        }
        return nil
    }

    /// Records an event of a turn.
    ///
    /// - Returns: the status below the text, or nil to leave it.
    mutating func hear(_ kind: Event.Kind, at now: Moment) -> [StyledText]? {
        switch kind {
        case .messageDelta, .messageCompleted, .call, .error:
            defer { phase = .idle }
            switch phase {
            case .idle: return nil
            case .waiting: return []
            case .thinking(let since):
                thoughtSeconds += Self.seconds(since, now)
                return []
            }
        default: break
        }
        return nil
    }

    /// Returns the present status, or nil if it does not change with time.
    ///
    /// - Parameter model: the model's name, or nil for the built-in planner, which answers at once.
    func status(_ model: @autoclosure () -> String?, at now: Moment) -> [StyledText]? {
        switch phase {
        case .idle: return nil
        case .waiting(let since):
            let seconds = Self.seconds(since, now)
            guard seconds > 0, let model = model() else { return nil }
            let words =
                seconds < 60 ? "waiting for \(model) \(seconds) s" : "\(model) is still thinking (\(seconds / 60) m)"
            return [StyledText("  \(words)", .dim)]
        case .thinking(let since):
            let words = thought.split(whereSeparator: \.isWhitespace).suffix(8).joined(separator: " ")
            return [StyledText("  thinking \(Self.seconds(since, now)) s · \(words)", .dim)]
        }
    }

    /// Ends the turn, and returns its usage in one line, or nil if there is nothing to report.
    mutating func turnEnded(_ taken: Reply.Usage?) -> StyledText? {
        defer { (thoughtSeconds, phase) = (0, .idle) }
        let thought = thoughtSeconds > 0 ? "thought \(thoughtSeconds) s" : nil
        let words = [thought, taken?.inShort].compactMap(\.self)
        return words.isEmpty ? nil : StyledText(words.joined(separator: " · "), .dim)
    }

    private static func seconds(_ since: Moment, _ now: Moment) -> Int {
        Int(max(0, now.milliseconds - since.milliseconds) / 1_000)
    }
}
