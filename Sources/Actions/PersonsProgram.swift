package import Glibc
import Services

/// A program that the user chose (`$EDITOR`, `$PAGER`), on the user's terminal. Assent does not supervise it: it is not
/// sandboxed, and has no limits.
package struct PersonsProgram: Sendable {
    /// The path of the program, and its arguments. No shell reads them.
    var words: [String]

    /// Cuts a line at its spaces.
    ///
    /// - Returns: `nil` if there is no such program.
    package init?(line: String?) {
        guard let words = line?.split(separator: " ").map({ String($0) }), let program = words.first,
            let path = Self.find(program)
        else {
            return nil
        }
        self.words = [path] + words.dropFirst()
    }

    /// The name of the program without its folder.
    package var name: String { words[0].split(separator: "/").last.map(String.init) ?? words[0] }

    private static func find(_ program: String) -> String? {
        if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
        let folders = (Folders.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    /// Starts the program in a process group of its own. The program has the terminal while it runs, so its keys and
    /// its Ctrl-C do not reach this process.
    ///
    /// - Parameters:
    ///   - more: further arguments.
    ///   - input: its standard input. `nil` for the terminal.
    package func start(_ more: [String] = [], at terminal: Int32, input: Int32? = nil) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The terminal may be descriptor 0 itself, so that one comes last.
        for descriptor: Int32 in 1...2 { posix_spawn_file_actions_adddup2(&actions, terminal, descriptor) }
        posix_spawn_file_actions_adddup2(&actions, input ?? terminal, 0)
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
        let arguments = (words + more).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child = pid_t()
        guard posix_spawn(&child, words[0], &actions, &attributes, arguments, environ) == 0 else { return nil }
        give(terminal, to: child)
        // It may have asked for the terminal before it had it.
        kill(-child, SIGCONT)
        return child
    }

    /// Waits until a started program has ended, and takes the terminal back.
    ///
    /// - Returns: its exit code. `nil` if a signal ended it.
    package func wait(_ child: pid_t, at terminal: Int32) -> Int32? {
        defer { give(terminal, to: getpgrp()) }
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, WUNTRACED)
            if ended < 0 {
                guard errno == EINTR else { return nil }
                continue
            }
            // Nobody could take up a program that was put aside.
            guard status & 0xFF == 0x7F else { return status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
            kill(-child, SIGCONT)
        }
    }

    /// Runs the program to its end on the user's terminal.
    ///
    /// - Parameter more: further arguments.
    /// - Returns: its exit code, or nil if it could not be started, or a signal ended it.
    package func run(_ more: [String], at terminal: Int32) -> Int32? {
        start(more, at: terminal).flatMap { wait($0, at: terminal) }
    }

    /// Makes a group the foreground process group. A background process may do this only while SIGTTOU is blocked.
    private func give(_ terminal: Int32, to group: pid_t) {
        var set = sigset_t()
        var old = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &set, &old)
        tcsetpgrp(terminal, group)
        pthread_sigmask(SIG_SETMASK, &old, nil)
    }
}
