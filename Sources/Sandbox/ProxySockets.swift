import Files
import Glibc
import Vocabulary

/// The address of a socket, in the form of the kernel and in digits.
package struct SocketAddress: Hashable, Sendable {
    let family: Int32
    fileprivate let bytes: [UInt8]
    let text: String

    /// Returns all addresses of a host name or an address in digits. It blocks, perhaps for many seconds. The list is
    /// empty if the lookup fails.
    package static func all(of host: String, port: Int) -> [SocketAddress] {
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        var (hints, list) = (addrinfo(), nil as UnsafeMutablePointer<addrinfo>?)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        guard getaddrinfo(name, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var (found, entry): ([SocketAddress], UnsafeMutablePointer<addrinfo>?) = ([], list)
        while let one = entry?.pointee {
            entry = one.ai_next
            guard let address = one.ai_addr else { continue }
            var digits = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard getnameinfo(address, one.ai_addrlen, &digits, socklen_t(digits.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let text = String(decoding: digits.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(one.ai_addrlen)))
            found.append(SocketAddress(family: one.ai_family, bytes: bytes, text: text))
        }
        return found
    }
}

/// The socket operations of the proxy. None of them waits.
enum ProxySockets {
    enum Transfer { case moved(Int), notNow, ended, broken }

    /// Accepts a connection.
    ///
    /// - Returns: the new descriptor, or -1 if no connection waits or it cannot be accepted.
    static func accept(_ listener: Int32) -> Int32 {
        let client = retrying { Glibc.accept(listener, nil, nil) }
        guard client >= 0 else { return -1 }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        return client
    }

    /// Begins a connection. When the socket is writable, the connection is made or has failed (`error(of:)`).
    ///
    /// - Returns: the new descriptor, or -1 with `errno` if the connection fails at once.
    static func connect(to address: SocketAddress) -> Int32 {
        let opened = socket(
            address.family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard opened >= 0 else { return -1 }
        let result = address.bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { Glibc.connect(opened, $0.baseAddress, socklen_t(bytes.count)) }
        }
        if result == 0 || errno == EINPROGRESS { return opened }
        let error = errno
        close(opened)
        errno = error
        return -1
    }

    /// Returns the error with which a begun connection failed, or 0 if it is made.
    static func error(of descriptor: Int32) -> Int32 {
        var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
    }

    static func read(_ descriptor: Int32, into bytes: inout [UInt8], limit: Int) -> Transfer {
        let room = limit - bytes.count
        guard room > 0 else { return .notNow }
        var (got, error) = (0, Int32(0))
        bytes += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            got = retrying { Glibc.read(descriptor, buffer.baseAddress, room) }
            error = errno
            count = max(got, 0)
        }
        if got > 0 { return .moved(got) }
        return got == 0 ? .ended : error == EAGAIN ? .notNow : .broken
    }

    static func write(_ descriptor: Int32, from bytes: inout [UInt8]) -> Transfer {
        guard !bytes.isEmpty else { return .notNow }
        let sent = bytes.withUnsafeBytes { buffer in
            retrying { send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL)) }
        }
        guard sent >= 0 else { return errno == EAGAIN ? .notNow : .broken }
        bytes.removeFirst(sent)
        return .moved(sent)
    }

    static func endWriting(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }
}
