import Files
import Glibc
import JSON
import Sandbox
package import Vocabulary

extension Limits {
    /// The most frames or pages of a picture that a tool keeps. If there are more, it uses the first one.
    fileprivate static let keptPages = 1000
}

/// An upright picture in the work folder.
package struct Picture {
    /// The name of its file in the work folder.
    package var file: String
    package var width: Int
    package var height: Int
    /// The header of the original, or `nil` for a format that only libvips can read.
    package var header: ImageHeader?
    package var asset: Asset
    /// The number of frames of an animation or pages of a document. A program sees the first one under `file`.
    package var pages = 1
    /// The name under which a program sees all pages one below the other, or `nil` if there is only one, or they cannot
    /// be read together.
    package var allPages: String?
    /// The colors of the file under `file`.
    package var colors = PictureColors(kind: .other)
}

extension Workbench {
    /// Places a picture in the work folder, and turns it as its EXIF says. This happens only here, so that every tool
    /// sees a picture as the user does. Most pictures are upright already and cost nothing.
    package mutating func picture(_ asset: Asset, _ number: Int) throws(Failure) -> Picture {
        let path = try store.path(of: asset)
        let header = ImageHeader.read(path)
        try PictureEnd.check(path, header?.format, name: asset.name)
        let placed = try place(asset, as: "in-\(number)." + (header?.format ?? "bin"))
        var picture = Picture(
            file: placed, width: header?.width ?? 0, height: header?.height ?? 0, header: header, asset: asset)
        // libvips reads the first frame of an animated PNG and knows of no others.
        picture.pages = header?.pngFrames ?? 1
        lookInside(&picture)
        if let header, !header.isUpright { try turnUpright(&picture, number) }
        guard picture.width == 0 || picture.height == 0 else { return picture }
        do throws(Failure) {
            (picture.width, picture.height) = try measure(picture.file)
        } catch {
            throw header == nil && error.code == .processFailed ? .notAPicture(asset.name) : error
        }
        return picture
    }

    /// Finds out the colors, the pages and the size. Only a picture whose header does not say them needs a program.
    private func lookInside(_ picture: inout Picture) {
        let mayHavePages = picture.header?.mayHavePages ?? true
        let colors = picture.header?.colors
        if let colors { picture.colors = colors }
        guard mayHavePages || colors == nil, let fields = try? header(of: picture.file) else { return }
        if mayHavePages { lookAtPages(of: &picture, fields) }
        if colors == nil { picture.colors = PictureColors(fields: fields) }
        guard picture.width == 0 || picture.height == 0 else { return }
        picture.width = fields["width"].flatMap { Int($0) } ?? 0
        picture.height = fields["height"].flatMap { Int($0) } ?? 0
    }

    /// Turns a picture as its EXIF says, by a program.
    ///
    /// libvips' own format keeps the old orientation beside the turned picture, and a TIFF has no EXIF data (8.14). A
    /// PNG without compression is as fast, but cannot hold all colors.
    private func turnUpright(_ picture: inout Picture, _ number: Int) throws(Failure) {
        let isPNG = [.gray, .rgb].contains(picture.colors.kind)
        let file = "upright-\(number)." + (isPNG ? "png" : "tif")
        try run(["vips", "autorot", picture.file, file + (isPNG ? "[compression=0]" : "")])
        picture.file = file
        complaints.name(file, of: picture.asset)
        let turned = ImageHeader.read("\(folder.path)/\(file)")
        (picture.width, picture.height) = (turned?.width ?? 0, turned?.height ?? 0)
    }

    /// Turns a picture into sRGB, or into gray in the steps of sRGB, by its own profile. A picture that is sRGB
    /// already, or has no profile, stays as it is. All frames or pages of `file` are turned.
    package func turnIntoSRGB(_ picture: inout Picture) throws(Failure) {
        guard !picture.colors.isSRGB else { return }
        let isGray = picture.colors.kind == .gray
        var made = "\(picture.stem)-srgb.v"
        var words = ["vips", "icc_transform", picture.file, made, "srgb", "--embedded"]
        // The profile for a picture whose own is broken.
        if !isGray { words += ["--input-profile", picture.colors.kind == .cmyk ? "cmyk" : "srgb"] }
        if picture.colors.isDeep { words += ["--depth", "16"] }
        do throws(Failure) {
            try run(words)
        } catch {
            // A profile of a gray picture that cannot be used is none.
            guard isGray, error.code == .processFailed else { throw error }
            picture.colors.hasProfile = false
            return
        }
        if isGray {
            let colored = made
            made = "\(picture.stem)-gray.v"
            try run(["vips", "colourspace", colored, made, picture.colors.isDeep ? "grey16" : "b-w"])
        }
        complaints.name(made, of: picture.asset)
        picture.file = made
        picture.colors.kind = isGray ? .gray : .rgb
        picture.colors.hasProfile = false
    }

    /// Finds out how many frames or pages there are, and whether a program can read them together.
    private func lookAtPages(of picture: inout Picture, _ fields: [String: String]) {
        picture.pages = max(1, fields["n-pages"].flatMap { Int($0) } ?? 1)
        func number(_ key: String) -> Int { fields[key].flatMap { Int($0) } ?? Limits.pictureSide }
        guard picture.pages > 1, picture.pages <= Limits.keptPages, picture.header?.isUpright ?? true,
            PageRule.holds(picture.header?.format ?? ""),
            number("width") * number("height") * picture.pages <= Limits.resizedPixels
        else { return }
        // Pages of different sizes cannot be placed one below the other.
        let all = "\(picture.file)[n=-1]"
        if (try? header(of: all)) != nil { picture.allPages = all }
    }

    /// Returns width and height, as libvips reads them.
    package func measure(_ file: String) throws(Failure) -> (Int, Int) {
        let fields = try header(of: file)
        guard let width = fields["width"].flatMap({ Int($0) }), let height = fields["height"].flatMap({ Int($0) })
        else {
            throw Failure(.badImage, "\(assignment.manifest.title) cannot read this picture.")
        }
        return (width, height)
    }

    /// Returns the fields of `vipsheader -a`: width, height, bands, interpretation and others.
    package func header(of file: String) throws(Failure) -> [String: String] {
        let words = try run(["vipsheader", "-a", file]).output(limit: Limits.programLogBytes)
        let lines = String(decoding: words, as: UTF8.self).split(separator: "\n")
        let pairs = lines.compactMap { line -> (String, String)? in
            guard let colon = line.range(of: ": ") else { return nil }
            return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension Failure {
    package static func notAPicture(_ name: String) -> Failure {
        Failure(.notAPicture, "\(name) is not a picture that can be read here.", remedy: "FileLoader takes any file.")
    }
}

extension StringProtocol {
    fileprivate func range(of separator: String) -> Range<Index>? { self.ranges(of: separator).first }
}

extension Picture {
    /// The name of its file without suffix and options, for the names of what is made of it.
    package var stem: String { stemAndSuffix(String(file.prefix { $0 != "[" })).stem }

    /// The frames or pages that are left out by a tool that uses only the first one, and what libvips does not read.
    package var leftOut: [LeftOut] {
        let unread = header?.hasUnreadColors == true
        let lost = unread ? [LeftOut(.traits, why: "the color space, which the file names without a profile")] : []
        guard pages > 1 else { return lost }
        let kind: LeftOut.Kind = ["gif", "webp", "png"].contains(header?.format) ? .frames : .pages
        return [LeftOut(kind, pages - 1, of: pages)] + lost
    }

    package func name(as format: ImageFormat) -> String { format.name(for: asset.name) }

    /// Returns the format for a result: the original's, or the nearest that can be written.
    package func savedFormat(needsAlpha: Bool = false) -> ImageFormat {
        let kept = ImageFormat.saved(from: header?.format)
        return needsAlpha && !kept.hasAlpha ? .png : kept
    }
}
