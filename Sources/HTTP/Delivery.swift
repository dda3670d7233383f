import Synchronization

/// The counter over which the curl thread hands one answer to one consumer: the head, then bytes, then the end.
///
/// Bytes go straight to a consumer that waits; else they are kept up to `HTTPLimits.bufferedBytes`, and then curl is paused.
final class Delivery: Sendable {
    typealias HeadResult = Result<HTTPResponse, HTTPFailure>
    typealias BytesResult = Result<[UInt8]?, HTTPFailure>

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
    }

    let request: HTTPRequest
    private let thread: CurlThread
    private let state = Mutex(State())

    init(_ request: HTTPRequest, by thread: CurlThread) {
        self.request = request
        self.thread = thread
    }

    // MARK: The curl thread's side

    var hasEnded: Bool { state.withLock { $0.end != nil } }

    func put(_ head: HTTPResponse) {
        let waiter = state.withLock { state in
            state.head = head
            return state.waiter.take()
        }
        if case .head(let continuation)? = waiter { continuation.resume(returning: .success(head)) }
    }

    /// - Returns: false if the consumer has enough for now: pause, and bring the same bytes again.
    func put(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
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
        case .hand(.head), .kept: break
        }
        return true
    }

    /// The first end counts: a cancel and the last byte may race.
    func finish(_ end: Result<Void, HTTPFailure>) {
        let waiter: Waiter? = state.withLock { state in
            guard state.end == nil else { return nil }
            state.end = end
            return state.waiter.take()
        }
        switch waiter {
        case .head(let continuation): continuation.resume(returning: Self.headless(end))
        case .bytes(let continuation): continuation.resume(returning: end.map { nil })
        case nil: break
        }
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

    /// All bytes that are there, or the next that come; `nil` at the end.
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

    /// Takes effect at once for the consumer; the connection closes soon after. Harmless after the end.
    func cancel() {
        finish(.failure(.cancelled))
        thread.post(.drop(self))
    }
}

extension Delivery.State {
    fileprivate mutating func takeBuffer() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }
}
