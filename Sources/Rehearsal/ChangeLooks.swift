import Files
import Glibc
import Vocabulary

/// The descriptions of files and folders that a walk has examined.
extension ChangeWalk {
    func before(_ was: stat, _ hash: ContentHash?) -> Call.Before {
        .file(
            device: UInt64(was.st_dev), inode: was.inode, size: was.kind == .folder ? 0 : Int64(was.st_size),
            // The time of a folder changes with its entries, which are listed by themselves.
            modifiedNanoseconds: was.kind == .folder ? 0 : was.modifiedNanoseconds, hash: hash)
    }

    func change(_ now: stat, was: stat?, _ hash: ContentHash?, leadsTo: String? = nil) -> Call.Change {
        Call.Change(
            kind: now.changeKind, modeBefore: was?.permissions, mode: now.permissions,
            bytes: now.kind == .file ? Int(now.st_size) : 0,
            hash: hash, leadsTo: leadsTo)
    }

    func gone(_ was: stat, _ hash: ContentHash?) -> Call.Change {
        Call.Change(
            kind: was.changeKind, modeBefore: was.permissions, bytes: was.kind == .file ? Int(was.st_size) : 0,
            hash: hash)
    }

    /// Returns a hash of the attributes that do not belong to the overlay, or `nil` if there are none.
    static func hash(_ attributes: [OpenFile.Attribute]) -> ContentHash? {
        let own = attributes.filter { !$0.name.hasPrefix("user.overlay.") }
        guard !own.isEmpty else { return nil }
        let sorted = own.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return .of(sorted.flatMap { Array($0.name.utf8) + [0] + Array(ContentHash.of($0.value).hex.utf8) })
    }
}

extension stat {
    var isWhiteout: Bool { st_mode & S_IFMT == S_IFCHR && st_rdev == 0 }

    fileprivate var changeKind: Call.Change.Kind {
        switch kind {
        case .folder: .folder
        case .link: .link
        case .file, .special: .file
        }
    }
}
