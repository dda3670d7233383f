package import Engine
import Glibc
package import Vocabulary

/// The editor that the user has chosen (`VISUAL`, `EDITOR`), which opens a file of ours on the user's terminal.
package enum PersonsEditor {
    /// Opens the editor with a text, and waits until it is closed.
    ///
    /// - Parameter folder: the folder for the file meanwhile, 0600. It is made if it does not exist.
    /// - Returns: the edited text, or nil if it was not changed.
    package static func edit(_ text: String, in folder: String, on workers: Workers) async throws(Failure) -> String? {
        try Folders.make(folder)
        let path = "\(folder)/edit-\(getpid()).json"
        try FileSystem.replace(path, with: Array(text.utf8))
        defer { unlink(path) }
        let status = try await withoutBlocking(workers) { () throws(Failure) in try run(path) }
        guard status == 0 else {
            throw Failure(.editorFailed, "The editor ended with \(status); nothing was changed.")
        }
        let edited = String(decoding: try FileSystem.bytes(path), as: UTF8.self)
        return edited == text ? nil : edited
    }

    /// The words of the editor's command, which are never a shell string.
    private static var words: [String] {
        let chosen = Folders.environment("VISUAL") ?? Folders.environment("EDITOR") ?? "editor"
        return chosen.split(separator: " ").map(String.init)
    }

    private static func run(_ path: String) throws(Failure) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The editor gets the terminal itself, wherever our output goes.
        let terminal = access("/dev/tty", R_OK | W_OK) == 0 && canOpen("/dev/tty") ? "/dev/tty" : "/dev/null"
        for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, descriptor, terminal, O_RDWR, 0) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = (Self.words + [path]).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child = pid_t()
        let code = posix_spawnp(&child, words[0]!, &actions, &attributes, &words, environ)
        guard code == 0 else {
            throw Failure(
                .editorFailed, "The editor cannot be started: \(String(cString: strerror(code))).",
                remedy: "Set EDITOR, or name a file: 'assent edit WORKFLOW FILE'")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    private static func canOpen(_ path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        return descriptor >= 0
    }

    /// Runs `body` on a thread that may block, since a person may take any time.
    private static func withoutBlocking<Value: Sendable>(
        _ workers: Workers, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            workers.run {
                let result: Result<Value, Failure>
                do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
