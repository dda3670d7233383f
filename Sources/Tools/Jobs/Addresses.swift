import HTTP
import Vocabulary

/// Where a provider may be spoken to, and where its key may go. No manifest can switch this off.
extension ProviderManifest {
    /// - Throws: `foreignHost`, `badURL`. For our own addresses, those that the provider names, and each hop of a
    ///   redirect.
    func allowed(_ url: String) throws(Failure) -> WebAddress {
        let address = try WebAddress(url)
        guard hosts.contains(where: { $0.matches(address) }) else {
            throw Failure(
                "foreignHost", "\(title) names an address at \(address.hostAndPort), which is not among its hosts.",
                remedy: "If it belongs to the provider, add it to \"hosts\" in the provider's manifest.")
        }
        guard address.scheme == "https" || address.isLoopback else {
            throw Failure("foreignHost", "\(title) names an address without https at \(address.hostAndPort).")
        }
        return address
    }

    /// The headers and the address with the key in them, if it may go there.
    func sign(_ headers: inout HTTPHeaders, _ url: inout String, for address: WebAddress, secret: String) {
        guard let auth, auth.sendTo.contains(where: { $0.matches(address) }) else { return }
        // An address that the provider named may have had the key in it.
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
    /// This machine, whatever a name server says.
    var isLoopback: Bool { Origin(of: text)?.isLoopback ?? false }
}
