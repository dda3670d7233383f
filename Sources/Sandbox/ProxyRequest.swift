import HTTP
import Vocabulary

/// The reader of a program's request to the proxy, which decides whether the request is allowed.
enum ProxyRequest {
    enum Decision: Hashable {
        /// The head of the request is not complete.
        case incomplete
        case refuse(ProxyRefusal)
        case connect(Connection)
    }

    /// An allowed connection, and the first bytes for each side.
    struct Connection: Hashable {
        var named: NamedHost
        var port: Int
        /// The bytes that the server gets first, such as the request.
        var toServer: [UInt8]
        /// The bytes that the program gets when the server is connected.
        var toClient: [UInt8]
    }

    /// Decides on a request.
    ///
    /// - Parameters:
    ///   - bytes: all bytes that have arrived.
    ///   - hosts: the hosts that the call names.
    static func decide(_ bytes: [UInt8], hosts: [NamedHost]) -> Decision {
        // A program that speaks another protocol, such as TLS or SOCKS, would wait for an answer.
        guard bytes.first.map(Head.Field.isToken) ?? true else { return .refuse(.malformed) }
        guard let head = Head(bytes) else {
            return bytes.count >= Limits.proxyHeadBytes
                ? .refuse(
                    ProxyRefusal(
                        431, "A request to this proxy has at most \(Limits.proxyHeadBytes) bytes before its body"))
                : .incomplete
        }
        guard head.end <= Limits.proxyHeadBytes, let line = head.request else { return .refuse(.malformed) }
        if line.method == "CONNECT" {
            guard NamedHost.hasPort(line.target) == true, !line.target.contains(where: "/?#@".contains),
                let address = try? WebAddress("https://\(line.target)/")
            else { return .refuse(.malformed) }
            return to(address, hosts) {
                Connection(
                    named: $0, port: address.port, toServer: Array(bytes[head.end...]), toClient: Self.established)
            }
        }
        guard let address = try? WebAddress(line.target), address.scheme == "http" else { return .refuse(.noTunnel) }
        return to(address, hosts) {
            Connection(
                named: $0, port: address.port, toServer: head.forwarded(to: address) + bytes[head.end...], toClient: [])
        }
    }

    private static func to(_ address: WebAddress, _ hosts: [NamedHost], _ connection: (NamedHost) -> Connection)
        -> Decision
    {
        guard let named = hosts.first(where: { $0.covers(address) }) else { return .refuse(.notNamed(address)) }
        return .connect(connection(named))
    }

    private static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
}

/// An answer of the proxy itself, after which the proxy ends the connection.
struct ProxyRefusal: Hashable {
    let status: Int
    /// The explanation, in printable ASCII, since it is also the status line of the answer.
    let words: String

    init(_ status: Int, _ words: String) {
        self.status = status
        self.words = String(String.UnicodeScalarView(words.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }))
    }

    static let malformed = ProxyRefusal(400, "This is no request that a proxy can read")
    static let noTunnel = ProxyRefusal(400, "A proxy takes CONNECT host:port, and addresses that begin with http://")
    static let tooMuch = ProxyRefusal(
        403, "More than \(Limits.proxyBytes >> 30) GB have gone through: a command may have no more")

    static func notNamed(_ address: WebAddress) -> ProxyRefusal {
        ProxyRefusal(
            403,
            "\(shown(address.hostAndPort)) is not among the hosts of this command: name it in network: [\(shown(address.hostAndPort))]"
        )
    }

    /// Returns the refusal of a host name that resolves to a private address.
    ///
    /// - Parameter address: the private address, in digits.
    static func isPrivate(_ named: NamedHost, port: Int, at address: String) -> ProxyRefusal {
        let written = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        return ProxyRefusal(
            403,
            "\(shown(named.host)) leads to the private address \(address), which was not named: name it in network: [\(written)]"
        )
    }

    static func unknown(_ named: NamedHost) -> ProxyRefusal {
        ProxyRefusal(502, "No address is known for \(shown(named.host))")
    }
    static func unreachable(_ named: NamedHost, port: Int, why: String) -> ProxyRefusal {
        ProxyRefusal(502, "\(shown(named.host)):\(port) cannot be reached: \(why)")
    }

    private static func shown(_ host: String) -> String { host.count > 255 ? "\(host.prefix(255))..." : host }

    var bytes: [UInt8] {
        Array(
            "HTTP/1.1 \(status) \(words)\r\nContent-Type: text/plain\r\nContent-Length: \(words.utf8.count + 1)\r\nConnection: close\r\n\r\n\(words)\n"
                .utf8)
    }
}

/// The head of a request (RFC 9112, 2 and 3). It is read strictly: a text that two readers could understand in two ways
/// is refused.
private struct Head {
    /// The index at which the body begins.
    let end: Int
    private let lines: [ArraySlice<UInt8>]

    /// Returns `nil` until the end of the head has arrived.
    init?(_ bytes: [UInt8]) {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        while let feed = bytes[start...].prefix(Limits.proxyHeadBytes).firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[start..<feed]
            start = feed + 1
            // A line without CRLF is malformed and ends the head.
            lines.append(line.last == UInt8(ascii: "\r") ? line.dropLast() : [0])
            if line.count == 1 || line.last != UInt8(ascii: "\r") {
                (self.lines, end) = (lines.filter { !$0.isEmpty }, start)
                return
            }
        }
        return nil
    }

    /// The words of the request line, or `nil` if any line of the head is malformed.
    var request: (method: String, target: String, version: String)? {
        guard let first = lines.first, lines.dropFirst().allSatisfy({ Field($0) != nil }) else { return nil }
        let words = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, first.allSatisfy({ $0 > 0x1F && $0 < 0x7F }), words[0].allSatisfy(Field.isToken),
            !words[0].isEmpty
        else {
            return nil
        }
        let (method, target, version) = (
            String(decoding: words[0], as: UTF8.self), String(decoding: words[1], as: UTF8.self),
            String(decoding: words[2], as: UTF8.self)
        )
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return nil }
        return (method, target, version)
    }

    /// Returns the head as the server itself expects it: with a path, its own name, and `Connection: close` (RFC 9112,
    /// 3.2.2, and RFC 9110, 7.6.1).
    func forwarded(to address: WebAddress) -> [UInt8] {
        guard let request else { return [] }
        let path = address.path.hasPrefix("/") ? address.path : "/" + address.path
        var head = Array("\(request.method) \(path) \(request.version)\r\n".utf8)
        head += Array("Host: \(address.port == 80 ? address.host : address.hostAndPort)\r\nConnection: close\r\n".utf8)
        let fields = lines.dropFirst().compactMap(Field.init)
        let named = fields.filter { $0.name == "connection" }.flatMap(\.words)
        for field in fields where !Self.ofConnection.contains(field.name) && !named.contains(field.name) {
            head += field.line + Array("\r\n".utf8)
        }
        return head + Array("\r\n".utf8)
    }

    private static let ofConnection: Set = [
        "host", "connection", "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate", "te",
        "upgrade",
    ]

    struct Field {
        /// The name of the field, in lower case.
        let name: String
        let line: ArraySlice<UInt8>
        private let value: ArraySlice<UInt8>

        init?(_ line: ArraySlice<UInt8>) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(Self.isToken),
                line.allSatisfy({ $0 > 0x1F && $0 != 0x7F || $0 == UInt8(ascii: "\t") })
            else { return nil }
            name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            value = line[(colon + 1)...]
            self.line = line
        }

        var words: [String] {
            String(decoding: value, as: UTF8.self).lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.map {
                String($0)
            }
        }

        /// Whether a byte may stand in a token (RFC 9110, 5.6.2).
        static func isToken(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }
}
