import JSON
import Vocabulary

/// What has come of a reply so far, in the words of no dialect. Readers of dialects fill it; the verdict is made of it
/// alone, so that one table holds for all (`wire.md` LLM 5).
struct ReplyDraft {
    /// Why the model stopped, as its server says.
    enum Stop: Hashable {
        /// It had said all, or wants its calls answered.
        case natural
        /// It wants its calls answered: there must be some.
        case calls
        case length
        /// The server gave the answer up.
        case givenUp
        case filtered
        case failed

        /// What comes after it does not make the answer whole.
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
    /// A call in the old form of one for each message, which some servers send beside the new one.
    var oldCall: CallAssembler
    /// A reason that cuts stays, whatever the server says later.
    private(set) var stop: Stop?
    var usage: Reply.Usage?
    /// What must come back with the message.
    var opaque = JSON.Object()
    /// Whether anything has come that only this dialect sends.
    var isAnswer = false
    private(set) var failure: Failure?
    /// Nothing that comes after the end, or after a failure, counts.
    private(set) var isDone = false
    private var thought = ThoughtSplitter()
    private var blanks = BlankLineFolder()
    private var hold = CallHold()

    init(echoFields: Set<String>) {
        calls = CallAssembler(echoFields: echoFields)
        oldCall = CallAssembler(echoFields: [])
    }

    /// The terminal mark has come.
    mutating func close() { isDone = true }

    /// The server says why the model stopped: some say it more than once.
    mutating func stop(by reason: Stop) {
        if stop?.cuts != true { stop = reason }
    }

    /// A reason to finish that came before more of the answer was none.
    mutating func goOn() {
        if stop?.cuts == false { stop = nil }
    }

    mutating func fail(_ failure: Failure) -> [ReplyPart] {
        self.failure = failure
        isDone = true
        return []
    }

    /// More of the answer, in which some servers leave the thoughts.
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

    /// A piece of a call, in the form of Chat Completions: `{"index", "id", "function": {"name", "arguments"}}`.
    mutating func add(call fragment: JSON) -> [ReplyPart] {
        let name = calls.feed(fragment)
        guard !calls.isTooMany else {
            return fail(
                Failure("modelBadReply", "The model asked for more than \(Limits.callsPerReply) calls at once."))
        }
        return name.map { [.callStarted(name: $0)] } ?? []
    }

    /// Returns the text that was held back until it was clear whether it is a thought, or a call.
    mutating func flush() -> [ReplyPart] { take(thought.end()) + say(hold.end()) }

    /// A thought whose beginning the server's template has written itself: only its end comes.
    mutating func moveUnopenedThought() {
        // An answer about such marks has other words around them.
        guard reasoning.isEmpty, let end = text.firstRange(of: ThoughtSplitter.close),
            !text[..<end.lowerBound].contains("`"),
            !text[..<end.lowerBound].contains(ThoughtSplitter.open), text[end.upperBound...].first?.isNewline ?? true
        else { return }
        reasoning = String(text[..<end.lowerBound])
        text = String(text[end.upperBound...].drop { $0.isWhitespace })
    }
}
