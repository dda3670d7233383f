package import JSON

/// Contents that may hold keys, where something else names them. A hash or a size tells whether a guess of the content
/// was right, so neither is told to those who may not have the content: models, and whoever is given an export.
package struct PrivateContents {
    private let isPrivate: (ContentHash) -> Bool

    package init(_ isPrivate: @escaping (ContentHash) -> Bool) {
        self.isPrivate = isPrivate
    }

    /// Those that a value names. Of a call also what a target says that it is private itself, and what a command said
    /// that made such a one.
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
                // What is replaced by a private one is none for that.
                if object["effect"] != "overwrites" { hashes.append(object["before"]?["sha256"]) }
            }
            let hasPrivate = object["targets"]?.array?.contains { $0["private"] == true } ?? false
            if hasPrivate { hashes += [object["rehearsal"]?["output"], object["rehearsal"]?["errors"]] }
            for hash in hashes.compactMap({ $0?.string }) { found.formUnion(ContentHash.named(in: hash)) }
            return found.subtracting([.ofNothing])
        case .null, .bool, .int, .double, .string: return []
        }
    }

    /// Of files that have another name: one of keys, perhaps.
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

    /// The same value without their hashes, sizes and properties, and without the digests of what named them.
    package func leftOut(of json: JSON) -> JSON {
        let hashes = named(in: json).union(Self.withOtherNames(in: json))
        return hashes.isEmpty ? json : Self.without(hashes, json)
    }

    /// Members of an object that tell of the content whose hash stands beside them.
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
