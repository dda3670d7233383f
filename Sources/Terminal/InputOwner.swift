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

    /// Makes this the reader of `descriptor`.
    ///
    /// - Throws: `Taken`, if another owner of the same input has not released it.
    package init(_ descriptor: Int32) throws(Taken) {
        let identity = Self.identity(of: descriptor)
        if let identity, !Self.owned.withLock({ $0.insert(identity).inserted }) { throw Taken() }
        self.descriptor = descriptor
        self.identity = Mutex(identity)
        isTerminal = isatty(descriptor) == 1
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
        if putBack.withLock({ !$0.isEmpty }) { return .input }
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
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(descriptor, &buffer, limit)
        if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
        guard count > 0 else { return nil }
        let bytes = Array(buffer.prefix(count))
        marks.withLock { $0.follow(bytes) }
        return bytes
    }

    /// Puts bytes back, so that they are read again before later ones.
    func giveBack(_ bytes: [UInt8]) { putBack.withLock { $0 = bytes + $0 } }

    /// Drops the bytes that have arrived.
    ///
    /// - Parameter silence: once bytes have arrived, they are dropped until none arrive for this time, in milliseconds.
    ///   So the rest of a paste is dropped with its beginning.
    /// - Returns: whether there were any bytes.
    func discard(untilSilent silence: Int32) -> Bool {
        var hasAny = false
        while wait(milliseconds: hasAny ? (pastes.isOpen ? silence * 5 : silence) : 0) == .input {
            guard read() != nil else { return hasAny }
            hasAny = true
        }
        return hasAny
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
