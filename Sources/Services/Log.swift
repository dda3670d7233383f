package import Files
import Glibc
package import Vocabulary

extension Limits {
    /// The bytes of the log beyond which it is renamed and a new one begins.
    package static let logBytes = 1 << 20

    /// The most bytes of a line of the log. A longer line is cut.
    package static let logLineBytes = 1000
}

/// The log of errors in the background: `log` in the data folder, and the older `log.1`, of at most 1 MB each. Lines
/// hold our own codes, numbers and sentences. They never hold media, secrets, or texts of a person or a model.
package struct Log: Sendable {
    let folder: String
    /// The time of a line.
    let now: @Sendable () -> Moment

    /// Creates the log of a data folder. Its file is made with the first line.
    package init(folder: String, now: @escaping @Sendable () -> Moment) {
        self.folder = folder
        self.now = now
    }

    private var path: String { folder + "/log" }

    /// The existing files, the newest first.
    package var files: [Keepsake] { [path, path + ".1"].compactMap { Keepsake($0) } }

    /// Writes a line about a failure.
    package func warn(_ place: String, _ failure: Failure) {
        write("warning", "\(place): \(failure.code): \(failure.message)")
    }
    /// Writes a line of our own words as a warning.
    package func warn(_ words: String) { write("warning", words) }

    private func write(_ level: String, _ words: String) {
        if let file = Keepsake(path), file.bytes >= Limits.logBytes { rename(path, path + ".1") }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // One line is written at once, so that lines of processes do not mix. Characters that could end a line or
        // control a terminal are removed.
        let plain = String(
            String.UnicodeScalarView(words.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        let bytes = Array("\(now()) \(level) \(plain)".utf8.prefix(Limits.logLineBytes)) + [UInt8(ascii: "\n")]
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
