/// An http or https address, split into the parts that consent and redirects need.
package struct WebAddress: Hashable, Sendable {
    /// The reason why a text is no address, as one sentence.
    package struct Refusal: Error, Hashable, Sendable {
        package let words: String
    }

    package let scheme: String
    /// The host to which libcurl will connect: in lower case, with forms such as `%2e` and `2130706433` decoded, so
    /// that rules and users see the real host. An IPv6 address keeps its brackets.
    package let host: String
    package let port: Int
    /// The path with the query and without the fragment. It begins with `/`, or is empty.
    package let path: String

    /// - Throws: `Refusal`. An address with a user name or a password is refused, since they would end up in
    ///   logs.
    package init(_ text: String) throws(Refusal) {
        func refuse(_ why: String) -> Refusal { Refusal(words: "This is no address to fetch: \(why).") }
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

    package var hostAndPort: String { "\(host):\(port)" }

    package var text: String { "\(scheme)://\(hostAndPort)\(path)" }

    /// Returns the address to which a `Location` leads (RFC 3986, 5.2, for the forms that servers send).
    package func following(_ location: String) throws(Refusal) -> WebAddress {
        if location.contains("://") { return try WebAddress(location) }
        if location.hasPrefix("//") { return try WebAddress("\(scheme):\(location)") }
        if location.hasPrefix("/") { return try WebAddress("\(scheme)://\(hostAndPort)\(location)") }
        let folder = path.prefix { $0 != "?" }
        let above = folder.lastIndex(of: "/").map { String(folder[...$0]) } ?? "/"
        return try WebAddress(
            "\(scheme)://\(hostAndPort)\(location.hasPrefix("?") ? String(folder) : above)\(location)")
    }
}
