import Files

/// The chunks of a PNG file (W3C, Portable Network Graphics). Every length is checked before a byte is used.
struct PNGFile {
    private struct Chunk {
        let name: String
        let whole: Range<Int>
        var data: Range<Int> { whole.lowerBound + 8..<whole.upperBound - 4 }
    }

    private let bytes: [UInt8]
    private var chunks: [Chunk] = []

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The most chunks of a file. Pixels may be in many chunks.
    private static let mostChunks = 1_000_000

    /// The chunks that are needed to show the picture: its pixels, its colours, and the frames of an animation.
    private static let shown: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD",
        "pHYs", "sPLT",
        "hIST", "acTL", "fcTL", "fdAT",
    ]

    /// Reads a file up to the end of its picture.
    ///
    /// - Throws: the reason why the file cannot be read.
    init(_ bytes: [UInt8]) throws(PictureFault) {
        self.bytes = bytes
        guard bytes.starts(with: Self.signature) else { throw PictureFault("it is no PNG") }
        var place = Self.signature.count
        while chunks.last?.name != "IEND" {
            guard let length = bytes.bigNumber(4, at: place), length <= bytes.count - place - 12 else {
                throw PictureFault("a part of the PNG is broken, or it ends too early")
            }
            let name = bytes[place + 4..<place + 8]
            guard name.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }), chunks.count < Self.mostChunks
            else {
                throw PictureFault("a part of the PNG is broken")
            }
            chunks.append(Chunk(name: String(decoding: name, as: UTF8.self), whole: place..<place + 12 + length))
            place += 12 + length
        }
        guard chunks[0].name == "IHDR", chunks[0].data.count == 13, chunks.contains(where: { $0.name == "IDAT" }) else {
            throw PictureFault("the PNG has no picture")
        }
        // A capital letter means that a reader must know the chunk to show the picture.
        guard chunks.allSatisfy({ Self.shown.contains($0.name) || $0.name.first?.isLowercase ?? false }) else {
            throw PictureFault("a part of the PNG is unknown")
        }
    }

    /// The first EXIF block, or `nil` if there is none.
    var exif: [UInt8]? { chunks.first { $0.name == "eXIf" }.map { Array(bytes[$0.data]) } }

    /// Returns the file without its metadata, except the orientation.
    ///
    /// - Parameter keepsEXIF: whether EXIF without the place is kept, too.
    func copy(keepsEXIF: Bool) -> [UInt8] {
        var copy = Self.signature
        copy.reserveCapacity(bytes.count)
        let block = exif.flatMap { EXIFBlock.forCopy(of: $0, keepsEXIF: keepsEXIF) }
        for chunk in chunks where Self.shown.contains(chunk.name) {
            copy += bytes[chunk.whole]
            if chunk.name == "IHDR", let block { copy += Self.chunk("eXIf", block) }
        }
        return copy
    }

    /// Returns the pixels of the first frame with the palette that they need, and nothing else.
    func pixels() -> [UInt8] {
        let kept: Set<String> = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]
        return chunks.filter { kept.contains($0.name) }.reduce(into: Self.signature) { $0 += bytes[$1.whole] }
    }

    /// Returns a chunk with its length and its checksum.
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        func big(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        let named = Array(name.utf8) + data
        var crc = CRC32()
        crc.add(named)
        return big(UInt32(data.count)) + named + big(crc.value)
    }
}
