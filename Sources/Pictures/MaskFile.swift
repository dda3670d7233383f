package import Vocabulary

/// A PNG that may be a mask. As in `ApplyMask`, transparent and black pixels are outside of the mask.
package struct MaskFile {
    let width: Int
    let height: Int
    private let depth: Int
    /// The colour type: 0 grey, 2 colours, 3 palette, 4 grey and alpha, 6 colours and alpha (PNG, 11.2.2).
    private let kind: Int
    private let isInterlaced: Bool
    private let palette: [UInt8]
    private let transparency: [UInt8]?
    private let data: [UInt8]

    /// - Throws: `badAnswer`, with the requirement that the file does not meet.
    package init(_ bytes: [UInt8]) throws(Failure) {
        guard let chunks = Self.chunks(of: bytes), let header = chunks.first, header.name == "IHDR",
            header.data.count == 13
        else {
            throw Self.damaged
        }
        func big(_ place: Int) -> Int { header.data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        (width, height) = (big(0), big(4))
        (depth, kind) = (Int(header.data[8]), Int(header.data[9]))
        isInterlaced = header.data[12] == 1
        palette = chunks.first { $0.name == "PLTE" }?.data ?? []
        transparency = chunks.first { $0.name == "tRNS" }?.data
        data = chunks.filter { $0.name == "IDAT" }.flatMap(\.data)
        let depths = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        guard width > 0, height > 0, depths[kind]?.contains(depth) ?? false, header.data[12] <= 1 else {
            throw Self.damaged
        }
        guard width <= Limits.maskPixels / height else {
            throw Failure(
                .badAnswer, "The mask has \(width)×\(height) pixels; at most \(Limits.maskPixels) are taken.",
                remedy: "Make it smaller.")
        }
        guard kind != 2 && kind != 3 || transparency != nil else {
            throw Failure(
                .badAnswer,
                "The picture has neither an alpha channel nor only grey, so nobody can say what of it is masked.",
                remedy: "Save it as a PNG with transparency, or in grey: vips colourspace IN OUT.png b-w")
        }
    }

    private static let damaged = Failure(
        .badAnswer, "The mask is cut off or damaged: it is no whole PNG.", remedy: "Save it again.")

    private static func chunks(of bytes: [UInt8]) -> [(name: String, data: [UInt8])]? {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
        var chunks: [(name: String, data: [UInt8])] = []
        var place = 8
        while place + 12 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - place - 12 else { return nil }
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            if name == "IEND" { return chunks }
            chunks.append((name, Array(bytes[place + 8..<place + 8 + length])))
            place += length + 12
        }
        return nil
    }

    // MARK: Pixels

    private var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind]! }

    /// The width and the height of each pass: one, or seven for Adam7.
    private var passes: [(width: Int, height: Int)] {
        guard isInterlaced else { return [(width, height)] }
        let starts = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return starts.map { x, y, across, down in ((width - x + across - 1) / across, (height - y + down - 1) / down) }
    }

    /// Whether nothing is painted in the mask.
    ///
    /// - Throws: `badAnswer` if the pixels cannot be read.
    package func isEmpty() throws(Failure) -> Bool {
        let bits = channels * depth
        let sizes = passes.filter { $0.width > 0 && $0.height > 0 }.map {
            (row: ($0.width * bits + 7) / 8, width: $0.width, rows: $0.height)
        }
        let whole = sizes.reduce(0) { $0 + ($1.row + 1) * $1.rows }
        guard whole <= 4 * Limits.maskPixels else {
            throw Failure(
                .badAnswer, "The mask has more than \(4 * Limits.maskPixels) bytes of pixels.",
                remedy: "Save it in grey.")
        }
        guard let raw = Inflate.zlib(data, limit: whole), raw.count == whole else { throw Self.damaged }
        var place = 0
        for size in sizes {
            var above = [UInt8](repeating: 0, count: size.row)
            for _ in 0..<size.rows {
                guard let row = Self.unfiltered(raw, at: place, size.row, above, max(1, bits / 8)) else {
                    throw Self.damaged
                }
                if hasPaint(row, size.width) { return false }
                above = row
                place += size.row + 1
            }
        }
        return true
    }

    private static func unfiltered(_ raw: [UInt8], at place: Int, _ count: Int, _ above: [UInt8], _ step: Int)
        -> [UInt8]?
    {
        var row = Array(raw[place + 1..<place + 1 + count])
        switch raw[place] {
        case 0: break
        case 1: for index in stride(from: step, to: count, by: 1) { row[index] &+= row[index - step] }
        case 2: for index in 0..<count { row[index] &+= above[index] }
        case 3:
            for index in 0..<count {
                let left = index < step ? 0 : Int(row[index - step])
                row[index] &+= UInt8((left + Int(above[index])) / 2)
            }
        case 4:
            for index in 0..<count {
                let (left, corner) = index < step ? (0, 0) : (Int(row[index - step]), Int(above[index - step]))
                row[index] &+= UInt8(paeth(left, Int(above[index]), corner))
            }
        default: return nil
        }
        return row
    }

    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
        let guess = left + up - corner
        let (toLeft, toUp, toCorner) = (abs(guess - left), abs(guess - up), abs(guess - corner))
        return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
    }

    private func hasPaint(_ row: [UInt8], _ width: Int) -> Bool {
        let size = depth / 8
        switch kind {
        case 0 where depth < 8, 3 where depth < 8: return (0..<width).contains { isPaint(sample(row, $0)) }
        case 0 where size == 2, 2 where size == 2: return (0..<width).contains { isPaint(wide(row, $0)) }
        case 0, 3: return row.prefix(width).contains { isPaint([Int($0)]) }
        case 2: return (0..<width).contains { pixel in isPaint((0..<3).map { Int(row[pixel * 3 + $0]) }) }
        default:
            let pixel = channels * size
            return (0..<width).contains { index in
                let own = row[index * pixel..<(index + 1) * pixel]
                return own.suffix(size).contains { $0 > 0 } && own.dropLast(size).contains { $0 > 0 }
            }
        }
    }

    /// Returns the sample of a pixel that has less than a byte.
    private func sample(_ row: [UInt8], _ index: Int) -> [Int] {
        let bit = index * depth
        return [Int(row[bit / 8]) >> (8 - depth - bit % 8) & ((1 << depth) - 1)]
    }

    /// Returns the samples of a pixel without alpha, of two bytes each.
    private func wide(_ row: [UInt8], _ index: Int) -> [Int] {
        (0..<channels).map { channel in
            let place = (index * channels + channel) * 2
            return Int(row[place]) << 8 | Int(row[place + 1])
        }
    }

    /// Whether a pixel belongs to the mask.
    ///
    /// - Parameter samples: the samples as they stand in the file. For a palette, this is the index.
    private func isPaint(_ samples: [Int]) -> Bool {
        if kind == 3 {
            let alpha = samples[0] < transparency?.count ?? 0 ? transparency![samples[0]] : 255
            return alpha > 0 && palette.dropFirst(samples[0] * 3).prefix(3).contains { $0 > 0 }
        }
        // A PNG without alpha may name one colour that is transparent.
        if let transparency, transparency.count >= samples.count * 2 {
            let hidden = samples.indices.map { Int(transparency[$0 * 2]) << 8 | Int(transparency[$0 * 2 + 1]) }
            if hidden == samples { return false }
        }
        return samples.contains { $0 > 0 }
    }
}
