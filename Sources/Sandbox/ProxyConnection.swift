import Glibc
import Vocabulary

extension Limits {
    /// The bytes that wait in one direction of a proxied connection. Beyond them, the sender waits.
    fileprivate static let proxyBufferBytes = 64 << 10

    /// The seconds without data after which a command's proxy closes a connection.
    fileprivate static let proxyIdleSeconds = 120.0

    /// How long a command's proxy waits for a connection to an address, in seconds.
    fileprivate static let proxyConnectSeconds = 15.0
}

/// A connection of a command through its proxy. Only the proxy's thread uses it.
final class ProxyConnection {
    enum Stage {
        /// The program has not sent its request completely.
        case asking
        /// The name of the host is being looked up.
        case resolving(ProxyRequest.Connection)
        case connecting(ProxyRequest.Connection, left: ArraySlice<SocketAddress>)
        case relaying(host: String)
        /// The program gets an answer. Nothing more of its data is used.
        case leaving
        case over
    }

    /// Bytes from one side that wait to be sent to the other.
    private struct Lane {
        var bytes: [UInt8] = []
        var hasEnded = false
        var isShut = false
    }

    private(set) var stage = Stage.asking
    private let client: Int32
    private var server: Int32 = -1
    private var (up, down) = (Lane(), Lane())
    /// The time when data last moved, in milliseconds of the monotonic clock.
    private var moved: Int64

    init(_ client: Int32, now: Int64) { (self.client, moved) = (client, now) }

    deinit { for descriptor in [client, server] where descriptor >= 0 { close(descriptor) } }

    /// The descriptors and events to wait for.
    var waits: [pollfd] {
        func wait(_ descriptor: Int32, reads: Bool, writes: Bool) -> pollfd? {
            let events = (reads ? POLLIN : 0) | (writes ? POLLOUT : 0)
            return events == 0 || descriptor < 0 ? nil : pollfd(fd: descriptor, events: Int16(events), revents: 0)
        }
        let waits: [pollfd?] =
            switch stage {
            case .asking: [wait(client, reads: true, writes: false)]
            case .resolving, .over: []
            case .connecting: [wait(server, reads: false, writes: true)]
            case .leaving: [wait(client, reads: true, writes: !down.bytes.isEmpty)]
            case .relaying:
                [
                    wait(client, reads: hasRoom(up), writes: !down.bytes.isEmpty),
                    wait(server, reads: hasRoom(down), writes: !up.bytes.isEmpty),
                ]
            }
        return waits.compactMap(\.self)
    }

    private func hasRoom(_ lane: Lane) -> Bool { !lane.hasEnded && lane.bytes.count < Limits.proxyBufferBytes }

    /// Whether no data has moved for longer than the limit of this stage.
    func isIdle(at now: Int64) -> Bool {
        let seconds = if case .connecting = stage { Limits.proxyConnectSeconds } else { Limits.proxyIdleSeconds }
        return Double(now - moved) > seconds * 1000
    }

    func end() { stage = .over }

    // MARK: Asking

    /// Reads more of the program's request, and decides on it.
    ///
    /// - Returns: the decision, which is `incomplete` until the head of the request has arrived.
    func hear(now: Int64, hosts: [NamedHost]) -> ProxyRequest.Decision {
        moved = now
        switch ProxySockets.read(client, into: &up.bytes, limit: Limits.proxyHeadBytes + Limits.proxyBufferBytes) {
        case .moved: return ProxyRequest.decide(up.bytes, hosts: hosts)
        case .notNow: return .incomplete
        case .ended, .broken:
            end()
            return .incomplete
        }
    }

    func refuse(_ refusal: ProxyRefusal) {
        if server >= 0 { close(server) }
        server = -1
        (up.bytes, down.bytes) = ([], refusal.bytes)
        stage = .leaving
    }

    func resolve(_ connection: ProxyRequest.Connection) {
        up.bytes = connection.toServer
        stage = .resolving(connection)
    }

    // MARK: Connecting

    /// Connects to the first of the checked addresses that answers. If none does, the program gets an answer with the
    /// error `why`.
    func connect(
        _ connection: ProxyRequest.Connection, to addresses: ArraySlice<SocketAddress>, now: Int64, why: Int32 = 0
    ) {
        if server >= 0 { close(server) }
        var (left, why) = (addresses, why)
        moved = now
        while let address = left.popFirst() {
            server = ProxySockets.connect(to: address)
            guard server < 0 else {
                stage = .connecting(connection, left: left)
                return
            }
            why = errno
        }
        server = -1
        refuse(.unreachable(connection.named, port: connection.port, why: String(cString: strerror(why))))
    }

    private func connected(_ connection: ProxyRequest.Connection, left: ArraySlice<SocketAddress>, now: Int64) {
        let error = ProxySockets.error(of: server)
        guard error == 0 else { return connect(connection, to: left, now: now, why: error) }
        down.bytes = connection.toClient
        stage = .relaying(host: "\(connection.named.host):\(connection.port)")
        moved = now
    }

    // MARK: Relaying

    /// Moves the bytes that can be moved without waiting.
    ///
    /// - Returns: the bytes that were sent to the server, and received from it.
    func go(on now: Int64) -> (sent: Int, received: Int) {
        switch stage {
        case .asking, .resolving, .over: break
        case .connecting(let connection, let left): connected(connection, left: left, now: now)
        case .leaving:
            _ = write(&down, to: client, now)
            // More data from the program is read and dropped. Unread data would reset the connection before the answer
            // arrives.
            read(from: client, into: &up, now)
            up.bytes = []
            if up.hasEnded { end() }
        case .relaying:
            read(from: client, into: &up, now)
            read(from: server, into: &down, now)
            let moved = (write(&up, to: server, now), write(&down, to: client, now))
            if up.isShut && down.isShut { end() }
            return moved
        }
        return (0, 0)
    }

    private func read(from descriptor: Int32, into lane: inout Lane, _ now: Int64) {
        guard hasRoom(lane) else { return }
        switch ProxySockets.read(descriptor, into: &lane.bytes, limit: Limits.proxyBufferBytes) {
        case .moved: moved = now
        case .notNow: break
        case .ended: lane.hasEnded = true
        case .broken: end()
        }
    }

    private func write(_ lane: inout Lane, to descriptor: Int32, _ now: Int64) -> Int {
        var sent = 0
        switch ProxySockets.write(descriptor, from: &lane.bytes) {
        case .moved(let bytes): (moved, sent) = (now, bytes)
        case .notNow, .ended: break
        case .broken: end()
        }
        if lane.bytes.isEmpty, lane.hasEnded || isLeaving, !lane.isShut {
            ProxySockets.endWriting(descriptor)
            lane.isShut = true
        }
        return sent
    }

    private var isLeaving: Bool { if case .leaving = stage { true } else { false } }
}
