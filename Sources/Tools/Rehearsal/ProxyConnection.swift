import Glibc
import Vocabulary

extension Limits {
    fileprivate static let proxyBufferBytes = 64 << 10
    fileprivate static let proxyIdleSeconds = 120.0
    fileprivate static let proxyConnectSeconds = 15.0
}

/// One connection of a command through its proxy. For the proxy's thread alone.
final class ProxyConnection {
    enum Stage {
        /// It has not said where to.
        case asking
        /// Its name is being looked up.
        case resolving(ProxyRequest.Connection)
        case connecting(ProxyRequest.Connection, left: ArraySlice<SocketAddress>)
        case relaying(host: String)
        /// It is told something, and listened to no more.
        case leaving
        case over
    }

    /// What comes from one side and waits for the other.
    private struct Lane {
        var bytes: [UInt8] = []
        var hasEnded = false
        var isShut = false
    }

    private(set) var stage = Stage.asking
    private let client: Int32
    private var server: Int32 = -1
    private var (up, down) = (Lane(), Lane())
    /// Milliseconds by the clock that only runs: when something last moved.
    private var moved: Int64

    init(_ client: Int32, now: Int64) { (self.client, moved) = (client, now) }

    deinit { for descriptor in [client, server] where descriptor >= 0 { close(descriptor) } }

    /// What to wait for.
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

    /// Whether nothing has come for longer than it may.
    func isIdle(at now: Int64) -> Bool {
        let seconds = if case .connecting = stage { Limits.proxyConnectSeconds } else { Limits.proxyIdleSeconds }
        return Double(now - moved) > seconds * 1000
    }

    func end() { stage = .over }

    // MARK: Asking

    /// - Returns: what it asks for, once that is known.
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

    /// Goes to the first that answers, which is one of those that were checked.
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

    /// Does what can be done without waiting.
    ///
    /// - Returns: bytes that were sent, and that came.
    func go(on now: Int64) -> (sent: Int, received: Int) {
        switch stage {
        case .asking, .resolving, .over: break
        case .connecting(let connection, let left): connected(connection, left: left, now: now)
        case .leaving:
            _ = write(&down, to: client, now)
            // What it still says is heard and dropped, or its end of the connection would throw away what it was told.
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
