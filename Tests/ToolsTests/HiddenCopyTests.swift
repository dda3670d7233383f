import Testing

@testable import Pictures

/// What a picture file holds besides the picture that it shows.
@Suite struct HiddenCopyTests {
    private static let secret = Array("a face that was cut out".utf8)

    private static func number(_ value: Int, _ size: Int, isLittle: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        return isLittle ? bytes : bytes.reversed()
    }

    /// A block with one tag (the orientation), and a second directory with a thumbnail.
    private static func exif(isLittle: Bool) -> [UInt8] {
        func n(_ value: Int, _ size: Int) -> [UInt8] { number(value, size, isLittle: isLittle) }
        var block: [UInt8] = Array((isLittle ? "II*\0" : "MM\0*").utf8)
        for (value, size) in [(8, 4), (1, 2), (0x0112, 2), (3, 2), (1, 4), (6, 2), (0, 2), (26, 4), (2, 2)] {
            block += n(value, size)
        }
        for (tag, value) in [(0x0201, 56), (0x0202, secret.count)] {
            block += n(tag, 2)
            block += n(4, 2)
            block += n(1, 4)
            block += n(value, 4)
        }
        block += n(0, 4)
        return block + secret
    }

    private static func jpeg(_ segments: [(marker: UInt8, content: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        for segment in segments {
            bytes += [0xFF, segment.marker]
            bytes += number(segment.content.count + 2, 2, isLittle: false)
            bytes += segment.content
        }
        bytes += [0xFF, 0xDA, 0, 2]
        bytes += secret
        return bytes + [0xFF, 0xD9]
    }

    private static func has(_ bytes: [UInt8]) -> Int {
        bytes.indices.dropLast(secret.count - 1).count { bytes[$0..<$0 + secret.count].elementsEqual(secret) }
    }

    @Test(arguments: [true, false]) func theThumbnailOfEXIFIsGoneAndItsOtherTagsStay(isLittle: Bool) {
        let block: [UInt8] = Array("Exif\0\0".utf8) + Self.exif(isLittle: isLittle)
        let picture = Self.jpeg([(0xE1, block), (0xFE, Array("comment".utf8))])
        let (bytes, count) = HiddenCopies.dropped(from: picture)
        #expect(count == 1 && bytes.count == picture.count)
        #expect(Self.has(picture) == 2 && Self.has(bytes) == 1, "only what looks like pixels stays")
        let exif = Array(bytes[12..<12 + block.count - 6])
        #expect(EXIFBlock(exif)?.orientation == 6)
        #expect(HiddenCopies.dropped(from: bytes).count == 0)
    }

    @Test func theSmallPicturesOfPhotoshopAndOfXMPAreGone() {
        var resources: [UInt8] = Array("Photoshop 3.0\0".utf8)
        for id in [1033, 1036, 1028] {
            resources += Array("8BIM".utf8)
            resources += Self.number(id, 2, isLittle: false)
            resources += [0, 0]
            resources += Self.number(Self.secret.count, 4, isLittle: false)
            resources += Self.secret
        }
        var xmp: [UInt8] = Array("http://ns.adobe.com/xap/1.0/\0<x><xmpGImg:image>".utf8)
        xmp += Self.secret
        xmp += Array("</x>".utf8)
        var other: [UInt8] = Array("http://ns.adobe.com/xap/1.0/\0<x xmpGImg:image=\"".utf8)
        other += Self.secret
        other += Array("\"/>".utf8)
        let picture = Self.jpeg([(0xED, resources), (0xE1, xmp), (0xE1, other)])
        let (bytes, count) = HiddenCopies.dropped(from: picture)
        #expect(count == 4 && Self.has(picture) == 6)
        #expect(Self.has(bytes) == 2, "a caption (1028) and the pixels stay")
    }

    /// A PNG with chunks, whose checksums are wrong.
    private static func png(_ chunks: [(name: String, content: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for chunk in chunks + [("IEND", [])] {
            bytes += number(chunk.content.count, 4, isLittle: false)
            bytes += Array(chunk.name.utf8)
            bytes += chunk.content + [1, 2, 3, 4]
        }
        return bytes
    }

    /// A full stop stands for a NUL, which would end the line of the case in the log.
    @Test(arguments: [
        ("tEXt", "Raw profile type exif.", true), ("zTXt", "Raw profile type APP1..", true),
        ("zTXt", "Raw..", true),
        ("tEXt", "Rawness.", false), ("tEXt", "Comment.", false), ("tEXt", "Raw", false),
    ])
    func metadataThatAPNGHasAsTextAreGone(chunk: String, name: String, isGone: Bool) {
        let picture = Self.png([(chunk, Array(name.replacing(".", with: "\0").utf8) + Self.secret)])
        let (bytes, count) = HiddenCopies.dropped(from: picture)
        #expect(bytes.count == picture.count && Self.has(bytes) == (isGone ? 0 : 1) && count == (isGone ? 1 : 0))
        #expect(HiddenCopies.dropped(from: bytes).count == 0)
        #expect(!isGone || bytes.firstRange(of: Array("tEXt".utf8)) != nil)
    }

    @Test func theSmallPictureOfPhotoshopInATIFFIsGone() {
        var picture = Array("II*\0".utf8) + [8, 0, 0, 0] + Array("8BIM".utf8) + [4, 12, 0, 0]
        picture += Self.number(Self.secret.count, 4, isLittle: false) + Self.secret
        #expect(Self.has(HiddenCopies.dropped(from: picture).bytes) == 0)
    }

    private static func others() -> [[UInt8]] {
        let exif = exif(isLittle: true)
        var riff: [UInt8] = Array("RIFF\0\0\0\0WEBPEXIF".utf8)
        riff += number(exif.count, 4, isLittle: true)
        riff += exif
        var heif: [UInt8] = [0, 0, 0, 12]
        heif += Array("ftypavifExif\0\0".utf8)
        heif += exif
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        png += number(exif.count, 4, isLittle: false)
        png += Array("eXIf".utf8)
        png += exif
        png += [1, 2, 3, 4, 0, 0, 0, 0]
        png += Array("IEND".utf8)
        png += [0, 0, 0, 0]
        return [riff, heif, png]
    }

    @Test func thoseOfOtherFormatsAreGone() {
        for picture in Self.others() {
            let (bytes, count) = HiddenCopies.dropped(from: picture)
            #expect(count == 1 && Self.has(bytes) == 0 && Self.has(picture) == 1)
        }
    }

    /// A block that is broken, wherever it is cut, is left or dropped, and never read beyond its end.
    @Test func aBrokenBlockHarmsNothing() {
        let block: [UInt8] = Array("Exif\0\0".utf8) + Self.exif(isLittle: false)
        for whole in [Self.jpeg([(0xE1, block)])] + Self.others() {
            for length in 0..<whole.count {
                #expect(HiddenCopies.dropped(from: Array(whole.prefix(length))).bytes.count == length)
                var turned = whole
                turned[length] ^= 0xFF
                #expect(HiddenCopies.dropped(from: turned).bytes.count == whole.count)
            }
        }
    }
}
