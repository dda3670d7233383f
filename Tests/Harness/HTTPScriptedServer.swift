import Glibc
import Synchronization

/// A small HTTP/1.1 server on a free port of 127.0.0.1 that follows the script of a test. It ends with `stop`, or with
/// its last reference.
package final class ScriptedServer: Sendable {
    private let threads: ScriptThreads

    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - isRecording: whether `requests` is kept. One that runs for hours keeps its own books.
    ///   - clock: by which it waits.
    ///   - answer: called on the connection's thread, in the order of its requests. It may block.
    package init(
        port: Int = 0, isRecording: Bool = true, clock: ScriptClock = ScriptClock(),
        _ answer: @escaping @Sendable (ScriptRequest) -> ScriptAnswer
    ) throws {
        threads = try ScriptThreads(port: port, isRecording: isRecording, clock: clock, answer)
    }

    /// Creates a server that gives the answers in order, for any requests. Later requests get 500.
    package convenience init(_ script: [ScriptAnswer]) throws {
        let left = Script(script)
        try self.init { _ in left.next() ?? .text("the script is over", status: 500) }
    }

    /// Creates a server that answers by path without query. Other paths get 404.
    package convenience init(routes: [String: @Sendable (ScriptRequest) -> ScriptAnswer]) throws {
        try self.init { request in
            let path = String(request.path.prefix { $0 != "?" })
            return routes[path]?(request) ?? .text("nothing at \(path)", status: 404)
        }
    }

    deinit { threads.stop() }

    package var port: Int { threads.port }
    /// `http://127.0.0.1:PORT`
    package var url: String { "http://127.0.0.1:\(port)" }
    package var requests: [ScriptRequest] { threads.state.withLock { $0.requests } }
    /// The bytes of all answers that the kernel has accepted.
    package var sentBytes: Int { threads.state.withLock { $0.sentBytes } }
    /// The number of connections that neither side has ended.
    package var openConnections: Int { threads.state.withLock { $0.open.count } }

    /// Cuts all connections except `connection` and stops listening, so that new connections are refused until
    /// `listen`. The port stays reserved.
    package func refuse(sparing connection: Int? = nil) { threads.refuse(sparing: connection) }

    /// Listens again after `refuse`.
    package func listen() throws { try threads.listen() }

    /// Cuts all connections and waits for the threads. May be called twice.
    package func stop() { threads.stop() }

    private final class Script: Sendable {
        private let left: Mutex<[ScriptAnswer]>

        init(_ answers: [ScriptAnswer]) { left = Mutex(answers) }

        func next() -> ScriptAnswer? { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }
}

/// The state that the server's threads share and keep until they end.
final class ScriptThreads: Sendable {
    struct State {
        var requests: [ScriptRequest] = []
        var open: [Int: ScriptConnection] = [:]
        /// The threads that have not ended, each by a number of its own.
        var threads: [Int: pthread_t] = [:]
        var started = 0
        var connections = 0
        var sentBytes = 0
        var isStopped = false
        var listener: ScriptSocket?
    }

    let port: Int
    let answer: @Sendable (ScriptRequest) -> ScriptAnswer
    let clock: ScriptClock
    let state = Mutex(State())
    private let isRecording: Bool
    /// A bound socket that never listens. It reserves the port while the server does not listen.
    private let holder: ScriptSocket

    init(
        port: Int, isRecording: Bool, clock: ScriptClock, _ answer: @escaping @Sendable (ScriptRequest) -> ScriptAnswer
    ) throws {
        (holder, self.port) = try ScriptSocket.bound(port: port, backlog: nil)
        self.isRecording = isRecording
        self.clock = clock
        self.answer = answer
        try listen()
    }

    deinit { holder.close() }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func record(_ request: ScriptRequest) {
        if isRecording { state.withLock { $0.requests.append(request) } }
    }

    func listen() throws {
        guard state.withLock({ !$0.isStopped && $0.listener == nil }) else { return }
        let (listener, _) = try ScriptSocket.bound(port: port, backlog: 1024)
        state.withLock { $0.listener = listener }
        spawn { [self] in
            while let socket = listener.accepted() { serve(socket, of: listener) }
            state.withLock { if $0.listener?.descriptor == listener.descriptor { $0.listener = nil } }
            listener.close()
        }
    }

    func refuse(sparing spared: Int?) {
        state.withLock { state in
            state.listener?.shutDown()
            state.listener = nil
            for (number, connection) in state.open where number != spared { connection.socket.shutDown() }
        }
    }

    func stop() {
        let threads = state.withLock { state in
            state.isStopped = true
            state.listener?.shutDown()
            // Under the lock: a descriptor that was closed may be another's already.
            for connection in state.open.values { connection.socket.shutDown() }
            defer { state.threads = [:] }
            return state.threads.values
        }
        for thread in threads { pthread_join(thread, nil) }
    }

    private func serve(_ socket: ScriptSocket, of listener: ScriptSocket) {
        let connection = state.withLock { state in
            state.connections += 1
            let connection = ScriptConnection(socket, number: state.connections)
            state.open[connection.number] = connection
            // Taken at the last moment.
            if state.isStopped || state.listener?.descriptor != listener.descriptor { socket.shutDown() }
            return connection
        }
        spawn { [self] in
            connection.run(for: self)
            state.withLock { _ = $0.open.removeValue(forKey: connection.number) }
            socket.close()
        }
    }

    /// Starts a thread under the lock, so that `stop` misses none. A thread that ends before `stop` removes itself from
    /// the list.
    private func spawn(_ work: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.started += 1
            let number = state.started
            let thread = startThread { [self] in
                work()
                self.state.withLock {
                    if let thread = $0.threads.removeValue(forKey: number) { pthread_detach(thread) }
                }
            }
            if state.isStopped { pthread_detach(thread) } else { state.threads[number] = thread }
        }
    }
}

/// A reserved port of 127.0.0.1 at which no process listens, so that connections are refused.
package final class ScriptedRefusingPort: Sendable {
    package let port: Int
    private let socket: ScriptSocket

    package init() throws {
        (socket, port) = try ScriptSocket.bound(backlog: nil)
    }

    deinit { socket.close() }
}

/// A port of 127.0.0.1 whose queue of connections is full, so that connecting to it never ends.
package final class ScriptedDeafPort: Sendable {
    package let port: Int
    private let sockets: [ScriptSocket]

    package init() throws {
        let (listener, port) = try ScriptSocket.bound(backlog: 0)
        self.port = port
        sockets = [listener] + (0..<4).map { _ in ScriptSocket.connecting(toPort: port) }
    }

    deinit { for socket in sockets { socket.close() } }
}
