extension Limits {
    /// The most bytes of a link to a step that a person types.
    fileprivate static let linkBytes = 4 << 10
}

/// A link to a step, and to its await: `assent://workflow/w3/node/2?await=7`, or `app://…` (`semantics.md` 46).
package struct FocusLink: Hashable {
    package var workflow: WorkflowID
    /// The number of a step, or the id of its node.
    package var node: String
    package var await: Int64?

    /// Reads a link.
    ///
    /// - Throws: `badLink`, with an example of a link.
    package init(parsing text: String) throws(Failure) {
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
    package var percentDecoded: String? {
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
