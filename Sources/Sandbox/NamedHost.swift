import Glibc
import HTTP
package import Vocabulary

/// A host that a command may speak to, as its call names it: `example.org`, `example.org:8443`, `127.0.0.1:8080`,
/// `[::1]:80`.
package struct NamedHost: Hashable {
    /// The host as libcurl reads it: in lower case, an address in its usual form, an IPv6 address in brackets.
    package let host: String
    let ports: [Int]

    private static let usualPorts = [443, 80]

    /// - Throws: `badHost` if the text is a pattern, a URL or otherwise not one host.
    package init(_ written: String) throws(Failure) {
        let isPlain = written.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ".-_:[]".utf8.contains(byte)
            }
        }
        guard isPlain, let address = try? WebAddress("http://\(written)/"), !address.host.hasSuffix("."),
            address.port > 0,
            let hasPort = Self.hasPort(written)
        else {
            throw Failure(
                .badHost, "\"\(written.prefix(100))\" is no host that a command can be let speak to.",
                remedy:
                    "Name each by itself: example.org for its ports 443 and 80, example.org:8443 for another, [::1]:8080 for an address."
            )
        }
        host = address.host
        ports = hasPort ? [address.port] : Self.usualPorts
    }

    /// Whether a port is written behind a host, or `nil` if the text behind the colon is not a number.
    static func hasPort(_ written: some StringProtocol) -> Bool? {
        let tail = written.lastIndex(of: "]").map { written[written.index(after: $0)...] } ?? written[...]
        guard let colon = tail.firstIndex(of: ":") else { return false }
        let digits = tail[tail.index(after: colon)...]
        return !digits.isEmpty && digits.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            ? true : nil
    }

    func covers(_ address: WebAddress) -> Bool { host == address.host && ports.contains(address.port) }

    /// Whether a name server may resolve the host to an address. A private address is allowed only if the host itself
    /// is private, such as `localhost`.
    ///
    /// - Parameter address: in digits.
    func mayLead(to address: String) -> Bool {
        [.elsewhere, HostPlace(host)].contains(HostPlace(address))
    }

    package var targets: [Call.Target] { ports.map { Call.Target(.sends, .host("\(host):\($0)"), reach: .remote) } }
}
