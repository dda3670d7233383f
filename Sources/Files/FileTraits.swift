import CProcess
import Glibc
package import Vocabulary

extension Limits {
    /// The most bytes of attributes that are stored with a content.
    package static let traitBytes = 64 << 10
}

/// The properties of a file besides its content: permissions, owner, access list, attributes and the time of the last
/// change of the content (`consent.md`, "What a file is").
package struct FileTraits: Hashable, Sendable {
    /// Permissions, such as `0o644`. With an access list, the bits of the group are its mask.
    package var mode: Int
    package var accessList: AccessList?
    /// The attributes of the user, and the capabilities of a program, by name.
    package var attributes: [String: [UInt8]] = [:]
    /// The properties of the file itself, which nothing has that was made from it.
    package var own: Own?

    /// The traits of one file that its results do not have.
    package struct Own: Hashable, Sendable {
        package var owner: UInt32
        package var group: UInt32
        /// Nanoseconds since 1970.
        package var modified: Int64
        /// The content that the file had.
        package var hash: ContentHash?
    }

    /// Whether attributes were too large to be stored.
    package var lacksAttributes = false

    /// A property that could not be kept.
    package enum Loss: String, Hashable, Sendable, CaseIterable {
        case owner = "its owner or group"
        case accessList = "its access list"
        case attributes = "its attributes"
        case time = "its time"
        case bits = "its setuid or setgid bit"
    }

    /// Creates traits.
    package init(mode: Int, accessList: AccessList? = nil, attributes: [String: [UInt8]] = [:], own: Own? = nil) {
        self.mode = mode
        self.accessList = accessList
        self.attributes = attributes
        self.own = own
    }

    /// Reads the traits of an open file or folder.
    package init(of file: borrowing OpenFile, hash: ContentHash? = nil) throws(Failure) {
        let status = try file.status()
        self.init(
            mode: status.permissions,
            own: Own(
                owner: status.st_uid, group: status.st_gid, modified: status.modifiedNanoseconds, hash: hash))
        for attribute in try file.attributes() {
            if attribute.name == AccessList.ofFile {
                accessList = AccessList(bytes: attribute.value)
            } else if Self.isKept(attribute.name) {
                attributes[attribute.name] = attribute.value
            }
        }
    }

    private static func isKept(_ name: String) -> Bool {
        // The marks of an overlay would hide other files.
        name.hasPrefix("user.") && !name.hasPrefix("user.overlay.") || name == "security.capability"
    }

    /// Returns the traits of what was made from some files: the permissions that all of them give, and their access list
    /// if they have the same one. The result is nil if there are no files.
    package static func ofResult(_ sources: [FileTraits]) -> FileTraits? {
        guard let first = sources.first else { return nil }
        guard sources.contains(where: { $0.accessList != first.accessList }) else {
            return FileTraits(mode: sources.reduce(0o777) { $0 & $1.mode }, accessList: first.accessList)
        }
        // Without its list, the bits of the group are those of the group, not the mask.
        return FileTraits(
            mode: sources.reduce(0o777) { bits, source in
                guard let list = source.accessList else { return bits & source.mode }
                return bits & (source.mode & ~0o070 | list.groupBits << 3)
            })
    }

    /// Whether these are the traits of the file that holds this content, so that a file with it is a copy.
    package func isOfCopy(_ hash: ContentHash) -> Bool { own?.hash == hash }
}

extension NewFile {
    /// Gives the file the traits of another one. A copy gets all of them. Another result gets permissions and access
    /// list, less the umask. The content must have been written before.
    ///
    /// - Parameter isCopy: whether owner, attributes and time are taken, too.
    /// - Returns: what could not be kept.
    package func take(_ traits: FileTraits, isCopy: Bool) throws(Failure) -> Set<FileTraits.Loss> {
        try file.take(traits, isCopy: isCopy)
    }
}

extension OpenFile {
    /// Gives a new file the traits of another one (`NewFile.take`).
    package func take(_ traits: FileTraits, isCopy: Bool) throws(Failure) -> Set<FileTraits.Loss> {
        var losses: Set<FileTraits.Loss> = []
        var mode = traits.mode & 0o777
        if isCopy, let own = traits.own {
            let now = try status()
            if now.st_uid != own.owner || now.st_gid != own.group {
                let isKept =
                    fchown(descriptor, own.owner, own.group) == 0
                    || fchown(descriptor, ~0, own.group) == 0
                        && now.st_uid == own.owner
                if !isKept { losses.insert(.owner) }
                // Another group gets no more than all others.
                if try status().st_gid != own.group { mode &= ~0o070 | (mode & 0o007) << 3 }
            }
        } else if !isCopy {
            mode &= ~Umask.present
        }
        // The folder's default access list may admit other users.
        _ = cfiles_remove_attribute(descriptor, AccessList.ofFile)
        if let list = traits.accessList, !set(AccessList.ofFile, list.bytes) {
            losses.insert(.accessList)
            mode = mode & ~0o070 | mode & (list.groupBits << 3)
        }
        guard fchmod(descriptor, mode_t(mode)) == 0 else { throw fileFailure("change", "a file") }
        guard isCopy else { return losses }
        if traits.lacksAttributes { losses.insert(.attributes) }
        for (name, value) in traits.attributes where !set(name, value) { losses.insert(.attributes) }
        if let own = traits.own, !setTime(own.modified) { losses.insert(.time) }
        return losses
    }

    /// Sets the time of the last change of the content, in nanoseconds since 1970.
    ///
    /// - Returns: whether the time was set. If not, `errno` is the reason.
    package func setTime(_ modified: Int64) -> Bool { setModified("/proc/self/fd/\(descriptor)", modified) }

    /// Gives a folder the access list that new entries of another one get.
    ///
    /// - Returns: whether it has it.
    package func takeListOfNewEntries(of other: borrowing OpenFile) throws(Failure) -> Bool {
        guard let list = try other.attributes().first(where: { $0.name == AccessList.ofNewEntries }) else {
            _ = cfiles_remove_attribute(descriptor, AccessList.ofNewEntries)
            return true
        }
        return set(list.name, list.value)
    }

    func set(_ name: String, _ value: [UInt8]) -> Bool {
        value.withUnsafeBytes { cfiles_set_attribute(descriptor, name, $0.baseAddress, $0.count) } == 0
    }
}

/// The permissions that this process does not give to new files.
package enum Umask {
    /// Read from `/proc/self/status` (proc(5)), since umask(2) can only be read by setting it, for all threads at once.
    package static let present: Int = {
        guard let file = try? OpenFile("/proc/self/status", O_RDONLY), let bytes = try? file.read(4096) else {
            return 0o022
        }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line.flatMap { Int($0.dropFirst(6).filter { $0.isNumber }, radix: 8) } ?? 0o022
    }()
}

/// Sets the time of the last change of a file's content. The time of the last access stays.
///
/// - Parameters:
///   - place: the path of an open descriptor below `/proc/self/fd`. If a link itself was opened, the time of the link
///     is set.
///   - modified: nanoseconds since 1970, negative before.
/// - Returns: whether the time was set. If not, `errno` is the reason.
package func setModified(_ place: String, _ modified: Int64) -> Bool {
    let second: Int64 = 1_000_000_000
    let rest = ((modified % second) + second) % second
    // `UTIME_OMIT`, which Swift does not import.
    let omitted = (1 << 30) - 2
    let times = [
        timespec(tv_sec: 0, tv_nsec: omitted), timespec(tv_sec: Int((modified - rest) / second), tv_nsec: Int(rest)),
    ]
    return utimensat(AT_FDCWD, place, times, 0) == 0
}

/// Sets the access list and the attributes of a file that is there to what was recorded of it.
///
/// - Parameter place: the path of an open descriptor below `/proc/self/fd`.
/// - Returns: whether all were set. If not, `errno` is the reason.
package func setExtra(_ place: String, from now: FileState.Extra, to extra: FileState.Extra) -> Bool {
    func set(_ name: String, _ value: [UInt8]?) -> Bool {
        guard let value else { return cfiles_remove_attribute_at(place, name) == 0 || errno == ENODATA }
        return value.withUnsafeBytes { cfiles_set_attribute_at(place, name, $0.baseAddress, $0.count) } == 0
    }
    let names = Set(now.attributes.keys).union(extra.attributes.keys)
    return names.allSatisfy { now.attributes[$0] == extra.attributes[$0] || set($0, extra.attributes[$0]) }
        && (now.accessList == extra.accessList || set(AccessList.ofFile, extra.accessList?.bytes))
}
