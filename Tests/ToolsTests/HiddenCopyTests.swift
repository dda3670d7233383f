import Testing

@testable import Pictures

/// What a picture file holds besides the picture that it shows.
@Suite struct HiddenCopyTests {
    private static let secret = Array("a face that was cut out".utf8)

    private static func number(_ value: Int, _ size: Int, isLittle: Bool) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittle ? bytes : bytes.reversed()
    }

    /// A block with one tag (the orientation), and a second directory with a thumbnail.
    private static func exif(isLittle: Bool) -> [UInt8] {
        func n(_ value: Int, _ size: Int) -> [UInt8] { number(value, size, isLittle: isLittle) }
        let orientation = n(0x0112, 2) + n(3, 2) + n(1, 4) + n(6, 2) + [0, 0]
        let first = n(1, 2) + orientation + n(26, 4)
        let thumbnail = [(0x0201, 56), (0x0202, secret.count)].flatMap { n($0.0, 2) + n(4, 2) + n(1, 4) + n($0.1, 4) }
        return (isLittle ? Array("II*\0".utf8) : Array("MM\0*".utf8)) + n(8, 4) + first + n(2, 2) + thumbnail + n(0, 4)
            + secret
    }

    private static func jpeg(_ segments: [(marker: UInt8, [UInt8])]) -> [UInt8] {
        [0xFF, 0xD8]
            + segments.flatMap {
                [0xFF, $0.marker, UInt8(($0.1.count + 2) >> 8), UInt8(($0.1.count + 2) & 0xFF)] + $0.1
            }
            + [0xFF, 0xDA, 0, 2] + secret + [0xFF, 0xD9]
    }

    private static func has(_ bytes: [UInt8]) -> Int {
        bytes.indices.dropLast(secret.count - 1).count { bytes[$0..<$0 + secret.count].elementsEqual(secret) }
    }

    @Test(arguments: [true, false]) func theThumbnailOfEXIFIsGoneAndItsOtherTagsStay(isLittle: Bool) {
        let block = Array("Exif\0\0".utf8) + Self.exif(isLittle: isLittle)
        let picture = Self.jpeg([(0xE1, block), (0xFE, Array("comment".utf8))])
        let (bytes, count) = HiddenCopies.dropped(from: picture)
        #expect(count == 1 && bytes.count == picture.count)
        #expect(Self.has(picture) == 2 && Self.has(bytes) == 1, "only what looks like pixels stays")
        let exif = Array(bytes[12..<12 + block.count - 6])
        #expect(EXIFBlock(exif)?.orientation == 6)
        #expect(HiddenCopies.dropped(from: bytes).count == 0)
    }

    @Test func theSmallPicturesOfPhotoshopAndOfXMPAreGone() {
        let head = Array("Photoshop 3.0\0".utf8)
        let resources = [1033, 1036, 1028].flatMap { id in
            Array("8BIM".utf8) + Self.number(id, 2, isLittle: false) + [0, 0]
                + Self.number(Self.secret.count, 4, isLittle: false) + Self.secret
        }
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x><xmpGImg:image>".utf8) + Self.secret + Array("</x>".utf8)
        let other = Array("http://ns.adobe.com/xap/1.0/\0<x xmpGImg:image=\"".utf8) + Self.secret + Array("\"/>".utf8)
        let picture = Self.jpeg([(0xED, head + resources), (0xE1, xmp), (0xE1, other)])
        let (bytes, count) = HiddenCopies.dropped(from: picture)
        #expect(count == 4 && Self.has(picture) == 6)
        #expect(Self.has(bytes) == 2, "a caption (1028) and the pixels stay")
    }

    @Test func thoseOfOtherFormatsAreGone() {
        let exif = Self.exif(isLittle: true)
        let riff =
            Array("RIFF\0\0\0\0WEBPEXIF".utf8) + Self.number(exif.count, 4, isLittle: true) + exif
        let heif = [0, 0, 0, 12] + Array("ftypavif".utf8) + Array("Exif\0\0".utf8) + exif
        let png =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.number(exif.count, 4, isLittle: false)
            + Array("eXIf".utf8) + exif + [1, 2, 3, 4] + [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
        for picture in [riff, heif, png] {
            let (bytes, count) = HiddenCopies.dropped(from: picture)
            #expect(count == 1 && Self.has(bytes) == 0 && Self.has(picture) == 1)
        }
    }

    /// A block that is broken, wherever it is cut, is left or dropped, and never read beyond its end.
    @Test func aBrokenBlockHarmsNothing() {
        let whole = Self.jpeg([(0xE1, Array("Exif\0\0".utf8) + Self.exif(isLittle: false))])
        for length in 0..<whole.count {
            #expect(HiddenCopies.dropped(from: Array(whole.prefix(length))).bytes.count == length)
            var turned = whole
            turned[length] ^= 0xFF
            #expect(HiddenCopies.dropped(from: turned).bytes.count == whole.count)
        }
    }
}
