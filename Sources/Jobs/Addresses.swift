package import HTTP
package import Vocabulary

/// The rules for a provider's addresses: which hosts are allowed, and which of them get its key. No manifest can switch
/// these rules off.
extension ProviderManifest {
    /// Checks an address: one of the manifest, one that the provider named, or a hop of a redirect.
    ///
    /// - Returns: the parsed address.
    /// - Throws: `badURL`, or `foreignHost` if the host is not among the provider's hosts, or is reached without https
    ///   outside of this machine.
    package func allowed(_ url: String) throws(Failure) -> WebAddress {
        let address = try WebAddress(named: url)
        guard hosts.contains(where: { $0.matches(address) }) else {
            throw Failure(
                .foreignHost, "\(title) names an address at \(address.hostAndPort), which is not among its hosts.",
                remedy: "If it belongs to the provider, add it to \"hosts\" in the provider's manifest.")
        }
        guard address.scheme == "https" || address.isLoopback else {
            throw Failure(.foreignHost, "\(title) names an address without https at \(address.hostAndPort).")
        }
        return address
    }

    /// Adds the key to the headers or the URL, if the manifest lets the key go to this address.
    func sign(_ headers: inout HTTPHeaders, _ url: inout String, for address: WebAddress, secret: String) {
        guard let auth, auth.sendTo.contains(where: { $0.matches(address) }) else { return }
        // An address that the provider named may contain the place of the key.
        let isThere = url.contains(String.keyPlace)
        if isThere { url = url.replacing(String.keyPlace, with: JobBlanks.escaped(secret)) }
        switch auth.kind {
        case .none: break
        case .bearer, .header: headers[auth.name] = auth.scheme + secret
        case .basic: headers[auth.name] = "Basic " + Base64.text(of: Array(secret.utf8))
        case .query where isThere: break
        case .query:
            url += (url.contains("?") ? "&" : "?") + "\(JobBlanks.escaped(auth.name))=\(JobBlanks.escaped(secret))"
        }
    }
}

extension HostGlob {
    func matches(_ address: WebAddress) -> Bool {
        matches(scheme: address.scheme, host: address.host, port: address.port)
    }
}

extension WebAddress {
    /// Whether the address is on this machine, judged by the address itself and not by a name server.
    var isLoopback: Bool { Origin(of: text)?.isLoopback ?? false }
}
