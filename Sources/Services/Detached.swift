import Glibc
package import Vocabulary

/// The worker `assent work --until-idle` in a process and session of its own, which outlives this process.
package enum Detached {
    /// Starts the worker.
    ///
    /// - Throws: `processFailed`.
    package static func work() throws(Failure) {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID, which the Glibc module hides behind _GNU_SOURCE.
        posix_spawnattr_setflags(&attributes, 0x80)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
        }
        var words: [UnsafeMutablePointer<CChar>?] =
            (["assent", "work", "--until-idle", "--plain"] as [String]).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child = pid_t()
        let code = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, &words, environ)
        guard code == 0 else {
            throw Failure(
                .processFailed, "No worker could be started: \(String(cString: strerror(code))).",
                remedy: "Run 'assent work'.")
        }
    }
}
