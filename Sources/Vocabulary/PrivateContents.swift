package import JSON

/// The contents that may hold keys, with the texts in which their hashes stand. A hash or a size would reveal whether a
/// guess of the content is right. So both are removed for models and from exports, which may not have the content.
package struct PrivateContents {
    private let isPrivate: (ContentHash) -> Bool

    package init(_ isPrivate: @escaping (ContentHash) -> Bool) {
        self.isPrivate = isPrivate
    }

    /// Returns the hashes of private contents that a value names. For a call they include targets that are marked as
    /// private, and the outputs of a command with such a target.
    package func named(in json: JSON) -> Set<ContentHash> {
        Set(ContentHash.named(in: json.text).filter(isPrivate)).union(Self.marked(in: json))
    }

    private static func marked(in json: JSON) -> Set<ContentHash> {
        switch json {
        case .array(let elements): return elements.reduce(into: []) { $0.formUnion(marked(in: $1)) }
        case .object(let object):
            var found: Set<ContentHash> = object.members.reduce(into: []) { $0.formUnion(marked(in: $1.value)) }
            var hashes: [JSON?] = []
            if object["private"] == true {
                hashes.append(object["change"]?["sha256"])
                // The content that is replaced by a private one need not be private.
                if object["effect"] != "overwrites" { hashes.append(object["before"]?["sha256"]) }
            }
            let hasPrivate = object["targets"]?.array?.contains { $0["private"] == true } ?? false
            if hasPrivate { hashes += [object["rehearsal"]?["output"], object["rehearsal"]?["errors"]] }
            for hash in hashes.compactMap({ $0?.string }) { found.formUnion(ContentHash.named(in: hash)) }
            return found.subtracting([.ofNothing])
        case .null, .bool, .int, .double, .string: return []
        }
    }

    /// Returns the hashes of files that have another name, since the file of that name may hold keys.
    private static func withOtherNames(in json: JSON) -> Set<ContentHash> {
        switch json {
        case .array(let elements): return elements.reduce(into: []) { $0.formUnion(withOtherNames(in: $1)) }
        case .object(let object):
            var found: Set<ContentHash> = object.members.reduce(into: []) { $0.formUnion(withOtherNames(in: $1.value)) }
            guard object["otherNames"] == true else { return found }
            for hash in [object["before"]?["sha256"], object["change"]?["sha256"]].compactMap({ $0?.string }) {
                found.formUnion(ContentHash.named(in: hash))
            }
            return found
        case .null, .bool, .int, .double, .string: return []
        }
    }

    /// Returns the value without the hashes of private contents, their sizes and metadata, and the digests of objects
    /// that named them.
    package func leftOut(of json: JSON) -> JSON {
        let hashes = named(in: json).union(Self.withOtherNames(in: json))
        return hashes.isEmpty ? json : Self.without(hashes, json)
    }

    /// The members of an object that reveal the size of the content whose hash stands beside them.
    package static let sizes: Set<String> = ["bytes", "size", "errorBytes"]

    private static func without(_ hashes: Set<ContentHash>, _ json: JSON) -> JSON {
        func names(_ value: JSON) -> Bool {
            value.string.map { !ContentHash.named(in: $0).isDisjoint(with: hashes) } ?? false
        }
        switch json {
        case .array(let elements): return .array(elements.filter { !names($0) }.map { without(hashes, $0) })
        case .object(let object):
            let isOne = object.members.contains { names($0.value) }
            var members: [JSON.Object.Member] = []
            var isTouched = isOne
            for member in object.members where !names(member.value) {
                if isOne, sizes.contains(member.key) || member.key == "meta" { continue }
                let value = without(hashes, member.value)
                isTouched = isTouched || value != member.value
                members.append(JSON.Object.Member(key: member.key, value: value))
            }
            // With everything else known, a digest tells as much as the hash in it.
            return .object(JSON.Object(members: isTouched ? members.filter { $0.key != "digest" } : members))
        case .null, .bool, .int, .double, .string: return json
        }
    }
}
