package import Files
import Glibc
package import JSON
package import Vocabulary

/// The output of a child: standard output, standard error, and the record of its exit.
package protocol Traces {
    /// Opens the child's ends. It is called once.
    ///
    /// - Parameter withRecord: whether a record will be written.
    func open(withRecord: Bool) throws(Failure) -> ChildEnds
    /// The descriptors that become readable when more output arrives.
    var incoming: [Int32] { get }
    /// Reads the output that has arrived, without waiting.
    func takeIn()
    /// The larger of the numbers of bytes on standard output and standard error.
    var size: Int { get }
    func output(limit: Int) throws(Failure) -> [UInt8]
    /// Returns the beginnings of standard output and standard error, each at most `limit` bytes.
    func beginnings(limit: Int) throws(Failure) -> (output: [UInt8], errors: [UInt8])
    /// Returns the beginning of standard error.
    func errorHead(limit: Int) -> [UInt8]
    /// The end of standard error.
    var errorTail: [UInt8] { get }
    /// The record, as lines of JSON: the process, from this engine, then `{ "child-pid": 7 }` from bubblewrap, and `{
    /// "exit-code": 0 }` from bubblewrap or the supervisor. The supervisor adds `{ "processes": 1025 }` if there were
    /// too many.
    var record: [UInt8] { get }
}

package struct ChildEnds: ~Copyable {
    package let output: OpenFile
    package let errors: OpenFile
    /// The file of the record. The descriptor is -1 if none is written.
    package let record: OpenFile
}

extension Traces {
    package var recordLines: [JSON] {
        record.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONReader.read(Array($0)) }
    }

    package var exitCode: Int? { recordLines.lazy.compactMap { $0["exit-code"]?.int }.first }

    /// Whether the supervisor stopped the child because it had too many processes.
    var hasTooManyProcesses: Bool { recordLines.contains { $0["processes"] != nil && $0["pid"] == nil } }

    /// Whether standard error ends with the kernel's message for a read-only file system (children use English,
    /// LANG=C.UTF-8).
    package var saysReadOnly: Bool {
        String(decoding: errorTail, as: UTF8.self).contains(String(cString: strerror(EROFS)))
    }

    /// The last line of standard error that is not empty, shortened, with visible signs for control characters.
    package var lastErrorLine: String? {
        let tail = errorTail
        let whole = tail.count < Limits.errorTailBytes ? tail[...] : tail[...].withoutHalfWord
        let lines = String(decoding: whole, as: UTF8.self).split(whereSeparator: \.isNewline)
        let line = lines.last { !$0.allSatisfy(\.isWhitespace) }
        guard let line else { return nil }
        let start = line.unicodeScalars.prefix(300)
        // An address or a key must not be cut in the middle.
        let isWhole = start.endIndex == line.endIndex
        let end = isWhole ? start.endIndex : start.lastIndex { $0 == " " || $0 == "\t" } ?? start.endIndex
        return String(start[..<end]).withSignsForControls
    }
}

/// The output of a child in files, where another engine finds it if the child outlives this one.
package struct TraceFiles: Traces {
    let folder: RunFolder
    var keepsErrors = false

    package init(folder: RunFolder, keepsErrors: Bool = false) {
        self.folder = folder
        self.keepsErrors = keepsErrors
    }

    package func open(withRecord: Bool) throws(Failure) -> ChildEnds {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
        return ChildEnds(
            output: try OpenFile(folder.output, flags),
            errors: try OpenFile(folder.errors, keepsErrors ? flags & ~O_TRUNC : flags),
            record: try withRecord ? OpenFile(folder.record, flags) : OpenFile(adopting: -1))
    }

    package var incoming: [Int32] { [] }
    package func takeIn() {}

    package var size: Int {
        [folder.output, folder.errors].map { path in
            var status = stat()
            return stat(path, &status) == 0 ? Int(status.st_size) : 0
        }.max()!
    }

    package func output(limit: Int) throws(Failure) -> [UInt8] { try readWhole(folder.output, limit: limit) }

    package func beginnings(limit: Int) throws(Failure) -> (output: [UInt8], errors: [UInt8]) {
        let output = try OpenFile(folder.output, O_RDONLY).read(limit)
        return (output, try OpenFile(folder.errors, O_RDONLY).read(limit))
    }

    package func errorHead(limit: Int) -> [UInt8] { (try? OpenFile(folder.errors, O_RDONLY).read(limit)) ?? [] }

    package var errorTail: [UInt8] {
        guard let file = try? OpenFile(folder.errors, O_RDONLY), let size = try? file.status().st_size else {
            return []
        }
        return (try? file.read(Limits.errorTailBytes, at: max(0, Int(size) - Limits.errorTailBytes))) ?? []
    }

    package var record: [UInt8] { (try? readWhole(folder.record, limit: Limits.exitRecordBytes)) ?? [] }
}
