/// The error in an address that a user typed.
package enum AddressFault: Hashable, Sendable {
    case noScheme
    case otherScheme(String)
    case whiteSpace
    /// A user name, or a password, stands before the host.
    case userInfo
    case noHost
    case badPort(String)
    case unreadable

    /// Whether a text is meant as an address, not as a name.
    package static func isMeant(_ text: String) -> Bool { text.contains { ":/@".contains($0) } || text.contains(".") }

    /// Finds the error in an address. Fails if a request can be sent to the address, as far as its form shows.
    package init?(of text: String) {
        guard let mark = text.firstRange(of: "://") else {
            let scheme = text.prefix { $0 != ":" }
            self = ["unix", "http", "https"].contains(scheme.lowercased()) ? .otherScheme(scheme + ":") : .noScheme
            return
        }
        let scheme = String(text[..<mark.lowerBound])
        let authority = text[mark.upperBound...].prefix { !"/?#".contains($0) }
        let end = authority.lastIndex(of: "]").map { authority.index(after: $0) } ?? authority.startIndex
        let colon = authority[end...].lastIndex(of: ":")
        let port = colon.map { String(authority[authority.index(after: $0)...]) }
        switch true {
        case !["http", "https"].contains(scheme): self = .otherScheme(scheme + "://")
        case text.contains(where: \.isWhitespace): self = .whiteSpace
        case authority.contains("@"): self = .userInfo
        case authority[..<(colon ?? authority.endIndex)].isEmpty: self = .noHost
        case port.map({ !(1...65_535).contains(Int($0) ?? 0) }) ?? false: self = .badPort(port ?? "")
        case Origin(of: text) == nil: self = .unreadable
        default: return nil
        }
    }

    /// The words that follow "The address " in a message.
    package var words: String {
        switch self {
        case .noScheme: "lacks its https:// or http://."
        case .otherScheme(let scheme): "begins with \(scheme.prefix(20)), and only https:// and http:// are spoken."
        case .whiteSpace: "has white space in it."
        case .userInfo: "has a name or a password in it."
        case .noHost: "has no host."
        case .badPort(let port): "has the port \"\(port.prefix(20))\", and ports are numbers from 1 to 65535."
        case .unreadable: "has no host that can be read."
        }
    }
}
