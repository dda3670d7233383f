import Glibc
import Synchronization

/// The requests of other threads to the editor's thread. Posting never blocks, and a burst of pieces wakes it once.
final class EditorMailbox: Sendable {
    enum News {
        case lines([StyledText]), picture(TerminalPicture), illustration([StyledText], TerminalPicture), clipboard(
            String), piece(String),
            endOfStream
    }

    /// A line for the input line.
    struct OfferedLine {
        let text: String
        /// Whether the user has written it, so that it is edited like typed text.
        var isOwn = false
        /// Whether the user has asked for it by a key, so that Enter sends it at once.
        var isAsked = false
    }

    struct PendingQuestion {
        let number: Int
        let question: KeyQuestion
        let answer: CheckedContinuation<KeyQuestion.Answer, Never>
    }

    /// A request to use the terminal for a while.
    struct Loan {
        let body: @Sendable (Int32) -> Void
        let done: CheckedContinuation<Bool, Never>
    }

    struct State {
        var news: [News] = []
        /// The signals that wait to be sent. They draw nothing, so a question does not hold them up.
        var signals: [TerminalSignal] = []
        var prompt: StyledText?
        var status: [StyledText]?
        var isBusy = false
        /// Whether lines of the user wait for their turn.
        var hasQueue = false
        /// The line that is offered to the user, or put back.
        var offer: OfferedLine?
        /// Whether the dialogue has ended during which only questions are read.
        var endsHold = false
        var questions: [PendingQuestion] = []
        var withdrawn: Set<Int> = []
        var lastQuestion = 0
        var loans: [Loan] = []
        var isClosing = false
        var hasEnded = false
        var closers: [CheckedContinuation<Void, Never>] = []
        fileprivate var isSignalled = false

        /// Removes those pictures from the news that may be drawn below a question, and returns them.
        mutating func takeIllustrations() -> [([StyledText], TerminalPicture)] {
            var taken: [([StyledText], TerminalPicture)] = []
            news.removeAll { item in
                guard case .illustration(let caption, let picture) = item else { return false }
                taken.append((caption, picture))
                return true
            }
            return taken
        }

        mutating func add(_ item: News) {
            if case .piece(let more) = item, case .piece(let text)? = news.last {
                // Removed first, so that the string grows in place.
                news.removeLast()
                news.append(.piece(text + more))
            } else {
                news.append(item)
            }
        }
    }

    /// The meaning of a byte in the pipe.
    enum Signal: UInt8 { case mail = 1, resize, resumed, interrupted }

    let state = Mutex(State())
    let wake: Int32
    private let waker: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (wake, waker) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(wake)
        Glibc.close(waker)
    }

    func post<Result: Sendable>(_ change: (inout sending State) -> sending Result) -> Result {
        let (result, isFirst) = state.withLock { state in
            let result = change(&state)
            defer { state.isSignalled = true }
            return (result, !state.isSignalled)
        }
        if isFirst { signal(.mail) }
        return result
    }

    func signal(_ signal: Signal) {
        var byte = signal.rawValue
        _ = write(waker, &byte, 1)
    }

    /// Empties the pipe, and returns the bytes that were in it. Later posts wake the thread again.
    func receive() -> Set<UInt8> {
        var buffer = [UInt8](repeating: 0, count: 256)
        var signals: Set<UInt8> = []
        while true {
            let count = read(wake, &buffer, buffer.count)
            if count <= 0 { break }
            signals.formUnion(buffer.prefix(count))
        }
        state.withLock { $0.isSignalled = false }
        return signals
    }

    /// Returns whether the dialogue has ended since the last call.
    func takeEndOfHold() -> Bool {
        state.withLock { state in
            defer { state.endsHold = false }
            return state.endsHold
        }
    }

    func takeSignals() -> [TerminalSignal] {
        state.withLock { state in
            defer { state.signals = [] }
            return state.signals
        }
    }

    func takeOffer() -> OfferedLine? {
        state.withLock { state in
            defer { state.offer = nil }
            return state.offer
        }
    }

    // MARK: - Signals of the process

    private static let listener = Atomic<Int32>(-1)

    /// Makes SIGWINCH and SIGCONT wake this mailbox.
    func listenToSignals() {
        Self.listener.store(waker, ordering: .releasing)
        let handler: @convention(c) (Int32) -> Void = { signal in
            let kept = errno
            var byte = signal == SIGWINCH ? Signal.resize.rawValue : Signal.resumed.rawValue
            _ = write(EditorMailbox.listener.load(ordering: .acquiring), &byte, 1)
            errno = kept
        }
        _ = Glibc.signal(SIGWINCH, handler)
        _ = Glibc.signal(SIGCONT, handler)
    }

    func stopListening() {
        if Self.listener.compareExchange(expected: waker, desired: -1, ordering: .acquiringAndReleasing).exchanged {
            _ = Glibc.signal(SIGWINCH, SIG_DFL)
            _ = Glibc.signal(SIGCONT, SIG_DFL)
        }
    }
}
