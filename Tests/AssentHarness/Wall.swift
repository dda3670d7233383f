import Glibc

/// The time that is written down. What lasts goes by `ScriptClock`.
enum Wall {
    /// Milliseconds since 1970.
    static func nowMs() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// `Sat, 21 Nov 2026 17:04:05 GMT`. A started second counts as a whole one: it is never too early.
    static func httpDate(secondsFromNow seconds: Int) -> String {
        var moment = time_t((nowMs() + 999) / 1000) + seconds
        var parts = tm()
        gmtime_r(&moment, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
