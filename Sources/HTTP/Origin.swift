import CCurl
import Glibc

/// The origin of a URL (RFC 6454), to which consent and keys belong.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lower case. An IPv6 address stands in brackets.
    package let host: String
    package let port: Int

    /// Reads the origin of a URL. Fails if it is not a whole http or https URL.
    package init?(of url: String) {
        guard let parts = CurlURL(url), let scheme = parts[CURLUPART_SCHEME], scheme == "http" || scheme == "https",
            let host = parts[CURLUPART_HOST], !host.isEmpty, let port = parts[CURLUPART_PORT].flatMap({ Int($0) })
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
    }

    package var hostAndPort: String { "\(host):\(port)" }
    package var description: String { "\(scheme)://\(hostAndPort)" }

    /// Whether the host is this machine, in any notation and independently of name servers: 127.0.0.0/8, 0.0.0.0, ::1,
    /// ::, the same as ::ffff:…, and `localhost` with every name under it (RFC 6761, 6.3).
    package var isLoopback: Bool {
        let name = host.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }
        var (four, six) = (in_addr(), in6_addr())
        if inet_aton(String(name), &four) != 0 { return isLoopback(withUnsafeBytes(of: four) { Array($0) }) }
        if inet_pton(AF_INET6, String(name), &six) == 1 {
            let bytes = withUnsafeBytes(of: six) { Array($0) }
            if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
                return isLoopback(Array(bytes[12...]))
            }
            return bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1
        }
        // A name with a dot at its end is looked up by a name server.
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    private func isLoopback(_ four: [UInt8]) -> Bool { four[0] == 127 || four == [0, 0, 0, 0] }
}

/// Returns the target of a `Location` header, which may be relative, or nil if it is not a URL that this client can
/// request.
func resolve(_ location: String, against base: String) -> String? {
    guard let url = CurlURL(base), url.set(CURLUPART_URL, location) else { return nil }
    _ = url.set(CURLUPART_FRAGMENT, nil)
    return url[CURLUPART_URL]
}

/// libcurl's URL parser, so that an address is read as the request will read it. These functions use no transfer
/// handle, so they may run on any thread.
private final class CurlURL {
    private let handle: OpaquePointer

    init?(_ url: String) {
        guard let handle = curl_url() else { return nil }
        self.handle = handle
        guard set(CURLUPART_URL, url) else { return nil }
    }

    deinit { curl_url_cleanup(handle) }

    func set(_ part: CURLUPart, _ text: String?) -> Bool { curl_url_set(handle, part, text, 0) == CURLUE_OK }

    subscript(part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
