/// The directories of an EXIF block (TIFF 6.0, section 2, and EXIF 2.3). A broken block is ignored, and every place in
/// it is checked before it is used.
package struct EXIFBlock {
    private struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        let value: [UInt8]
    }

    private let bytes: [UInt8]
    private let isLittle: Bool
    /// The entries of the first directory, of the camera's, of the place's and of the one for exchange.
    private let main: [Entry]
    private let camera: [Entry]
    private let position: [Entry]
    private let exchange: [Entry]

    /// The most entries of a directory, bytes of all their values, and bytes of a block that fits into a segment of
    /// JPEG.
    private static let mostEntries = 1000
    private static let mostValueBytes = 1 << 18
    private static let mostBytes = 65_000

    private enum Tag {
        static let orientation = 0x0112
        static let (camera, position, exchange) = (0x8769, 0x8825, 0xA005)
        static let (make, model) = (0x010F, 0x0110)
        static let taken = 0x9003
        static let (width, height) = (0xA002, 0xA003)
        /// The tags of entries that lead elsewhere, or have formats other than EXIF: strips, thumbnails, further
        /// directories, XMP, IPTC, Photoshop, and the notes of the maker. Any of them may contain a place.
        static let dropped: Set<Int> = [
            0x0111, 0x0117, 0x0144, 0x0145, 0x014A, 0x0201, 0x0202, 0x02BC, 0x83BB, 0x8649, 0x8825, 0x927C, 0xC4A5,
            0xEA1C,
        ]
    }

    /// Reads a block. Returns `nil` if it is broken.
    init?(_ bytes: [UInt8]) {
        guard 14...1 << 16 ~= bytes.count else { return nil }
        switch bytes.prefix(4) {
        case [0x49, 0x49, 0x2A, 0x00]: isLittle = true
        case [0x4D, 0x4D, 0x00, 0x2A]: isLittle = false
        default: return nil
        }
        self.bytes = bytes
        let reader = Reader(bytes: bytes, isLittle: isLittle)
        guard let main = reader.number(4, at: 4).flatMap(reader.directory) else { return nil }
        self.main = main
        camera = reader.inner(Tag.camera, of: main)
        position = reader.inner(Tag.position, of: main)
        exchange = reader.inner(Tag.exchange, of: camera)
    }

    private struct Reader {
        let bytes: [UInt8]
        let isLittle: Bool

        func number(_ count: Int, at place: Int) -> Int? {
            guard place >= 0, place <= bytes.count - count else { return nil }
            let part = bytes[place..<place + count]
            return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
        }

        func directory(at place: Int) -> [Entry]? {
            guard let count = number(2, at: place), count <= EXIFBlock.mostEntries else { return nil }
            var entries: [Entry] = []
            var total = 0
            for index in 0..<count {
                let start = place + 2 + 12 * index
                guard let tag = number(2, at: start), let type = number(2, at: start + 2),
                    let values = number(4, at: start + 4),
                    let last = number(4, at: start + 8)
                else { return nil }
                // Some cameras write an entry that leads nowhere. The others are valid nevertheless.
                guard let size = EXIFBlock.sizes[type], values <= bytes.count else { continue }
                let length = size * values
                let from = length <= 4 ? start + 8 : last
                guard from <= bytes.count - length else { continue }
                total += length
                guard total <= EXIFBlock.mostValueBytes else { return nil }
                entries.append(Entry(tag: tag, type: type, count: values, value: Array(bytes[from..<from + length])))
            }
            return entries
        }

        /// Returns the directory to which an entry leads, or an empty one if none can be read.
        func inner(_ tag: Int, of entries: [Entry]) -> [Entry] {
            guard let entry = entries.first(where: { $0.tag == tag && $0.type == 4 && $0.count == 1 }) else {
                return []
            }
            let place = Reader(bytes: entry.value, isLittle: isLittle).number(4, at: 0)
            return place.flatMap(directory) ?? []
        }
    }

    /// The sizes of values in bytes, by their types.
    private static let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4]

    // MARK: Values

    /// The orientation in which the picture is shown upright, from 1 (not turned) to 8.
    var orientation: Int {
        guard let entry = main.first(where: { $0.tag == Tag.orientation && $0.type == 3 && $0.count == 1 }),
            let value = Reader(bytes: entry.value, isLittle: isLittle).number(2, at: 0), (1...8).contains(value)
        else { return 1 }
        return value
    }

    /// The device that took the picture, or `nil` if the block does not name it.
    package var device: String? {
        let words = [Tag.make, Tag.model].compactMap { text($0, of: main) }
        guard let model = words.last else { return nil }
        return words.count == 2 && !model.hasPrefix(words[0]) ? words.joined(separator: " ") : model
    }

    /// The time by the clock of the device, in the form of EXIF: `2026:11:25 14:02:31`.
    package var takenAt: String? { text(Tag.taken, of: camera) }

    private func text(_ tag: Int, of entries: [Entry]) -> String? {
        guard let entry = entries.first(where: { $0.tag == tag && $0.type == 2 }) else { return nil }
        let text = String(decoding: entry.value.prefix(100).prefix { $0 != 0 }, as: UTF8.self)
        let trimmed = text.split(separator: " ").joined(separator: " ")
        return trimmed.isEmpty ? nil : trimmed
    }

    /// The place where the picture was taken, in degrees, or `nil` if the block has none.
    package var place: (latitude: Double, longitude: Double)? {
        guard let latitude = degrees(2, sign: 1, negative: "S", most: 90),
            let longitude = degrees(4, sign: 3, negative: "W", most: 180)
        else { return nil }
        return (latitude, longitude)
    }

    private func degrees(_ tag: Int, sign: Int, negative: String, most: Double) -> Double? {
        guard let entry = position.first(where: { $0.tag == tag && $0.type == 5 && $0.count == 3 }) else { return nil }
        let reader = Reader(bytes: entry.value, isLittle: isLittle)
        var degrees = 0.0
        for (index, part) in [1.0, 60, 3600].enumerated() {
            guard let above = reader.number(4, at: 8 * index), let below = reader.number(4, at: 8 * index + 4),
                below > 0
            else {
                return nil
            }
            degrees += Double(above) / Double(below) / part
        }
        guard degrees <= most else { return nil }
        let rounded = (degrees * 1_000_000).rounded() / 1_000_000
        return text(sign, of: position) == negative ? -rounded : rounded
    }

    // MARK: Copies

    /// Returns the smallest block with an orientation.
    static func withOrientation(_ orientation: Int) -> [UInt8] {
        let entry = Entry(tag: Tag.orientation, type: 3, count: 1, value: [0, UInt8(clamping: orientation)])
        return Writer(isLittle: false).block([[entry]]) ?? []
    }

    /// Returns a new block without the entries that contain, or may contain, the place where the picture was taken.
    ///
    /// - Returns: `nil` if the block has nothing left, or is too large.
    func withoutPlace() -> [UInt8]? {
        func plain(_ entries: [Entry]) -> [Entry] {
            entries.filter {
                !Tag.dropped.contains($0.tag) && ![Tag.camera, Tag.exchange].contains($0.tag) && $0.type != 13
            }
        }
        let directories = [plain(main), plain(camera), plain(exchange)]
        return directories.allSatisfy(\.isEmpty) ? nil : Writer(isLittle: isLittle).block(directories)
    }

    /// Returns a new block for a picture that was made of this one: with date, camera and place, without thumbnails,
    /// orientation, size, and the notes of the maker, which can be larger than the picture.
    ///
    /// - Returns: `nil` if the block has nothing left, or is too large.
    func forResult() -> [UInt8]? {
        let changed = [Tag.orientation, Tag.width, Tag.height]
        func kept(_ entries: [Entry]) -> [Entry] {
            entries.filter {
                !Tag.dropped.contains($0.tag) && ![Tag.camera, Tag.exchange].contains($0.tag) && $0.type != 13
                    && !changed.contains($0.tag)
            }
        }
        let directories = [kept(main), kept(camera), kept(exchange)]
        guard !directories.allSatisfy(\.isEmpty) || !position.isEmpty else { return nil }
        return Writer(isLittle: isLittle).block(directories, position: position)
    }

    /// A writer of blocks with several directories, each of which leads to the next. The first also leads to that of
    /// the place, which comes last.
    private struct Writer {
        let isLittle: Bool

        func block(_ directories: [[Entry]], position: [Entry] = []) -> [UInt8]? {
            var block: [UInt8] = (isLittle ? [0x49, 0x49, 0x2A, 0x00] : [0x4D, 0x4D, 0x00, 0x2A]) + number(8, 4)
            let all = directories + (position.isEmpty ? [] : [position])
            // The tags that lead to the directories, and the places of their values by then.
            let leads = [nil, Tag.camera, Tag.exchange][..<directories.count] + [Tag.position]
            var places: [Int: Int] = [:]
            for (index, entries) in all.enumerated() {
                let isPosition = index == directories.count
                let hasNext = !isPosition && directories[(index + 1)...].contains { !$0.isEmpty }
                if index > 0, entries.isEmpty, !hasNext { continue }
                if let place = leads[index].flatMap({ places[$0] }) {
                    block.replaceSubrange(place..<place + 4, with: number(block.count, 4))
                }
                let tags =
                    (hasNext ? [leads[index + 1]] : []) + (index == 0 && !position.isEmpty ? [Tag.position] : [])
                write(entries, leadingTo: tags.compactMap(\.self), to: &block, &places)
                guard block.count <= EXIFBlock.mostBytes else { return nil }
            }
            return block
        }

        /// Writes one directory behind a block.
        ///
        /// - Parameters:
        ///   - tags: the tags of its entries that lead to other directories.
        ///   - places: gets the places of the values of these entries, by tag.
        private func write(
            _ entries: [Entry], leadingTo tags: [Int], to block: inout [UInt8], _ places: inout [Int: Int]
        ) {
            let pointers = tags.map { Entry(tag: $0, type: 4, count: 1, value: [0, 0, 0, 0]) }
            let sorted = (entries + pointers).enumerated().sorted {
                ($0.element.tag, $0.offset) < ($1.element.tag, $1.offset)
            }.map(\.element)
            var values: [UInt8] = []
            let valuesPlace = block.count + 2 + 12 * sorted.count + 4
            var directory = number(sorted.count, 2)
            for entry in sorted {
                directory += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
                if tags.contains(entry.tag) { places[entry.tag] = block.count + directory.count }
                if entry.value.count <= 4 {
                    directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
                } else {
                    directory += number(valuesPlace + values.count, 4)
                    values += entry.value + (entry.value.count % 2 == 0 ? [] : [0])
                }
            }
            block += directory + number(0, 4) + values
        }

        private func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isLittle ? bytes : bytes.reversed()
        }
    }
}
