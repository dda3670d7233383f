import Glibc

/// A TCP socket of 127.0.0.1 with the functions that the scripted server needs. All calls block.
struct ScriptSocket: Sendable {
    let descriptor: Int32

    /// Returns a socket that is bound to a port. Without a backlog it does not listen: connections are refused, and no
    /// other process gets the port.
    ///
    /// - Parameter port: 0 for a free port. A port that is bound elsewhere may be bound again while nothing listens at
    ///   it.
    static func bound(port: Int = 0, backlog: Int32?) throws -> (ScriptSocket, port: Int) {
        let socket = ScriptSocket(
            descriptor: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
        var on: Int32 = 1
        setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard socket.descriptor >= 0, socket.withAddress(port: port, { bind(socket.descriptor, $0, $1) }) == 0,
            backlog.map({ listen(socket.descriptor, $0) }) ?? 0 == 0
        else {
            let code = errno
            if socket.descriptor >= 0 { socket.close() }
            throw ScriptFailure(
                "\(port == 0 ? "no port" : "port \(port)") of 127.0.0.1 could be opened (errno \(code))")
        }
        return (socket, socket.port)
    }

    /// Returns a socket that is bound to a port while it is open. `nil` if another process has the port.
    static func bound(toPort port: Int) -> ScriptSocket? {
        let socket = ScriptSocket(
            descriptor: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
        if socket.withAddress(port: port, { bind(socket.descriptor, $0, $1) }) == 0 { return socket }
        socket.close()
        return nil
    }

    /// Returns a socket that begins to connect, without waiting for the connection.
    static func connecting(toPort port: Int) -> ScriptSocket {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = ScriptSocket(descriptor: Glibc.socket(AF_INET, flags, 0))
        _ = socket.withAddress(port: port) { connect(socket.descriptor, $0, $1) }
        return socket
    }

    /// Returns a connected socket, or `nil` if no process listens at the port.
    static func connected(toPort port: Int) -> ScriptSocket? {
        let socket = ScriptSocket(
            descriptor: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
        if socket.withAddress(port: port, { connect(socket.descriptor, $0, $1) }) == 0 { return socket }
        socket.close()
        return nil
    }

    /// Returns the status of the answer to a GET, or `nil` if none comes within ten seconds.
    static func status(of path: String, port: Int, headers: [String] = []) -> Int? {
        guard let socket = connected(toPort: port) else { return nil }
        defer { socket.close() }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers + ["", ""]
        _ = socket.send(Array(lines.joined(separator: "\r\n").utf8)[...])
        var head: [UInt8] = []
        while head.count < 12, case let bytes = socket.received(), !bytes.isEmpty { head += bytes }
        return Int(String(decoding: head.dropFirst(9).prefix(3), as: UTF8.self))
    }

    private var port: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private func withAddress(port: Int, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Waits for a connection and returns it. `nil` once the listener is shut down.
    func accepted() -> ScriptSocket? {
        var connection = Glibc.accept(descriptor, nil, nil)
        while connection < 0 {
            switch errno {
            case EINTR, ECONNABORTED: break
            // Too many are open: one of them will end.
            case EMFILE, ENFILE, ENOMEM, ENOBUFS: usleep(10_000)
            default: return nil
            }
            connection = Glibc.accept(descriptor, nil, nil)
        }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        var on: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return ScriptSocket(descriptor: connection)
    }

    /// Waits for bytes and returns them. The result is empty at the end of the connection.
    func received() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }

    /// Sends bytes and returns how many were sent. There are fewer if the other side has closed the connection.
    func send(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = Glibc.send(descriptor, buffer.baseAddress! + sent, buffer.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { break }
                sent += count
            }
            return sent
        }
    }

    /// Whether the other side went away within the time, or the socket was shut down.
    func isClosed(withinMilliseconds time: Int32) -> Bool {
        // POLLRDHUP, which the module Glibc does not show.
        var poll = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        return Glibc.poll(&poll, 1, time) > 0
    }

    /// Bytes that were sent and that the other side's kernel does not have yet.
    var unacknowledgedBytes: Int32 {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : 0
    }

    /// Makes `close` drop all unsent bytes and reset the connection.
    func willReset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Ends all calls that use the socket, in all threads.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func close() { _ = Glibc.close(descriptor) }
}

package struct ScriptFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
