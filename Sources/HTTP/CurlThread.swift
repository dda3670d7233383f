import CCurl
import Glibc
import Synchronization

/// The one thread on which libcurl is used. Other threads send it commands. They make only one libcurl call, which
/// wakes it.
final class CurlThread: Sendable {
    enum Command: Sendable {
        case start(Delivery)
        case unpause(Delivery)
        case drop(Delivery)
        case stop
    }

    fileprivate struct Queue {
        var commands: [Command] = []
        /// Whether the thread has ended. Then it must not be woken, since its multi handle does not exist any more.
        var isClosed = false
    }

    /// libcurl allows `curl_multi_wakeup` from any thread.
    private struct Multi: @unchecked Sendable { let handle: OpaquePointer }

    private static let idleHandles = 64
    private static let idleConnections = 64
    private static let crowd = 4
    private static let patienceMicroseconds: UInt32 = 500
    private static let libraryIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    private let queue = Mutex(Queue())
    private let multi: Multi
    private let network: NetworkSettings
    private let now: @Sendable () -> SuspendingClock.Instant

    /// Starts the thread. Fails if the system cannot start another one.
    init?(_ network: NetworkSettings, now: @escaping @Sendable () -> SuspendingClock.Instant) {
        guard Self.libraryIsReady, let handle = curl_multi_init() else { return nil }
        multi = Multi(handle: handle)
        self.network = network
        self.now = now
        // A connection for each transfer: a paused transfer on a shared one would delay the others, or fill memory for
        // them.
        ccurl_multi_set_long(handle, CURLMOPT_PIPELINING, 0)
        // By default libcurl keeps four idle connections for each transfer, so after a burst of status checks it closed
        // nearly all of them.
        ccurl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, Self.idleConnections)
        let me = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { me in
                ccurl_thread_name("curl")
                blockSignals()
                if let me { Unmanaged<CurlThread>.fromOpaque(me).takeRetainedValue().run() }
                return nil
            }, me.toOpaque())
        guard result == 0 else {
            me.release()
            return nil
        }
        pthread_detach(thread)
    }

    func post(_ command: Command) {
        queue.withLock { queue in
            guard !queue.isClosed else { return }
            queue.commands.append(command)
            if queue.commands.count == 1 { curl_multi_wakeup(multi.handle) }
        }
    }

    // MARK: On the thread

    /// The transfers in progress, and idle handles.
    private struct Exchanges {
        var all: [ObjectIdentifier: Exchange] = [:]
        /// A time before which no deadline lies. Arriving bytes only move deadlines later, so the soonest one need not
        /// be computed again until this time has passed.
        var soonest: SuspendingClock.Instant?
        /// Idle handles for later requests, since making one costs more than a small request.
        var idle: [OpaquePointer] = []

        mutating func expect(_ deadline: SuspendingClock.Instant?) {
            if let deadline { soonest = soonest.map { min($0, deadline) } ?? deadline }
        }
    }

    private func run() {
        var exchanges = Exchanges()
        while obey(&exchanges) {
            var running: Int32 = 0
            curl_multi_perform(multi.handle, &running)
            for exchange in exchanges.all.values { exchange.lookAtUpload() }
            collectFinished(&exchanges)
            collectOverdue(&exchanges)
            let wait = exchanges.soonest.map { milliseconds(until: $0) }
            curl_multi_poll(multi.handle, nil, 0, min(wait ?? .max, 60_000), nil)
            // Each round asks the kernel about every connection. With many connections, a short pause turns many rounds
            // into one.
            if exchanges.all.count > Self.crowd { usleep(Self.patienceMicroseconds) }
        }
        for exchange in exchanges.all.values { exchange.delivery.finish(.failure(.cancelled)) }
        for delivery in exchanges.all.values.map(\.delivery) { remove(delivery, from: &exchanges) }
        for handle in exchanges.idle { curl_easy_cleanup(handle) }
        curl_multi_cleanup(multi.handle)
    }

    /// Executes the queued commands.
    ///
    /// - Returns: false after the command to stop.
    private func obey(_ exchanges: inout Exchanges) -> Bool {
        for command in queue.withLock({ $0.take() }) {
            switch command {
            case .start(let delivery): start(delivery, in: &exchanges)
            case .unpause(let delivery):
                exchanges.all[ObjectIdentifier(delivery)]?.unpause()
                exchanges.expect(exchanges.all[ObjectIdentifier(delivery)]?.deadline)
            case .drop(let delivery): remove(delivery, from: &exchanges)
            case .stop: return false
            }
        }
        return true
    }

    private func start(_ delivery: Delivery, in exchanges: inout Exchanges) {
        guard !delivery.hasEnded else { return }
        guard let handle = exchanges.idle.popLast() ?? curl_easy_init() else {
            delivery.finish(.failure(.other(code: Int(CURLE_OUT_OF_MEMORY.rawValue), words: "no memory for a request")))
            return
        }
        let exchange = Exchange(delivery, on: handle, now: now, network: network)
        exchanges.all[ObjectIdentifier(delivery)] = exchange
        exchanges.expect(exchange.deadline)
        curl_multi_add_handle(multi.handle, exchange.handle)
    }

    private func collectFinished(_ exchanges: inout Exchanges) {
        var code = CURLE_OK
        while let handle = ccurl_multi_next_done(multi.handle, &code) {
            guard let exchange = Exchange.of(handle) else { continue }
            exchange.finish(code)
            remove(exchange.delivery, from: &exchanges)
        }
    }

    private func collectOverdue(_ exchanges: inout Exchanges) {
        let now = now()
        guard let soonest = exchanges.soonest, now >= soonest else { return }
        for exchange in exchanges.all.values {
            guard let failure = exchange.overdue(at: now) else { continue }
            exchange.delivery.finish(.failure(failure))
            remove(exchange.delivery, from: &exchanges)
        }
        exchanges.soonest = exchanges.all.values.lazy.compactMap(\.deadline).min()
    }

    private func remove(_ delivery: Delivery, from exchanges: inout Exchanges) {
        guard let exchange = exchanges.all.removeValue(forKey: ObjectIdentifier(delivery)) else { return }
        curl_multi_remove_handle(multi.handle, exchange.handle)
        guard exchanges.idle.count < Self.idleHandles else { return curl_easy_cleanup(exchange.handle) }
        curl_easy_reset(exchange.handle)
        exchanges.idle.append(exchange.handle)
    }

    private func milliseconds(until deadline: SuspendingClock.Instant) -> Int32 {
        let (seconds, attoseconds) = (deadline - now()).components
        // One more, or the thread would wake just before the time and spin.
        return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
    }
}

extension CurlThread.Queue {
    fileprivate mutating func take() -> [CurlThread.Command] {
        defer {
            isClosed = commands.contains { if case .stop = $0 { true } else { false } }
            commands = []
        }
        return commands
    }
}

/// Blocks all signals on this thread. They belong to the main thread, and a write to a connection that OpenSSL finds
/// closed must not end the program (SIGPIPE).
private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
}
