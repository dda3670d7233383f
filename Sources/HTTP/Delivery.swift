import Synchronization

/// The transfer of one answer from the curl thread to one consumer: the head, then bytes, then the end.
///
/// Bytes go directly to a consumer that waits. Otherwise they are buffered up to `HTTPLimits.bufferedBytes`, and then
/// curl is paused.
final class Delivery: Sendable {
    typealias HeadResult = Result<HTTPResponse, HTTPFailure>
    typealias BytesResult = Result<[UInt8]?, HTTPFailure>
    typealias WholeResult = Result<(HTTPResponse, [UInt8]), HTTPFailure>

    fileprivate struct State {
        var head: HTTPResponse?
        var buffer: [UInt8] = []
        var isPaused = false
        var end: Result<Void, HTTPFailure>?
        var waiter: Waiter?
    }

    fileprivate enum Waiter {
        case head(CheckedContinuation<HeadResult, Never>)
        case bytes(CheckedContinuation<BytesResult, Never>)
        case whole(@Sendable (WholeResult) -> Void)
    }

    let request: HTTPRequest
    /// Whether the consumer needs the whole answer (`whole`). It is then woken once, not for each piece.
    private let isCollected: Bool
    private let thread: CurlThread
    private let state = Mutex(State())

    init(_ request: HTTPRequest, isCollected: Bool = false, by thread: CurlThread) {
        self.request = request
        self.isCollected = isCollected
        self.thread = thread
    }

    // MARK: The curl thread's side

    var hasEnded: Bool { state.withLock { $0.end != nil } }
    /// Whether the server waits for the consumer.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    func put(_ head: HTTPResponse) {
        let waiter = state.withLock { state in
            state.head = head
            return isCollected ? nil : state.waiter.take()
        }
        if case .head(let continuation)? = waiter { continuation.resume(returning: .success(head)) }
    }

    /// Hands bytes to the consumer, or buffers them.
    ///
    /// - Returns: false if the buffer is full. Then curl must pause, and deliver the same bytes again.
    func put(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isCollected else { return keep(bytes) }
        enum Next { case pause, kept, hand(Waiter) }
        let next: Next = state.withLock { state in
            if let waiter = state.waiter.take() { return .hand(waiter) }
            guard state.buffer.count < HTTPLimits.bufferedBytes else {
                state.isPaused = true
                return .pause
            }
            state.buffer.append(contentsOf: bytes)
            return .kept
        }
        switch next {
        case .pause: return false
        case .hand(.bytes(let continuation)): continuation.resume(returning: .success(Array(bytes)))
        case .hand(.head), .hand(.whole), .kept: break
        }
        return true
    }

    private func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let fits = state.withLock { state in
            guard state.buffer.count + bytes.count <= request.maxBodyBytes else { return false }
            state.buffer.append(contentsOf: bytes)
            return true
        }
        if !fits, finish(.failure(.tooLarge(limit: request.maxBodyBytes))) { thread.post(.drop(self)) }
        return fits
    }

    /// Ends the delivery. Only the first end counts, since a cancel and the last byte may race.
    ///
    /// - Returns: whether this was the first end.
    @discardableResult
    func finish(_ end: Result<Void, HTTPFailure>) -> Bool {
        let (isFirst, waiter, whole): (Bool, Waiter?, WholeResult?) = state.withLock { state in
            guard state.end == nil else { return (false, nil, nil) }
            state.end = end
            let waiter = state.waiter.take()
            guard case .whole? = waiter else { return (true, waiter, nil) }
            return (true, waiter, state.takeWhole(end))
        }
        switch waiter {
        case .head(let continuation): continuation.resume(returning: Self.headless(end))
        case .bytes(let continuation): continuation.resume(returning: end.map { nil })
        case .whole(let then): if let whole { then(whole) }
        case nil: break
        }
        return isFirst
    }

    private static func headless(_ end: Result<Void, HTTPFailure>) -> HeadResult {
        end.flatMap { .failure(.truncated(words: "it had no head")) }
    }

    // MARK: The consumer's side

    func head() async throws(HTTPFailure) -> HTTPResponse {
        let result: HeadResult = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: HeadResult? = state.withLock { state in
                    if let head = state.head { return .success(head) }
                    if let end = state.end { return Self.headless(end) }
                    state.waiter = .head(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Returns head and body, once both are complete.
    func whole() async throws(HTTPFailure) -> (HTTPResponse, [UInt8]) {
        let result: WholeResult = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                whole { continuation.resume(returning: $0) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Calls `then` with head and body, once both are complete.
    ///
    /// - Parameter then: called once, mostly on the curl thread, so it must be quick.
    func whole(_ then: @escaping @Sendable (WholeResult) -> Void) {
        let known: WholeResult? = state.withLock { state in
            if let end = state.end { return state.takeWhole(end) }
            state.waiter = .whole(then)
            return nil
        }
        if let known { then(known) }
    }

    /// Returns all buffered bytes, or waits for the next ones. Returns nil at the end.
    func bytes() async throws(HTTPFailure) -> [UInt8]? {
        let result: BytesResult = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (known, unpauses): (BytesResult?, Bool) = state.withLock { state in
                    precondition(state.waiter == nil, "a body has one reader")
                    let unpauses = state.isPaused && state.end == nil
                    state.isPaused = false
                    if case .failure(.cancelled)? = state.end { return (.failure(.cancelled), false) }
                    if !state.buffer.isEmpty { return (.success(state.takeBuffer()), unpauses) }
                    if let end = state.end { return (end.map { nil }, false) }
                    state.waiter = .bytes(continuation)
                    return (nil, unpauses)
                }
                if unpauses { thread.post(.unpause(self)) }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Ends the delivery at once for the consumer. The connection closes soon after. A call after the end has no
    /// effect.
    func cancel() {
        // A transfer that has ended is no longer on the thread. Waking it would cost as much as a small request.
        if finish(.failure(.cancelled)) { thread.post(.drop(self)) }
    }
}

extension Delivery.State {
    fileprivate mutating func takeWhole(_ end: Result<Void, HTTPFailure>) -> Delivery.WholeResult {
        switch end {
        case .failure(let failure): .failure(failure)
        case .success: head.map { .success(($0, takeBuffer())) } ?? .failure(.truncated(words: "it had no head"))
        }
    }

    fileprivate mutating func takeBuffer() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }
}
