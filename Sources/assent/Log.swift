import Glibc
import Storage
import Tools
import Vocabulary

/// What went wrong in the background: `log` in the data folder, and `log.1` before it, of 1 MB each at most. Lines are ours: codes, numbers
/// and sentences, never media, never a secret, never what a person or a model wrote.
struct Log: Sendable {
    let folder: String

    private var path: String { folder + "/log" }

    var files: [Keepsake] { [path, path + ".1"].compactMap { Keepsake($0) } }

    func warn(_ place: String, _ failure: Failure) { write("warning", "\(place): \(failure.code): \(failure.message)") }
    func warn(_ words: String) { write("warning", words) }

    private func write(_ level: String, _ words: String) {
        if let file = Keepsake(path), file.bytes >= Limits.logBytes { rename(path, path + ".1") }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // One line in one write, so that processes do not mix; what could end a line or steer a terminal is no part of one.
        let plain = String(String.UnicodeScalarView(words.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        let bytes = Array("\(Wiring.now()) \(level) \(plain)".utf8.prefix(Limits.logLineBytes)) + [UInt8(ascii: "\n")]
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}

/// A crash of ours is noted, so that the next start looks the whole database over before it goes on, and sets aside the workflow that the
/// crashed thread was taking up, or whose step it worked on: what we crashed at must not be met again at every start. The handler makes one
/// file and lets the signal do what it does.
enum Crashes {
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

    /// Told by each thread for itself: a crash of another is no fault of theirs.
    static func take(up workflow: WorkflowID?) { CrashMark.work(on: workflow) }
    static func work(on step: StepID?) { CrashMark.work(on: step?.workflow, step: step?.index) }

    static func note(in folder: String) {
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
