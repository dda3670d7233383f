import Glibc
import JSON
package import Rehearsal
import Sandbox
import Vocabulary

extension Limits {
    /// The most notices about weaker protection that are remembered as shown.
    fileprivate static let saidNotices = 16
}

/// Notices that a protection is weaker than usual on this machine, each shown once for a data folder and a state.
package struct ShelterNotices: Sendable {
    let folder: String
    /// Returns the protection that the sandbox offers here, or nil if it could not be found out.
    let shelter: @Sendable () -> Shelter?

    /// Creates the notices of a data folder.
    ///
    /// - Parameter shelter: called at most once. It may block.
    package init(folder: String, shelter: @escaping @Sendable () -> Shelter?) {
        self.folder = folder
        self.shelter = shelter
    }

    private var path: String { "\(folder)/shelter.json" }

    /// Returns the notice that must be shown now, or nil if no protection is weaker or the notice was shown before.
    /// Blocks once a start of the machine, when it tries the sandbox.
    package func due() -> String? {
        let known = (try? FileSystem.bytes(path, limit: Limits.noteBytes)).flatMap { try? JSONReader.read($0) }
        let here = Self.here()
        let notice: String
        if let known, known["here"]?.string == here {
            guard let words = known["notice"]?.string else { return nil }
            notice = words
        } else {
            guard let found = shelter() else { return nil }
            notice = found.notice ?? ""
        }
        let said = known?["said"]?.array?.compactMap(\.string) ?? []
        let isNew = !notice.isEmpty && !said.contains(notice)
        let note: JSON = .of([
            "here": .string(here), "notice": notice.isEmpty ? nil : .string(notice),
            "said": .array((said + (isNew ? [notice] : [])).suffix(Limits.saidNotices).map { .string($0) }),
        ])
        if known != note { try? FileSystem.replace(path, with: Array(note.text.utf8)) }
        return isNew ? notice : nil
    }

    /// Returns a text that changes with the state of the machine, as far as it is cheap to read: the user, the
    /// sandbox's program, and the boot of the machine.
    private static func here() -> String {
        let boot =
            (try? FileSystem.bytes("/proc/sys/kernel/random/boot_id", limit: 100)).map {
                String(decoding: $0, as: UTF8.self)
            } ?? ""
        return
            "\(boot.prefix(36)) \(geteuid()) \(Isolation.mark) \(file("/proc/self/ns/user")) \(file("/proc/self/ns/mnt"))"
    }

    private static func file(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }
}
