import Glibc

/// The lines that the user has entered, oldest first, each once. In the file, an entry is one line, with `\n` for a
/// newline and `\\` for a backslash. Only the user can read the file (0600). Entries are only ever appended, so that
/// two consoles do not lose each other's.
struct InputHistory {
    private(set) var entries: [String] = []
    private let path: String?

    init(path: String?) {
        self.path = path
        guard let path, let (text, isWhole) = Self.tail(of: path) else { return }
        let lines = text.split(separator: "\n")
        entries = Self.newest(lines.dropFirst(isWhole ? 0 : 1))
        if lines.count > TerminalLimits.historyEntries * 2 || !isWhole { rewrite(path) }
    }

    /// Adds a line to the entries and the file. Returns whether an earlier entry was removed, so that libedit's copy
    /// must be filled again.
    mutating func enter(_ line: String) -> Bool {
        guard !line.allSatisfy(\.isWhitespace) else { return false }
        let moved = add(line)
        if let path { Self.append(Self.escape(line) + "\n", to: path) }
        return moved
    }

    @discardableResult
    private mutating func add(_ line: String) -> Bool {
        let known = entries.lastIndex(of: line)
        if let known { entries.remove(at: known) }
        entries.append(line)
        if entries.count > TerminalLimits.historyEntries { entries.removeFirst() }
        return known != nil
    }

    /// Returns the last occurrence of each line, as many as are kept. It uses one pass, since it runs before the first
    /// prompt.
    private static func newest(_ lines: ArraySlice<Substring>) -> [String] {
        var seen: Set<Substring> = []
        var kept: [String] = []
        for line in lines.reversed() where kept.count < TerminalLimits.historyEntries {
            if seen.insert(line).inserted { kept.append(unescape(line)) }
        }
        return kept.reversed()
    }

    static func escape(_ line: String) -> String { line.replacing("\\", with: "\\\\").replacing("\n", with: "\\n") }

    static func unescape(_ line: Substring) -> String {
        var out = ""
        var isEscaped = false
        for character in line {
            switch (isEscaped, character) {
            case (false, "\\"): isEscaped = true
            case (true, "n"): (out, isEscaped) = (out + "\n", false)
            default:
                out.append(character)
                isEscaped = false
            }
        }
        return out
    }

    // MARK: - The file

    private static func tail(of path: String) -> (String, isWhole: Bool)? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let size = Int(lseek(file, 0, SEEK_END))
        let start = max(0, size - TerminalLimits.historyBytes)
        var bytes = [UInt8](repeating: 0, count: size - start)
        let count = pread(file, &bytes, bytes.count, start)
        return (String(decoding: bytes.prefix(max(0, count)), as: UTF8.self), start == 0)
    }

    private static func append(_ text: String, to path: String) {
        write(text, to: path, flags: O_APPEND)
    }

    private func rewrite(_ path: String) {
        let draft = path + ".\(getpid())"
        let text = entries.map { Self.escape($0) + "\n" }.joined()
        if Self.write(text, to: draft, flags: O_TRUNC) { rename(draft, path) } else { unlink(draft) }
    }

    @discardableResult
    private static func write(_ text: String, to path: String, flags: Int32) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        // A file of an early version may be readable by others.
        fchmod(file, 0o600)
        let bytes = Array(text.utf8)
        return Glibc.write(file, bytes, bytes.count) == bytes.count
    }
}
