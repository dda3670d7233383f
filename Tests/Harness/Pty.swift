import CPty
import Glibc
import Synchronization

/// A pseudo-terminal for tests: either with a program on it (`spawn`), or a bare pair whose slave is handed to code
/// under test.
///
/// A thread of its own reads everything that arrives and draws it on a `PtyScreen`, so that the other side never blocks
/// on a full buffer.
package final class Pty: @unchecked Sendable {
    package let master: Int32
    /// Open in this process too, so that the terminal's state can be read after the program has ended; -1 for a spawned
    /// program.
    package let slave: Int32
    package let slavePath: String
    package let process: Int32?

    private struct State {
        var bytes: [UInt8] = []
        var screen: PtyScreen
        var hasEnded = false
        var exitStatus: Int32?
    }
    private let state: Mutex<State>
    /// The owner of the program's folders, which are therefore removed only after the program has ended.
    private let owner: AnyObject?

    private init(master: Int32, slave: Int32, path: String, process: Int32?, screen: PtyScreen, owner: AnyObject? = nil)
    {
        (self.master, self.slave, slavePath, self.process, self.owner) = (master, slave, path, process, owner)
        state = Mutex(State(screen: screen))
        startReading()
    }

    deinit {
        if let process, state.withLock({ $0.exitStatus }) == nil {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
        // The reader owns the master: it closes it at the end, which it sees when the last slave is gone.
        if slave >= 0 { close(slave) }
    }

    /// Opens a terminal without a program.
    package static func pair(
        columns: Int = 80, rows: Int = 24, width: @escaping @Sendable (Character) -> Int = simpleWidth
    ) throws -> Pty {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard cpty_open(UInt16(rows), UInt16(columns), &master, &slave, &name, Int32(name.count)) == 0 else {
            throw PtyFailure(errno: errno)
        }
        let path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        let screen = PtyScreen(columns: columns, rows: rows, width: width)
        return Pty(master: master, slave: slave, path: path, process: nil, screen: screen)
    }

    /// Starts a program on a terminal of its own. The program gets only `environment`, and defaults for `TERM` and
    /// `LANG`.
    ///
    /// - Parameter owner: the owner of the folder in which the program runs.
    package static func spawn(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], folder: String? = nil,
        columns: Int = 80, rows: Int = 24, width: @escaping @Sendable (Character) -> Int = simpleWidth,
        owner: AnyObject? = nil
    ) throws -> Pty {
        try ProcessPermit.check(program)
        let variables = ["TERM": "xterm-256color", "LANG": "C.UTF-8"].merging(environment) { $1 }
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer {
            argv.forEach { free($0) }
            envp.forEach { free($0) }
        }
        var (master, process): (Int32, pid_t) = (-1, 0)
        guard cpty_spawn(program, &argv, &envp, folder, UInt16(rows), UInt16(columns), &master, &process) == 0 else {
            throw PtyFailure(errno: errno)
        }
        let screen = PtyScreen(columns: columns, rows: rows, width: width)
        return Pty(master: master, slave: -1, path: "", process: process, screen: screen, owner: owner)
    }

    // MARK: What the person does

    package func send(_ keys: String) { send(Array(keys.utf8)) }

    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    package func resize(columns: Int, rows: Int) {
        state.withLock { $0.screen.resize(columns: columns, rows: rows) }
        cpty_resize(master, UInt16(rows), UInt16(columns))
    }

    /// The number of bytes that arrived at a bare slave in raw mode and were not read.
    package var unread: Int32 {
        var count: Int32 = 0
        return ioctl(slave, UInt(FIONREAD), &count) == 0 ? count : 0
    }

    // MARK: What the person sees

    package var screen: PtyScreen { state.withLock { $0.screen } }

    /// Makes the screen break its rows anew when its width changes.
    package func reflow() { state.withLock { $0.screen.reflows = true } }

    /// All bytes so far.
    package var output: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    package var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Waits until the screen is as `condition` says.
    @discardableResult
    package func see(seconds: Double = patienceSeconds, _ condition: (PtyScreen) -> Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        var (seen, looks) = (-1, 0)
        while ContinuousClock.now < end {
            // Looked at in this order: what came last is on the screen before the end is known.
            let isOver = hasEnded
            // To read a whole screen is dear. A condition may be about something else, so it is asked every tenth time
            // all the same.
            let count = state.withLock { $0.bytes.count }
            if count != seen || isOver || looks % 10 == 0, condition(screen) { return true }
            if isOver { return false }
            (seen, looks) = (count, looks + 1)
            try? await Task.sleep(for: .milliseconds(5))
        }
        return condition(screen)
    }

    /// Waits until the screen, with its scrollback, holds `text`.
    @discardableResult
    package func see(_ text: String) async -> Bool { await see { $0.text.contains(text) } }

    // MARK: How it ends

    /// Waits for the program to end, and returns its exit code, or 128 + signal. `nil` if it does not end in time.
    package func exitStatus() async -> Int32? {
        let end = ContinuousClock.now + .seconds(patienceSeconds)
        while ContinuousClock.now < end {
            if let known = reap() {
                // Its last words are on their way to the screen, unless somebody else holds its terminal open.
                await see(seconds: 10) { _ in false }
                return known
            }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }

    private func reap() -> Int32? {
        guard let process else { return nil }
        return state.withLock { state in
            var status: Int32 = 0
            if state.exitStatus == nil, waitpid(process, &status, WNOHANG) == process {
                state.exitStatus = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
            }
            return state.exitStatus
        }
    }

    package func signal(_ number: Int32) { if let process, reap() == nil { kill(process, number) } }

    /// The terminal's settings: input, output, control and local flags. (Linux lets the master read them, too.)
    package var settings: [UInt32] {
        var state = termios()
        guard tcgetattr(slave >= 0 ? slave : master, &state) == 0 else { return [] }
        return [state.c_iflag, state.c_oflag, state.c_cflag, state.c_lflag]
    }

    /// The width of a character in cells: two for wide characters and emoji, one for all others. This is enough for
    /// most tests.
    package static let simpleWidth: @Sendable (Character) -> Int = { character in
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return scalar.properties.isEmojiPresentation || (0x1100...0x115F).contains(scalar.value)
            || (0x2E80...0xFFE6).contains(scalar.value)
            ? 2 : 1
    }

    private func startReading() {
        let reader = Reader(self)
        inBackground { reader.readAll() }
    }

    private final class Reader: @unchecked Sendable {
        private weak var pty: Pty?
        private let master: Int32

        init(_ pty: Pty) {
            self.pty = pty
            master = pty.master
        }

        func readAll() {
            var buffer = [UInt8](repeating: 0, count: 16384)
            defer { close(master) }
            while pty != nil {
                var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 200) > 0 else { continue }
                let count = read(master, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                pty?.received(buffer[0..<count])
            }
            pty?.ended()
        }
    }

    private func received(_ bytes: ArraySlice<UInt8>) {
        state.withLock {
            $0.bytes += bytes
            $0.screen.feed(bytes)
        }
    }

    private func ended() { state.withLock { $0.hasEnded = true } }
}

package struct PtyFailure: Error { package let errno: Int32 }
