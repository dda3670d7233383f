import Vocabulary

extension MaskDrawing {
    /// Returns the grey of each pixel, row by row: 255 inside, 0 outside, and fading over `feather` pixels between
    /// them.
    ///
    /// An inverted mask has the opposite values.
    func rendered() -> [UInt8] {
        var grey = [UInt8](repeating: 0, count: width * height)
        for shape in shapes { paint(shape, on: &grey) }
        if feather > 0 { soften(&grey) }
        if isInverted { for index in grey.indices { grey[index] = 255 - grey[index] } }
        return grey
    }

    /// Returns the mask as a grey PNG.
    package func png() -> [UInt8] { PNGWriter.grey(rendered(), width: width) }

    private func paint(_ shape: Shape, on grey: inout [UInt8]) {
        let (_, box) = shape.parts
        let (isRound, value): (Bool, UInt8) =
            switch shape {
            case .rectangle: (false, 255)
            case .ellipse: (true, 255)
            case .erased: (false, 0)
            }
        for y in max(0, box.y)..<max(max(0, box.y), min(height, box.y + box.height)) {
            let span = isRound ? Self.span(of: box, at: y) : (box.x, box.x + box.width)
            let (from, to) = (max(0, span.0), min(width, span.1))
            guard from < to else { continue }
            for index in y * width + from..<y * width + to { grey[index] = value }
        }
    }

    /// Returns the columns of a row whose pixel centres lie in the ellipse.
    private static func span(of box: Shape.Box, at y: Int) -> (Int, Int) {
        let (a, b) = (Double(box.width) / 2, Double(box.height) / 2)
        let dy = (Double(y - box.y) + 0.5 - b) / b
        let reach = a * max(0, 1 - dy * dy).squareRoot()
        let middle = Double(box.x) + a
        return (Int((middle - reach - 0.5).rounded(.up)), Int((middle + reach - 0.5).rounded(.down)) + 1)
    }

    /// Softens the edges by two passes of a moving mean along rows and columns. This is close to a painted soft edge,
    /// and takes the same time for every width.
    private func soften(_ grey: inout [UInt8]) {
        for _ in 0..<2 {
            for y in 0..<height { mean(&grey, from: y * width, step: 1, count: width) }
            for x in 0..<width { mean(&grey, from: x, step: width, count: height) }
        }
    }

    /// Replaces each pixel of a row or column by the mean around it. Beyond its ends, the values at the ends are
    /// repeated.
    private func mean(_ grey: inout [UInt8], from start: Int, step: Int, count: Int) {
        let radius = max(1, feather / 2)
        let line = (0..<count).map { Int(grey[start + $0 * step]) }
        func at(_ index: Int) -> Int { line[min(max(0, index), count - 1)] }
        var sum = (-radius...radius).reduce(0) { $0 + at($1) }
        for index in 0..<count {
            grey[start + index * step] = UInt8((sum + radius) / (2 * radius + 1))
            sum += at(index + radius + 1) - at(index - radius)
        }
    }
}
