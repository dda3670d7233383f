import CProcess
import Glibc

/// An access list of POSIX.1e, in the form of the attribute `system.posix_acl_access` (Linux,
/// `include/uapi/linux/posix_acl_xattr.h`): a version, then entries of a tag, permissions and an id.
package struct AccessList: Hashable, Sendable {
    /// The value of the attribute.
    package let bytes: [UInt8]

    /// The attribute that holds the list of a file.
    package static let ofFile = "system.posix_acl_access"
    /// The attribute that holds the list that new entries of a folder get.
    package static let ofNewEntries = "system.posix_acl_default"

    private static let (version, owningGroup, mask) = (UInt8(2), UInt8(0x04), UInt8(0x10))

    /// Reads the value of the attribute. The result is nil if it is no access list.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= 4, (bytes.count - 4) % 8 == 0, bytes[0] == Self.version else { return nil }
        self.bytes = bytes
    }

    /// Whether a file or folder has an access list. It counts as having one if it cannot be opened.
    package static func isSet(on path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return cfiles_attribute(descriptor, ofFile, nil, 0) > 0
    }

    /// The permissions that the group of the file really has: those of its own entry within the mask. They are what is
    /// left for the group if the list is dropped, since the bits of the mode hold the mask.
    package var groupBits: Int {
        var (group, mask) = (0, 0o7)
        for start in stride(from: 4, to: bytes.count, by: 8) {
            if bytes[start] == Self.owningGroup { group = Int(bytes[start + 2]) & 0o7 }
            if bytes[start] == Self.mask { mask = Int(bytes[start + 2]) & 0o7 }
        }
        return group & mask
    }
}
