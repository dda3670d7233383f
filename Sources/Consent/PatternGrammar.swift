/// The grammar of a pattern in a policy. Signs with a meaning in other programs are refused instead of matched
/// literally, since a deny that matches nothing would silently allow everything.
enum PatternGrammar {
    /// The end of a file's path: `*` within a name, `**` as a name by itself.
    case names
    /// Any text, in which only `*` has a meaning.
    case text
    case host
    /// A folder with everything below it, without wildcards.
    case folder

    /// Returns the reason why a pattern is refused and what to write instead, in one sentence, or `nil` if the pattern
    /// is valid.
    ///
    /// - Parameter key: the key of the rule, as the user wrote it.
    func fault(of pattern: String, in key: String) -> String? {
        let reason: String? =
            switch self {
            case .names: Self.faultOfNames(pattern)
            case .text: Self.faultOfText(pattern)
            case .host: Self.faultOfHost(pattern)
            case .folder: Self.faultOfFolder(pattern)
            }
        return reason.map { "The pattern \"\(pattern)\" of \(key) \($0)" }
    }

    private static func faultOfNames(_ pattern: String) -> String? {
        if let sign = sign(in: pattern) {
            return "has \(sign), which means nothing here: write * for any characters, or each name by itself."
        }
        if pattern.utf8.first == UInt8(ascii: "!") {
            return "begins with !, and none takes back what another names: write what is meant."
        }
        let parts = pattern.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        if parts.first == "" || parts.first == "~" {
            return "is the whole of a path, and names are how paths end: write path, or leave out what it begins with."
        }
        if parts.last == "" { return "ends with /: write /** for whatever lies below." }
        if parts.contains(where: { ["", ".", ".."].contains($0) }) {
            return "has a part that is no name: leave it out."
        }
        if parts.contains(where: { $0 != "**" && hasStars($0) }) {
            return "has ** within a name: write * there; ** is for whole folders."
        }
        return nil
    }

    private static func faultOfText(_ pattern: String) -> String? {
        if let sign = sign(in: pattern) { return "has \(sign), which means nothing here: write * for any characters." }
        return hasStars(pattern) ? "has **: write *, which stands for any characters, also for /." : nil
    }

    private static func faultOfHost(_ pattern: String) -> String? {
        let isAddress = pattern.utf8.first == UInt8(ascii: "[")
        if let sign = sign(in: pattern, but: isAddress ? "[]" : "") {
            return "has \(sign), which means nothing here: write * for any characters."
        }
        if hasStars(pattern) { return "has **: write *, which stands for any characters, also for a dot." }
        if pattern.utf8.contains(where: { [UInt8(ascii: "/"), UInt8(ascii: "@"), UInt8(ascii: " ")].contains($0) }) {
            return "is no host: write its name alone, or name:port."
        }
        if let port = HostPattern(pattern).port, UInt16(port) == nil {
            return "has no number behind the colon: leave it out for any port."
        }
        return nil
    }

    private static func faultOfFolder(_ pattern: String) -> String? {
        guard let sign = sign(in: pattern) ?? (pattern.utf8.contains(UInt8(ascii: "*")) ? "*" : nil) else { return nil }
        return
            "has \(sign), and it is a folder as it is called, with all below: write the folder above, or names with *."
    }

    private static func hasStars(_ text: String) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains { $0 == UInt8(ascii: "*") && $1 == UInt8(ascii: "*") }
    }

    private static func sign(in pattern: String, but allowed: String = "") -> String? {
        pattern.unicodeScalars.first { "?[]{}\\".unicodeScalars.contains($0) && !allowed.unicodeScalars.contains($0) }
            .map { String($0) }
    }
}
