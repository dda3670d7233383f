import CProcess
import Files
import Glibc
import Synchronization
import Vocabulary

extension Limits {
    /// The most different refusals of the proxy that are recorded.
    fileprivate static let proxyNotes = 32
}

/// The only way out of the network of a command that names hosts. The proxy listens on the command's loopback, connects
/// from outside, and forwards only requests to the named hosts.
package final class HostProxy: Sendable {
    /// Returns the addresses of a host name. It blocks.
    package typealias Resolve = @Sendable (_ host: String, _ port: Int) -> [SocketAddress]

    private let over = Flag()
    private let hasEnded = Flag()
    package let log = ProxyLog()

    /// - Parameter listener: the socket that the command connects to.
    init(listener: borrowing OpenFile, hosts: [NamedHost], resolve: @escaping Resolve) throws(Failure) {
        // The thread has its own descriptor, so that the caller keeps its own.
        let own = fcntl(listener.descriptor, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else { throw fileFailure("open", "the network of the command") }
        let (over, hasEnded, log) = (over, hasEnded, log)
        let isRunning = OwnThread.start {
            do {
                var loop = ProxyLoop(
                    listener: OpenFile(adopting: own), hosts: hosts, resolve: resolve, over: over, log: log)
                loop.run()
            }
            hasEnded.raise()
        }
        guard isRunning else {
            close(own)
            throw Failure(.processFailed, "There is no thread for the network of the command.", isTransient: true)
        }
    }

    deinit { over.raise() }

    /// Ends every connection, and waits until that is done.
    func end() {
        over.raise()
        var one = pollfd(fd: hasEnded.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&one, 1, -1) < 0, errno == EINTR {}
    }

    /// The environment variables by which programs find the proxy. There is no other route, so no host is excepted.
    static let variables: [String] = {
        let url = "http://127.0.0.1:\(CPROCESS_PROXY)"
        return ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map {
            "\($0)=\(url)"
        }
            + ["no_proxy=", "NO_PROXY="]
    }()
}

/// A record of the hosts that a command contacted, the bytes in each direction, and the refusals.
package final class ProxyLog: Sendable {
    package struct Host: Hashable {
        package var name: String
        package var sent = 0
        package var received = 0

        package init(name: String, sent: Int = 0, received: Int = 0) {
            self.name = name
            self.sent = sent
            self.received = received
        }
    }

    private struct State {
        var hosts: [Host] = []
        var refusals: [String] = []
        var bytes = 0
    }

    private let state = Mutex(State())

    package var hosts: [Host] { state.withLock { $0.hosts } }
    /// The first `Limits.proxyNotes` refusals, as sentences, each once.
    package var refusals: [String] { state.withLock { $0.refusals } }
    var isFull: Bool { state.withLock { $0.bytes >= Limits.proxyBytes } }

    func add(_ host: String, sent: Int, received: Int) {
        state.withLock { state in
            state.bytes += sent + received
            let place = state.hosts.firstIndex { $0.name == host } ?? state.hosts.count
            if place == state.hosts.count { state.hosts.append(Host(name: host)) }
            state.hosts[place].sent += sent
            state.hosts[place].received += received
        }
    }

    func refused(_ words: String) {
        state.withLock { state in
            if state.refusals.count < Limits.proxyNotes, !state.refusals.contains(words) {
                state.refusals.append(words)
            }
        }
    }
}
