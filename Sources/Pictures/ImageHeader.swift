import Files
import Glibc
package import JSON

/// The format, the size and the orientation of a picture, read from its first bytes. Every step needs them, and a
/// program would take some 40 ms. If the header or a field is `nil`, `vipsheader` must be used.
package struct ImageHeader: Hashable {
    package var format: String
    /// The width and the height as stored, before the orientation is applied.
    var width: Int?
    var height: Int?
    /// EXIF's tag 274: 1 is upright, 2…8 are mirrored or turned, and 5…8 swap width and height. 0 means that libvips
    /// must find it out.
    var orientation = 1

    /// Whether the picture is an animated WebP.
    private(set) var isAnimated = false

    /// The number of frames of an animated PNG, or 1 for other pictures.
    private(set) var pngFrames = 1

    /// The colors, or `nil` if only libvips can find them out.
    package private(set) var colors: PictureColors?

    var isUpright: Bool { orientation == 1 }

    /// Whether there may be more than one frame or page.
    var mayHavePages: Bool { !["jpg", "png"].contains(format) && (format != "webp" || isAnimated) }

    /// Whether the file names a color space in a way that libvips does not read.
    private(set) var hasUnreadColors = false

    /// Whether a file of a format whose colors are not read here has a profile.
    private var hasOtherProfile = false

    /// Whether the colors of the picture must be turned into sRGB for a screen, since it has another profile. Without a
    /// profile that would change the colors.
    var needsSRGB: Bool { !(colors.map(\.isSRGB) ?? !hasOtherProfile) }

    package func meta(adding meta: JSON.Object) -> JSON.Object {
        var meta = meta
        guard let width, let height else { return meta }
        let isSwapped = orientation >= 5
        meta["width"] = .int(isSwapped ? height : width)
        meta["height"] = .int(isSwapped ? width : height)
        return meta
    }

    package static func read(_ path: String) -> ImageHeader? {
        guard let file = try? OpenFile(path, O_RDONLY | O_NONBLOCK), let bytes = try? file.read(1 << 18) else {
            return nil
        }
        return ImageHeader(bytes)
    }

    package init?(_ array: [UInt8]) {
        let bytes = Bytes(array)
        if bytes.has("\u{89}PNG".unicodeScalars.map { UInt8($0.value) }, at: 0) {
            self.init(format: "png", width: bytes.big(4, at: 16), height: bytes.big(4, at: 20))
            pngFrames = PageCount(bytes: array).pngFrames
            if let place = bytes.find("eXIf"), place < 1 << 16 { orientation = bytes.orientation(at: place + 4) }
        } else if bytes.has([0xFF, 0xD8, 0xFF], at: 0) {
            self.init(jpeg: bytes)
        } else if bytes.has("GIF8", at: 0) {
            self.init(format: "gif", width: bytes.little(2, at: 6), height: bytes.little(2, at: 8))
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            self.init(webp: bytes)
        } else if bytes.has([0x49, 0x49, 0x2A, 0], at: 0) || bytes.has([0x4D, 0x4D, 0, 0x2A], at: 0) {
            self.init(format: "tiff", width: bytes.tag(0x100, at: 0), height: bytes.tag(0x101, at: 0))
            orientation = bytes.orientation(at: 0)
            hasOtherProfile = bytes.tag(0x8773, at: 0) != nil
        } else if bytes.has("ftyp", at: 4) {
            guard let brand = ["avif", "avis", "heic", "heix", "mif1"].first(where: { bytes.has($0, at: 8) }) else {
                return nil
            }
            self.init(format: brand.hasPrefix("avi") ? "avif" : "heic", width: nil, height: nil)
            hasOtherProfile = ["colrprof", "colrrICC"].contains { bytes.find($0) != nil }
        } else {
            return nil
        }
        colors = PictureColors(array, format: format)
        hasUnreadColors = UnreadColors.are(in: array, format: format)
    }

    private init(format: String, width: Int?, height: Int?) {
        self.format = format
        self.width = width
        self.height = height
    }

    /// Reads the segments up to the frame header (SOFn), which has the size.
    private init(jpeg bytes: Bytes) {
        self.init(format: "jpg", width: nil, height: nil)
        var place = 2
        var hasEXIF = false
        while let marker = bytes.big(2, at: place), marker >> 8 == 0xFF, let length = bytes.big(2, at: place + 2),
            length >= 2
        {
            // The first EXIF segment counts, as for libvips.
            if marker == 0xFFE1, !hasEXIF, bytes.has("Exif", at: place + 4) {
                orientation = bytes.orientation(at: place + 10)
                hasEXIF = true
            }
            if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
                height = bytes.big(2, at: place + 5)
                width = bytes.big(2, at: place + 7)
                return
            }
            if marker == 0xFFDA { return }
            place += 2 + length
        }
    }

    private init(webp bytes: Bytes) {
        self.init(format: "webp", width: nil, height: nil)
        if bytes.has("VP8X", at: 12) {
            width = bytes.little(3, at: 24).map { $0 + 1 }
            height = bytes.little(3, at: 27).map { $0 + 1 }
            isAnimated = bytes.little(1, at: 20).map { $0 & 2 != 0 } ?? false
            guard let flags = bytes.little(1, at: 20), flags & 8 != 0 else { return }
            // The EXIF data follow the picture, perhaps beyond the bytes that were read. 0 means that libvips must find
            // out the orientation.
            orientation = 0
            if let place = bytes.find("EXIF") {
                let start = bytes.has("Exif", at: place + 8) ? place + 14 : place + 8
                orientation = bytes.orientation(at: start)
            }
        } else if bytes.has("VP8L", at: 12), let bits = bytes.little(4, at: 21) {
            width = bits & 0x3FFF + 1
            height = bits >> 14 & 0x3FFF + 1
        } else if bytes.has("VP8 ", at: 12) {
            width = bytes.little(2, at: 26).map { $0 & 0x3FFF }
            height = bytes.little(2, at: 28).map { $0 & 0x3FFF }
        }
    }
}

/// Bytes of a file, with functions that return `nil` for places outside of them.
private struct Bytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func big(_ count: Int, at place: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    func little(_ count: Int, at place: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func has(_ word: [UInt8], at place: Int) -> Bool {
        place + word.count <= bytes.count && bytes[place..<place + word.count].elementsEqual(word)
    }
    func has(_ word: String, at place: Int) -> Bool { has(Array(word.utf8), at: place) }

    func find(_ word: String) -> Int? {
        let word = Array(word.utf8)
        guard bytes.count >= word.count else { return nil }
        return (0...bytes.count - word.count).first { bytes[$0] == word[0] && has(word, at: $0) }
    }

    /// Returns a value of the first directory of a TIFF block that begins at `start` (TIFF 6.0, section 2, which EXIF
    /// uses, too), or `nil` if it has none.
    func tag(_ wanted: Int, at start: Int) -> Int? {
        let isLittle = has("II", at: start)
        guard isLittle || has("MM", at: start) else { return nil }
        func number(_ count: Int, _ place: Int) -> Int? { isLittle ? little(count, at: place) : big(count, at: place) }
        guard let offset = number(4, start + 4), let entries = number(2, start + offset) else { return nil }
        for index in 0..<min(entries, 512) {
            let entry = start + offset + 2 + 12 * index
            guard let tag = number(2, entry), let kind = number(2, entry + 2) else { return nil }
            if tag == wanted { return number(kind == 3 ? 2 : 4, entry + 8) }
        }
        return nil
    }

    func orientation(at start: Int) -> Int {
        guard let value = tag(274, at: start), (1...8).contains(value) else { return 1 }
        return value
    }
}
