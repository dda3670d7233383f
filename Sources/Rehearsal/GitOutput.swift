package import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most hidden files whose lines are looked for in the output of a command.
    fileprivate static let comparedKeyFiles = 50

    /// The bytes at the beginning of a hidden file whose lines are looked for in the output of a command.
    fileprivate static let comparedKeyBytes = 64 << 10
}

/// The check whether a command may have printed old versions of key files. These files are hidden in the folder, but
/// not in the history of git.
///
/// The check knows the command, its output, and the hidden files in their present state. So a command that reads an old
/// version by its hash, or encodes it, is not noticed (`consent.md`, "Rehearsal").
package struct GitOutput {
    private let command: String
    private let output: [UInt8]

    package init(command: String, output: String) {
        self.command = command
        self.output = Array(output.utf8)
    }

    /// Returns whether the output may contain old versions of key files.
    ///
    /// - Parameter hidden: the files that were hidden from the command.
    package func mayShowKeys(hidden: PrivateFiles) -> Bool {
        guard !(command.contains("git") && namesKeys) else { return true }
        guard !output.isEmpty else { return false }
        return place(of: Self.lineEnd, from: 0) != nil && hasHeaderOfKeys || repeats(hidden.keys)
    }

    /// Whether a word of the command is the path of a key file, or has one between colons, as in `git show HEAD:.env`.
    private var namesKeys: Bool {
        let words = command.utf8.split { byte in byte <= 0x20 || "\"'`;|&()<>=,{}$\\".utf8.contains(byte) }
        return words.contains { word in
            word.split(separator: UInt8(ascii: ":")).contains { part in
                let path = String(decoding: part, as: UTF8.self)
                return SecretFiles.holdsByName("/\(path)") || SecretFiles.holdsByName("/\(path)/x")
            }
        }
    }

    private static let lineEnd = UInt8(ascii: "\n")
    private static let headers = ["diff --git ", "+++ ", "--- "].map { Array($0.utf8) }

    /// Whether a line names a key file as `git diff` and `git grep` do: `+++ b/.env`, `HEAD:.env:TOKEN=…`.
    ///
    /// Output may have tens of millions of lines, so only lines with a byte of a header or a colon are looked at.
    private var hasHeaderOfKeys: Bool {
        var marks = ":+-".utf8.map { (byte: $0, place: place(of: $0, from: 0)) }
        var start = 0
        while true {
            for index in marks.indices {
                guard let place = marks[index].place, place < start else { continue }
                marks[index].place = self.place(of: marks[index].byte, from: start)
            }
            guard let first = marks.compactMap(\.place).min() else { return false }
            let begin = output[start..<first].lastIndex(of: Self.lineEnd).map { $0 + 1 } ?? start
            let end = place(of: Self.lineEnd, from: first) ?? output.count
            if Self.namesKeys(output[begin..<end]) { return true }
            start = end + 1
        }
    }

    private static func namesKeys(_ line: ArraySlice<UInt8>) -> Bool {
        if headers.contains(where: { line.starts(with: $0) }) {
            return isOfKeys(line.split(separator: UInt8(ascii: " ")).last)
        }
        // The path is the first part, or the second behind a revision.
        let parts = line.prefix(Limits.gitNoteBytes).split(
            separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count > 1 && parts.dropLast().contains { isOfKeys($0) }
    }

    private static func isOfKeys(_ bytes: ArraySlice<UInt8>?) -> Bool {
        guard let bytes, !bytes.isEmpty, !bytes.contains(where: { $0 <= 0x20 }) else { return false }
        return SecretFiles.holdsByName("/" + String(decoding: bytes, as: UTF8.self))
    }

    /// Returns whether a line of a hidden file is in the output, as it is or after the sign of a diff.
    private func repeats(_ files: [String]) -> Bool {
        var known: Set<ArraySlice<UInt8>> = []
        for path in files.prefix(Limits.comparedKeyFiles) {
            guard let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), let status = try? file.status(),
                status.kind == .file,
                let bytes = try? file.read(Limits.comparedKeyBytes)
            else { continue }
            for line in bytes.split(separator: UInt8(ascii: "\n")) where line.count >= Limits.leastKeyBytes {
                known.insert(line)
            }
        }
        let counts = known.map(\.count)
        guard let least = counts.min(), let most = counts.max() else { return false }
        var start = 0
        while let line = line(from: start, ofAtLeast: least) {
            if line.count <= most + 1, known.contains(output[line]) || known.contains(output[line].dropFirst()) {
                return true
            }
            start = line.upperBound + 1
        }
        return false
    }

    /// Returns the next line of at least `least` bytes, or nil. A line begins at `start`.
    private func line(from start: Int, ofAtLeast least: Int) -> Range<Int>? {
        output.withUnsafeBytes { bytes in
            var (begin, place) = (start, start + least)
            // Every line that ends within `least` bytes is too short, so only the last end of a line matters.
            while place > begin, place <= bytes.count {
                place -= 1
                guard bytes[place] == Self.lineEnd else { continue }
                begin = place + 1
                place = begin + least
            }
            guard place <= bytes.count else { return nil }
            return begin..<(self.place(of: Self.lineEnd, from: begin) ?? bytes.count)
        }
    }

    /// Returns the first place of a byte in the output that is not before `start`, or nil.
    private func place(of byte: UInt8, from start: Int) -> Int? {
        output.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count,
                let found = memchr(base + start, Int32(byte), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
