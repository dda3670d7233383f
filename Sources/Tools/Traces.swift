import Glibc
import JSON
import Vocabulary

/// What a child gives to be read: standard output, standard error, and the record of how it ended.
protocol Traces {
    /// The child's ends. Called once.
    /// - Parameter withRecord: whether anybody will write a record.
    func open(withRecord: Bool) throws(Failure) -> ChildEnds
    /// Descriptors that become readable as more comes.
    var incoming: [Int32] { get }
    /// Takes in what has come. Does not wait.
    func takeIn()
    /// Bytes on standard output or standard error, whichever has more.
    var size: Int { get }
    func output(limit: Int) throws(Failure) -> [UInt8]
    /// Returns the beginning of standard output and of standard error, `limit` bytes of each at most.
    func beginnings(limit: Int) throws(Failure) -> (output: [UInt8], errors: [UInt8])
    /// Returns the beginning of standard error.
    func errorHead(limit: Int) -> [UInt8]
    /// The last of standard error.
    var errorTail: [UInt8] { get }
    /// Lines of JSON: who runs, from us; `{ "child-pid": 7 }` from bubblewrap; `{ "exit-code": 0 }` from it or the
    /// supervisor, and from that `{ "processes": 1025 }` where these were too many.
    var record: [UInt8] { get }
}

struct ChildEnds: ~Copyable {
    let output: OpenFile
    let errors: OpenFile
    /// No descriptor (-1) where nobody writes one.
    let record: OpenFile
}

extension Traces {
    var recordLines: [JSON] {
        record.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONReader.read(Array($0)) }
    }

    var exitCode: Int? { recordLines.lazy.compactMap { $0["exit-code"]?.int }.first }

    /// Whether the supervisor ended it for that.
    var hasTooManyProcesses: Bool { recordLines.contains { $0["processes"] != nil && $0["pid"] == nil } }

    /// Whether the end of standard error has the kernel's words for what must not be written (children speak English,
    /// LANG=C.UTF-8).
    var saysReadOnly: Bool { String(decoding: errorTail, as: UTF8.self).contains(String(cString: strerror(EROFS))) }

    /// The last line on standard error that says something, with signs for control characters, cut.
    var lastErrorLine: String? {
        let tail = errorTail
        let whole = tail.count < Limits.errorTailBytes ? tail[...] : tail[...].withoutHalfWord
        let lines = String(decoding: whole, as: UTF8.self).split(whereSeparator: \.isNewline)
        let line = lines.last { !$0.allSatisfy(\.isWhitespace) }
        guard let line else { return nil }
        let start = line.unicodeScalars.prefix(300)
        // A half of an address or of a key is not told to be one.
        let isWhole = start.endIndex == line.endIndex
        let end = isWhole ? start.endIndex : start.lastIndex { $0 == " " || $0 == "\t" } ?? start.endIndex
        return String(start[..<end]).withSignsForControls
    }
}

/// In files, so that another engine finds them: for a child that outlives ours.
struct TraceFiles: Traces {
    let folder: RunFolder
    var keepsErrors = false

    func open(withRecord: Bool) throws(Failure) -> ChildEnds {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
        return ChildEnds(
            output: try OpenFile(folder.output, flags),
            errors: try OpenFile(folder.errors, keepsErrors ? flags & ~O_TRUNC : flags),
            record: try withRecord ? OpenFile(folder.record, flags) : OpenFile(adopting: -1))
    }

    var incoming: [Int32] { [] }
    func takeIn() {}

    var size: Int {
        [folder.output, folder.errors].map { path in
            var status = stat()
            return stat(path, &status) == 0 ? Int(status.st_size) : 0
        }.max()!
    }

    func output(limit: Int) throws(Failure) -> [UInt8] { try readWhole(folder.output, limit: limit) }

    func beginnings(limit: Int) throws(Failure) -> (output: [UInt8], errors: [UInt8]) {
        let output = try OpenFile(folder.output, O_RDONLY).read(limit)
        return (output, try OpenFile(folder.errors, O_RDONLY).read(limit))
    }

    func errorHead(limit: Int) -> [UInt8] { (try? OpenFile(folder.errors, O_RDONLY).read(limit)) ?? [] }

    var errorTail: [UInt8] {
        guard let file = try? OpenFile(folder.errors, O_RDONLY), let size = try? file.status().st_size else {
            return []
        }
        return (try? file.read(Limits.errorTailBytes, at: max(0, Int(size) - Limits.errorTailBytes))) ?? []
    }

    var record: [UInt8] { (try? readWhole(folder.record, limit: Limits.exitRecordBytes)) ?? [] }
}
