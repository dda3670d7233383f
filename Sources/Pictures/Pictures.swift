import Files
import Glibc
import JSON
import Sandbox
package import Vips
package import Vocabulary

extension Limits {
    /// The most frames or pages of a picture that a tool keeps. If there are more, it uses the first one.
    fileprivate static let keptPages = 1000
}

/// An upright picture of an input.
package struct Picture {
    /// The picture, turned as its EXIF says.
    package var image: VipsImage
    package var width: Int
    package var height: Int
    /// The header of the original, or `nil` for a format that only libvips can read.
    package var header: ImageHeader?
    package var asset: Asset
    /// The number of frames of an animation or pages of a document. `image` is the first one.
    package var pages = 1
    /// All pages, one below the other, or `nil` if there is only one, or they cannot be read together.
    package var allPages: VipsImage?
    /// The colors of `image`.
    package var colors = PictureColors(kind: .other)
}

extension Workbench {
    /// Places a picture in the work folder, and has it turned as its EXIF says. This happens only here, so that every
    /// tool sees a picture as the user does.
    package mutating func picture(_ asset: Asset, _ number: Int) throws(Failure) -> Picture {
        let path = try store.path(of: asset)
        let header = ImageHeader.read(path)
        try PictureEnd.check(path, header?.format, name: asset.name)
        let placed = try place(asset, as: "in-\(number)." + (header?.format ?? "bin"))
        var picture = Picture(
            image: .file(placed), width: header?.width ?? 0, height: header?.height ?? 0, header: header, asset: asset)
        // libvips reads the first frame of an animated PNG and knows of no others.
        picture.pages = header?.pngFrames ?? 1
        lookInside(&picture)
        if let header, !header.isUpright {
            picture.image = picture.image.upright(isCMYK: ![.gray, .rgb].contains(picture.colors.kind))
            if header.orientation >= 5 { swap(&picture.width, &picture.height) }
            // The file does not say how it is turned.
            if header.orientation == 0 { (picture.width, picture.height) = (0, 0) }
        }
        guard picture.width == 0 || picture.height == 0 else { return picture }
        do throws(Failure) {
            (picture.width, picture.height) = try measure(picture.image)
        } catch {
            throw header == nil && error.code == .processFailed ? .notAPicture(asset.name) : error
        }
        return picture
    }

    /// Finds out the colors, the pages and the size. Only a picture whose header does not say them must be opened.
    private func lookInside(_ picture: inout Picture) {
        let mayHavePages = picture.header?.mayHavePages ?? true
        let colors = picture.header?.colors
        if let colors { picture.colors = colors }
        guard mayHavePages || colors == nil, let fields = try? fields(of: picture.image) else { return }
        if mayHavePages { lookAtPages(of: &picture, fields) }
        if colors == nil { picture.colors = PictureColors(fields: fields) }
        guard picture.width == 0 || picture.height == 0 else { return }
        picture.width = fields["width"].flatMap { Int($0) } ?? 0
        picture.height = fields["height"].flatMap { Int($0) } ?? 0
    }

    /// Returns the name of a file with the picture, for a program that reads files.
    ///
    /// A turned one is made here. A PNG without compression is as fast as libvips' own format, but cannot hold all
    /// colors.
    package func file(of picture: Picture, _ number: Int) throws(Failure) -> String {
        if case .file(let name, _) = picture.image { return name }
        let isPNG = [.gray, .rgb].contains(picture.colors.kind)
        let file = "upright-\(number)." + (isPNG ? "png" : "tif")
        try save(picture.image, as: file, options: isPNG ? "[compression=0]" : "")
        complaints.name(file, of: picture.asset)
        return file
    }

    /// Turns a picture into sRGB, or into gray in the steps of sRGB, by its own profile. A picture that is sRGB
    /// already, or has no profile, stays as it is. All frames or pages of `image` are turned.
    package func turnIntoSRGB(_ picture: inout Picture) throws(Failure) {
        guard !picture.colors.isSRGB else { return }
        let isGray = picture.colors.kind == .gray
        // The profile for a picture whose own is broken.
        let fallback = isGray ? nil : picture.colors.kind == .cmyk ? "cmyk" : "srgb"
        var made = picture.image.inSRGB(fallback: fallback, isDeep: picture.colors.isDeep)
        if isGray {
            do throws(Failure) {
                try read(made)
            } catch {
                // A profile of a gray picture that cannot be used is none.
                guard error.code == .processFailed else { throw error }
                picture.colors.hasProfile = false
                return
            }
            made = made.inSpace(picture.colors.isDeep ? "grey16" : "b-w")
        }
        picture.image = made
        picture.colors.kind = isGray ? .gray : .rgb
        picture.colors.hasProfile = false
    }

    /// Finds out how many frames or pages there are, and whether they can be read together.
    private func lookAtPages(of picture: inout Picture, _ fields: [String: String]) {
        picture.pages = max(1, fields["n-pages"].flatMap { Int($0) } ?? 1)
        func number(_ key: String) -> Int { fields[key].flatMap { Int($0) } ?? Limits.pictureSide }
        guard picture.pages > 1, picture.pages <= Limits.keptPages, picture.header?.isUpright ?? true,
            PageRule.holds(picture.header?.format ?? ""), case .file(let file, _) = picture.image,
            number("width") * number("height") * picture.pages <= Limits.resizedPixels
        else { return }
        // Pages of different sizes cannot be placed one below the other.
        let all = VipsImage.file(file, hasAllPages: true)
        if (try? self.fields(of: all)) != nil { picture.allPages = all }
    }

    /// Returns width and height, as libvips reads them.
    package func measure(_ image: VipsImage) throws(Failure) -> (Int, Int) {
        let fields = try fields(of: image)
        guard let width = fields["width"].flatMap({ Int($0) }), let height = fields["height"].flatMap({ Int($0) })
        else {
            throw Failure(.badImage, "\(assignment.manifest.title) cannot read this picture.")
        }
        return (width, height)
    }
}

extension Failure {
    package static func notAPicture(_ name: String) -> Failure {
        Failure(.notAPicture, "\(name) is not a picture that can be read here.", remedy: "FileLoader takes any file.")
    }
}

extension Picture {
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
