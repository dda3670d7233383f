import Glibc
import Vocabulary

/// Whether the name of a file is one of a picture that can have frames or pages.
package func mayHavePages(_ name: String) -> Bool {
    [".gif", ".webp", ".tif", ".tiff", ".png", ".apng"].contains { name.lowercased().hasSuffix($0) }
}

/// Whether a picture has more than one frame or page, by the beginning of the file. It reads 256 KiB at most, of a PNG
/// 16 KiB, and starts no program. A file that cannot be read counts as one page.
package func hasSeveralPages(_ path: String) -> Bool {
    guard let file = try? OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
        let bytes = try? file.read(1 << (path.hasSuffix("png") ? 14 : 18))
    else { return false }
    return PageCount(bytes: bytes).isSeveral
}

/// Reads the names in a folder. Both lists are empty if the folder cannot be read.
///
/// - Returns: the names in UTF-8, sorted, and the others, with each byte that is not UTF-8 as `\xe9`.
package func namesInFolder(_ folder: String) -> (text: [String], notText: [String]) {
    guard let names = try? OpenFolder(following: folder).shownNames() else { return ([], []) }
    return (names.filter(\.isText).map(\.name).sorted(), names.filter { !$0.isText }.map(\.name))
}

/// A count of frames or pages, by the beginning of a file.
package struct PageCount {
    let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isSeveral: Bool {
        if bytes.starts(with: Array("GIF8".utf8)) { return gifFrames > 1 }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.count > 20, bytes[12..<16].elementsEqual("VP8X".utf8) {
            return bytes[20] & 2 != 0
        }
        if bytes.starts(with: Array("II*\0".utf8)) { return hasSecondPage(isLittle: true) }
        if bytes.starts(with: Array("MM\0*".utf8)) { return hasSecondPage(isLittle: false) }
        return pngFrames > 1
    }

    /// The number of frames of a PNG, which an animation stores before its first picture (PNG, third edition,
    /// 11.3.4.1), or 1 for other files.
    package var pngFrames: Int {
        func number(at place: Int) -> Int? {
            place + 4 <= bytes.count ? bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } : nil
        }
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return 1 }
        var place = 8
        while let length = number(at: place), place + 8 <= bytes.count {
            let type = bytes[place + 4..<place + 8]
            if type.elementsEqual("acTL".utf8) { return max(1, number(at: place + 8) ?? 1) }
            if type.elementsEqual("IDAT".utf8) { return 1 }
            place += 12 + length
        }
        return 1
    }

    /// The number of frames of a GIF, counted up to two. An animation whose first frame is longer than the bytes read
    /// is recognized by a mark before it.
    private var gifFrames: Int {
        guard bytes.count > 13 else { return 0 }
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        var (place, frames, isAnimation) = (13 + table(bytes[10]), 0, false)
        while place + 10 < bytes.count, frames < 2 {
            switch bytes[place] {
            case 0x21:
                if bytes[place + 1] == 0xFF, bytes[place...].dropFirst(3).starts(with: Array("NETSCAPE2.0".utf8)) {
                    isAnimation = true
                }
                place += 2
            case 0x2C:
                frames += 1
                place += 10 + table(bytes[place + 9]) + 1
            default: return frames
            }
            while place < bytes.count, bytes[place] != 0 { place += Int(bytes[place]) + 1 }
            place += 1
        }
        return place >= bytes.count && isAnimation ? max(2, frames) : frames
    }

    /// Whether the first directory of a TIFF is followed by another one.
    private func hasSecondPage(isLittle: Bool) -> Bool {
        func number(_ count: Int, at place: Int) -> Int? {
            guard place >= 0, place + count <= bytes.count else { return nil }
            let part = bytes[place..<place + count]
            return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let start = number(4, at: 4), let entries = number(2, at: start) else { return false }
        return number(4, at: start + 2 + 12 * entries).map { $0 != 0 } ?? false
    }
}
