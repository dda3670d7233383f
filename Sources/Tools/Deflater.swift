import CZlib
import Vocabulary

/// A compressor for a stream of bytes without a header, as zip files hold them (RFC 1951).
struct Deflater: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// - Throws: `fileFailed` if there is no memory for it.
    init() throws(Failure) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_begin_deflate(stream, Z_DEFAULT_COMPRESSION) == Z_OK else {
            stream.deallocate()
            buffer.deallocate()
            throw Failure(.fileFailed, "Cannot compress: there is no memory for it.")
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// Compresses a piece, and passes on the bytes that result. The last call has an empty piece and `isLast`.
    func add(
        _ piece: UnsafeRawBufferPointer, isLast: Bool = false,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: piece.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(piece.count)
        repeat {
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_out = uInt(buffer.count)
            guard deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH) >= Z_OK else {
                throw Failure(.fileFailed, "Cannot compress: zlib reports an error.")
            }
            let made = buffer.count - Int(stream.pointee.avail_out)
            if made > 0 { try body(UnsafeRawBufferPointer(rebasing: buffer[..<made])) }
        } while stream.pointee.avail_out == 0
    }
}
