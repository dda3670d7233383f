import Glibc
import JSON
import Vocabulary

/// A picture in the work folder, upright.
struct Picture {
    /// Its name there, for a program.
    var file: String
    var width: Int
    var height: Int
    /// Of the original; `nil` for a format that only libvips knows.
    var header: ImageHeader?
    var asset: Asset
}

extension Workbench {
    /// Places a picture and turns it as its EXIF says: here and nowhere else, so that every tool sees it as the person does. Most
    /// pictures are upright already and cost nothing.
    mutating func picture(_ asset: Asset, _ number: Int) throws(Failure) -> Picture {
        let path = try store.path(of: asset)
        let header = ImageHeader.read(path)
        let placed = try place(asset, as: "in-\(number)." + (header?.format ?? "bin"))
        var picture = Picture(file: placed, width: header?.width ?? 0, height: header?.height ?? 0, header: header, asset: asset)
        if let header, !header.isUpright {
            // TIFF, since libvips' own format keeps the old orientation beside the turned picture (8.14).
            picture.file = "in-\(number).tif"
            try run(["vips", "autorot", placed, picture.file])
            (picture.width, picture.height) = (0, 0)
        }
        if picture.width == 0 || picture.height == 0 { (picture.width, picture.height) = try measure(picture.file) }
        return picture
    }

    /// Width and height, as libvips reads them.
    func measure(_ file: String) throws(Failure) -> (Int, Int) {
        let fields = try header(of: file)
        guard let width = fields["width"].flatMap({ Int($0) }), let height = fields["height"].flatMap({ Int($0) }) else {
            throw Failure("badImage", "\(assignment.manifest.title) cannot read this picture.")
        }
        return (width, height)
    }

    /// The fields of `vipsheader -a`: width, height, bands, interpretation, …
    func header(of file: String) throws(Failure) -> [String: String] {
        let words = try run(["vipsheader", "-a", file]).output(limit: Limits.programLogBytes)
        let lines = String(decoding: words, as: UTF8.self).split(separator: "\n")
        let pairs = lines.compactMap { line -> (String, String)? in
            guard let colon = line.range(of: ": ") else { return nil }
            return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension StringProtocol {
    fileprivate func range(of separator: String) -> Range<Index>? { self.ranges(of: separator).first }
}

extension Picture {
    func name(as format: ImageFormat) -> String { format.name(for: asset.name) }

    /// The format of a result: the original's, or the nearest that can be written.
    func savedFormat(needsAlpha: Bool = false) -> ImageFormat {
        let kept = ImageFormat.saved(from: header?.format)
        return needsAlpha && !kept.hasAlpha ? .png : kept
    }
}
