import HTTP
package import Vocabulary

/// One request as the toolbox asks for it. Redirects are not followed: the answer says where to.
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
    /// More than this ends the request: `outputLimit`.
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
    /// An HTTP answer of any status; its body is in the file. `retryAfter`: seconds for which the server asks to be
    /// left alone.
    case answered(status: Int, fields: [FetchRequest.Field], retryAfter: Double? = nil)
    /// No answer: no such host, no connection, cut, too long, cancelled (code `cancelled`).
    case failed(Failure)
}

/// An http or https address, taken apart as far as consent and redirects need it.
struct WebAddress: Hashable {
    let scheme: String
    /// As libcurl will connect: lower case, `%2e` and `2130706433` and their like spelled out, so that rules and
    /// persons see the host that is meant. An IPv6 address keeps its brackets.
    let host: String
    let port: Int
    /// With query, without fragment; begins with `/` or is empty.
    let path: String

    /// - Throws: `badURL`. Names and passwords in an address are refused: they would end up in logs.
    init(_ text: String) throws(Failure) {
        func refuse(_ why: String) -> Failure { Failure("badURL", "This is no address to fetch: \(why).") }
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

    /// Where a `Location` leads (RFC 3986, 5.2, for the forms that servers send).
    func following(_ location: String) throws(Failure) -> WebAddress {
        if location.contains("://") { return try WebAddress(location) }
        if location.hasPrefix("//") { return try WebAddress("\(scheme):\(location)") }
        if location.hasPrefix("/") { return try WebAddress("\(scheme)://\(hostAndPort)\(location)") }
        let folder = path.prefix { $0 != "?" }
        let above = folder.lastIndex(of: "/").map { String(folder[...$0]) } ?? "/"
        return try WebAddress(
            "\(scheme)://\(hostAndPort)\(location.hasPrefix("?") ? String(folder) : above)\(location)")
    }

    /// The last part of the path, for the name of a download.
    var fileName: String {
        let plain = path.prefix { $0 != "?" }
        return safeName(plain.split(separator: "/").last.map { String($0) } ?? host)
    }
}
