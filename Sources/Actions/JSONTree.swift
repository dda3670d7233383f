package import JSON
package import Vocabulary

extension Limits {
    /// The most bytes of a JSON file that is read as a tree, with its escapes decoded. The text that is made of it may
    /// have 16 times as many.
    package static let viewedTreeBytes = 1 << 20
}

extension WrittenJSON {
    /// Whether the JSON, laid out, has at most 16 times `Limits.viewedTreeBytes`. Its depth makes lines longer.
    package var fits: Bool {
        var left = 16 * Limits.viewedTreeBytes
        func take(_ json: WrittenJSON, _ depth: Int) -> Bool {
            left -= 2 * depth + 8
            if let elements = json.elements { return left > 0 && elements.allSatisfy { take($0, depth + 1) } }
            guard let members = json.members else {
                left -= json.written.count
                return left > 0
            }
            return members.allSatisfy { member in
                left -= member.key.utf8.count
                return take(member.value, depth + 1)
            }
        }
        return take(self, 0)
    }
}
