import Glibc

/// The processes of this machine, as `/proc` shows them.
package enum ProcessTable {
    /// Returns the ids of processes that have `text` in their command line, their environment or their working folder.
    /// This process is left out.
    package static func ids(with text: String) -> [Int32] {
        ids { id in
            ["cmdline", "environ"].contains { ScratchFolder.text("/proc/\(id)/\($0)")?.contains(text) == true }
                || link("/proc/\(id)/cwd").contains(text)
        }
    }

    /// Returns those whose command line, its words parted by spaces, holds `words`.
    package static func ids(saying words: String) -> [Int32] { ids { commandLine($0).contains(words) } }

    package static func commandLine(_ id: Int32) -> String {
        ScratchFolder.text("/proc/\(id)/cmdline")?.replacing("\0", with: " ") ?? ""
    }

    /// Returns the state of a process: `R` runs, `S` sleeps, `T` is stopped, `Z` has ended. Empty if there is no such
    /// process.
    package static func state(_ id: Int32) -> Substring {
        // The name may hold anything, but no `)` follows it.
        ScratchFolder.text("/proc/\(id)/stat")?.split(separator: ")").last?.split(separator: " ").first ?? ""
    }

    private static func ids(where holds: (Int32) -> Bool) -> [Int32] {
        ScratchFolder.names(in: "/proc").compactMap { Int32($0) }.filter { $0 != getpid() && holds($0) }
    }

    private static func link(_ path: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
