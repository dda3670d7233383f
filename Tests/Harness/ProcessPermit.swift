import Glibc

/// The permission of a test to start processes. A test has it if the test or its suite has the trait `.process`, so
/// that `make quick` can leave the test out. Programs that are no tests always have it.
package enum ProcessPermit {
    /// Set by the trait, and handed on by `onOwnThread` and `inBackground`.
    @TaskLocal package static var isGranted = !isTestProcess

    /// Whether `make quick` runs these tests: those with the trait are left out.
    package static let isQuick = getenv("ASSENT_QUICK") != nil

    /// A check at the end of this process: it fails if it has started another process. The launcher of the harness does
    /// not see processes that tools start themselves.
    package static let refusesProcesses: Void = {
        atexit {
            var usage = rusage()
            guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0, usage.ru_maxrss > 0 else { return }
            let words = "error: a test without the trait .process has started a process\n"
            write(2, words, words.utf8.count)
            _exit(1)
        }
    }()

    /// Throws if a test without the trait is about to start `program`.
    package static func check(_ program: String) throws {
        guard isGranted else {
            throw ScriptFailure("A test that starts \(program) needs the trait .process, on itself or on its suite.")
        }
    }

    private static let isTestProcess = ProgramLab.executable.hasSuffix(".xctest")
}
