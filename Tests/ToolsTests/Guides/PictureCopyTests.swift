import CaseNames
@testable import Files
import Foundation
import Harness
@testable import Pictures
import Testing
import Vocabulary

/// Copies of pictures for a package have the metadata that the guide lets through, and the same pixels.
@Suite struct PictureCopyTests {
    private func copy(_ bytes: [UInt8], _ metadata: Guide.Metadata = .cut, _ place: Guide.Place = .never) -> PictureCopy
    {
        PictureCopy(of: bytes, metadata: metadata, place: place)
    }

    @Test(arguments: [Named("jpg", MadePictures.jpeg()), Named("png", MadePictures.png())]) func metadataIsCut(
        _ picture: Named<[UInt8]>
    ) {
        #expect(
            MadePictures.marks.contains { picture.value.contains($0) } && ImageHeader(picture.value)?.orientation == 6)
        let copy = copy(picture.value)
        #expect(copy.treatment == .cut && copy.bytes.count < picture.value.count)
        for mark in MadePictures.marks + ["Acme", "2026:"] { #expect(!copy.bytes.contains(mark), "\(mark)") }
        let (header, original) = (ImageHeader(copy.bytes), ImageHeader(picture.value))
        #expect(
            header?.orientation == 6 && header?.format == picture.name && header?.width == original?.width
                && original?.width != nil)
        let exif = EXIFBlock.of(picture: copy.bytes)
        #expect(exif?.orientation == 6 && exif?.place == nil && exif?.device == nil)
        #expect(self.copy(copy.bytes).bytes == copy.bytes)
    }

    @Test func aJPEGKeepsItsColoursAndPixels() {
        let original = MadePictures.jpeg(exif: nil)
        let copy = copy(original).bytes
        // A byte that only fills the space before a marker is left out.
        #expect(copy.suffix(MadePictures.pixels().count) == MadePictures.pixels()[...] || copy.count < original.count)
        #expect(
            copy.contains("JFIF") && copy.contains("ICC_PROFILE") && copy.contains("Adobe") && !copy.contains("Exif"))
        #expect(self.copy(MadePictures.jpeg(exif: MadePictures.exif(orientation: 1))).bytes == copy)
    }

    @Test(arguments: [true, false]) func exifIsKeptWithoutThePlace(isLittle: Bool) throws {
        let exif = MadePictures.exif(orientation: 3, isLittle: isLittle)
        for picture in [MadePictures.jpeg(exif: exif), MadePictures.png(exif: exif)] {
            for place in [Guide.Place.never, .ask] {
                let copy = copy(picture, .keep, place)
                #expect(copy.treatment == .withoutPlace)
                for mark in MadePictures.marks { #expect(!copy.bytes.contains(mark), "\(mark)") }
                let block = try #require(EXIFBlock.of(picture: copy.bytes))
                #expect(
                    block.device == "Acme P1" && block.takenAt == "2026:11:25 14:02:31" && block.orientation == 3
                        && block.place == nil)
                #expect(self.copy(copy.bytes, .keep, place).bytes == copy.bytes)
            }
            let kept = copy(picture, .keep, .exif)
            #expect(kept.treatment == .kept && kept.bytes == picture)
        }
        let place = try #require(EXIFBlock(exif)?.place)
        #expect(place == (-33.85975, 151.211111))
    }

    @Test func whatCannotBeCutIsNamed() {
        let jpeg = MadePictures.jpeg()
        let cases: [(String, [UInt8], String)] = [
            ("a scan without end", Array(jpeg.prefix { $0 != 0xDA }), "ends too early"),
            ("gif", Array("GIF89a\u{1}\0\u{1}\0".utf8), "gif"),
            ("heic", [0, 0, 0, 24] + Array("ftypheic".utf8), "heic"), ("nothing", [], "no picture"),
            ("text", Array("hello".utf8), "no picture"),
            ("a film behind a JPEG's head", [0xFF, 0xD8, 0xFF, 0xF1, 0, 2], "unknown"),
            ("a long segment", [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 1], "broken"),
            ("no scan", [0xFF, 0xD8, 0xFF, 0xD9, 0], "has no picture"),
            (
                "a PNG's chunk of 4 GB",
                Array(MadePictures.png().prefix(33)) + [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8], "broken"
            ),
            (
                "a PNG without pixels", Array(MadePictures.png().prefix(33)) + MadePictures.chunk("IEND", []),
                "has no picture"
            ),
            (
                "a PNG from elsewhere",
                Array(MadePictures.png().prefix(33)) + MadePictures.chunk("XDAT", [])
                    + PNGWriter.grey([1], width: 1)[33...], "unknown"
            ),
        ]
        for (name, bytes, words) in cases {
            let copy = copy(bytes)
            #expect(copy.bytes == bytes, "\(name)")
            #expect(copy.treatment.reason?.contains(words) ?? false, "\(name): \(copy.treatment)")
        }
    }

    /// Whatever the bytes are: the copy is the original, or it is a file of the same form with none of the marks, whose
    /// copy is itself.
    @Test(arguments: 0..<20) func hostileBytesGiveACopyOrTheOriginal(seed: Int) {
        var random = Seeded(UInt64(seed))
        for round in 0..<40 {
            var bytes = Bool.random(using: &random) ? MadePictures.jpeg() : MadePictures.png()
            switch round % 4 {
            case 0: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            case 1:
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
            case 2:
                // Numbers of lengths, counts and places at their ends.
                let place = Int.random(in: 2..<bytes.count - 4, using: &random)
                for index in 0..<4 { bytes[place + index] = [0x00, 0x7F, 0x80, 0xFF].randomElement(using: &random)! }
            default:
                bytes =
                    Array(bytes.prefix(12))
                    + (0..<Int.random(in: 0...400, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            }
            for (metadata, place) in [(Guide.Metadata.cut, Guide.Place.never), (.keep, .ask), (.keep, .exif)] {
                let copy = copy(bytes, metadata, place)
                switch copy.treatment {
                case .kept, .notCut: #expect(copy.bytes == bytes)
                case .cut, .withoutPlace:
                    #expect(copy.bytes.count <= bytes.count + 64)
                    #expect(self.copy(copy.bytes, metadata, place).bytes == copy.bytes)
                    #expect(EXIFBlock.of(picture: copy.bytes)?.place == nil)
                }
            }
            _ = EXIFBlock(bytes)
            if let block = EXIFBlock(
                Array(
                    MadePictures.exif().enumerated().map {
                        random.chance(2) ? .random(in: 0...255, using: &random) : $1
                    }))
            {
                _ = (block.place, block.device, block.takenAt, block.withoutPlace())
            }
        }
    }

    @Test(.process) func aPhotographLooksTheSameAsItsCopy() throws {
        let lab = try Lab()
        let photo = try lab.picture(
            "a.jpg",
            [
                ["vips", "gaussnoise", "a.v", "64", "48"], ["vips", "cast", "a.v", "b.v", "uchar"],
                ["vips", "copy", "b.v", "out.jpg"],
            ])
        let original = [UInt8](try #require(FileManager.default.contents(atPath: lab.store.path(photo.hash))))
        let exif = MadePictures.segment(0xE1, Array("Exif\0\0".utf8) + MadePictures.exif(orientation: 6))
        let withEXIF = Array(original.prefix(2)) + exif + Array(original.dropFirst(2)) + Array("TRAILER".utf8)
        let copy = copy(withEXIF)
        #expect(copy.treatment == .cut && !copy.bytes.contains("Acme"))
        try lab.write("one.jpg", withEXIF)
        try lab.write("two.jpg", copy.bytes)
        for name in ["one", "two"] {
            try Lab.program(["vips", "autorot", "\(name).jpg", "\(name).raw"], in: lab.workspace)
        }
        let (one, two) = (
            FileManager.default.contents(atPath: lab.path("one.raw")),
            FileManager.default.contents(atPath: lab.path("two.raw"))
        )
        #expect(one == two && one?.count ?? 0 > 3000)
        #expect(try lab.look(try lab.asset(copy.bytes, .image, name: "two.jpg")).width == 64)
    }
}
