import Files
import Pictures
import Sandbox
import Vips
import Vocabulary

/// The tools that make another file of a picture as it is.
enum PictureCopies {
    /// Saves a picture without its metadata and its profile.
    static func withoutMetadata(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let picture = try ImageTools.input("image", 1, &bench)
        let image =
            switch picture.colors.kind {
            case .cmyk: picture.image.inSRGB(fallback: "cmyk")
            case .gray, .rgb, .other:
                try hasProfile(picture, bench) ? picture.image.inSRGB(isDeep: picture.colors.isDeep) : picture.image
            }
        let format = picture.savedFormat()
        let file = "out.\(format.rawValue)"
        try bench.save(image, as: file, options: options(format))
        return try bench.collect("image", from: file, name: picture.name(as: format)).map {
            $0.leavingOut(picture.leftOut)
        }
    }

    /// Returns whether a picture has any profile. `PictureColors` leaves out that of sRGB.
    private static func hasProfile(_ picture: Picture, _ bench: Workbench) throws(Failure) -> Bool {
        if picture.colors.hasProfile { return true }
        return try bench.fields(of: picture.image)["icc-profile-data"] != nil
    }

    private static func options(_ format: ImageFormat) -> String {
        switch format {
        case .jpg: "[strip,Q=95,optimize-coding]"
        case .webp: "[strip,Q=95]"
        case .avif: "[strip,Q=80]"
        case .png: "[strip,compression=7]"
        case .tiff: "[strip,compression=deflate]"
        case .gif: "[strip]"
        }
    }

    /// Makes a PDF of pictures, each on a page of its size.
    static func pdf(_ inputs: [Asset], _ bench: inout Workbench) throws(Failure) -> [Asset] {
        guard let first = inputs.first else { throw Failure(.missingInput, "There is no picture for the PDF.") }
        var pages: [String] = []
        for (index, asset) in inputs.enumerated() {
            let picture = try bench.picture(asset, index + 1)
            pages.append(try page(of: picture, index + 1, bench))
        }
        try bench.run(["img2pdf", "--rotation=ifvalid", "-o", "out.pdf"] + pages)
        let name = safeName(stemAndSuffix(first.name).stem + ".pdf")
        return try bench.collect("pdf", from: "out.pdf", name: name)
    }

    /// Returns the file of a page: a JPEG or a PNG without transparency, which the picture itself may be.
    private static func page(of picture: Picture, _ number: Int, _ bench: Workbench) throws(Failure) -> String {
        let isKept = ["jpg", "png"].contains(picture.header?.format)
        let hasAlpha = picture.colors.kind == .cmyk ? false : try picture.isTransparent(bench)
        guard hasAlpha || !isKept else { return try bench.file(of: picture, number) }
        let most = Double(picture.colors.most)
        let file = "page-\(number).png"
        try bench.save(hasAlpha ? picture.image.flattened(background: [most], most: most) : picture.image, as: file)
        return file
    }
}
