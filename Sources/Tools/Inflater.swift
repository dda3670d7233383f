import CZlib
import Vocabulary

/// A decompressor for a stream of bytes without a header, as zip files hold them (RFC 1951).
struct Inflater: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// - Throws: `fileFailed` if there is no memory for it.
    init() throws(Failure) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_begin_inflate(stream) == Z_OK else {
            stream.deallocate()
            buffer.deallocate()
            throw Failure(.fileFailed, "Cannot unpack: there is no memory for it.")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// The state of a stream after a piece of it.
    enum State { case goesOn, ended, damaged }

    /// Decompresses a piece, and passes on the bytes that result. Bytes after the end of the stream count as damage.
    func add(_ piece: [UInt8], _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) -> State {
        let result = piece.withUnsafeBytes { bytes -> Result<State, Failure> in
            do throws(Failure) { return .success(try add(bytes, body)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func add(
        _ piece: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> State {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: piece.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(piece.count)
        repeat {
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_out = uInt(buffer.count)
            let result = inflate(stream, Z_NO_FLUSH)
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return .damaged }
            let made = buffer.count - Int(stream.pointee.avail_out)
            if made > 0 { try body(UnsafeRawBufferPointer(rebasing: buffer[..<made])) }
            if result == Z_STREAM_END { return stream.pointee.avail_in == 0 ? .ended : .damaged }
        } while stream.pointee.avail_out == 0
        return .goesOn
    }
}
