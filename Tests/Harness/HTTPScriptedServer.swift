import Glibc
import Synchronization

/// A small HTTP/1.1 server on a free port of 127.0.0.1 that does what a test tells it. It ends with `stop`, or with its last reference.
package final class ScriptedServer: Sendable {
    private let threads: ScriptThreads

    /// - Parameter answer: called on the connection's thread, in the order of its requests. It may block.
    package init(_ answer: @escaping @Sendable (ScriptRequest) -> ScriptAnswer) throws {
        threads = try ScriptThreads(answer)
    }

    /// Gives the answers one after the other, whatever is asked; then 500.
    package convenience init(_ script: [ScriptAnswer]) throws {
        let left = Script(script)
        try self.init { _ in left.next() ?? .text("the script is over", status: 500) }
    }

    /// By path without query; 404 elsewhere.
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
    /// Bytes of all answers that the kernel took.
    package var sentBytes: Int { threads.state.withLock { $0.sentBytes } }
    /// Connections that neither side has ended.
    package var openConnections: Int { threads.state.withLock { $0.open.count } }

    /// Cuts every connection and waits for the threads. May be called twice.
    package func stop() { threads.stop() }

    private final class Script: Sendable {
        private let left: Mutex<[ScriptAnswer]>

        init(_ answers: [ScriptAnswer]) { left = Mutex(answers) }

        func next() -> ScriptAnswer? { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }
}

/// What the server's threads share, and keep until they end.
final class ScriptThreads: Sendable {
    struct State {
        var requests: [ScriptRequest] = []
        var open: [ObjectIdentifier: ScriptConnection] = [:]
        var threads: [pthread_t] = []
        var sentBytes = 0
        var isStopped = false
    }

    let port: Int
    let answer: @Sendable (ScriptRequest) -> ScriptAnswer
    let state = Mutex(State())
    private let listener: ScriptSocket

    init(_ answer: @escaping @Sendable (ScriptRequest) -> ScriptAnswer) throws {
        (listener, port) = try ScriptSocket.bound(backlog: 128)
        self.answer = answer
        spawn { [self] in
            while let socket = listener.accepted() { serve(socket) }
        }
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func stop() {
        let (open, threads) = state.withLock { state in
            state.isStopped = true
            defer { state.threads = [] }
            return (Array(state.open.values), state.threads)
        }
        listener.shutDown()
        for connection in open { connection.socket.shutDown() }
        for thread in threads { pthread_join(thread, nil) }
        if !threads.isEmpty { listener.close() }
    }

    private func serve(_ socket: ScriptSocket) {
        let connection = ScriptConnection(socket)
        state.withLock { $0.open[ObjectIdentifier(connection)] = connection }
        spawn { [self] in
            connection.run(for: self)
            state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
            socket.close()
        }
    }

    /// Under the lock, so that `stop` misses no thread.
    private func spawn(_ work: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let thread = startThread(work)
            if state.isStopped { pthread_detach(thread) } else { state.threads.append(thread) }
        }
    }
}

/// A port of 127.0.0.1 at which nobody listens, and that nobody else gets meanwhile.
package final class ScriptedRefusingPort: Sendable {
    package let port: Int
    private let socket: ScriptSocket

    package init() throws {
        (socket, port) = try ScriptSocket.bound(backlog: nil)
    }

    deinit { socket.close() }
}

/// A port of 127.0.0.1 whose queue of connections is full: connecting to it takes for ever.
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
