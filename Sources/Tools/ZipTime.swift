import Glibc

/// The times of entries in a zip file, in nanoseconds since 1970.
enum ZipTime {
    private static let second: Int64 = 1_000_000_000

    /// Returns the time of the extended timestamp (0x5455, in seconds) or of NTFS (0x000A, in 100 ns since 1601) among
    /// extra fields, or `nil` if there is none.
    static func extended(_ extra: [UInt8]) -> Int64? {
        var (place, windows) = (0, Int64?.none)
        while place + 4 <= extra.count {
            let (kind, length) = (extra.little(place, 2), extra.little(place + 2, 2))
            let start = place + 4
            guard start + length <= extra.count else { break }
            if kind == 0x5455, length >= 5, extra[start] & 1 != 0 {
                return Int64(Int32(truncatingIfNeeded: extra.little(start + 1, 4))) * second
            }
            // Four bytes that mean nothing, then the tag 1 with its length, then the time of the last change.
            if kind == 0x000A, length >= 16, extra.little(start + 4, 2) == 1 {
                let ticks = Int64(truncatingIfNeeded: extra.little(start + 8, 8))
                let (sinceUnix, isTooMuch) = (ticks - 116_444_736_000_000_000).multipliedReportingOverflow(by: 100)
                if ticks > 0, !isTooMuch { windows = sinceUnix }
            }
            place = start + length
        }
        return windows
    }

    /// Returns the time of MS-DOS, which is that of the clock on the wall and has two seconds.
    static func local(date: Int, time: Int) -> Int64 {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
            Int32(date >> 9) + 80, Int32(date >> 5 & 15) - 1, Int32(date & 31)
        )
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(time >> 11), Int32(time >> 5 & 63), Int32(time & 31) * 2)
        parts.tm_isdst = -1
        return Int64(mktime(&parts)) * second
    }
}
