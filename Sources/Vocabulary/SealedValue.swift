package import JSON

/// A placeholder in templates, rows and questions for a value that holds a key or is marked as secret. The value itself
/// is in a private file of that name, and only the tool that runs receives it.
///
/// The name is a hash of the value, of the text that is shown, of the tool's kind and parameter, and of a salt of the
/// data folder. A changed value is therefore another call, which is asked again.
package struct SealedValue: Hashable, Sendable {
    package let hash: ContentHash
    /// The value with the keys cut out of it.
    package let shown: String

    package init(hash: ContentHash, shown: String) {
        self.hash = hash
        self.shown = shown
    }

    /// Reads a placeholder. Returns `nil` for any other value.
    package init?(_ json: JSON) {
        guard let object = json.object, object.members.count == 2, let shown = object["shown"]?.string,
            let name = object["sealed"]?.string, name.hasPrefix(Self.prefix),
            let hash = ContentHash(checking: String(name.dropFirst(7)))
        else { return nil }
        self.init(hash: hash, shown: shown)
    }

    private static let prefix = "sha256:"

    package var json: JSON { ["sealed": .string(Self.prefix + hash.hex), "shown": .string(shown)] }

    /// Returns all placeholders in a value.
    package static func all(in json: JSON) -> Set<SealedValue> {
        if let seal = SealedValue(json) { return [seal] }
        switch json {
        case .array(let elements): return elements.reduce(into: []) { $0.formUnion(all(in: $1)) }
        case .object(let object): return object.members.reduce(into: []) { $0.formUnion(all(in: $1.value)) }
        case .null, .bool, .int, .double, .string: return []
        }
    }

    /// Returns the value with placeholders that refer to no stored value, for a workflow that is imported or exported.
    /// The user who continues it provides values of their own.
    package static func foreign(_ json: JSON) -> JSON {
        if let seal = SealedValue(json) { return SealedValue(hash: .nobodys, shown: seal.shown).json }
        return switch json {
        case .array(let elements): .array(elements.map(foreign))
        case .object(let object):
            .object(JSON.Object(members: object.members.map { .init(key: $0.key, value: foreign($0.value)) }))
        case .null, .bool, .int, .double, .string: json
        }
    }

    /// Returns whether a value contains a placeholder.
    package static func isIn(_ json: JSON) -> Bool {
        if SealedValue(json) != nil { return true }
        return switch json {
        case .array(let elements): elements.contains(where: isIn)
        case .object(let object): object.members.contains { isIn($0.value) }
        case .null, .bool, .int, .double, .string: false
        }
    }
}

extension ContentHash {
    /// The hash of a placeholder without a stored value: 64 zeros.
    fileprivate static let nobodys = ContentHash(hex: String(repeating: "0", count: 64))
}
