package import Files
import Glibc
import JSON
import Vips
package import Vocabulary

/// The functions that show a mask over its picture.
extension PicturePrograms {
    /// Makes a PNG of a picture with the mask as a tint, small enough for a screen. It blocks.
    ///
    /// - Parameters:
    ///   - path: the real path of the picture.
    ///   - format: the format by its first bytes, such as `jpg`.
    package func maskedPNG(
        _ drawing: MaskDrawing, over path: String, format: String, width: Int, height: Int,
        cancel: Cancellation = Cancellation()
    ) throws(Failure) -> [UInt8] {
        let small = try smallPNG(of: path, format: format, width: width, height: height, cancel: cancel)
        guard let meta = ImageHeader(small)?.meta(adding: JSON.Object()), let width = meta["width"]?.int,
            let height = meta["height"]?.int
        else { throw Failure(.outputMissing, "The picture has no size.") }
        let mask = drawing.scaled(width: width, height: height).png()
        return try brief { folder throws(Failure) in
            for (name, bytes) in [("small.png", small), ("mask.png", mask)] {
                try OpenFile("\(folder.path)/\(name)", O_WRONLY | O_CREAT | O_EXCL).write(bytes)
            }
            // The picture gets three bands of colour, whatever it has.
            let flat = VipsImage.file("small.png").inSpace("srgb").bands(0, count: 3)
            let tint = flat.scaled(by: Self.kept, plus: Self.added)
            try draw(VipsImage.file("mask.png").choosing(tint, flat), "", PictureFiles(folder: folder), cancel)
            return try readWhole("\(folder.path)/out.png", limit: Limits.drawnBytes)
        }
    }

    /// The part of each colour that the tint leaves, and the colour that it adds: magenta, which is rare in
    /// photographs.
    private static let kept = [0.4, 0.4, 0.4]
    private static let added: [Double] = [153, 0, 110]
}

extension MaskDrawing {
    /// Returns the mask for a picture of another size.
    func scaled(width newWidth: Int, height newHeight: Int) -> MaskDrawing {
        func scale(_ value: Int, _ from: Int, _ to: Int) -> Int {
            Int((Double(value) * Double(to) / Double(from)).rounded())
        }
        var drawing = MaskDrawing(width: newWidth, height: newHeight)
        drawing.isInverted = isInverted
        drawing.feather = feather == 0 ? 0 : max(1, scale(feather, width, newWidth))
        drawing.shapes = shapes.compactMap { shape in
            let (word, box) = shape.parts
            let (x, y) = (scale(box.x, width, newWidth), scale(box.y, height, newHeight))
            return Shape(
                word, x: x, y: y, width: max(1, scale(box.x + box.width, width, newWidth) - x),
                height: max(1, scale(box.y + box.height, height, newHeight) - y))
        }
        return drawing
    }
}
