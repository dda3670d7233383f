import Files
import Glibc
package import Vocabulary

extension Limits {
    /// The most bytes of a picture in which EXIF data are looked for.
    fileprivate static let carriedFromBytes = 256 << 20

    /// The most bytes of a block of EXIF data.
    fileprivate static let carriedBlockBytes = 1 << 16
}

/// The metadata that a tool takes from a picture to its result, after libvips dropped all: the EXIF data with date,
/// camera and place, without copies of the picture, and the profile.
package struct CarriedMetadata {
    /// The block of EXIF data, or `nil` if there is none that can be read.
    private var exif: [UInt8]?

    /// The profile as it stands in the file, with its segments or its chunk, or `nil` if there is none.
    private var profile: [UInt8]?

    /// The format of the picture by `ImageHeader`.
    private let format: String?

    /// Reads the metadata of a picture.
    package init(of path: String, format: String?) {
        self.format = format
        guard let bytes = try? readWhole(path, limit: Limits.carriedFromBytes) else { return }
        exif = Self.place(in: bytes, format: format ?? "").flatMap {
            EXIFBlock(Array(bytes[$0].prefix(Limits.carriedBlockBytes)))?.forResult()
        }
        profile = Self.profile(in: bytes, format: format ?? "")
    }

    /// Returns the part that a result can have.
    ///
    /// - Parameters:
    ///   - format: the format of the result. EXIF data are put into a JPEG or a PNG.
    ///   - colors: the colors of the picture. A PNG with a palette has no gray.
    ///   - most: the most bytes of the EXIF data, and of the profile.
    package func part(for format: ImageFormat, _ colors: PictureColors, most: Int) -> CarriedMetadata {
        var part = self
        if format != .jpg && format != .png || exif?.count ?? 0 > most { part.exif = nil }
        let isOfFormat = format.rawValue == self.format && (format == .jpg || format == .png && colors.kind == .rgb)
        if !isOfFormat || !colors.hasProfile || profile?.count ?? 0 > most { part.profile = nil }
        return part
    }

    package var hasEXIF: Bool { exif != nil }
    package var hasProfile: Bool { profile != nil }

    /// How many bytes the data add to a picture, at most.
    package var bytes: Int { (exif.map { $0.count + 16 } ?? 0) + (profile?.count ?? 0) }

    /// Puts the data into a JPEG or a PNG that libvips wrote without metadata.
    package func put(into path: String, _ format: ImageFormat) throws(Failure) {
        guard exif != nil || profile != nil else { return }
        let file = try OpenFile(path, O_RDWR | O_NOFOLLOW)
        let whole = try readWhole(file, path, limit: Limits.carriedFromBytes)
        let place: Int
        var added: [UInt8] = []
        switch format {
        case .jpg where whole.starts(with: [0xFF, 0xD8]):
            // The mark of JFIF comes first, if there is one.
            let isMarked = whole.has("JFIF\0", at: 6)
            place = min(isMarked ? 4 + (whole.bigNumber(2, at: 4) ?? 0) : 2, whole.count)
            added = (exif.map(JPEGFile.segment) ?? []) + (profile ?? [])
        case .png where whole.has("IHDR", at: 12):
            place = min(33, whole.count)
            added = (profile ?? []) + (exif.map { PNGFile.chunk("eXIf", $0) } ?? [])
        default:
            return
        }
        let all = Array(whole[..<place]) + added + Array(whole[place...])
        guard all.withUnsafeBytes({ pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }) == all.count else {
            throw fileFailure("write", path)
        }
    }

    // MARK: Places

    private static func place(in bytes: [UInt8], format: String) -> Range<Int>? {
        switch format {
        case "jpg": inJPEG(bytes)
        case "png": inPNG(bytes)
        // A file of boxes, which may lead anywhere.
        case "avif", "heic": byMark(bytes)
        default: nil
        }
    }

    private static func profile(in bytes: [UInt8], format: String) -> [UInt8]? {
        var found: [UInt8] = []
        switch format {
        case "jpg":
            var place = 2
            while let length = bytes.bigNumber(2, at: place + 2), bytes[place] == 0xFF, length >= 2,
                bytes[place + 1] != 0xDA
            {
                let end = min(place + 2 + length, bytes.count)
                if bytes[place + 1] == 0xE2, bytes.has("ICC_PROFILE\0", at: place + 4) { found += bytes[place..<end] }
                place += 2 + length
            }
        case "png":
            var place = 8
            while let length = bytes.bigNumber(4, at: place), length <= bytes.count - place - 12 {
                if bytes.has("IDAT", at: place + 4) { break }
                if bytes.has("iCCP", at: place + 4) { found = Array(bytes[place..<place + 12 + length]) }
                place += 12 + length
            }
        default: break
        }
        return found.isEmpty ? nil : found
    }

    private static func inJPEG(_ bytes: [UInt8]) -> Range<Int>? {
        var place = 2
        while let length = bytes.bigNumber(2, at: place + 2), bytes[place] == 0xFF, length >= 8,
            bytes[place + 1] != 0xDA
        {
            let end = min(place + 2 + length, bytes.count)
            if bytes[place + 1] == 0xE1, bytes.has("Exif\0\0", at: place + 4) { return place + 10..<end }
            place += 2 + length
        }
        return nil
    }

    private static func inPNG(_ bytes: [UInt8]) -> Range<Int>? {
        var place = 8
        while let length = bytes.bigNumber(4, at: place), length <= bytes.count - place - 12 {
            if bytes.has("eXIf", at: place + 4) { return place + 8..<place + 8 + length }
            place += 12 + length
        }
        return nil
    }

    private static func byMark(_ bytes: [UInt8]) -> Range<Int>? {
        guard let found = bytes.firstRange(of: Array("Exif\0\0".utf8)) else { return nil }
        return found.upperBound..<bytes.count
    }
}
