import Glibc
import Storage
import Tools
package import Vocabulary

/// A crash of ours is noted, so that the next start looks the whole database over before it goes on, and sets aside the
/// workflow that the crashed thread was taking up, or whose step it worked on: what we crashed at must not be met again
/// at every start. The handler makes one file and lets the signal do what it does.
package enum Crashes {
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

    /// Told by each thread for itself: a crash of another is no fault of theirs.
    package static func take(up workflow: WorkflowID?) { CrashMark.work(on: workflow) }
    /// Notes the step that this thread works on; `nil` when it is done.
    package static func work(on step: StepID?) { CrashMark.work(on: step?.workflow, step: step?.index) }

    /// Makes every crash from now on leave its note in a data folder.
    package static func note(in folder: String) {
        // Made here: a handler must not be the first to ask for it.
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
