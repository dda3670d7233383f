/// A pattern for the hosts of a provider: `api.example.com`, `*.example.com` (any name under it), `127.0.0.1:8188`,
/// `localhost:*`. Without a port, it stands for the scheme's own.
package struct HostGlob: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private let host: String
    private let port: Port

    private enum Port: Hashable, Sendable {
        case usual, any
        case number(Int)
    }

    /// Reads a pattern for hosts. Returns `nil` if the text does not name a host, and for patterns that cover very many
    /// hosts (`*`, `*.com`).
    package init?(_ text: String) {
        description = text
        var host = text.lowercased()[...]
        var port = Port.usual
        let end = host.lastIndex(of: "]").map { host.index(after: $0) } ?? host.startIndex
        if let colon = host[end...].firstIndex(of: ":") {
            let written = host[host.index(after: colon)...]
            guard written == "*" || UInt16(written) != nil else { return nil }
            port = UInt16(written).map { .number(Int($0)) } ?? .any
            host = host[..<colon]
        }
        let name = host.hasPrefix("*.") ? host.dropFirst(2) : host
        let isAddress =
            name.hasPrefix("[") && name.hasSuffix("]")
            && name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || ":.".contains($0) }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty
                && label.unicodeScalars.allSatisfy {
                    $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
                }
        }
        guard isAddress || isName, host == name || labels.count > 1, port != .any || Self.isLoopback(name) else {
            return nil
        }
        self.host = String(host)
        self.port = port
    }

    /// Returns whether an address matches the pattern.
    ///
    /// - Parameter host: the host in lower case, an IPv6 address in brackets, as the HTTP request uses it.
    package func matches(scheme: String, host: String, port: Int) -> Bool {
        let isPort =
            switch self.port {
            case .any: true
            case .usual: port == (scheme == "https" ? 443 : 80)
            case .number(let own): port == own
            }
        guard isPort else { return false }
        return self.host.hasPrefix("*.")
            ? host.hasSuffix(self.host.dropFirst()) && host.count >= self.host.count : host == self.host
    }

    /// Whether whatever `other` lets in is let in here.
    package func covers(_ other: HostGlob) -> Bool {
        guard port == other.port || port == .any else { return false }
        return host == other.host || host.hasPrefix("*.") && other.host.hasSuffix(host.dropFirst())
    }

    package var isLoopback: Bool { Self.isLoopback(host[...]) }

    /// The host as consent names it, always with https, or `nil` for this machine, which needs no consent
    /// (`Addresses`). If the pattern has no single port, the port is 443.
    package var remote: RemoteHost? {
        guard !isLoopback else { return nil }
        let port = if case .number(let own) = port { own } else { 443 }
        return RemoteHost(isEncrypted: true, host: host, port: port)
    }

    private static func isLoopback(_ host: Substring) -> Bool { HostPlace(host) == .thisMachine }
}
