import Glibc
import Synchronization

/// The only reader of an input in this process: of a terminal, a pipe or a file.
///
/// If two readers read one terminal, each gets some of the keys. So every code that reads keys needs an `InputOwner`,
/// and a second one of the same input cannot be made while the first exists. An input is identified by what it is, so a
/// terminal under its own name and as `/dev/tty` is one input.
package final class InputOwner: Sendable {
    /// The error that an input has another owner in this process.
    package struct Taken: Error, Hashable, CustomStringConvertible {
        package var description: String { "Something else in this process reads this input already." }
    }

    /// The identity of an input, by whatever name it was opened.
    private struct Identity: Hashable {
        var isTerminal: Bool
        var device: UInt64
        var file: UInt64
    }

    /// The event that ended a wait for keys.
    enum Arrival { case input, mail, timeout, interrupted }

    private static let owned = Mutex<Set<Identity>>([])
    /// The request for the number of a terminal's device (`TIOCGDEV`). For `/dev/tty`, the result is that of the
    /// terminal behind it.
    private static let terminalNumber: UInt = 0x8004_5432

    package let isTerminal: Bool
    let descriptor: Int32
    /// The identity of the input while it is owned. It is nil after the release, and for an input without bytes, such
    /// as `/dev/null`.
    private let identity: Mutex<Identity?>
    private let putBack = Mutex<[UInt8]>([])
    private let marks = Mutex(PasteMarks())
    private let reporting = Mutex(Reporting())

    /// The reports of the terminal, and the time of the last key.
    private struct Reporting {
        /// Whether reports are separated from the keys. Bytes are then read while `wait` waits.
        var isListening = false
        var reports = TerminalReports()
        /// The bytes of keys that were separated, and that no reader has taken yet.
        var arrived: [UInt8] = []
        var isFocused: Bool?
        var showsStatus = false
        var queriedAt: Int64 = 0
        var lastKey: Int64 = 0
        var clock = QuestionTime.machine

        mutating func hear(_ report: TerminalReports.Report) {
            switch report {
            case .focused(let isFocused): self.isFocused = isFocused
            // A later answer may be that of another terminal, or of a query by another program.
            case .showsStatus: showsStatus = showsStatus || clock() - queriedAt <= TerminalLimits.statusMilliseconds
            }
        }
    }

    /// Makes this the reader of `descriptor`.
    ///
    /// - Throws: `Taken`, if another owner of the same input has not released it.
    package init(_ descriptor: Int32) throws(Taken) {
        let identity = Self.identity(of: descriptor)
        if let identity, !Self.owned.withLock({ $0.insert(identity).inserted }) { throw Taken() }
        self.descriptor = descriptor
        self.identity = Mutex(identity)
        isTerminal = isatty(descriptor) == 1
        reporting.withLock { $0.lastKey = $0.clock() }
    }

    deinit { release() }

    private static func identity(of descriptor: Int32) -> Identity? {
        var number: UInt32 = 0
        if ioctl(descriptor, terminalNumber, &number) == 0 {
            return Identity(isTerminal: true, device: UInt64(number), file: 0)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFCHR else { return nil }
        return Identity(isTerminal: false, device: UInt64(status.st_dev), file: UInt64(status.st_ino))
    }

    /// Releases the input, so that others can own it. The descriptor stays open. Later calls do nothing.
    func release() {
        let identity = identity.withLock { identity in
            defer { identity = nil }
            return identity
        }
        guard let identity else { return }
        _ = Self.owned.withLock { $0.remove(identity) }
    }

    // MARK: - Reading

    /// Waits for keys, or for mail of another thread.
    ///
    /// - Parameters:
    ///   - wake: the descriptor that mail makes readable, or -1 for none.
    ///   - milliseconds: the longest wait. A negative number means no limit.
    func wait(wake: Int32 = -1, milliseconds: Int32) -> Arrival {
        if putBack.withLock({ !$0.isEmpty }) || reporting.withLock({ !$0.arrived.isEmpty }) { return .input }
        guard reporting.withLock({ $0.isListening }) else { return waitForBytes(wake, milliseconds) }
        let end = milliseconds < 0 ? nil : QuestionTime.machine() + Int64(milliseconds)
        while true {
            let left = end.map { Int32(clamping: max(0, $0 - QuestionTime.machine())) } ?? -1
            let arrival = waitForBytes(wake, left)
            guard arrival == .input, takeReports() else { return arrival }
        }
    }

    private func waitForBytes(_ wake: Int32, _ milliseconds: Int32) -> Arrival {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&waiting, nfds_t(wake < 0 ? 1 : 2), milliseconds)
        if count < 0 { return .interrupted }
        if count == 0 { return .timeout }
        return wake >= 0 && waiting[1].revents != 0 ? .mail : .input
    }

    /// The state of pastes in all bytes that were read.
    var pastes: PasteMarks { marks.withLock { $0 } }

    /// Whether `read` would return without waiting.
    var hasInput: Bool { wait(milliseconds: 0) == .input }

    /// Reads the bytes that have arrived. Waits if there are none.
    ///
    /// - Returns: nil at the end of the input, or an empty list if a signal interrupted the call.
    func read(_ limit: Int = 4096) -> [UInt8]? {
        let back = putBack.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
        if !back.isEmpty { return back }
        if reporting.withLock({ $0.isListening && $0.arrived.isEmpty }) { _ = wait(milliseconds: -1) }
        let arrived = reporting.withLock { state in
            defer { state.arrived = [] }
            state.lastKey = state.clock()
            return state.arrived
        }
        guard let bytes = arrived.isEmpty ? readBytes(limit) : arrived else { return nil }
        marks.withLock { $0.follow(bytes) }
        return bytes
    }

    private func readBytes(_ limit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(descriptor, &buffer, limit)
        if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    // MARK: - Reports of the terminal

    /// Separates the reports of the terminal from the keys from now on. Call it when they are requested.
    func listen(_ clock: @escaping @Sendable () -> Int64) {
        reporting.withLock { state in
            state.isListening = isTerminal
            state.clock = clock
            (state.queriedAt, state.lastKey) = (clock(), clock())
        }
    }

    /// The attention of the user, as far as this input shows it.
    var attention: TerminalAttention {
        reporting.withLock { state in
            TerminalAttention(
                isFocused: state.isFocused, idleMilliseconds: max(0, state.clock() - state.lastKey),
                showsStatus: state.showsStatus)
        }
    }

    /// Waits for a short time after the query, if it has no answer yet, so that the answer does not reach the shell.
    func awaitAnswer() {
        func left() -> Int64 {
            reporting.withLock { state in
                state.isListening && !state.showsStatus
                    ? TerminalLimits.statusMilliseconds - (state.clock() - state.queriedAt) : 0
            }
        }
        while true {
            let rest = min(left(), TerminalLimits.statusMilliseconds)
            guard rest > 0, waitForBytes(-1, Int32(rest)) == .input, takeReports() else { return }
        }
    }

    /// Reads the bytes that have arrived, and takes the reports out of them. A part of a report at their end is waited
    /// for, but only for a moment, since it may be the key Esc.
    ///
    /// - Returns: whether only reports have arrived, and no keys.
    private func takeReports() -> Bool {
        repeat {
            let isRest = reporting.withLock { $0.reports.isWithinReport }
            if isRest, waitForBytes(-1, TerminalLimits.burstMilliseconds) != .input {
                reporting.withLock { $0.arrived += $0.reports.release() }
                break
            }
            // At its end, the input stays readable, and the next read reports the end.
            guard let bytes = readBytes(4096) else {
                reporting.withLock { $0.arrived += $0.reports.release() }
                return false
            }
            reporting.withLock { state in
                let (keys, reports) = state.reports.take(bytes)
                state.arrived += keys
                for report in reports { state.hear(report) }
            }
        } while reporting.withLock { $0.reports.isWithinReport }
        return reporting.withLock { $0.arrived.isEmpty }
    }

    /// Puts bytes back, so that they are read again before later ones.
    func giveBack(_ bytes: [UInt8]) { putBack.withLock { $0 = bytes + $0 } }

    /// Drops the bytes that have arrived.
    ///
    /// - Parameters:
    ///   - silence: once bytes have arrived, they are dropped until none arrive for this time, in milliseconds. So the
    ///     rest of a paste is dropped with its beginning.
    ///   - now: the clock of that time.
    /// - Returns: whether there were any bytes.
    func discard(untilSilent silence: Int64, now: () -> Int64 = QuestionTime.machine) -> Bool {
        var (hasAny, end) = (false, now())
        while true {
            guard wait(milliseconds: QuestionTime.slice(until: end, now: now())) == .input else {
                if end <= now() { return hasAny }
                continue
            }
            guard read() != nil else { return hasAny }
            (hasAny, end) = (true, now() + (pastes.isOpen ? 5 * silence : silence))
        }
    }

    /// Reads one line for a script, and leaves the rest unread if the input allows that.
    ///
    /// - Parameter limit: the most bytes of the line.
    /// - Returns: the line without its newline. Returns nil at the end of the input, or if the line is longer or not
    ///   valid UTF-8.
    package func line(limit: Int) -> String? {
        var line: [UInt8] = []
        while line.count <= limit {
            guard let bytes = read(1) else { return line.isEmpty ? nil : String(validating: line, as: UTF8.self) }
            if bytes == [0x0A] {
                return String(validating: line.last == 0x0D ? line.dropLast() : line[...], as: UTF8.self)
            }
            line += bytes
        }
        return nil
    }
}
