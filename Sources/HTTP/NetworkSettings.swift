import Glibc

/// The access of this machine to the network, read once: proxies and certificates, by the same variables as the `curl`
/// program.
package struct NetworkSettings: Sendable, Hashable {
    /// The proxy for http URLs. An empty text means no proxy.
    package var httpProxy = ""
    package var httpsProxy = ""
    /// Hosts that are reached directly, comma-separated, as in `no_proxy`.
    package var noProxy = ""
    /// A file of certificates that is used instead of the system's, or nil.
    package var certificateFile: String?
    package var certificateFolder: String?
    package var userAgent = "assent"

    package init() {}

    /// Reads the settings from the environment.
    ///
    /// - Parameter variable: returns an environment variable, or nil if it is not set.
    package init(environment variable: (String) -> String?) {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap(variable).first { !$0.isEmpty }
        }
        // Upper-case HTTP_PROXY is not read: a CGI program's caller can set it.
        httpProxy = first("http_proxy", "all_proxy", "ALL_PROXY") ?? ""
        httpsProxy = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY") ?? ""
        noProxy = first("no_proxy", "NO_PROXY") ?? ""
        certificateFile = first("CURL_CA_BUNDLE", "SSL_CERT_FILE")
        certificateFolder = first("CURL_CA_BUNDLE") == nil ? first("SSL_CERT_DIR") : nil
    }

    /// Returns the proxy for a URL, or an empty text. It is empty for this machine: data for 127.0.0.1 must not leave
    /// it, and a proxy could not reach it.
    func proxy(for url: String) -> String {
        guard let origin = Origin(of: url), !origin.isLoopback else { return "" }
        return origin.scheme == "https" ? httpsProxy : httpProxy
    }

    package static func ofThisProcess() -> NetworkSettings {
        NetworkSettings { getenv($0).map { String(cString: $0) } }
    }
}
