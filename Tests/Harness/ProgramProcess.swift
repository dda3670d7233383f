import CPty
import Glibc
package import JSON

/// The end of a program: its exit code and its output.
package struct ProgramEnding: Sendable {
    /// The exit code, or 128 + signal.
    package let exit: Int32
    /// Whether a signal ended the program.
    package let wasKilled: Bool
    package let output: String
    package let errors: String

    package init(exit: Int32, wasKilled: Bool = false, output: String, errors: String) {
        (self.exit, self.wasKilled, self.output, self.errors) = (exit, wasKilled, output, errors)
    }

    /// The text on standard error, without the notices of a machine with less protection (`Rehearsals`).
    package var complaints: String {
        let notices = ["Commands cannot be rehearsed here: ", "There is no sandbox here: "]
        return errors.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            !notices.contains { line.hasPrefix($0) }
        }
        .joined(separator: "\n")
    }

    /// Standard output as JSON, one value a line. A line that is no JSON stands here as a text that says so.
    package var lines: [JSON] {
        output.split(separator: "\n").map { (try? JSONReader.read(Array($0.utf8))) ?? .string("not JSON: \($0)") }
    }

    /// The lines without the line `end`, which only says how the call ended.
    package var results: [JSON] { lines.filter { $0["type"] != "end" } }

    package var types: [String] { lines.map { $0["type"]?.string ?? "" } }
    package func lines(of type: String) -> [JSON] { lines.filter { $0["type"]?.string == type } }
}

/// A child with a session of its own, and so without a terminal, its output in files, so that neither side waits for
/// the other.
package final class ProgramProcess: @unchecked Sendable {
    package let pid: Int32
    private let outputPath: String
    private let errorsPath: String
    /// The other end of its standard input, while that is held open.
    private var inputEnd: Int32?
    private var exit: Int32?
    private var wasKilled = false
    /// The owner of the process's folders, which are therefore removed only after this process.
    private let owner: AnyObject?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - files: a folder for its output.
    ///   - input: its standard input. Without it, the input is empty.
    ///   - holdingInput: whether its standard input stays open and empty until `endInput`, or until this process ends.
    ///   - owner: the owner of the folders.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], folder: String, files: String,
        input: String? = nil,
        holdingInput: Bool = false, owner: AnyObject? = nil
    ) throws {
        try ProcessPermit.check(program)
        self.owner = owner
        let stem = "\(files)/\(UInt64.random(in: 0...UInt64.max))"
        (outputPath, errorsPath) = (stem + ".out", stem + ".err")
        if let input { try ScratchFolder.write(input, to: stem + ".in") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var ends: [Int32] = [-1, -1]
        if holdingInput {
            // Not a pipe: that would be another child's too until it is told not to be.
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
                throw ScriptFailure("no pair of sockets (errno \(errno))")
            }
            posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, input == nil ? "/dev/null" : stem + ".in", O_RDONLY, 0)
        }
        defer { if holdingInput { close(ends[0]) } }
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorsPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        cpty_spawn_in(&actions, folder)
        cpty_spawn_closing(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | cpty_spawn_session())
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer {
            argv.forEach { free($0) }
            envp.forEach { free($0) }
        }
        var child = pid_t()
        let code = posix_spawn(&child, program, &actions, &attributes, &argv, &envp)
        guard code == 0 else {
            if holdingInput { close(ends[1]) }
            throw ScriptFailure("\(program) cannot be started: \(String(cString: strerror(code)))")
        }
        pid = child
        if holdingInput { inputEnd = ends[1] }
    }

    deinit {
        if exit == nil { end(with: SIGKILL) }
        endInput()
    }

    /// Ends its standard input, if that was held open.
    package func endInput() {
        if let inputEnd { close(inputEnd) }
        inputEnd = nil
    }

    /// The output so far.
    package var output: String { ScratchFolder.text(outputPath) ?? "" }
    package var errors: String { ScratchFolder.text(errorsPath) ?? "" }

    /// Returns the output after `offset` bytes, for tests that look often at a program with much output.
    package func output(after offset: Int) -> [UInt8] {
        let file = open(outputPath, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var (new, block) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
        while true {
            let count = pread(file, &block, block.count, off_t(offset + new.count))
            guard count > 0 else { return new }
            new += block[..<count]
        }
    }

    /// The processor time used so far, in seconds, to a hundredth. It is 0 after the process was waited for.
    package var processorSeconds: Double {
        // The name may hold anything, but no `)` follows it.
        let fields = ScratchFolder.text("/proc/\(pid)/stat")?.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 13, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    package func signal(_ number: Int32) { kill(pid, number) }

    /// Ends this process only, not its children, and takes its status away.
    @discardableResult
    package func end(with number: Int32) -> ProgramEnding {
        if exit == nil { kill(pid, number) }
        return wait()
    }

    /// Whether the program has ended. Does not block.
    package var hasEnded: Bool {
        if exit != nil { return true }
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return false }
        wasKilled = status & 0x7F != 0
        exit = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        return true
    }

    /// Blocks. Who takes longer is killed, which shows as exit 137.
    package func wait(seconds: Double = patienceSeconds) -> ProgramEnding {
        let end = ContinuousClock.now + .seconds(seconds)
        while !hasEnded {
            if ContinuousClock.now > end { kill(pid, SIGKILL) }
            cpty_wait_end(pid, 100)
        }
        return ProgramEnding(exit: exit!, wasKilled: wasKilled, output: output, errors: errors)
    }

    /// Blocks until the output has `text` that many times, or the program ends.
    @discardableResult
    package func wait(forOutput text: String, times: Int = 1) -> Bool {
        wait { output.split(separator: text, maxSplits: times, omittingEmptySubsequences: false).count > times }
    }

    /// Blocks until standard error has `text`, or the process ends.
    @discardableResult
    package func wait(forErrors text: String) -> Bool { wait { errors.contains(text) } }

    /// Blocks until `condition` holds, or the program ends.
    @discardableResult
    package func wait(until condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(patienceSeconds)
        while !condition() {
            if hasEnded || ContinuousClock.now > end { return condition() }
            // Soon enough to be killed in the middle of what it has just said.
            cpty_wait_end(pid, 3)
        }
        return true
    }
}
