import Files
import Glibc
import Synchronization
import Vocabulary

extension Limits {
    /// The most bytes of the list of what a process has mapped.
    fileprivate static let mapsBytes = 4 << 20
}

/// The program that takes the role of the process with libvips (`VipsZygoteRole`): this one if it is Assent, else the
/// one of its folder, as in tests.
package enum VipsProgram {
    private static let isThisOne = Atomic(false)

    /// Records that this process runs the program itself.
    package static func isOwn() { isThisOne.store(true, ordering: .relaxed) }

    /// The path of the program, or nil if there is none.
    static var path: String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { room in
            room.bindMemory(to: CChar.self).baseAddress.map { readlink("/proc/self/exe", $0, room.count) } ?? -1
        }
        guard count > 0, let own = String(validating: bytes.prefix(count), as: UTF8.self),
            let slash = own.lastIndex(of: "/")
        else { return nil }
        let path = isThisOne.load(ordering: .relaxed) ? own : own[...slash] + "assent"
        return access(path, X_OK) == 0 ? path : nil
    }

    /// The shared libraries of this process that no sandbox shows, such as those of Swift beside a debug build.
    static var libraries: [String] {
        guard let maps = try? OpenFile("/proc/self/maps", O_RDONLY).read(Limits.mapsBytes) else { return [] }
        let paths = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        return Set(paths).filter { path in
            path.contains(".so") && !["/usr/", "/lib", "/bin/", "/sbin/"].contains { path.hasPrefix($0) }
                && access(path, R_OK) == 0
        }.sorted()
    }
}
