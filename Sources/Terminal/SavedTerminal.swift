import Glibc

/// The original settings of the terminal, which are restored on every way out: return, `exit`, a signal, a crash.
///
/// There is one per process, since a process has one terminal. A signal handler uses only memory that was allocated
/// before, and async-signal-safe calls (`tcsetattr`, `write`, `sigaction`, `raise`).
package enum SavedTerminal {
    private struct Slot {
        var descriptor: Int32 = -1
        /// A second descriptor of the terminal, and one of `/dev/null`, both for the end.
        var own: Int32 = -1
        var nowhere: Int32 = -1
        var settings = termios()
        var isChanged: Int32 = 0
        var usesEscapes: Int32 = 0
    }

    nonisolated(unsafe) private static let slot: UnsafeMutablePointer<Slot> = {
        let slot = UnsafeMutablePointer<Slot>.allocate(capacity: 1)
        slot.initialize(to: Slot())
        return slot
    }()

    nonisolated(unsafe) private static let previous: UnsafeMutablePointer<sigaction> = {
        let table = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        table.initialize(repeating: sigaction(), count: 65)
        return table
    }()

    /// The sequences that end a synchronised update, bracketed paste, reports of the focus and a style, and show the
    /// cursor.
    private static let farewell: StaticString = "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?25h\u{1B}[0m"

    private static let fatal = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
    ]

    /// Saves the settings of `descriptor`, and restores them on every way out. A signal that is ignored stays ignored.
    /// A handler that was installed before runs after ours. While one terminal is saved, another is not.
    package static func keep(_ descriptor: Int32) {
        guard slot.pointee.descriptor < 0, tcgetattr(descriptor, &slot.pointee.settings) == 0 else { return }
        slot.pointee.own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        if slot.pointee.nowhere < 0 { slot.pointee.nowhere = open("/dev/null", O_RDWR | O_CLOEXEC) }
        slot.pointee.descriptor = descriptor
        _ = installed
    }

    /// Records that the terminal's settings have changed and must be restored at exit. `usesEscapes`: whether escape
    /// sequences set modes, too.
    package static func willChange(_ descriptor: Int32, usesEscapes: Bool = true) {
        guard slot.pointee.descriptor == descriptor else { return }
        slot.pointee.usesEscapes = usesEscapes ? 1 : 0
        slot.pointee.isChanged = 1
    }

    /// Restores the terminal, and forgets it. The descriptor may be closed then.
    package static func release(_ descriptor: Int32) {
        guard slot.pointee.descriptor == descriptor else { return }
        restore()
        if slot.pointee.own >= 0 { close(slot.pointee.own) }
        (slot.pointee.descriptor, slot.pointee.own) = (-1, -1)
    }

    /// Restores the terminal, once. It may be called from a signal handler.
    private static func restore() {
        guard slot.pointee.isChanged != 0 else { return }
        slot.pointee.isChanged = 0
        let kept = errno
        let terminal = slot.pointee.own >= 0 ? slot.pointee.own : slot.pointee.descriptor
        if slot.pointee.usesEscapes != 0 { _ = write(terminal, farewell.utf8Start, farewell.utf8CodeUnitCount) }
        tcsetattr(terminal, TCSANOW, &slot.pointee.settings)
        errno = kept
    }

    /// Restores the terminal for good, as the process ends. If an editor on another thread changes the settings again,
    /// that has no effect. It may be called from a signal handler.
    package static func end() {
        if slot.pointee.descriptor >= 0, slot.pointee.own >= 0, slot.pointee.nowhere >= 0 {
            let kept = errno
            dup2(slot.pointee.nowhere, slot.pointee.descriptor)
            errno = kept
        }
        restore()
    }

    private static let installed: Void = {
        _ = previous
        atexit { SavedTerminal.end() }
        for signal in fatal { install(signal) }
    }()

    private static func install(_ signal: Int32) {
        var action = sigaction()
        sigaction(signal, nil, &action)
        // Compared as bits: SIG_IGN is the address 1.
        let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        if isIgnored { return }
        previous[Int(signal)] = action
        var ours = sigaction()
        ours.__sigaction_handler.sa_handler = restoreAndGoOn
        ours.sa_flags = Int32(SA_ONSTACK)
        sigaction(signal, &ours, nil)
    }

    private static let restoreAndGoOn: @convention(c) (Int32) -> Void = { signal in
        SavedTerminal.end()
        sigaction(signal, &SavedTerminal.previous[Int(signal)], nil)
        raise(signal)
    }
}
