import Consent
import JSON
package import Storage
package import Vocabulary

/// The replacement of contents that may hold keys when a bundle is made. Each hash becomes a number, the same
/// everywhere, so that rows still belong together. Sizes become 0, and calls are hashed again. Numbers from an imported
/// bundle stay as they are.
package struct BundlePrivacy {
    /// The stand-in of each content, and later of each digest of a call, by hash.
    private var standIns: [ContentHash: ContentHash] = [:]
    /// The numbers that were in the rows already. No other content gets one of them.
    private let taken: Set<ContentHash>
    private var count = 0

    /// Replaces the private contents in `rows`. Rows that do not refer to them stay as they are.
    @discardableResult
    package init(_ contents: PrivateContents, leftOutOf rows: inout BundleRows) {
        taken = Set(Self.texts(of: rows).flatMap(ContentHash.named).filter(Self.isNumber))
        for text in Self.texts(of: rows) {
            let found = contents.named(in: (try? JSONReader.read(text)) ?? .string(text))
            for hash in found.sorted(by: { $0.hex < $1.hex }) { standFor(hash) }
        }
        guard !standIns.isEmpty else { return }
        var digests: Set<ContentHash> = []
        for (name, _) in BundleRows.carried {
            for index in (rows.tables[name] ?? []).indices {
                let row = rows.tables[name]![index]
                var changed = withheld(row)
                let digest = name == "runs" ? nil : row["digest"]?.string.flatMap(ContentHash.init(checking:))
                if let digest { digests.insert(digest) }
                if name == "decisions", changed["call"] != row["call"],
                    let call = try? JSONReader.read(changed["call"]?.string ?? "")
                {
                    changed["call"] = .string(call.canonical)
                    if let digest { standFor(digest, call: call) }
                }
                // The digest of a gate depends on the contents that its step would consume.
                if name == "awaits", changed["question"] != row["question"], let digest { standFor(digest) }
                rows.tables[name]![index] = changed
            }
        }
        // A call that is stored nowhere may name any content.
        for digest in (rows.tables["runs"] ?? []).compactMap({
            $0["digest"]?.string.flatMap(ContentHash.init(checking:))
        })
        where !digests.contains(digest) { standFor(digest) }
        for (name, _) in BundleRows.carried { rows.tables[name] = rows.tables[name]?.map { row in plainly(row) } }
        rows.template = plainly(rows.template)
    }

    private static func texts(of rows: BundleRows) -> [String] {
        BundleRows.carried.flatMap { rows.tables[$0.name] ?? [] }.flatMap { $0.members.compactMap(\.value.string) } + [
            rows.template
        ]
    }

    // MARK: Numbers

    private static let zeros = String(repeating: "0", count: 48)

    /// Whether the hash is a number that stands for a content, not the hash of a content.
    private static func isNumber(_ hash: ContentHash) -> Bool { hash.hex.hasPrefix(zeros) }

    private static func standIn(_ number: Int) -> ContentHash {
        let digits = String(number, radix: 16)
        return ContentHash(hex: zeros + String(repeating: "0", count: 16 - digits.count) + digits)
    }

    private mutating func standFor(_ hash: ContentHash) {
        guard standIns[hash] == nil, !Self.isNumber(hash) else { return }
        // The number is at most as large as the count of numbers in the rows and of replaced contents.
        repeat { count += 1 } while taken.contains(Self.standIn(count))
        standIns[hash] = Self.standIn(count)
    }

    /// Makes the stand-in for the digest of a call, unless it has one.
    ///
    /// - Parameter call: the call after its contents were replaced, or nil if it is unknown.
    private mutating func standFor(_ digest: ContentHash, call: JSON?) {
        guard standIns[digest] == nil else { return }
        if let call, let read = try? Call(json: call) {
            standIns[digest] = Consent.digest(of: read)
        } else {
            standFor(digest)
        }
    }

    // MARK: In their place

    private func names(_ text: String) -> Bool { ContentHash.named(in: text).contains { standIns[$0] != nil } }

    private func plainly(_ text: String) -> String {
        ContentHash.named(in: text).reduce(text) { text, hash in
            standIns[hash].map { text.replacing(hash.hex, with: $0.hex) } ?? text
        }
    }

    private func plainly(_ row: JSON.Object) -> JSON.Object {
        JSON.Object(
            members: row.members.map {
                .init(key: $0.key, value: $0.value.string.map { .string(plainly($0)) } ?? $0.value)
            })
    }

    /// Returns a row with its contents replaced, also inside columns that hold JSON.
    private mutating func withheld(_ row: JSON.Object) -> JSON.Object {
        var members: [JSON.Object.Member] = []
        let isOne = row["sha256"]?.string.map(names) ?? false
        for member in row.members {
            var value = member.value
            if let text = value.string, names(text), let json = try? JSONReader.read(text),
                json.object != nil || json.array != nil
            {
                value = .string(withheld(json).text)
            } else if isOne, PrivateContents.sizes.contains(member.key) {
                value = 0
            }
            members.append(.init(key: member.key, value: value))
        }
        return JSON.Object(members: members)
    }

    private mutating func withheld(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements):
            var changed: [JSON] = []
            for element in elements { changed.append(withheld(element)) }
            return .array(changed)
        case .object(let object):
            let isOne = object.members.contains { $0.value.string.map(names) ?? false }
            var changed = JSON.Object()
            for (key, value) in object.members.map({ ($0.key, $0.value) }) {
                changed[key] = isOne && PrivateContents.sizes.contains(key) && value.int != nil ? 0 : withheld(value)
            }
            // The digest of a question, or of a call in its plan.
            let digest = object["digest"]?.string.flatMap(ContentHash.init(checking:))
            if let call = changed["call"], call != object["call"], let digest {
                standFor(digest, call: call)
                changed["digest"] = standIns[digest].map { .string($0.hex) }
            }
            return .object(changed)
        case .string(let text): return .string(plainly(text))
        case .null, .bool, .int, .double: return json
        }
    }
}
