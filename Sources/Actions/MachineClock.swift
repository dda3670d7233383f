import Glibc
import Services
package import Vocabulary

/// The clocks of this machine. `WallClockTests` lists each use of the wall clock with its reason.
package enum MachineClock {
    /// The kernel's name of this boot. Empty if `/proc` cannot be read.
    private static let boot: String = {
        guard let bytes = try? FileSystem.bytes("/proc/sys/kernel/random/boot_id", limit: 100) else { return "" }
        return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }()

    /// Returns the readings of all clocks.
    package static func reading() -> ClockReading {
        ClockReading(
            wall: Moment(milliseconds: milliseconds(of: CLOCK_REALTIME)), sinceBoot: milliseconds(of: CLOCK_BOOTTIME),
            boot: boot)
    }

    /// Returns a clock that shows the wall time now, and from then on runs with the clock since the boot. Nobody sets
    /// it, and it counts the time that the machine is suspended.
    package static func started() -> @Sendable () -> Moment {
        let ahead = milliseconds(of: CLOCK_REALTIME) - milliseconds(of: CLOCK_BOOTTIME)
        return { Moment(milliseconds: ahead + milliseconds(of: CLOCK_BOOTTIME)) }
    }

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
