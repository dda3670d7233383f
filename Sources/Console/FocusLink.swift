import Vocabulary

extension Limits {
    /// The most bytes of a link to a step that a person types.
    fileprivate static let linkBytes = 4 << 10
}

/// A link to a step, and to its await: `assent://workflow/w3/node/2?await=7`, or `app://…` (`semantics.md` 46).
struct FocusLink: Hashable {
    var workflow: WorkflowID
    /// The number of a step, or the id of its node.
    var node: String
    var await: Int64?

    /// Reads a link.
    ///
    /// - Throws: `badLink`, with an example of a link.
    init(parsing text: String) throws(Failure) {
        let bad = Failure(
            .badLink, "\(text.prefix(200)) is no link to a step.",
            remedy: "A link looks like assent://workflow/w3/node/2?await=7; 'assent link 7' prints one.")
        guard let scheme = ["assent://", "app://"].first(where: text.lowercased().hasPrefix),
            text.utf8.count <= Limits.linkBytes
        else {
            throw bad
        }
        let parts = text.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false).map { String($0).percentDecoded }
        guard path.count == 4, path[0] == "workflow", path[2] == "node",
            let id = path[1].flatMap({ WorkflowID(parsing: $0) }),
            let node = path[3], !node.isEmpty
        else { throw bad }
        (workflow, self.node) = (id, node)
        guard parts.count == 2 else { return }
        for pair in parts[1].split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, halves[0] == "await", self.await == nil, let number = Int64(halves[1]), number > 0
            else { throw bad }
            self.await = number
        }
    }
}

extension String {
    /// The text with `%20` and the like decoded (RFC 3986, 2.1), or nil if the result is not text.
    var percentDecoded: String? {
        var (bytes, decoded) = (Array(utf8)[...], [UInt8]())
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard bytes.count >= 2, let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            decoded.append(value)
            bytes = bytes.dropFirst(2)
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

/// How long something takes, as people write it: `90s`, `30m`, `2h`, `1d`, `1h30m`.
enum WrittenDuration {
    /// Reads a duration such as `2h` or `1h 30m`.
    ///
    /// - Returns: the seconds, or nil if it is not a duration or too long.
    static func seconds(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        var (total, digits) = (0.0, "")
        for character in text.lowercased() where character != " " {
            if character.isASCII, character.isNumber || character == "." {
                digits.append(character)
            } else {
                guard let unit = units[character], let number = Double(digits) else { return nil }
                total += unit * number
                digits = ""
            }
        }
        return digits.isEmpty && total > 0 && total <= Limits.longestWaitSeconds ? total : nil
    }
}
