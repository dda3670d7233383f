import CProcess
import Files
import Glibc
import Synchronization
import Vocabulary

extension Limits {
    /// The most connections of a command's proxy at once. Further ones wait.
    fileprivate static let proxyConnections = 64

    /// The most addresses of a host that are tried.
    fileprivate static let proxyAddresses = 4
}

/// The loop that the thread of a proxy runs. It waits in one place only.
struct ProxyLoop: ~Copyable {
    private let listener: OpenFile
    private let hosts: [NamedHost]
    private let resolve: HostProxy.Resolve
    private let over: Flag
    private let log: ProxyLog
    private let names = ResolvedNames()
    private var connections: [Int: ProxyConnection] = [:]
    private var count = 0

    init(
        listener: consuming OpenFile, hosts: [NamedHost], resolve: @escaping HostProxy.Resolve, over: Flag,
        log: ProxyLog
    ) {
        self.listener = listener
        self.hosts = hosts
        self.resolve = resolve
        self.over = over
        self.log = log
        _ = fcntl(self.listener.descriptor, F_SETFL, O_NONBLOCK)
    }

    mutating func run() {
        while !over.isRaised { round() }
    }

    private mutating func round() {
        var waits = [over.descriptor, names.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if connections.count < Limits.proxyConnections {
            waits.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
        }
        for connection in connections.values { waits += connection.waits }
        poll(&waits, nfds_t(waits.count), connections.isEmpty ? -1 : 1000)
        guard !over.isRaised else { return }
        let now = Self.now()
        for (id, addresses) in names.take() { resolved(id, addresses, now) }
        let ready = Set(waits.filter { $0.revents != 0 }.map(\.fd))
        for (id, connection) in connections.sorted(by: { $0.key < $1.key }) {
            if connection.waits.contains(where: { ready.contains($0.fd) }) { go(on: connection, id, now) }
            if connection.isIdle(at: now) { connection.end() }
            if case .over = connection.stage { connections[id] = nil }
        }
        guard ready.contains(listener.descriptor) else { return }
        let client = ProxySockets.accept(listener.descriptor)
        guard client >= 0 else { return }
        count += 1
        connections[count] = ProxyConnection(client, now: now)
    }

    private mutating func go(on connection: ProxyConnection, _ id: Int, _ now: Int64) {
        guard case .asking = connection.stage else { return relay(connection, now) }
        switch connection.hear(now: now, hosts: hosts) {
        case .incomplete: break
        case .refuse(let refusal): refuse(connection, refusal)
        case .connect where log.isFull: refuse(connection, .tooMuch)
        case .connect(let wanted):
            connection.resolve(wanted)
            let (names, resolve, host, port) = (names, resolve, wanted.named.host, wanted.port)
            // A name server may take long, so another thread asks it while the loop goes on.
            if !OwnThread.start({ names.add(resolve(host, port), for: id) }) {
                refuse(connection, .unknown(wanted.named))
            }
        }
    }

    private func relay(_ connection: ProxyConnection, _ now: Int64) {
        let (sent, received) = connection.go(on: now)
        guard case .relaying(let host) = connection.stage else { return }
        log.add(host, sent: sent, received: received)
        if log.isFull { connection.end() }
    }

    private func refuse(_ connection: ProxyConnection, _ refusal: ProxyRefusal) {
        if refusal.status == 403 { log.refused(refusal.words) }
        connection.refuse(refusal)
    }

    /// Connects to those of the resolved addresses that are allowed. Exactly these are used, and the name is not looked
    /// up a second time.
    private func resolved(_ id: Int, _ addresses: [SocketAddress], _ now: Int64) {
        guard let connection = connections[id], case .resolving(let wanted) = connection.stage else { return }
        let open = addresses.filter { wanted.named.mayLead(to: $0.text) }
        guard open.isEmpty else { return connection.connect(wanted, to: open.prefix(Limits.proxyAddresses), now: now) }
        refuse(
            connection,
            addresses.first.map { .isPrivate(wanted.named, port: wanted.port, at: $0.text) } ?? .unknown(wanted.named))
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// The addresses that the threads for name lookup have found, by connection.
private final class ResolvedNames: Sendable {
    private let found = Mutex<[Int: [SocketAddress]]>([:])
    /// A descriptor that is readable while results wait.
    let descriptor = cprocess_open_flag()

    deinit { close(descriptor) }

    func add(_ addresses: [SocketAddress], for id: Int) {
        found.withLock { $0[id] = addresses }
        cprocess_raise_flag(descriptor)
    }

    func take() -> [Int: [SocketAddress]] {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        return found.withLock { found in
            defer { found = [:] }
            return found
        }
    }
}

/// A detached thread that receives no signals.
package enum OwnThread {
    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a detached thread that runs `body`.
    ///
    /// - Returns: whether the system created the thread.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { @Sendable box in
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
