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
struct GitOutput {
    let command: String
    let output: String

    /// Returns whether the output may contain old versions of key files.
    ///
    /// - Parameter hidden: the files that were hidden from the command.
    func mayShowKeys(hidden: PrivateFiles) -> Bool {
        guard !(command.contains("git") && namesKeys) else { return true }
        guard !output.isEmpty else { return false }
        return output.utf8.contains(UInt8(ascii: "\n")) && hasHeaderOfKeys || repeats(hidden.keys)
    }

    /// Whether a word of the command is the path of a key file, or has one between colons, as in `git show HEAD:.env`.
    private var namesKeys: Bool {
        let words = command.utf8.split { byte in byte <= 0x20 || "\"'`;|&()<>=,{}$\\".utf8.contains(byte) }
        return words.contains { word in
            word.split(separator: UInt8(ascii: ":")).contains { part in
                let path = String(decoding: part, as: UTF8.self)
                return SecretFiles.holds("/\(path)") || SecretFiles.holds("/\(path)/x")
            }
        }
    }

    /// Whether a line names a key file as `git diff` and `git grep` do: `+++ b/.env`, `HEAD:.env:TOKEN=…`.
    private var hasHeaderOfKeys: Bool {
        output.utf8.split(separator: UInt8(ascii: "\n")).contains { line in
            if line.starts(with: "diff --git ".utf8) || line.starts(with: "+++ ".utf8) || line.starts(with: "--- ".utf8)
            {
                return Self.isOfKeys(line.split(separator: UInt8(ascii: " ")).last)
            }
            // The path is the first part, or the second behind a revision.
            let parts = line.prefix(Limits.gitNoteBytes).split(
                separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count > 1 && parts.dropLast().contains { Self.isOfKeys($0) }
        }
    }

    private static func isOfKeys(_ bytes: Substring.UTF8View.SubSequence?) -> Bool {
        guard let bytes, !bytes.isEmpty, !bytes.contains(where: { $0 <= 0x20 }) else { return false }
        return SecretFiles.holds("/" + String(decoding: bytes, as: UTF8.self))
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
        guard !known.isEmpty else { return false }
        return Array(output.utf8).split(separator: UInt8(ascii: "\n")).contains { line in
            known.contains(line) || known.contains(line.dropFirst())
        }
    }
}
