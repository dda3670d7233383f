package import JSON

/// A mask as a list of shapes in the order in which they were drawn, in pixels of its picture (`semantics.md` 103). The
/// area inside the shapes is selected. Tools renders the mask.
package struct MaskDrawing: Hashable, Sendable {
    package enum Shape: Hashable, Sendable {
        /// A rectangle, measured from the upper left corner. It may extend beyond the picture.
        case rectangle(x: Int, y: Int, width: Int, height: Int)
        /// An ellipse that fills the rectangle of these measures.
        case ellipse(x: Int, y: Int, width: Int, height: Int)
        /// A rectangle whose inside is removed from the mask again.
        case erased(x: Int, y: Int, width: Int, height: Int)
    }

    package var width: Int
    package var height: Int
    package var shapes: [Shape] = []
    /// How many pixels wide the edges fade.
    package var feather = 0
    package var isInverted = false

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var json: JSON {
        [
            "width": .int(width), "height": .int(height),
            "shapes": .array(
                shapes.map { shape in
                    let (word, box) = shape.parts
                    return [.string(word), .int(box.x), .int(box.y), .int(box.width), .int(box.height)]
                }), "feather": .int(feather), "inverted": .bool(isInverted),
        ]
    }

    package init?(json: JSON) {
        guard let width = json["width"]?.int, let height = json["height"]?.int, width > 0, height > 0,
            height <= Limits.maskPixels, width <= Limits.maskPixels / height
        else { return nil }
        self.init(width: width, height: height)
        shapes = (json["shapes"]?.array ?? []).prefix(Limits.maskShapes).compactMap { shape in
            guard let word = shape[0]?.string, let x = shape[1]?.int, let y = shape[2]?.int, let width = shape[3]?.int,
                let height = shape[4]?.int
            else { return nil }
            return Shape(word, x: x, y: y, width: width, height: height)
        }
        feather = min(max(0, json["feather"]?.int ?? 0), Limits.maskFeather)
        isInverted = json["inverted"]?.bool ?? false
    }
}

extension MaskDrawing.Shape {
    package typealias Box = (x: Int, y: Int, width: Int, height: Int)

    /// Creates a shape.
    ///
    /// - Parameter word: `rect`, `ellipse` or `erase`.
    /// - Returns: `nil` if the word is another, the shape has no area, or a number is out of range.
    package init?(_ word: String, x: Int, y: Int, width: Int, height: Int) {
        let reach = -Limits.maskPixels...Limits.maskPixels
        guard width > 0, height > 0, [x, y, width, height].allSatisfy(reach.contains) else { return nil }
        switch word {
        case "rect": self = .rectangle(x: x, y: y, width: width, height: height)
        case "ellipse": self = .ellipse(x: x, y: y, width: width, height: height)
        case "erase": self = .erased(x: x, y: y, width: width, height: height)
        default: return nil
        }
    }

    package var parts: (word: String, box: Box) {
        switch self {
        case .rectangle(let x, let y, let width, let height): ("rect", (x, y, width, height))
        case .ellipse(let x, let y, let width, let height): ("ellipse", (x, y, width, height))
        case .erased(let x, let y, let width, let height): ("erase", (x, y, width, height))
        }
    }
}
