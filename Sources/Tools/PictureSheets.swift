import Files
import Pictures
import Sandbox
import Vips
import Vocabulary

extension Limits {
    /// The most pictures of a contact sheet, and of a row of pictures.
    fileprivate static let sheetPictures = 500
    fileprivate static let rowPictures = 100

    /// The most pixels of a row of pictures, on its longer side.
    fileprivate static let rowPixels = 65_000
}

/// The tools that make one picture of several. Each picture is read by itself, so that a failure names the right one.
enum PictureSheets {
    private static let saved = "[Q=92,strip,optimize-coding]"
    private static let gap = 10

    /// Makes a sheet of small pictures in rows, on white.
    static func contactSheet(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let inputs = bench.assignment.inputs(variadic: "pictures")
        guard inputs.count <= Limits.sheetPictures else {
            throw Failure(
                .badParam, "A contact sheet has at most \(Limits.sheetPictures) pictures; these are \(inputs.count).")
        }
        let size = bench.assignment.integer("size") ?? 300
        let wanted = bench.assignment.integer("columns") ?? (1...).first { $0 * $0 >= inputs.count } ?? 1
        let columns = max(1, min(wanted, inputs.count))
        let rows = (inputs.count + columns - 1) / columns
        var parts: [VipsImage] = []
        var leftOut: [LeftOut] = []
        for (index, asset) in inputs.enumerated() {
            let picture = try bench.picture(asset, index + 1)
            let small = picture.image.thumbnail(width: size, height: size, isInSRGB: true).inSpace("srgb")
            let opaque = try picture.isTransparent(bench) ? small.flattened(background: white) : small
            parts.append(
                try made(opaque.centered(width: size, height: size), "sheet-\(index + 1).png", bench))
            leftOut += picture.leftOut
        }
        let sheet = VipsImage.grid(parts, columns: columns, gap: gap)
        try bench.save(
            sheet.embedded(
                left: gap, top: gap, width: columns * (size + gap) + gap, height: rows * (size + gap) + gap),
            as: "out.jpg", options: saved)
        return try collect("contact-sheet.jpg", leftOut, bench)
    }

    /// Lays pictures side by side, or one below the other, each scaled to the smallest.
    static func sideBySide(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let inputs = bench.assignment.inputs(variadic: "pictures")
        guard inputs.count >= 2 else { throw Failure(.badParam, "There must be two pictures or more.") }
        guard inputs.count <= Limits.rowPictures else {
            throw Failure(
                .badParam,
                "At most \(Limits.rowPictures) pictures can be laid side by side; these are \(inputs.count).")
        }
        let direction = bench.assignment.text("direction") ?? "horizontal"
        let isVertical = direction == "vertical"
        var pictures: [Picture] = []
        for (index, asset) in inputs.enumerated() { pictures.append(try bench.picture(asset, index + 1)) }
        let least = pictures.map { isVertical ? $0.width : $0.height }.min() ?? 1
        let sides = pictures.map { picture in
            let (long, short) =
                isVertical ? (picture.height, picture.width) : (picture.width, picture.height)
            return max(1, (long * least + short / 2) / max(1, short))
        }
        guard sides.reduce(0, +) <= Limits.rowPixels else {
            throw Failure(.tooLarge, "The picture would be too large: more than \(Limits.rowPixels) pixels.")
        }
        var row: VipsImage?
        for (index, picture) in pictures.enumerated() {
            let colored = picture.colored
            let opaque = try picture.isTransparent(bench) ? colored.flattened(background: white) : colored
            let scaled = opaque.thumbnail(
                width: isVertical ? least : sides[index], height: isVertical ? sides[index] : least, .force)
            let part = try made(scaled, "part-\(index + 1).png", bench)
            row = row?.joined(with: part, direction) ?? part
        }
        guard let row else { return [] }
        try bench.save(row, as: "out.jpg", options: saved)
        return try collect("\(stemAndSuffix(inputs[0].name).stem)-joined.jpg", pictures.flatMap(\.leftOut), bench)
    }

    private static let white: [Double] = [255, 255, 255]

    private static func made(_ image: VipsImage, _ file: String, _ bench: Workbench) throws(Failure) -> VipsImage {
        try bench.save(image, as: file, options: "[compression=0]")
        return .file(file)
    }

    private static func collect(_ name: String, _ leftOut: [LeftOut], _ bench: Workbench) throws(Failure) -> [Asset] {
        try bench.collect("image", from: "out.jpg", name: safeName(name)).map { $0.leavingOut(leftOut) }
    }
}

extension Picture {
    /// The picture in sRGB, as three colors.
    fileprivate var colored: VipsImage {
        switch colors.kind {
        case .cmyk: image.inSRGB(fallback: "cmyk").inSpace("srgb")
        case .gray, .rgb, .other: (colors.hasProfile ? image.inSRGB() : image).inSpace("srgb")
        }
    }
}
