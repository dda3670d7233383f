import HTTP
package import Vocabulary

/// A request of the toolbox. Redirects are not followed, and the answer contains their address.
package struct FetchRequest: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: String
    package var url: String
    package var fields: [Field]
    /// The path of a file to send.
    package var body: String?
    /// The path of the file that the answer's body is written to.
    package var saveTo: String
    /// The most bytes of the answer's body. A larger one ends the request with `outputLimit`.
    package var bytesLimit: Int
    package var timeoutSeconds: Double

    package init(
        _ method: String, _ url: String, fields: [Field] = [], body: String? = nil, saveTo: String,
        bytesLimit: Int = Limits.fetchBytes,
        timeoutSeconds: Double = Limits.totalSeconds
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.saveTo = saveTo
        self.bytesLimit = bytesLimit
        self.timeoutSeconds = timeoutSeconds
    }
}

package enum FetchAnswer: Hashable, Sendable {
    /// An HTTP answer of any status, with its body in the file. `retryAfter` is the number of seconds for which the
    /// server asks to wait.
    case answered(status: Int, fields: [FetchRequest.Field], retryAfter: Double? = nil)
    /// A request without an answer: unknown host, no connection, interrupted, too large, or cancelled (code
    /// `cancelled`).
    case failed(Failure)
}

/// An http or https address, split into the parts that consent and redirects need.
struct WebAddress: Hashable {
    let scheme: String
    /// The host to which libcurl will connect: in lower case, with forms such as `%2e` and `2130706433` decoded, so
    /// that rules and users see the real host. An IPv6 address keeps its brackets.
    let host: String
    let port: Int
    /// The path with the query and without the fragment. It begins with `/`, or is empty.
    let path: String

    /// - Throws: `badURL`. An address with a user name or a password is refused, since they would end up in logs.
    init(_ text: String) throws(Failure) {
        func refuse(_ why: String) -> Failure { Failure(.badURL, "This is no address to fetch: \(why).") }
        guard text.utf8.count <= 8192,
            text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" })
        else {
            throw refuse("it has spaces, control characters or letters that an address must escape")
        }
        guard let colon = text.firstRange(of: "://") else { throw refuse("it does not begin with http:// or https://") }
        scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { throw refuse("only http and https are fetched") }
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { throw refuse("it has a name or a password in it") }
        guard let origin = Origin(of: "\(scheme)://\(authority)/") else { throw refuse("its host or port is missing") }
        host = origin.host
        port = origin.port
        path = String(rest[authority.endIndex...].prefix { $0 != "#" })
    }

    var hostAndPort: String { "\(host):\(port)" }

    var text: String { "\(scheme)://\(hostAndPort)\(path)" }

    /// Returns the address to which a `Location` leads (RFC 3986, 5.2, for the forms that servers send).
    func following(_ location: String) throws(Failure) -> WebAddress {
        if location.contains("://") { return try WebAddress(location) }
        if location.hasPrefix("//") { return try WebAddress("\(scheme):\(location)") }
        if location.hasPrefix("/") { return try WebAddress("\(scheme)://\(hostAndPort)\(location)") }
        let folder = path.prefix { $0 != "?" }
        let above = folder.lastIndex(of: "/").map { String(folder[...$0]) } ?? "/"
        return try WebAddress(
            "\(scheme)://\(hostAndPort)\(location.hasPrefix("?") ? String(folder) : above)\(location)")
    }

    /// The last part of the path, as the name of a download.
    var fileName: String {
        let plain = path.prefix { $0 != "?" }
        return safeName(plain.split(separator: "/").last.map { String($0) } ?? host)
    }
}
