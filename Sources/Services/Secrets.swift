import Glibc
import JSON
import Vocabulary

extension Limits {
    /// How long a command that prints a key may run, in seconds.
    fileprivate static let keyCommandSeconds = 30.0
}

/// The places where the user stores keys (`architecture.md`, "Folders and keys"), in this order: the environment,
/// `key_command` of the settings, a file `keys/NAME` of the config folder that only the user can read, and the Secret
/// Service, if `secret-tool` is installed. A key is looked up when it is needed, and is never logged or stored.
package struct Secrets: Sendable {
    /// The config folder.
    package let config: String
    /// The words of `key_command: [pass, show, "assent/{name}"]`, which are never a shell string. It is nil if the
    /// settings cannot be used. Then only the environment has keys.
    let keyCommand: [String]?
    /// Returns the names of all known keys. A program that is asked for one key does not get the others in its
    /// environment.
    let knownNames: @Sendable () -> Set<String>

    /// Creates a search for keys.
    package init(config: String, keyCommand: [String]?, knownNames: @escaping @Sendable () -> Set<String> = { [] }) {
        self.config = config
        self.keyCommand = keyCommand
        self.knownNames = knownNames
    }

    /// Returns the key of a name, or nil if it is stored nowhere. Blocks while a command runs, at most
    /// `Limits.keyCommandSeconds`.
    ///
    /// - Parameter name: letters, digits and `_`.
    package func key(_ name: String) -> String? {
        guard Self.isName(name) else { return nil }
        if let key = Folders.environment(name) { return key }
        // If the command cannot be read from the settings, no later place replaces it.
        guard let keyCommand else { return nil }
        if let key = command(keyCommand.map { $0.replacing("{name}", with: name) }) { return key }
        return file(name) ?? command(["secret-tool", "lookup", "service", "assent", "name", name])
    }

    /// Returns the key of a name if no program must be run to find it, otherwise nil.
    package func keyAtHand(_ name: String) -> String? {
        Self.isName(name) ? Folders.environment(name) ?? file(name) : nil
    }

    /// Returns whether a name can be that of a key.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789_".unicodeScalars.contains($0))
            }
    }

    /// Returns why the file of a key is not used, or nil if it is used or absent.
    package func fault(of name: String) -> String? { look(for: name).fault }

    private func look(for name: String) -> (key: String?, fault: String?) {
        var status = stat()
        guard Self.isName(name), lstat(path(of: name), &status) == 0 else { return (nil, nil) }
        let path = path(of: name)
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return (nil, "\(path) cannot be read: it is no file")
        }
        guard status.st_mode & 0o077 == 0, status.st_uid == getuid() else {
            return (nil, "\(path) can be read by others: chmod 600")
        }
        guard let bytes = try? FileSystem.bytes(path, limit: Limits.keyBytes) else {
            return (nil, "\(path) cannot be read, or is too large")
        }
        guard let key = Self.firstLine(bytes) else {
            return (nil, "\(path):1: the first line is empty, or no text in UTF-8")
        }
        return (key, nil)
    }

    private func path(of name: String) -> String { "\(config)/keys/\(name)" }

    private func file(_ name: String) -> String? { look(for: name).key }

    private static func firstLine(_ bytes: [UInt8]) -> String? {
        // Some editors begin a text with a byte order mark. No key has one.
        let line = bytes.dropFirst(bytes.starts(with: ConfigFile.mark) ? ConfigFile.mark.count : 0).prefix {
            $0 != 0x0A && $0 != 0x0D
        }
        return line.isEmpty || line.contains(0) ? nil : String(validating: line, as: UTF8.self)
    }

    // MARK: Commands

    /// Returns the first line that a program prints, or nil if there is none, or if the program fails or takes too
    /// long.
    private func command(_ words: [String]) -> String? { run(words).flatMap(Self.firstLine) }

    /// Returns the environment for programs, without keys. All other variables stay, since a keyring may need any of
    /// them.
    func environment() -> [String] {
        let names = knownNames().union([ModelSources.keyVariable])
        var lines: [String] = []
        var next = environ
        while let line = next.pointee {
            let text = String(cString: line)
            let name = String(text.prefix { $0 != "=" })
            if !names.contains(name), !name.hasSuffix("_API_KEY"), !KeyNames.isOfAnAddress(name) { lines.append(text) }
            next += 1
        }
        return lines
    }

    /// Returns the output of a program, at most `Limits.keyBytes`, or nil if it fails or takes too long.
    ///
    /// - Parameter input: its standard input, at most as much as a pipe holds.
    package func run(_ words: [String], input: [UInt8] = []) -> [UInt8]? {
        guard let program = words.first else { return nil }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var given: [Int32] = [-1, -1]
        guard pipe(&given) == 0 else {
            close(ends[1])
            return nil
        }
        _ = Glibc.write(given[1], input, min(input.count, Int(PIPE_BUF)))
        close(given[1])
        defer { close(given[0]) }
        _ = fcntl(given[0], F_SETFD, FD_CLOEXEC)
        // Between these two lines, another thread may start a child that inherits them. It could only see a key of the
        // same user.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, given[0], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let variables = environment().map { strdup($0) } + [nil]
        defer { for variable in variables { free(variable) } }
        var pid = pid_t()
        let result = posix_spawnp(&pid, program, &actions, &attributes, arguments, variables)
        close(ends[1])
        guard result == 0 else { return nil }
        let end = ContinuousClock.now + .seconds(Limits.keyCommandSeconds)
        let said = Self.read(ends[0], until: end)
        return Self.hasSucceeded(pid, until: end) ? said : nil
    }

    /// Returns whether a program ends with status 0 before `end`. It is killed if it does not end in time.
    static func hasSucceeded(_ pid: pid_t, until end: ContinuousClock.Instant) -> Bool {
        var status: Int32 = 0
        while true {
            let ended = waitpid(pid, &status, WNOHANG)
            if ended == pid { return status == 0 }
            if ended < 0, errno != EINTR { return false }
            guard ContinuousClock.now < end else { break }
            usleep(2_000)
        }
        kill(-pid, SIGKILL)
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return false
    }

    /// Returns all bytes up to the end of a descriptor, or nil if it does not end in time or has too many bytes for a
    /// key.
    private static func read(_ descriptor: Int32, until end: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = end - .now
            guard left > .zero, bytes.count <= Limits.keyBytes else { return nil }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, Int32(left / .milliseconds(1)) + 1) >= 0 || errno == EINTR else { return nil }
            guard wait.revents != 0 else { continue }
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += piece[..<count]
        }
    }
}
