import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most bytes of a picture whose hidden copies are looked for. A larger one is refused, since its
    /// content cannot be checked.
    fileprivate static let hiddenCopyBytes = 2 << 30
}

/// The small pictures that a file holds besides the one that it shows: the thumbnail of EXIF (EXIF 2.3, 4.5.8), those
/// of Photoshop's block (Adobe Photoshop File Formats, resources 1033 and 1036) and of XMP (`xmpGImg:image`), and those
/// in metadata that a PNG has as text.
///
/// A tool that changes pixels leaves them as they were, so that a face that was cut out could still be seen. They are
/// overwritten with nothing, and the rest of the file stays byte for byte.
package struct HiddenCopies {
    private(set) var bytes: [UInt8]
    private(set) var count = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the picture without its hidden copies, and how many there were. Other files are returned as they are.
    package static func dropped(from bytes: [UInt8]) -> (bytes: [UInt8], count: Int) {
        var copies = HiddenCopies(bytes)
        if bytes.starts(with: [0xFF, 0xD8]) {
            copies.dropInJPEG()
        } else if bytes.has("PNG", at: 1) {
            copies.dropInPNG()
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            copies.dropInWebP()
        } else if bytes.has("ftyp", at: 4) {
            copies.dropByMark()
        } else if bytes.has("II*\0", at: 0) || bytes.has("MM\0*", at: 0) {
            // libvips writes Photoshop's block and XMP somewhere into a TIFF, and no EXIF data.
            copies.dropPhotoshop(bytes.indices)
            copies.dropXMP(bytes.indices)
        }
        return (copies.bytes, copies.count)
    }

    /// Drops the hidden copies of a file that was just made.
    static func drop(from path: String, as format: String) throws(Failure) {
        guard ["jpg", "jpeg", "png", "webp", "avif", "heic", "heif", "tiff"].contains(format) else { return }
        let file = try OpenFile(path, O_RDWR | O_NOFOLLOW)
        let whole = try readWhole(file, path, limit: Limits.hiddenCopyBytes)
        let (bytes, count) = dropped(from: whole)
        guard count > 0 else { return }
        guard bytes.withUnsafeBytes({ pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count else {
            throw fileFailure("write", path)
        }
    }

    // MARK: Formats

    private mutating func dropInJPEG() {
        var place = 2
        while let length = bytes.bigNumber(2, at: place + 2), bytes[place] == 0xFF, length >= 2 {
            let (marker, data) = (bytes[place + 1], place + 4..<min(place + 2 + length, bytes.count))
            guard marker != 0xDA, marker != 0xD9 else { return }
            if marker == 0xE1, bytes.has("Exif\0\0", at: data.lowerBound) {
                dropEXIF(data.dropFirst(6))
            } else if marker == 0xE1 {
                dropXMP(data)
            } else if marker == 0xED {
                dropPhotoshop(data)
            }
            place += 2 + length
        }
    }

    private mutating func dropInPNG() {
        var place = 8
        while let length = bytes.bigNumber(4, at: place), length <= bytes.count - place - 12 {
            let (data, before) = (place + 8..<place + 8 + length, count)
            if bytes.has("eXIf", at: place + 4) { dropEXIF(data) }
            if bytes.has("iTXt", at: place + 4) { dropXMP(data) }
            if bytes.has("tEXt", at: place + 4) || bytes.has("zTXt", at: place + 4) { dropRawProfile(data) }
            if count > before {
                var crc = CRC32()
                crc.add(Array(bytes[place + 4..<data.upperBound]))
                for index in 0..<4 {
                    bytes[data.upperBound + index] = UInt8(truncatingIfNeeded: crc.value >> (8 * (3 - index)))
                }
            }
            if bytes.has("IEND", at: place + 4) { return }
            place += 12 + length
        }
    }

    /// Overwrites a text that is a block of metadata in hexadecimal digits, as ImageMagick writes it: "Raw profile type
    /// exif". libvips keeps it under the name "Raw" (8.14), which readers do not know, and packs it.
    private mutating func dropRawProfile(_ data: Range<Int>) {
        guard let end = bytes[data].firstIndex(of: 0), bytes.has("Raw", at: data.lowerBound),
            end == data.lowerBound + 3 || bytes.has("Raw profile type", at: data.lowerBound)
        else { return }
        let text = end + 1..<data.upperBound
        guard !text.isEmpty, !bytes[text].allSatisfy({ $0 == 0x20 }) else { return }
        for place in text { bytes[place] = 0x20 }
        // What is blank is not packed.
        bytes.replaceSubrange(data.lowerBound - 4..<data.lowerBound, with: Array("tEXt".utf8))
        count += 1
    }

    private mutating func dropInWebP() {
        var place = 12
        while place + 8 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[place + 4 + $1]) << (8 * $1) }
            guard length <= bytes.count - place - 8 else { return }
            let data = place + 8..<place + 8 + length
            if bytes.has("EXIF", at: place) {
                dropEXIF(bytes.has("Exif\0\0", at: data.lowerBound) ? data.dropFirst(6) : data)
            }
            if bytes.has("XMP ", at: place) { dropXMP(data) }
            place += 8 + length + length % 2
        }
    }

    /// Finds the blocks of a file of boxes (HEIF) by their marks, wherever the boxes lead.
    private mutating func dropByMark() {
        var place = 0
        while let found = find("Exif\0\0", from: place) {
            place = found + 6
            if bytes.has("II*\0", at: place) || bytes.has("MM\0*", at: place) { dropEXIF(place..<bytes.count) }
        }
        dropXMP(0..<bytes.count)
    }

    // MARK: Blocks

    /// Cuts the second directory off, and the thumbnail to which it leads.
    private mutating func dropEXIF(_ block: Range<Int>) {
        guard block.count >= 14 else { return }
        let isLittle = bytes[block.lowerBound] == 0x49
        func number(_ size: Int, at place: Int) -> Int? {
            guard place >= 0, place <= block.count - size else { return nil }
            let part = bytes[block.lowerBound + place..<block.lowerBound + place + size]
            return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let first = number(4, at: 4), let entries = number(2, at: first),
            let next = number(4, at: first + 2 + 12 * entries), next != 0
        else { return }
        var dropped = [first + 2 + 12 * entries..<first + 6 + 12 * entries]
        if let entries = number(2, at: next) {
            var values: [Int: Int] = [:]
            for entry in 0..<min(entries, 1000) {
                let place = next + 2 + 12 * entry
                guard let tag = number(2, at: place), let type = number(2, at: place + 2) else { break }
                values[tag] = number(type == 3 ? 2 : 4, at: place + 8)
            }
            // A thumbnail in JPEG, or one strip of pixels.
            for (start, length) in [(0x0201, 0x0202), (0x0111, 0x0117)] {
                guard let from = values[start], let size = values[length], from > 0, size <= block.count - from else {
                    continue
                }
                dropped.append(from..<from + size)
            }
            dropped.append(next..<min(next + 6 + 12 * entries, block.count))
        }
        for range in dropped where range.upperBound <= block.count {
            for place in range { bytes[block.lowerBound + place] = 0 }
        }
        count += 1
    }

    private mutating func dropPhotoshop(_ block: Range<Int>) {
        var place = block.lowerBound
        while let found = find("8BIM", from: place), found + 12 <= block.upperBound {
            place = found + 4
            guard let resource = bytes.bigNumber(2, at: found + 4), [1033, 1036].contains(resource) else { continue }
            // The name of a resource has a byte for its length, and an even number of bytes in all.
            let name = (Int(bytes[found + 6]) + 2) / 2 * 2
            guard let size = bytes.bigNumber(4, at: found + 6 + name) else { return }
            let start = found + 10 + name
            for index in start..<min(start + size, block.upperBound) { bytes[index] = 0 }
            count += 1
        }
    }

    private mutating func dropXMP(_ block: Range<Int>) {
        for (begin, end) in [("<xmpGImg:image>", UInt8(ascii: "<")), ("xmpGImg:image=\"", UInt8(ascii: "\""))] {
            var place = block.lowerBound
            while let found = find(begin, from: place), found < block.upperBound {
                place = found + begin.utf8.count
                while place < block.upperBound, bytes[place] != end {
                    bytes[place] = 0x20
                    place += 1
                }
                count += 1
            }
        }
    }

    private func find(_ text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        return bytes.withUnsafeBytes { whole in
            var place = start
            while place + wanted.count <= whole.count, let base = whole.baseAddress,
                let found = memchr(base + place, Int32(wanted[0]), whole.count - wanted.count - place + 1)
            {
                let offset = UnsafeRawPointer(found) - base
                if memcmp(found, wanted, wanted.count) == 0 { return offset }
                place = offset + 1
            }
            return nil
        }
    }
}
