package import Files
import Glibc
import Vips
package import Vocabulary

/// Smaller copies of pictures, for a package without the original pixels (`export: {originals: false}`).
extension PicturePrograms {
    /// Makes a smaller JPEG of each picture of a guide, turned as its EXIF says. Files that are not pictures get no
    /// copy. It blocks.
    ///
    /// - Returns: the paths of the copies, in the folder.
    package func smallerCopies(of record: GuideRecord, in folder: RunFolder) throws(Failure) -> [ContentHash: String] {
        var made: [ContentHash: String] = [:]
        for asset in record.answered.flatMap(\.media).map(\.asset) where made[asset.hash] == nil {
            let original = store.path(asset.hash)
            guard let format = ImageHeader.read(original)?.format else { continue }
            try PictureEnd.check(original, format, name: asset.name)
            let (input, file) = ("in-\(made.count + 1).\(format)", "small-\(made.count + 1).jpg")
            let copy = "\(folder.path)/\(file)"
            let side = Limits.smallerCopyPixels
            let job = VipsJob(
                VipsImage.file(input).thumbnail(width: side, height: side, .down),
                .save(file: file, options: "[Q=85,background=\(ImageFormat.white)]"), seconds: Limits.pictureSeconds,
                processorSeconds: Limits.pictureProcessorSeconds, fileBytes: Limits.smallerCopyBytes)
            let files = PictureFiles(folder: folder, reading: [input: original])
            if let failure = try compute(job, files, Cancellation()).failure { throw failure }
            guard Keepsake(copy) != nil, ImageHeader.read(copy)?.format == "jpg" else {
                throw Failure(.outputMissing, "libvips ended well but left no picture of \(asset.name).")
            }
            made[asset.hash] = copy
        }
        return made
    }
}

extension Limits {
    /// The longer side of a smaller copy of a picture, in pixels.
    fileprivate static let smallerCopyPixels = 2048

    /// The most bytes of a smaller copy of a picture.
    package static let smallerCopyBytes = 32 << 20
}
