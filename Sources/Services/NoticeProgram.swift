import Glibc
import Vocabulary

extension Limits {
    /// The longest time that a program for notifications may run, in seconds.
    fileprivate static let noticeProgramSeconds = 30.0
}

/// A program that notifies the user: `notify-send`, or the user's own (`notify: {command: [ntfy, …]}`). No shell reads
/// its words. It runs as the user, outside of the sandbox, without keys in its environment, and its output is dropped.
package struct NoticeProgram: Sendable {
    private let words: [String]
    private let secrets: Secrets
    private let seconds: Double

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - words: the program with its arguments. It is looked up in `PATH`.
    ///   - secrets: knows the variables of the environment that hold keys.
    ///   - seconds: the time after which it is ended, with all processes of its group.
    package init(_ words: [String], secrets: Secrets, seconds: Double? = nil) {
        (self.words, self.secrets, self.seconds) = (words, secrets, seconds ?? Limits.noticeProgramSeconds)
    }

    /// Runs the program to its end. Blocks until then.
    ///
    /// - Parameter input: its standard input. It is cut to what a pipe takes at once.
    /// - Returns: whether the program could be started and ended with 0 in time.
    package func run(input: [UInt8] = []) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard let program = words.first, pipe(&ends) == 0 else { return false }
        defer { close(ends[0]) }
        // Between these two lines, another thread may start a child that inherits them. It is a child of the same user.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = Glibc.write(ends[1], input, min(input.count, Int(PIPE_BUF)))
        close(ends[1])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        for descriptor: Int32 in 1...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, ignored) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        // What this process ignores would be ignored there, too.
        sigemptyset(&ignored)
        for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&ignored, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let variables = secrets.environment().map { strdup($0) } + [nil]
        defer { for variable in variables { free(variable) } }
        var pid = pid_t()
        guard posix_spawnp(&pid, program, &actions, &attributes, arguments, variables) == 0 else { return false }
        return Secrets.hasSucceeded(pid, until: .now + .seconds(seconds))
    }
}
