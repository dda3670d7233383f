/// The segments and scans of a JPEG file (ITU-T T.81, annex B). Every length is checked before a byte is used.
struct JPEGFile {
    private enum Part {
        /// A segment with its marker and length.
        case segment(marker: UInt8, Range<Int>)
        /// The coded pixels after the head of a scan.
        case scan(Range<Int>)
    }

    private let bytes: [UInt8]
    private var parts: [Part] = []

    /// The most segments of a file. Photographs have some dozens.
    private static let mostSegments = 10_000

    private static let exifHead = "Exif\0\0"

    /// Reads a file up to the end of its picture. Data after it, such as a second picture or a film, are left out.
    ///
    /// - Throws: the reason why the file cannot be read.
    init(_ bytes: [UInt8]) throws(PictureFault) {
        self.bytes = bytes
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { throw PictureFault("it is no JPEG") }
        var place = 2
        var hasScan = false
        while true {
            guard place < bytes.count, bytes[place] == 0xFF else {
                throw PictureFault("a segment of the JPEG is broken")
            }
            // A marker may have more of these before it.
            while place + 1 < bytes.count, bytes[place + 1] == 0xFF { place += 1 }
            guard place + 1 < bytes.count else { throw PictureFault("the JPEG ends too early") }
            let marker = bytes[place + 1]
            if marker == 0xD9 {
                guard hasScan else { throw PictureFault("the JPEG has no picture") }
                return
            }
            guard Self.isKnown(marker) else { throw PictureFault("a segment of the JPEG is unknown") }
            guard let length = bytes.bigNumber(2, at: place + 2), length >= 2, length <= bytes.count - place - 2 else {
                throw PictureFault("a segment of the JPEG is broken")
            }
            guard parts.count < Self.mostSegments else { throw PictureFault("the JPEG has too many segments") }
            let end = place + 2 + length
            parts.append(.segment(marker: marker, place..<end))
            place = end
            guard marker == 0xDA else { continue }
            place = endOfScan(from: end)
            parts.append(.scan(end..<place))
            hasScan = true
        }
    }

    /// Whether a marker begins a segment that occurs in photographs: tables, heads of frames and scans, and data of
    /// applications.
    private static func isKnown(_ marker: UInt8) -> Bool {
        switch marker {
        case 0xC0...0xCF, 0xDA...0xDF, 0xE0...0xEF, 0xFE: marker != 0xC8
        default: false
        }
    }

    /// Returns the place of the marker after coded pixels, or the end of the bytes if there is none.
    private func endOfScan(from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var place = start
            while place + 1 < bytes.count {
                if bytes[place] == 0xFF {
                    switch bytes[place + 1] {
                    // A byte of the pixels, and the marks between their parts.
                    case 0x00, 0xD0...0xD7: place += 1
                    case 0xFF: break
                    default: return place
                    }
                }
                place += 1
            }
            return bytes.count
        }
    }

    /// The first EXIF block, which other readers use, too, or `nil` if there is none.
    var exif: [UInt8]? {
        for case .segment(marker: 0xE1, let range) in parts where bytes.has(Self.exifHead, at: range.lowerBound + 4) {
            return Array(bytes[range.lowerBound + 4 + Self.exifHead.utf8.count..<range.upperBound])
        }
        return nil
    }

    /// Returns the file without its metadata. From the data of applications, only the colour profile, the marks of JFIF
    /// and Adobe, and the orientation are kept.
    ///
    /// - Parameter keepsEXIF: whether EXIF without the place is kept, too.
    func copy(keepsEXIF: Bool) -> [UInt8] {
        var copy: [UInt8] = [0xFF, 0xD8]
        copy.reserveCapacity(bytes.count)
        var parts = parts[...]
        // JFIF must come first, where other readers expect it.
        if case .segment(marker: 0xE0, let range)? = parts.first {
            if isKept(0xE0, range) { copy += bytes[range] }
            parts.removeFirst()
        }
        if let block = exif.flatMap({ EXIFBlock.forCopy(of: $0, keepsEXIF: keepsEXIF) }) {
            copy += Self.segment(ofEXIF: block)
        }
        for part in parts {
            switch part {
            case .segment(let marker, let range): if isKept(marker, range) { copy += bytes[range] }
            case .scan(let range): copy += bytes[range]
            }
        }
        return copy + [0xFF, 0xD9]
    }

    /// Returns the pixels of the file with the tables that they need, and nothing else.
    func pixels() -> [UInt8] {
        var copy: [UInt8] = [0xFF, 0xD8]
        for part in parts {
            switch part {
            case .segment(let marker, let range):
                let isOfApplication = (0xE0...0xEF).contains(marker) || marker == 0xFE
                // Adobe's mark says what the values mean.
                if !isOfApplication || marker == 0xEE && isKept(marker, range) { copy += bytes[range] }
            case .scan(let range): copy += bytes[range]
            }
        }
        return copy + [0xFF, 0xD9]
    }

    private func isKept(_ marker: UInt8, _ range: Range<Int>) -> Bool {
        switch marker {
        case 0xE0: bytes.has("JFIF\0", at: range.lowerBound + 4)
        case 0xE2: bytes.has("ICC_PROFILE\0", at: range.lowerBound + 4)
        case 0xEE: bytes.has("Adobe", at: range.lowerBound + 4)
        case 0xE1, 0xE3...0xED, 0xEF, 0xFE: false
        default: true
        }
    }

    /// Returns a segment with an EXIF block.
    static func segment(ofEXIF block: [UInt8]) -> [UInt8] {
        let content = Array(exifHead.utf8) + block
        let length = content.count + 2
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }
}
