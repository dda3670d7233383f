/// A reading of the clocks of this machine: the wall clock, which a person or a server may set, and the clock since
/// the boot, which cannot be set.
package struct ClockReading: Hashable, Sendable {
    package var wall: Moment
    /// The milliseconds since the machine was booted, including the time that it was suspended.
    package var sinceBoot: Int64
    /// The kernel's name of this boot, which differs after each restart of the machine.
    package var boot: String

    package init(wall: Moment, sinceBoot: Int64, boot: String) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.boot = boot
    }

    /// Returns the distance from a clock that was started from the wall clock to the clock since the boot, as it is stored.
    package func origin(of now: Moment) -> ClockOrigin { ClockOrigin(boot: boot, ahead: now.milliseconds - sinceBoot) }
}

/// The origin of an engine's clock. With it, another engine of the same boot can read the moments of that clock.
package struct ClockOrigin: Hashable, Sendable {
    package var boot: String
    /// The milliseconds that the engine's clock is ahead of the clock since the boot.
    package var ahead: Int64

    package init(boot: String, ahead: Int64) {
        self.boot = boot
        self.ahead = ahead
    }
}

/// A deadline as it is stored (`semantics.md` 230). It is kept although the wall clock is set, or the engine ends.
package struct Deadline: Hashable, Sendable {
    /// The deadline by the wall clock, as that clock stood when the deadline was set.
    package var wall: Moment
    package var boot: String
    /// The deadline in milliseconds since that boot.
    package var sinceBoot: Int64
    /// The whole wait in milliseconds. After a restart of the machine no more than this is waited.
    package var full: Int64

    package init(wall: Moment, boot: String, sinceBoot: Int64, full: Int64) {
        self.wall = wall
        self.boot = boot
        self.sinceBoot = sinceBoot
        self.full = full
    }

    /// Sets a deadline after a number of milliseconds from now.
    package init(after milliseconds: Int64, at clocks: ClockReading) {
        self.init(
            wall: Moment(milliseconds: clocks.wall.milliseconds + milliseconds), boot: clocks.boot,
            sinceBoot: clocks.sinceBoot + milliseconds, full: max(0, milliseconds))
    }

    /// Returns how many milliseconds are left: by the clock since the boot in the same boot, and by the wall clock
    /// after a restart of the machine. The result is never less than 0 nor more than the whole wait.
    package func left(at clocks: ClockReading) -> Int64 {
        let left =
            boot == clocks.boot ? sinceBoot - clocks.sinceBoot : wall.milliseconds - clocks.wall.milliseconds
        return min(full, max(0, left))
    }
}
