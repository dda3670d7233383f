import Files
import Glibc
package import Vocabulary

extension Limits {
    /// The bytes of a file that are in memory at once while its end is checked.
    fileprivate static let pictureWindowBytes = 256 << 10

    /// The most directories of a TIFF file that are checked.
    fileprivate static let tiffDirectories = 1_000

    /// The most strips or tiles of a TIFF file that are checked.
    fileprivate static let tiffStrips = 1_000_000
}

/// The check for picture files that end too early, by the marks of their formats and without decoding. Tools that read
/// only the head of a picture would not notice. Damage in the middle is reported by the program that decodes the
/// picture (`ErrorRules`).
package struct PictureEnd {
    private let bytes: FileWindow

    /// Throws an error if the file of a picture is incomplete.
    ///
    /// - Parameters:
    ///   - path: the content, which is read at most once.
    ///   - format: the format by `ImageHeader`. Other formats are not checked.
    ///   - name: the name of the user's file, for the message.
    /// - Throws: `fileDamaged`.
    package static func check(_ path: String, _ format: String?, name: String) throws(Failure) {
        guard let format, isCut(path, format) else { return }
        throw ErrorRules.failure("{file} ends too early: a part of the picture is missing.", file: name)
    }

    /// Whether a picture's file is incomplete. A file that cannot be read counts as complete.
    static func isCut(_ path: String, _ format: String) -> Bool {
        guard let file = try? OpenFile(path, O_RDONLY | O_NONBLOCK), let size = try? file.status().st_size else {
            return false
        }
        let end = PictureEnd(bytes: FileWindow(file, size: Int(size)))
        return switch format {
        case "jpg": end.isCutJPEG
        case "png": end.isCutPNG
        case "gif": end.isCutGIF
        case "webp": end.isCutWebP
        case "tiff": end.isCutTIFF
        case "avif", "heic": end.isCutBoxes
        default: false
        }
    }

    /// Whether a JPEG is incomplete. It has segments with their lengths, and coded data in which only some marks may
    /// stand, up to the end mark.
    private var isCutJPEG: Bool {
        var place = 2
        while let mark = bytes.next(0xFF, from: place), let kind = bytes[mark + 1] {
            switch kind {
            case 0xD9: return false
            case 0xFF: place = mark + 1
            case 0xC0...0xCF, 0xDA...0xDF, 0xE0...0xEF, 0xFE: place = mark + 2 + max(2, bytes.big(mark + 2, 2) ?? 2)
            // Marks without a length, and zeros behind a byte of data.
            default: place = mark + 2
            }
        }
        // Damage in the middle can look like a segment that leads beyond the end.
        return !(bytes[bytes.size - 2] == 0xFF && bytes[bytes.size - 1] == 0xD9)
    }

    private var isCutPNG: Bool {
        var place = 8
        while let length = bytes.big(place, 4), let type = bytes.big(place + 4, 4) {
            if type == 0x4945_4E44 { return false }
            place += 12 + length
        }
        return true
    }

    private var isCutGIF: Bool {
        /// Returns the place after a table of colours, whose size the flags contain.
        func table(_ flags: UInt8, at place: Int) -> Int { place + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)) }
        guard let flags = bytes[10] else { return true }
        var place = table(flags, at: 13)
        while let kind = bytes[place] {
            switch kind {
            case 0x2C:
                guard let flags = bytes[place + 9] else { return true }
                place = table(flags, at: place + 10) + 1
            case 0x21: place += 2
            case 0x00:
                place += 1
                continue
            // The mark of the end, or what no reader looks at.
            default: return false
            }
            while let length = bytes[place], length > 0 { place += Int(length) + 1 }
            place += 1
        }
        return true
    }

    private var isCutWebP: Bool { bytes.little(4, 4).map { $0 + 8 > bytes.size } ?? true }

    /// Whether an AVIF or HEIC is incomplete. Its boxes follow one another. A length of 0 means the rest of the file,
    /// and 1 means that a longer number follows.
    private var isCutBoxes: Bool {
        var place = 0
        while place < bytes.size {
            guard let short = bytes.big(place, 4), let length = short == 1 ? bytes.big(place + 8, 8) : short else {
                return true
            }
            if length == 0 { return false }
            guard length >= 8, length <= bytes.size - place else { return true }
            place += length
        }
        return false
    }

    /// Whether a TIFF is incomplete. Every directory is checked, with the strips or tiles that it names.
    private var isCutTIFF: Bool {
        let isLittle = bytes[0] == 0x49
        func number(_ place: Int, _ count: Int) -> Int? {
            isLittle ? bytes.little(place, count) : bytes.big(place, count)
        }
        guard var directory = number(4, 4) else { return true }
        var strips = Limits.tiffStrips
        for _ in 0..<Limits.tiffDirectories where directory != 0 {
            guard let entries = number(directory, 2) else { return true }
            var (starts, lengths): ([Int], [Int]) = ([], [])
            for entry in (0..<entries).map({ directory + 2 + 12 * $0 }) {
                guard let tag = number(entry, 2), let kind = number(entry + 2, 2), let count = number(entry + 4, 4)
                else { return true }
                guard [273, 279, 324, 325].contains(tag), kind == 3 || kind == 4 else { continue }
                strips -= count
                guard strips > 0 else { return false }
                let width = kind == 3 ? 2 : 4
                guard let first = width * count <= 4 ? entry + 8 : number(entry + 8, 4) else { return true }
                let values = (0..<count).map { number(first + width * $0, width) }
                guard !values.contains(nil) else { return true }
                if tag == 273 || tag == 324 {
                    starts = values.compactMap(\.self)
                } else {
                    lengths = values.compactMap(\.self)
                }
            }
            if zip(starts, lengths).contains(where: { $0 + $1 > bytes.size }) { return true }
            guard let next = number(directory + 2 + 12 * entries, 4) else { return true }
            directory = next
        }
        return false
    }
}

/// A file of which a part is in memory, for reading from the beginning to the end.
private final class FileWindow {
    let size: Int
    private let file: OpenFile
    private var part: [UInt8] = []
    private var start = 0

    init(_ file: consuming OpenFile, size: Int) {
        self.file = file
        self.size = size
    }

    /// The byte at a place, or `nil` beyond the end.
    subscript(place: Int) -> UInt8? { holds(place) ? part[place - start] : nil }

    private func holds(_ place: Int) -> Bool {
        if place >= start, place - start < part.count { return true }
        guard place >= 0, place < size,
            let read = try? file.read(min(Limits.pictureWindowBytes, size - place), at: place)
        else {
            return false
        }
        (start, part) = (place, read)
        return !read.isEmpty
    }

    /// Returns the next place that has a byte.
    func next(_ byte: UInt8, from place: Int) -> Int? {
        var place = place
        while holds(place) {
            let from = place - start
            let found = part.withUnsafeBytes { buffer -> Int? in
                guard let base = buffer.baseAddress, let hit = memchr(base + from, Int32(byte), buffer.count - from)
                else { return nil }
                return UnsafeRawPointer(hit) - base
            }
            if let found { return start + found }
            place = start + part.count
        }
        return nil
    }

    func big(_ place: Int, _ count: Int) -> Int? {
        var number = 0
        for index in 0..<count {
            guard let byte = self[place + index], number < 1 << 54 else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }

    func little(_ place: Int, _ count: Int) -> Int? {
        var number = 0
        for index in (0..<count).reversed() {
            guard let byte = self[place + index] else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }
}
