@testable import Files
import Foundation
@testable import Pictures

/// Pictures that are made byte by byte, with metadata that a package must not have. They have the form of a file, but
/// no pixels that can be shown.
enum MadePictures {
    /// Marks that stand in the metadata, and nowhere in a copy.
    static let marks = ["MAKER", "SECRET NOTE", "GPS-XMP", "IPTC-CITY", "A COMMENT", "TRAILER", "PREVIEW"]

    /// The block of a camera: maker, model, orientation, a position, a time, and notes of the maker.
    ///
    /// - Parameter orientation: from 1 to 8.
    static func exif(orientation: Int = 6, isLittle: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isLittle ? bytes : bytes.reversed()
        }
        func rationals(_ pairs: [(Int, Int)]) -> [UInt8] { pairs.flatMap { number($0.0, 4) + number($0.1, 4) } }
        typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])
        func directory(_ entries: [Entry], at place: Int) -> [UInt8] {
            var (head, values) = (number(entries.count, 2), [UInt8]())
            for entry in entries {
                head += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
                let isShort = entry.value.count <= 4
                head +=
                    isShort
                    ? entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
                    : number(place + 2 + 12 * entries.count + 4 + values.count, 4)
                if !isShort { values += entry.value }
            }
            return head + number(0, 4) + values
        }
        func text(_ tag: Int, _ words: String) -> Entry { (tag, 2, words.utf8.count + 1, Array(words.utf8) + [0]) }
        func main(_ camera: Int, _ position: Int) -> [Entry] {
            [
                text(0x010F, "Acme"), text(0x0110, "Acme P1"), (0x0112, 3, 1, number(orientation, 2)),
                (0x02BC, 1, 7, Array("GPS-XMP".utf8)),
                (0x8769, 4, 1, number(camera, 4)), (0x8825, 4, 1, number(position, 4)),
            ]
        }
        let camera: [Entry] = [text(0x9003, "2026:11:25 14:02:31"), (0x927C, 7, 11, Array("SECRET NOTE".utf8))]
        let position: [Entry] = [
            text(1, "S"), (2, 5, 3, rationals([(33, 1), (51, 1), (3510, 100)])), text(3, "E"),
            (4, 5, 3, rationals([(151, 1), (12, 1), (40, 1)])),
        ]
        let first = directory(main(0, 0), at: 8).count + 8
        let second = first + directory(camera, at: first).count
        return (isLittle ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]) + number(8, 4)
            + directory(main(first, second), at: 8)
            + directory(camera, at: first) + directory(position, at: second)
    }

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    /// A JPEG whose parts are named by their bytes.
    static func jpeg(exif: [UInt8]? = exif(), seed: UInt8 = 7) -> [UInt8] {
        func words(_ marker: UInt8, _ text: String) -> [UInt8] { segment(marker, Array(text.utf8)) }
        var bytes: [UInt8] = [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        if let exif { bytes += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
        bytes += words(0xE1, "http://ns.adobe.com/xap/1.0/\0GPS-XMP") + words(0xE2, "ICC_PROFILE\0\u{1}\u{1}colours")
        bytes +=
            words(0xE2, "MPF\0PREVIEW") + words(0xED, "Photoshop 3.0\0IPTC-CITY") + words(0xE4, "MAKER")
            + words(0xFE, "A COMMENT")
        bytes += segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
        return bytes + pixels(seed) + jpegTrailer
    }

    /// The tables, the frame and the scans of the JPEG, up to its end.
    static func pixels(_ seed: UInt8 = 7) -> [UInt8] {
        segment(0xDB, [0] + [UInt8](repeating: seed, count: 64)) + segment(0xC2, [8, 0, 2, 0, 3, 1, 1, 0x11, 0])
            + [0xFF] + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4]
            + segment(0xC4, [0x10, seed])
            + segment(0xDA, [1, 1, 0, 1, 63, 0]) + [9, 8, 7, 0xFF, 0xD9]
    }

    private static let jpegTrailer: [UInt8] = [0xFF, 0xD8] + segment(0xE1, Array("TRAILER".utf8)) + [0xFF, 0xD9]

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        var crc = CRC32()
        crc.add(Array(name.utf8) + data)
        return big(data.count) + Array(name.utf8) + data + big(Int(crc.value))
    }

    /// A PNG of two grey pixels, which can be shown, with all chunks of texts.
    static func png(exif: [UInt8]? = exif()) -> [UInt8] {
        let plain = PNGWriter.grey([10, 200], width: 2)
        let (head, rest) = (plain[..<33], plain[33...])
        var chunks: [UInt8] = []
        for (name, words) in [
            ("tEXt", "Comment\0A COMMENT"), ("zTXt", "MAKER\0\0x"), ("iTXt", "XML:com.adobe.xmp\0\0\0\0\0GPS-XMP"),
            ("prVt", "PREVIEW"),
        ] {
            chunks += chunk(name, Array(words.utf8))
        }
        chunks += chunk("tIME", [7, 0xEA, 11, 25, 1, 2, 3]) + chunk("pHYs", [0, 0, 0, 1, 0, 0, 0, 1, 0])
        if let exif { chunks += chunk("eXIf", exif) }
        return Array(head) + chunks + Array(rest) + Array("TRAILER".utf8)
    }
}

extension [UInt8] {
    /// Whether some bytes stand anywhere in these.
    func contains(_ words: String) -> Bool { Data(self).range(of: Data(words.utf8)) != nil }
}
