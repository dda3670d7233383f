extension PictureFigures {
    /// Measures a picture that was scaled to fit 512×512 pixels. The time grows with the pixels: some 15 ms for
    /// 512×512.
    ///
    /// The sharpness compares fine detail with coarse detail of the same picture, so that it depends neither on light
    /// nor on contrast. It is measured at two scales, and the lower one counts: the finest scale tells a slight blur,
    /// and the next is hardly deceived by noise. The motion compares directions that are at right angles: a picture
    /// that was moved has lost fine detail in one of them.
    ///
    /// - Parameters:
    ///   - gray: the brightness of the pixels, row by row.
    ///   - originalWidth: the width of the picture before it was scaled.
    ///   - originalHeight: the height of the picture before it was scaled.
    package init(gray: [UInt8], width: Int, height: Int, originalWidth: Int, originalHeight: Int) {
        precondition(width > 0 && height > 0 && gray.count == width * height)
        let clean = GrayPlane(gray, width: width, height: height).median()
        let fine = clean.smoothed([0.25, 0.5, 0.25])
        let middle = clean.smoothed(Self.middleWeights)
        let coarse = middle.smoothed(Self.middleWeights).detail()
        let sharp = min(
            Self.finestScale * clean.detail() / (coarse + Self.finestFloor),
            Self.nextScale * fine.detail() / (coarse + Self.nextFloor))
        let kept = [(1, 0), (0, 1), (1, 1), (1, -1)].map { x, y in
            (fine.bend(2 * x, 2 * y) + Self.motionFloor / 20) / (middle.bend(3 * x, 3 * y) + Self.motionFloor)
        }
        let motion = min(kept[0] / kept[1], kept[1] / kept[0], kept[2] / kept[3], kept[3] / kept[2])
        let (sum, white, black) = gray.reduce(into: (0, 0, 0)) { counts, value in
            counts.0 += Int(value)
            if value >= 250 { counts.1 += 1 }
            if value <= 10 { counts.2 += 1 }
        }
        func percent(_ count: Int) -> Int { (100 * count + gray.count / 2) / gray.count }
        self.init(
            width: originalWidth, height: originalHeight, sharp: Int(sharp), motion: Int(100 * motion),
            bright: sum / gray.count,
            white: percent(white), black: percent(black), hash: Self.hash(gray, width, height))
    }

    /// The binomial weights that blur like a Gauss of 1.4 pixels, and twice like one of 2 pixels.
    private static let middleWeights: [Float] = [1, 8, 28, 56, 70, 56, 28, 8, 1].map { $0 / 256 }

    /// The factors that bring both scales to the default limit of `sharp`, and the detail that rounding alone makes.
    private static let finestScale = 6.2
    private static let finestFloor = 0.4
    private static let nextScale = 22.0
    private static let nextFloor = 0.2
    private static let motionFloor = 1.0

    /// Returns 64 bits that say of 8×8 fields whether the next field to the right is brighter.
    private static func hash(_ gray: [UInt8], _ width: Int, _ height: Int) -> UInt64 {
        func mean(_ column: Int, _ row: Int) -> Double {
            let (left, top) = (column * width / 9, row * height / 8)
            let (right, bottom) = (max(left + 1, (column + 1) * width / 9), max(top + 1, (row + 1) * height / 8))
            var sum = 0
            for y in top..<bottom { for x in left..<right { sum += Int(gray[y * width + x]) } }
            return Double(sum) / Double((right - left) * (bottom - top))
        }
        var hash: UInt64 = 0
        for row in 0..<8 {
            let means = (0..<9).map { mean($0, row) }
            for column in 0..<8 { hash = hash << 1 | (means[column] < means[column + 1] ? 1 : 0) }
        }
        return hash
    }
}

/// Brightness by pixel, with the filters that figures are made of. Beyond an edge its last pixel is repeated.
struct GrayPlane {
    let width: Int
    let height: Int
    private var values: [Float]

    /// The pixels at each edge that no variance counts: filters know less there.
    private static let margin = 4

    /// Creates a plane of bytes.
    init(_ gray: [UInt8], width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        values = gray.map { Float($0) }
    }

    /// Replaces each pixel by the median of the nine around it. Noise of single pixels goes, and edges stay.
    func median() -> GrayPlane {
        mapped { around, y, out in
            let (above, row, below) = (around(y - 1), around(y), around(y + 1))
            for x in 0..<width {
                let (left, right) = (max(0, x - 1), min(width - 1, x + 1))
                let first = Self.sorted(above[left], row[left], below[left])
                let second = Self.sorted(above[x], row[x], below[x])
                let third = Self.sorted(above[right], row[right], below[right])
                // Of three sorted columns, the median of all nine is the median of these three.
                let low = max(first.0, second.0, third.0)
                let middle = Self.sorted(first.1, second.1, third.1).1
                let high = min(first.2, second.2, third.2)
                out[x] = Self.sorted(low, middle, high).1
            }
        }
    }

    @inline(__always)
    private static func sorted(_ a: Float, _ b: Float, _ c: Float) -> (Float, Float, Float) {
        let (low, high) = (min(a, b), max(a, b))
        return (min(low, c), max(low, min(high, c)), max(high, c))
    }

    /// Blurs in both directions by symmetric weights, of which there is an odd number.
    func smoothed(_ weights: [Float]) -> GrayPlane {
        let reach = weights.count / 2
        let down = mapped { around, y, out in
            for x in 0..<width { out[x] = 0 }
            for (index, weight) in weights.enumerated() {
                let row = around(y + index - reach)
                for x in 0..<width { out[x] += weight * row[x] }
            }
        }
        return down.mapped { around, y, out in
            let row = around(y)
            let inner = min(reach, width)..<max(min(reach, width), width - reach)
            for x in 0..<width where !inner.contains(x) {
                out[x] = 0
                for (index, weight) in weights.enumerated() {
                    out[x] += weight * row[max(0, min(width - 1, x + index - reach))]
                }
            }
            for x in inner { out[x] = 0 }
            for (index, weight) in weights.enumerated() { for x in inner { out[x] += weight * row[x + index - reach] } }
        }
    }

    /// Returns the variance of the Laplacian.
    func detail() -> Double {
        variance(reach: 1) { pixel in pixel[-1] + pixel[1] + pixel[-width] + pixel[width] - 4 * pixel[0] }
    }

    /// Returns the variance of the second difference in a direction.
    func bend(_ x: Int, _ y: Int) -> Double {
        let step = y * width + x
        return variance(reach: max(abs(x), abs(y))) { pixel in pixel[-step] + pixel[step] - 2 * pixel[0] }
    }

    /// Returns the variance of a value that is computed around each pixel, or 0 for a picture that is too small to have
    /// an inside.
    private func variance(reach: Int, _ value: (UnsafePointer<Float>) -> Float) -> Double {
        let margin = max(reach, Self.margin)
        guard width > 2 * margin, height > 2 * margin else { return 0 }
        var (sum, squares) = (0.0, 0.0)
        values.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for y in margin..<height - margin {
                var (rowSum, rowSquares): (Float, Float) = (0, 0)
                for x in margin..<width - margin {
                    let number = value(base + y * width + x)
                    rowSum += number
                    rowSquares += number * number
                }
                sum += Double(rowSum)
                squares += Double(rowSquares)
            }
        }
        let count = Double((width - 2 * margin) * (height - 2 * margin))
        return max(0, squares / count - sum / count * (sum / count))
    }

    /// Makes a plane row by row. `fill` gets a function for the rows of this plane, by numbers that may lie beyond its
    /// edges.
    private func mapped(
        _ fill: (_ around: (Int) -> UnsafePointer<Float>, _ y: Int, _ out: UnsafeMutablePointer<Float>) -> Void
    ) -> GrayPlane {
        var plane = self
        values.withUnsafeBufferPointer { from in
            plane.values.withUnsafeMutableBufferPointer { to in
                guard let source = from.baseAddress, let target = to.baseAddress else { return }
                for y in 0..<height {
                    fill({ source + max(0, min(height - 1, $0)) * width }, y, target + y * width)
                }
            }
        }
        return plane
    }
}
