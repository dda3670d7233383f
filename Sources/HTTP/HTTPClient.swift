import Synchronization

/// A client that sends requests. Making one is cheap: its thread starts with the first request, and ends with the
/// client and its last body.
package final class HTTPClient: Sendable {
    private let network: NetworkSettings
    private let now: @Sendable () -> SuspendingClock.Instant
    private let thread = Mutex<CurlThread?>(nil)

    /// Creates a client.
    ///
    /// - Parameter now: the clock of idle and total timeouts. (The timeout of connecting uses libcurl's own.)
    package init(
        _ network: NetworkSettings = .ofThisProcess(),
        now: @escaping @Sendable () -> SuspendingClock.Instant = { SuspendingClock.now }
    ) {
        self.network = network
        self.now = now
    }

    deinit {
        thread.withLock { $0?.post(.stop) }
    }

    /// Sends a request, and returns the head as soon as it has arrived, with the body as a stream. Any status is an
    /// answer. Cancelling the task, or releasing the body, ends the transfer.
    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> (HTTPResponse, HTTPBody) {
        try await following(request) { request throws(HTTPFailure) in
            let body = HTTPBody(try started(request, isCollected: false), client: self)
            return (try await body.lease.delivery.head(), body)
        }
    }

    /// Sends a request, and returns the whole answer. Throws `tooLarge` if its body passes `maxBodyBytes`. For small
    /// answers: the caller is woken only once.
    package func collect(_ request: HTTPRequest) async throws(HTTPFailure) -> (HTTPResponse, [UInt8]) {
        try await following(request) { request throws(HTTPFailure) in
            try await started(request, isCollected: true).whole()
        }
    }

    /// Sends a request without a task, for many small requests. Does not follow redirects.
    ///
    /// - Parameter then: called once, mostly on the curl thread. All transfers wait meanwhile, so it must be quick.
    package func collect(
        _ request: HTTPRequest, then: @escaping @Sendable (Result<(HTTPResponse, [UInt8]), HTTPFailure>) -> Void
    ) {
        var request = request
        request.timeouts = request.timeouts.bounded
        do throws(HTTPFailure) {
            // The client must live until the answer is complete.
            try started(request, isCollected: true).whole { [self] result in withExtendedLifetime(self) { then(result) }
            }
        } catch {
            then(.failure(error))
        }
    }

    private func following<Body>(
        _ request: HTTPRequest, _ sendOnce: (HTTPRequest) async throws(HTTPFailure) -> (HTTPResponse, Body)
    ) async throws(HTTPFailure) -> (HTTPResponse, Body) {
        var request = request
        request.timeouts = request.timeouts.bounded
        var hop = 0
        while true {
            // A transfer that has begun may have sent something before it is cancelled.
            guard !Task.isCancelled else { throw .cancelled }
            let (response, body) = try await sendOnce(request)
            switch Redirect(of: response, to: request, hop: hop) {
            case .none: return (response, body)
            case .refuse(let failure): throw failure
            case .follow(let next): request = next
            }
            hop += 1
        }
    }

    private func started(_ request: HTTPRequest, isCollected: Bool) throws(HTTPFailure) -> Delivery {
        try check(request)
        let thread = try startedThread()
        let delivery = Delivery(request, isCollected: isCollected, by: thread)
        thread.post(.start(delivery))
        return delivery
    }

    private func check(_ request: HTTPRequest) throws(HTTPFailure) {
        guard Origin(of: request.url) != nil else {
            throw .invalidRequest(words: "its address is no http or https URL")
        }
        guard request.method.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }),
            !request.method.isEmpty
        else {
            throw .invalidRequest(words: "its method is no word in capital letters")
        }
        guard request.headers.fields.allSatisfy(\.isWellFormed) else {
            throw .invalidRequest(words: "a header has a character that headers must not have")
        }
    }

    private func startedThread() throws(HTTPFailure) -> CurlThread {
        let started = thread.withLock { thread in
            if thread == nil { thread = CurlThread(network, now: now) }
            return thread
        }
        guard let started else { throw .other(code: 27, words: "no thread could be started") }
        return started
    }
}
