package import Glibc
package import JSON
package import Vocabulary

/// The state of a path, as undo compares and restores it.
package enum FileState: Hashable {
    case absent
    case file(Content)
    /// `modified` is the time of the link itself, in nanoseconds since 1970, or `nil` if it is not known.
    case link(to: String, modified: Int64? = nil)
    /// A folder without its content. `mode` is `nil` if its permissions are not known.
    case folder(mode: Int?)
    /// A device, a pipe or a socket.
    case special

    /// A file as it is stored in a record.
    package struct Content: Hashable {
        package var hash: ContentHash
        package var bytes: Int64
        /// Permissions, such as `0o644`.
        package var mode: Int
        /// The time of the last change of the content, in nanoseconds since 1970.
        package var modified: Int64
        /// The access list and the attributes, or `nil` if they were not recorded.
        package var extra: Extra?

        package init(hash: ContentHash, bytes: Int64, mode: Int, modified: Int64, extra: Extra? = nil) {
            self.hash = hash
            self.bytes = bytes
            self.mode = mode
            self.modified = modified
            self.extra = extra
        }
    }

    /// The access list and the attributes of a file, as undo compares and restores them.
    package struct Extra: Hashable {
        package var accessList: AccessList?
        package var attributes: [String: [UInt8]]

        /// Reads them from an open file.
        package init(of file: borrowing OpenFile) throws(Failure) {
            let traits = try FileTraits(of: file)
            (accessList, attributes) = (traits.accessList, traits.attributes)
        }

        /// Takes them from traits.
        package init(_ traits: FileTraits) { (accessList, attributes) = (traits.accessList, traits.attributes) }
    }

    /// Returns whether two states have the same content, permissions, access list and attributes. The time of a file is
    /// not compared, since no work is lost with it. The permissions of folders, and access lists and attributes, are
    /// compared if both are known.
    package func isSame(as other: FileState) -> Bool {
        switch (self, other) {
        case (.file(let one), .file(let two)):
            one.hash == two.hash && one.bytes == two.bytes && one.mode == two.mode
                && (one.extra == nil || two.extra == nil || one.extra == two.extra)
        case (.folder(let one), .folder(let two)): one == nil || two == nil || one == two
        case (.link(let one, _), .link(let two, _)): one.isSameName(as: two)
        default: self == other
        }
    }

    /// Whether two files have the same content, whatever their permissions and times.
    package func hasSameContent(as other: FileState) -> Bool {
        guard case .file(let one) = self, case .file(let two) = other else { return false }
        return one.hash == two.hash && one.bytes == two.bytes
    }

    /// The state itself, or with the usual permissions for a folder whose permissions are not known.
    package var withModeOfFolder: FileState { if case .folder(nil) = self { .folder(mode: 0o755) } else { self } }

    /// The time of a file or a link, in nanoseconds since 1970, or `nil` for others, and if it is not known.
    package var modified: Int64? {
        switch self {
        case .file(let content): content.modified
        case .link(_, let modified): modified
        case .absent, .folder, .special: nil
        }
    }

    /// The size of a file, or `nil` for others.
    package var bytes: Int64? { if case .file(let content) = self { content.bytes } else { nil } }

    package var isFolder: Bool { if case .folder = self { true } else { false } }
    package var isAbsent: Bool { self == .absent }
}

extension FileState {
    /// - Parameters:
    ///   - hash: the hash of a file's content.
    ///   - extra: the access list and the attributes of a file, if they were read.
    package init(_ status: stat, hash: ContentHash, leadsTo: String? = nil, extra: Extra? = nil) {
        switch status.kind {
        case .file:
            self = .file(
                Content(
                    hash: hash, bytes: Int64(status.st_size), mode: status.permissions,
                    modified: status.modifiedNanoseconds, extra: extra))
        case .folder: self = .folder(mode: status.permissions)
        case .link: self = .link(to: leadsTo ?? "", modified: status.modifiedNanoseconds)
        case .special: self = .special
        }
    }

    package init(_ look: FolderEntry.Look) {
        guard let status = look.status else {
            self = .absent
            return
        }
        var hash = ContentHash.ofNothing
        if case .file(_, _, _, _, let found?) = look.before { hash = found }
        self.init(status, hash: hash, leadsTo: look.leadsTo, extra: look.extra)
    }

    /// Reads the state of an open file.
    ///
    /// - Parameter hash: the hash of its content.
    package init(of file: borrowing OpenFile, hash: ContentHash) throws(Failure) {
        self.init(try file.status(), hash: hash, extra: try Extra(of: file))
    }

    /// Reads the state of an entry. A link is not followed.
    package static func of(_ name: String, in folder: borrowing OpenFolder) throws(Failure) -> FileState {
        guard let status = try folder.status(of: name) else { return .absent }
        switch status.kind {
        case .file:
            let file = try folder.file(name)
            let (hash, _) = try file.digest()
            return try FileState(of: file, hash: hash)
        case .link: return .link(to: try folder.linkTarget(name), modified: status.modifiedNanoseconds)
        case .folder: return .folder(mode: status.permissions)
        case .special: return .special
        }
    }
}

extension FileState {
    package var json: JSON {
        switch self {
        case .absent: .null
        case .file(let content):
            .of([
                "sha256": .string(content.hash.hex), "bytes": .string(String(content.bytes)),
                "mode": .int(content.mode),
                "modified": .string(String(content.modified)), "extra": content.extra?.json,
            ])
        case .link(let target, let modified):
            .of(["link": .string(target), "modified": modified.map { .string(String($0)) }])
        case .folder(let mode): ["folder": mode.map { .int($0) } ?? .bool(true)]
        case .special: ["special": true]
        }
    }

    package init?(json: JSON) {
        if json.isNull {
            self = .absent
        } else if let hex = json["sha256"]?.string, let bytes = json["bytes"]?.string.flatMap({ Int64($0) }),
            let mode = json["mode"]?.int,
            let modified = json["modified"]?.string.flatMap({ Int64($0) })
        {
            let extra = json["extra"].flatMap { FileTraits(json: $0) }.map { Extra($0) }
            self = .file(
                Content(hash: ContentHash(hex: hex), bytes: bytes, mode: mode, modified: modified, extra: extra))
        } else if let target = json["link"]?.string {
            self = .link(to: target, modified: json["modified"]?.string.flatMap { Int64($0) })
        } else if let mode = json["folder"] {
            self = .folder(mode: mode.int)
        } else if json["special"] != nil {
            self = .special
        } else {
            return nil
        }
    }
}

extension FileState.Extra {
    /// The access list and the attributes as traits, whose permissions are not used.
    fileprivate var json: JSON { FileTraits(mode: 0, accessList: accessList, attributes: attributes).json }
}
