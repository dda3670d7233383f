import Files
import Glibc
import Storage
package import Vocabulary

/// Notes about crashes of Assent. The next start then checks the whole database, and puts the workflow into quarantine
/// that the crashed thread was loading or whose step it worked on. Otherwise the same crash could end every start. The
/// signal handler writes one file, then lets the signal end the process.
package enum Crashes {
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

    /// Records the workflow that this thread loads, or nil when it is done. Each thread records its own work, since a
    /// crash of another thread is not caused by it.
    package static func take(up workflow: WorkflowID?) { CrashMark.work(on: workflow) }
    /// Records the step that this thread works on, or nil when it is done.
    package static func work(on step: StepID?) { CrashMark.work(on: step?.workflow, step: step?.index) }

    /// Installs the signal handlers, which note every later crash in a data folder.
    package static func note(in folder: String) {
        // Copied here, since a signal handler must not allocate.
        path = strdup(CrashNote(folder: folder).path)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE] {
            signal(number) { number in
                if let path = Crashes.path {
                    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                    if descriptor >= 0 {
                        CrashMark.write(to: descriptor)
                        close(descriptor)
                    }
                }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }
}
