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

        package init(hash: ContentHash, bytes: Int64, mode: Int, modified: Int64) {
            self.hash = hash
            self.bytes = bytes
            self.mode = mode
            self.modified = modified
        }
    }

    /// Returns whether two states have the same content and permissions. The time of a file is not compared, since no
    /// work is lost with it. The permissions of folders are compared if both are known.
    package func isSame(as other: FileState) -> Bool {
        switch (self, other) {
        case (.file(let one), .file(let two)): one.hash == two.hash && one.bytes == two.bytes && one.mode == two.mode
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
    /// - Parameter hash: the hash of a file's content.
    package init(_ status: stat, hash: ContentHash, leadsTo: String? = nil) {
        switch status.kind {
        case .file:
            self = .file(
                Content(
                    hash: hash, bytes: Int64(status.st_size), mode: status.permissions,
                    modified: status.modifiedNanoseconds))
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
        self.init(status, hash: hash, leadsTo: look.leadsTo)
    }

    /// Reads the state of an entry. A link is not followed.
    package static func of(_ name: String, in folder: borrowing OpenFolder) throws(Failure) -> FileState {
        guard let status = try folder.status(of: name) else { return .absent }
        switch status.kind {
        case .file:
            let file = try folder.file(name)
            let (hash, _) = try file.digest()
            return FileState(try file.status(), hash: hash)
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
                "modified": .string(String(content.modified)),
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
            self = .file(Content(hash: ContentHash(hex: hex), bytes: bytes, mode: mode, modified: modified))
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
