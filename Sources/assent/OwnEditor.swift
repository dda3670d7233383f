import Console
import Glibc
import Services
import Tools
import Vocabulary

/// The person's own editor (`$VISUAL`, `$EDITOR`) on a text of ours, in a file that nobody else can read.
struct OwnEditor: Sendable {
    /// The program and its arguments; no shell reads them.
    let words: [String]

    /// `nil` where the person has none, or it cannot be found.
    static var ofThePerson: OwnEditor? {
        guard let line = Folders.environment("VISUAL") ?? Folders.environment("EDITOR") else { return nil }
        let words = line.split(separator: " ").map { String($0) }
        guard let program = words.first, let path = find(program) else { return nil }
        return OwnEditor(words: [path] + words.dropFirst())
    }

    private static func find(_ program: String) -> String? {
        if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
        let folders = (Folders.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    /// Blocks until the editor is closed: its person is at it.
    ///
    /// - Parameter terminal: as it was found; nobody else reads or draws on it meanwhile.
    /// - Returns: `nil` if the editor could not be run, failed, or left no text.
    @Sendable func write(_ text: String, at terminal: Int32) -> String? {
        var template = Array("\(temporaryFolder)/assent-text-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = "\(folder)/answer.txt"
        defer {
            for name in Files.names(in: folder) { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        guard (try? Files.replace(path, with: Array(text.utf8))) != nil, run(path, at: terminal) == 0,
            let bytes = try? Files.bytes(path, limit: Limits.answerTextBytes + 1)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// In a process group of its own, which has the terminal while it runs: its keys and its Ctrl-C are not ours.
    private func run(_ path: String, at terminal: Int32) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 { posix_spawn_file_actions_adddup2(&actions, terminal, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let arguments = (words + [path]).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child = pid_t()
        guard posix_spawn(&child, words[0], &actions, &attributes, arguments, environ) == 0 else { return nil }
        give(terminal, to: child)
        // It may have asked for the terminal before it had it.
        kill(-child, SIGCONT)
        defer { give(terminal, to: getpgrp()) }
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, WUNTRACED)
            if ended < 0 {
                guard errno == EINTR else { return nil }
                continue
            }
            // Nobody could take up an editor that was put aside.
            guard status & 0xFF == 0x7F else { return status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
            kill(-child, SIGCONT)
        }
    }

    /// Who is not in front may not change who is, unless the signal for it is blocked.
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
