package import Glibc
import Vocabulary

extension Limits {
    /// The most bytes that are read of a file in `/proc` about locks or processes.
    fileprivate static let procBytes = 1 << 20
}

/// The states of processes, as the kernel reports them in `/proc`.
package enum ProcessState {
    /// Returns whether a process is stopped or traced, by the third field of `/proc/N/stat`. The second field stands in
    /// parentheses and may hold any text.
    package static func isStopped(_ process: pid_t) -> Bool {
        let fields = text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ")
        return fields?.first == "T" || fields?.first == "t"
    }

    /// Returns the text of a file in `/proc`, which is empty if it cannot be read.
    static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < Limits.procBytes {
            let count = read(descriptor, &piece, piece.count)
            if count <= 0 { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
