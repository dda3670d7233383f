import CProcess
import Files
import Glibc
package import Vocabulary

/// The output of a child, read from pipes and kept in memory, for a child that no other engine can take over. It needs
/// no file. Output beyond the limit stays in the pipe. Only the thread that waits for the child may use it.
package final class TracePipes: Traces {
    private let outputs = Pipe()
    private let complaints = Pipe()
    private let records = Pipe()
    /// The most bytes of standard output, and of standard error. One more byte is read, which shows that there was too
    /// much.
    private let limit: Int
    /// Gets both outputs as they arrive, in no particular order.
    private let heard: (@Sendable (ArraySlice<UInt8>) -> Void)?
    /// Whether the pipe of standard output holds 1 MiB, if the machine allows it.
    private let areLarge: Bool

    package init(limit: Int, heard: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil, areLarge: Bool = false) {
        self.limit = limit
        self.heard = heard
        self.areLarge = areLarge
    }

    package func open(withRecord: Bool) throws(Failure) -> ChildEnds {
        let output = try outputs.open()
        // F_SETPIPE_SZ (fcntl(2)), which Swift does not import.
        if areLarge { _ = fcntl(output.descriptor, 1031, 1 << 20) }
        return ChildEnds(
            output: output, errors: try complaints.open(),
            record: try withRecord ? records.open() : OpenFile(adopting: -1))
    }

    package var incoming: [Int32] { [outputs, complaints].compactMap(\.incoming) }

    package func takeIn() {
        outputs.takeIn(limit: limit + 1, heard)
        complaints.takeIn(limit: limit + 1, heard)
        records.takeIn(limit: Limits.exitRecordBytes)
    }

    /// The descriptor that becomes readable when the record is written, or `nil` once its writer has closed it.
    package var recordDescriptor: Int32? { records.incoming }

    /// Closes the record, so that its writer learns that no reader waits any more.
    package func closeRecord() { records.close() }

    package var size: Int { max(outputs.bytes.count, complaints.bytes.count) }

    package func output(limit: Int) throws(Failure) -> [UInt8] {
        guard outputs.bytes.count <= limit else {
            throw Failure(.tooLarge, "A program wrote \(outputs.bytes.count) bytes; at most \(limit) are read.")
        }
        return outputs.bytes
    }

    package func beginnings(limit: Int) -> (output: [UInt8], errors: [UInt8]) {
        (Array(outputs.bytes.prefix(limit)), Array(complaints.bytes.prefix(limit)))
    }

    package func errorHead(limit: Int) -> [UInt8] { Array(complaints.bytes.prefix(limit)) }
    package var errorTail: [UInt8] { complaints.bytes.suffix(Limits.errorTailBytes) }
    package var record: [UInt8] { records.bytes }
}

/// The reading end of a pipe, and the bytes that were read.
private final class Pipe {
    private(set) var bytes: [UInt8] = []
    private var reader: OpenFile?

    /// Opens the pipe.
    ///
    /// - Returns: the writing end.
    func open() throws(Failure) -> OpenFile {
        var ends: (reader: Int32, writer: Int32) = (-1, -1)
        let result = cprocess_open_pipe(&ends.reader, &ends.writer)
        let writer = OpenFile(adopting: ends.writer)
        reader = OpenFile(adopting: ends.reader)
        guard result == 0 else { throw fileFailure("make", "a pipe") }
        return writer
    }

    /// The descriptor to read from, or `nil` after all writers have closed the pipe.
    var incoming: Int32? {
        switch reader {
        case .some(let reader): reader.descriptor
        case nil: nil
        }
    }

    func close() { reader = nil }

    func takeIn(limit: Int, _ heard: ((ArraySlice<UInt8>) -> Void)? = nil) {
        guard let descriptor = incoming else { return }
        let before = bytes.count
        defer { if let heard, bytes.count > before { heard(bytes[before...]) } }
        while bytes.count < limit {
            let room = min(limit - bytes.count, 1 << 16)
            var got = 0
            bytes.append(
                contentsOf: [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    got = retrying { read(descriptor, buffer.baseAddress, room) }
                    count = max(got, 0)
                })
            if got == 0 { reader = nil }
            if got <= 0 { return }
        }
    }
}
