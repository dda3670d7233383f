/// The tables of RFC 1951, for compression and decompression.
enum Deflate {
    static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    static let lengthExtras = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289,
        16385,
        24577,
    ]
    static let distanceExtras = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
}

/// A decompressor for zlib streams from outside (RFC 1950, 1951). It returns at most `limit` bytes, and `nil` for a
/// stream that is incomplete or damaged.
struct Inflate {
    private let bytes: [UInt8]
    private var place = 2
    private var pending: UInt32 = 0
    private var count = 0
    private var out: [UInt8] = []
    private let limit: Int

    static func zlib(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        guard bytes.count > 6, bytes[0] & 0xF == 8, bytes[1] & 0x20 == 0, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
        else { return nil }
        var inflate = Inflate(bytes: bytes, limit: limit)
        return inflate.blocks() ? inflate.out : nil
    }

    private init(bytes: [UInt8], limit: Int) {
        (self.bytes, self.limit) = (bytes, limit)
        out.reserveCapacity(min(limit, 1 << 20))
    }

    private mutating func blocks() -> Bool {
        while let isLast = bits(1), let kind = bits(2) {
            let isWhole: Bool
            switch kind {
            case 0: isWhole = stored()
            case 1: isWhole = coded(Self.fixedLengths, Self.fixedDistances)
            case 2: isWhole = tables().map { coded($0.0, $0.1) } ?? false
            default: isWhole = false
            }
            guard isWhole else { return false }
            if isLast == 1 { return true }
        }
        return false
    }

    private mutating func bits(_ wanted: Int) -> Int? {
        while count < wanted {
            guard place < bytes.count else { return nil }
            pending |= UInt32(bytes[place]) << UInt32(count)
            place += 1
            count += 8
        }
        defer {
            pending >>= UInt32(wanted)
            count -= wanted
        }
        return Int(pending & ((1 << UInt32(wanted)) - 1))
    }

    private mutating func stored() -> Bool {
        // The remaining bits of the current byte are padding.
        place -= count / 8
        (pending, count) = (0, 0)
        guard let length = bits(16), let check = bits(16), length == ~check & 0xFFFF, place + length <= bytes.count,
            out.count + length <= limit
        else { return false }
        out += bytes[place..<place + length]
        place += length
        return true
    }

    private mutating func coded(_ lengths: Codes, _ distances: Codes) -> Bool {
        while let symbol = symbol(of: lengths) {
            if symbol < 256 {
                guard out.count < limit else { return false }
                out.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return true }
            let index = symbol - 257
            guard Deflate.lengthBases.indices.contains(index), let more = bits(Deflate.lengthExtras[index]),
                let code = self.symbol(of: distances), Deflate.distanceBases.indices.contains(code),
                let further = bits(Deflate.distanceExtras[code])
            else { return false }
            let (length, distance) = (Deflate.lengthBases[index] + more, Deflate.distanceBases[code] + further)
            guard distance <= out.count, out.count + length <= limit else { return false }
            for _ in 0..<length { out.append(out[out.count - distance]) }
        }
        return false
    }

    // MARK: Codes

    /// A canonical code: the number of codes of each length, and their symbols in order.
    private struct Codes {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: some Collection<Int>) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            symbols = lengths.enumerated().filter { $0.element > 0 }.sorted {
                ($0.element, $0.offset) < ($1.element, $1.offset)
            }.map(
                \.offset)
        }
    }

    private mutating func symbol(of codes: Codes) -> Int? {
        var (code, first, index) = (0, 0, 0)
        for length in 1...15 {
            guard let bit = bits(1) else { return nil }
            code |= bit
            let count = codes.counts[length]
            if code - first < count {
                let place = index + code - first
                return codes.symbols.indices.contains(place) ? codes.symbols[place] : nil
            }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }

    private static let fixedLengths = Codes(
        [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))
    private static let fixedDistances = Codes([Int](repeating: 5, count: 30))
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func tables() -> (Codes, Codes)? {
        guard let literals = bits(5), let distances = bits(5), let codes = bits(4) else { return nil }
        var lengths = [Int](repeating: 0, count: 19)
        for place in 0..<codes + 4 {
            guard let length = bits(3) else { return nil }
            lengths[Self.order[place]] = length
        }
        let table = Codes(lengths)
        var all: [Int] = []
        let wanted = literals + 257 + distances + 1
        while all.count < wanted {
            guard let symbol = symbol(of: table) else { return nil }
            switch symbol {
            case ..<16: all.append(symbol)
            case 16:
                guard let last = all.last, let more = bits(2) else { return nil }
                all += [Int](repeating: last, count: more + 3)
            case 17:
                guard let more = bits(3) else { return nil }
                all += [Int](repeating: 0, count: more + 3)
            default:
                guard let more = bits(7) else { return nil }
                all += [Int](repeating: 0, count: more + 11)
            }
        }
        guard all.count == wanted else { return nil }
        return (Codes(all[..<(literals + 257)]), Codes(all[(literals + 257)...]))
    }
}
