import Files
import JSON
import Pictures
import Vocabulary

/// A picture in a package.
struct PackedMedium {
    /// The path inside the package, such as `media/03-corners-front-left.jpg`.
    var file: String
    /// The ID of the step. `number` is its number from 1.
    var step: String
    var number: Int
    /// The name of the picture among several, or `nil` if it has none.
    var part: String?
    /// The number of the picture in its step, from 1.
    var index: Int
    /// The original.
    var asset: Asset
    /// The SHA-256 and the size of the file in the package.
    var hash: ContentHash
    var size: Int
    var treatment: PictureCopy.Treatment
    /// Whether the file is a copy that differs from the original.
    var isCopy: Bool
    /// The format, such as `jpg`, or `nil` if it is not known.
    var format: String?
    var figures: PictureFigures?
    /// The person's reason to accept the picture although it did not meet the requirements, or `nil`.
    var taken: String?
    /// The device that took the picture, or `nil`. The device, the time and the place are present only if the guide
    /// lets them through.
    var device: String?
    var takenAt: String?
    var place: (latitude: Double, longitude: Double)?

    /// The largest size of a picture whose metadata are removed, in bytes, since it must fit into memory.
    private static let mostCutBytes = 128 << 20
    /// The number of first bytes by which the format is recognized.
    private static let headBytes = 1 << 18
    /// The longest path of a file in a package, in bytes.
    private static let nameBytes = 100

    /// Returns the pictures of all answered steps, in order.
    static func all(
        of record: GuideRecord, read: (ContentHash, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [PackedMedium] {
        var media: [PackedMedium] = []
        var files: Set<String> = []
        for entry in record.answered {
            for (place, medium) in entry.media.enumerated() {
                var packed = try PackedMedium(medium, guide: record.guide, read: read)
                (packed.step, packed.number, packed.index) = (entry.step.id, entry.number ?? 0, place + 1)
                let isOne = medium.part == nil && entry.media.count == 1 && !entry.step.takesSeveral
                packed.file = file(
                    number: packed.number, step: entry.step.id, part: isOne ? nil : medium.part ?? String(place + 1),
                    suffix: packed.format ?? "bin", besides: files)
                files.insert(packed.file)
                media.append(packed)
            }
        }
        return media
    }

    private init(_ medium: GuideRecord.Medium, guide: Guide, read: (ContentHash, Int) throws(Failure) -> [UInt8])
        throws(Failure)
    {
        (file, step, number, index) = ("", "", 0, 1)
        (part, asset, figures, taken) = (medium.part, medium.asset, medium.figures, medium.taken)
        (hash, size, isCopy) = (asset.hash, asset.bytes, false)
        let isSmall = asset.bytes <= Self.mostCutBytes || !guide.export.hasOriginals
        let bytes = try read(asset.hash, isSmall ? Self.mostCutBytes : Self.headBytes)
        format = ImageHeader(bytes)?.format
        guard isSmall else {
            let isKept = guide.metadata == .keep && guide.place == .exif
            treatment = isKept ? .kept : .notCut("it is larger than \(FileSize.words(Self.mostCutBytes))")
            return
        }
        let copy = PictureCopy(of: bytes, metadata: guide.metadata, place: guide.place)
        treatment = copy.treatment
        if copy.bytes != bytes || !guide.export.hasOriginals {
            (hash, size, isCopy) = (ContentHash.of(copy.bytes), copy.bytes.count, true)
        }
        guard let exif = EXIFBlock.of(picture: bytes) else { return }
        if guide.metadata == .keep { (device, takenAt) = (exif.device, exif.takenAt) }
        if guide.place == .exif { place = exif.place }
    }

    /// Returns the path of a picture. IDs and names of pictures are reduced to letters, digits, `_` and hyphens.
    ///
    /// - Parameter files: the paths that are in use.
    static func file(number: Int, step: String, part: String?, suffix: String, besides files: Set<String>) -> String {
        let digits = number < 10 ? "0\(number)" : String(number)
        let words = [step, part].compactMap { $0.map(GuideStep.part) }.filter { !$0.isEmpty }
        let stem = (["media/\(digits)"] + words).joined(separator: "-")
        for count in 1... {
            let end = (count == 1 ? "" : "-\(count)") + "." + suffix
            let file = String(stem.prefix(nameBytes - end.utf8.count)) + end
            if !files.contains(file) { return file }
        }
        preconditionFailure("numbers do not end")
    }
}

extension GuideStep {
    /// Whether the step requires several pictures, so that each has a name or a number.
    fileprivate var takesSeveral: Bool {
        if case .capture(let capture) = kind { capture.count.upperBound > 1 || !capture.each.isEmpty } else { false }
    }
}
