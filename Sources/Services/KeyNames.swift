import Files
package import Vocabulary

/// The names of keys that were stored for one address.
package enum KeyNames {
    private static let mark = "_KEY_"
    private static let digits = 16

    /// Returns the name of the key for a server whose profile names none. It is readable and belongs to this address
    /// alone, such as `LLM_EXAMPLE_COM_443_KEY_0123456789ABCDEF`. The digits differ even if the letters of two
    /// addresses are equal.
    package static func name(for choice: ModelChoice) -> String {
        let letters = choice.host.host.uppercased().map {
            $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_"
        }
        var path = choice.profile.url.prefix { $0 != "?" && $0 != "#" }.split(
            separator: "/", omittingEmptySubsequences: false
        ).dropFirst(3)
        while path.last?.isEmpty == true { path.removeLast() }
        let hash = ContentHash.of("\(choice.host)/\(path.joined(separator: "/"))").hex.prefix(digits).uppercased()
        return letters.joined().prefix(80) + "_\(choice.host.port)\(mark)\(hash)"
    }

    /// Whether a name has the form that `name(for:)` returns for some address.
    package static func isOfAnAddress(_ name: String) -> Bool {
        let end = name.suffix(digits)
        return name.dropLast(digits).hasSuffix(mark) && end.count == digits
            && end.allSatisfy { $0.isHexDigit && !$0.isLowercase }
    }

    /// Whether the key of a name may be sent to a server. A key that was stored for another address may not, whatever
    /// the connection says.
    package static func mayGo(_ name: String, to choice: ModelChoice) -> Bool {
        !isOfAnAddress(name) || name == self.name(for: choice)
    }
}
