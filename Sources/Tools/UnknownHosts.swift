import Vocabulary

/// The complaints of programs about a name that they could not look up. A command has no name server: without hosts it
/// has no network, and with hosts only a proxy, which looks their names up.
enum UnknownHosts {
    /// The words of programs and of the C library, in lower case.
    private static let signs = [
        "could not resolve", "couldn't resolve", "temporary failure in name resolution", "name or service not known",
        "failed to lookup address", "getaddrinfo", "name resolution", "unable to resolve host", "dns error", "lookup ",
    ]

    /// Returns a sentence without its full stop about such complaints, or `nil` if there are none.
    ///
    /// - Parameter namesHosts: whether the command names hosts.
    static func words(for errors: String, namesHosts: Bool) -> String? {
        let text = errors.suffix(Limits.heededErrors).lowercased()
        guard signs.contains(where: text.contains),
            !text.contains("lookup ") || text.contains("dial")
                || signs.dropLast().contains(where: text.contains)
        else { return nil }
        return namesHosts
            ? "no name can be looked up inside the command: its hosts are reached through the proxy of HTTPS_PROXY, "
                + "and a program that takes none reaches nothing"
            : "the command has no network, so no name can be looked up: name its hosts in network"
    }
}

/// The complaints of programs about second names of files (hard links), which a rehearsed command makes none of: most
/// programs copy then.
enum SecondNames {
    /// Returns a sentence without its full stop about such complaints, or `nil` if there are none.
    static func words(for errors: String) -> String? {
        let text = errors.suffix(Limits.heededErrors)
        let isAboutLink = text.contains("hard link") || text.contains("os.link")
        guard isAboutLink, text.contains("ross-device link") else { return nil }
        return "a command gives no file a second name (a hard link), since it could lie anywhere: copy the file"
    }
}

extension Limits {
    /// The characters at the end of standard error that are searched for complaints.
    fileprivate static let heededErrors = 20_000
}
