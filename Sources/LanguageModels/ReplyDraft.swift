import JSON
import Vocabulary

/// A reply so far, independent of the dialect. The readers of dialects fill it. The verdict depends on it alone, so
/// that one table holds for all dialects (`wire.md` LLM 5).
struct ReplyDraft {
    /// The reason why the model stopped, as its server reports it.
    enum Stop: Hashable {
        /// The model had finished, or waits for answers to its calls.
        case natural
        /// The model waits for answers to its calls, so there must be some.
        case calls
        case length
        /// The server aborted the answer.
        case givenUp
        case filtered
        case failed

        /// Whether the reply is incomplete, even if more of it arrives.
        var cuts: Bool {
            switch self {
            case .natural, .calls: false
            case .length, .givenUp, .filtered, .failed: true
            }
        }
    }

    private(set) var text = ""
    private(set) var reasoning = ""
    var calls: CallAssembler
    /// The call in the old form, one for each message, which some servers send beside the new form.
    var oldCall: CallAssembler
    /// The reason why the model stopped, or nil. A reason that makes the reply incomplete is never replaced.
    private(set) var stop: Stop?
    var usage: Reply.Usage?
    /// The opaque parts, which must be sent back with the message.
    var opaque = JSON.Object()
    /// Whether anything has arrived that only this dialect sends.
    var isAnswer = false
    private(set) var failure: Failure?
    /// Whether the reply has ended or failed. Later events are then ignored.
    private(set) var isDone = false
    private var thought = ThoughtSplitter()
    private var blanks = BlankLineFolder()
    private var hold = CallHold()

    init(echoFields: Set<String>) {
        calls = CallAssembler(echoFields: echoFields)
        oldCall = CallAssembler(echoFields: [])
    }

    /// Ends the reply, when its final mark has arrived.
    mutating func close() { isDone = true }

    /// Records why the model stopped. Some servers report it more than once, and a reason that makes the reply
    /// incomplete stays.
    mutating func stop(by reason: Stop) {
        if stop?.cuts != true { stop = reason }
    }

    /// Discards a natural reason to stop, since more of the answer has arrived after it.
    mutating func goOn() {
        if stop?.cuts == false { stop = nil }
    }

    mutating func fail(_ failure: Failure) -> [ReplyPart] {
        self.failure = failure
        isDone = true
        return []
    }

    /// Adds a piece of the answer's text. Some servers leave the reasoning in it, which is split off.
    mutating func add(text piece: String) -> [ReplyPart] {
        guard !piece.isEmpty else { return [] }
        return take(thought.feed(piece))
    }

    private mutating func take(_ parts: [ReplyPart]) -> [ReplyPart] {
        parts.flatMap { part in
            switch part {
            case .text(let piece): return say(hold.feed(blanks.feed(piece)))
            case .reasoning(let piece): reasoning += piece
            case .callStarted, .notice, .leftOut, .finished: break
            }
            return [part]
        }
    }

    private mutating func say(_ words: String) -> [ReplyPart] {
        text += words
        return words.isEmpty ? [] : [.text(words)]
    }

    mutating func add(reasoning piece: String) -> [ReplyPart] {
        guard !piece.isEmpty else { return [] }
        reasoning += piece
        return [.reasoning(piece)]
    }

    /// Adds a fragment of a call, in the form of Chat Completions: `{"index", "id", "function": {"name",
    /// "arguments"}}`.
    mutating func add(call fragment: JSON) -> [ReplyPart] {
        let name = calls.feed(fragment)
        guard !calls.isTooMany else {
            return fail(
                Failure(.modelBadReply, "The model asked for more than \(Limits.callsPerReply) calls at once."))
        }
        return name.map { [.callStarted(name: $0)] } ?? []
    }

    /// Returns the text that was held back until it was clear whether it is a thought or a call.
    mutating func flush() -> [ReplyPart] { take(thought.end()) + say(hold.end()) }

    /// Moves a thought from the text to the reasoning if only its end mark has arrived, because the server's template
    /// had written its beginning.
    mutating func moveUnopenedThought() {
        // An answer about such marks has other text around them.
        guard reasoning.isEmpty, let end = text.firstRange(of: ThoughtSplitter.close),
            !text[..<end.lowerBound].contains("`"),
            !text[..<end.lowerBound].contains(ThoughtSplitter.open), text[end.upperBound...].first?.isNewline ?? true
        else { return }
        reasoning = String(text[..<end.lowerBound])
        text = String(text[end.upperBound...].drop { $0.isWhitespace })
    }
}
