package import JSON
package import Vocabulary

/// The traits of a file as they are stored with its content.
extension FileTraits {
    /// The traits as JSON. Attributes that are too large together are left out.
    package var json: JSON {
        let size = attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.count }
        let kept = size <= Limits.traitBytes ? attributes.sorted { $0.key < $1.key } : []
        return .of([
            "mode": .int(mode), "accessList": accessList.map { .string($0.bytes.hexDigits) },
            "attributes": kept.isEmpty
                ? nil
                : .object(
                    JSON.Object(
                        members: kept.map { JSON.Object.Member(key: $0.key, value: .string($0.value.hexDigits)) })),
            "lacksAttributes": lacksAttributes || size > Limits.traitBytes ? true : nil,
            "owner": own.map { .int(Int($0.owner)) }, "group": own.map { .int(Int($0.group)) },
            "modified": own.map { .string(String($0.modified)) }, "sha256": own?.hash.map { .string($0.hex) },
        ])
    }

    /// Reads stored traits. The result is nil if they are none.
    package init?(json: JSON) {
        guard let mode = json["mode"]?.int else { return nil }
        self.init(mode: mode & 0o7777)
        accessList = json["accessList"]?.string.flatMap { [UInt8](hexDigits: $0) }.flatMap { AccessList(bytes: $0) }
        lacksAttributes = json["lacksAttributes"]?.bool ?? false
        for member in json["attributes"]?.object?.members ?? [] {
            attributes[member.key] = member.value.string.flatMap { [UInt8](hexDigits: $0) }
        }
        guard let owner = json["owner"]?.int.flatMap({ UInt32(exactly: $0) }),
            let group = json["group"]?.int.flatMap({ UInt32(exactly: $0) }),
            let modified = json["modified"]?.string.flatMap({ Int64($0) })
        else { return }
        own = Own(
            owner: owner, group: group, modified: modified,
            hash: json["sha256"]?.string.map { ContentHash(hex: $0) })
    }
}

extension Asset {
    /// The traits of the file that the content comes from, or of the files that it was made from. Nil if it comes from no
    /// file.
    package var traits: FileTraits? {
        get { meta[Asset.traitsKey].flatMap { FileTraits(json: $0) } }
        set { meta[Asset.traitsKey] = newValue?.json }
    }
}

extension [UInt8] {
    /// Reads hexadecimal digits, two for each byte.
    fileprivate init?(hexDigits text: String) {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        self = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            append(byte)
        }
    }
}

extension [LeftOut] {
    /// Tells what could not be kept of a file.
    package init(_ losses: Set<FileTraits.Loss>) {
        self = losses.map(\.rawValue).sorted().map { LeftOut(.traits, why: $0) }
    }
}
