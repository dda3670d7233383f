import Vocabulary

/// The zip format of bundles: uncompressed entries with plain names, one fixed time, and the sizes before the content.
/// Equal contents therefore give equal files, and a reader has nothing to interpret.
enum ZipForm {
    static let localSignature: UInt32 = 0x0403_4B50
    static let centralSignature: UInt32 = 0x0201_4B50
    static let endSignature: UInt32 = 0x0605_4B50
    static let localBytes = 30
    static let centralBytes = 46
    static let endBytes = 22
    /// 1 January 1980, the first date of the format.
    static let date: UInt16 = 0x0021
    static let nameBytes = 200

    /// Whether a name consists of letters, digits, `.`, `-`, `_` and single slashes. No part of it begins with a dot,
    /// so that it cannot lead out of a folder.
    static func isPlain(_ name: String) -> Bool {
        guard (1...nameBytes).contains(name.utf8.count) else { return false }
        return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.first != UInt8(ascii: ".")
                && part.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
        }
    }

    struct Entry: Hashable {
        var name: String
        var crc: UInt32
        var size: Int
        /// The offset of the local header.
        var offset: Int
        /// The time and the date, as in MS-DOS.
        var time: UInt16 = 0
        var date: UInt16 = ZipForm.date

        var contentOffset: Int { offset + localBytes + name.utf8.count }

        var local: [UInt8] {
            var bytes = little(localSignature) + common
            bytes += little(UInt16(name.utf8.count)) + little(UInt16(0)) + Array(name.utf8)
            return bytes
        }

        var central: [UInt8] {
            // Version 2.0 and MS-DOS, so that the entry has no file permissions.
            var bytes = little(centralSignature) + little(UInt16(20)) + common + little(UInt16(name.utf8.count))
            bytes += [UInt8](repeating: 0, count: 12) + little(UInt32(offset)) + Array(name.utf8)
            return bytes
        }

        /// The fields that both headers share, from the version to the sizes.
        private var common: [UInt8] {
            var bytes = little(UInt16(20)) + little(UInt16(0)) + little(UInt16(0)) + little(time) + little(date)
            bytes += little(crc) + little(UInt32(size)) + little(UInt32(size))
            return bytes
        }
    }

    /// Returns the time and the date of a moment as in MS-DOS: in UTC, rounded down to two seconds, from 1980 to 2107.
    static func stamp(of moment: Moment) -> (time: UInt16, date: UInt16) {
        let numbers = moment.description.split { !("0"..."9" ~= $0) }.compactMap { UInt16($0) }
        guard numbers.count >= 6, 1980...2107 ~= numbers[0] else { return (0, date) }
        return (
            numbers[3] << 11 | numbers[4] << 5 | numbers[5] / 2, (numbers[0] - 1980) << 9 | numbers[1] << 5 | numbers[2]
        )
    }

    static func end(entries: Int, directory: Range<Int>) -> [UInt8] {
        var bytes = little(endSignature) + [0, 0, 0, 0] + little(UInt16(entries)) + little(UInt16(entries))
        bytes += little(UInt32(directory.count)) + little(UInt32(directory.lowerBound)) + [0, 0]
        return bytes
    }

    static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
