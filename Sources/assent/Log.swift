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

/// A crash of ours is noted, so that the next start looks the whole database over before it goes on, and sets aside the workflow that was
/// being taken up: what we crashed at must not be met again at every start. The handler makes one file and lets the signal do what it does.
enum Crashes {
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?
    /// The number of the workflow that is being taken up, and 0 when none is; and by which thread.
    nonisolated(unsafe) private static let taken = UnsafeMutablePointer<Int64>.allocate(capacity: 1)
    nonisolated(unsafe) private static let taker = UnsafeMutablePointer<pthread_t>.allocate(capacity: 1)

    /// Told by the one thread that takes workflows up: a crash of another is no fault of theirs.
    static func take(up workflow: WorkflowID?) {
        taker.pointee = pthread_self()
        taken.pointee = workflow?.number ?? 0
    }

    static func note(in folder: String) {
        // Made here: a handler must not be the first to ask for them.
        take(up: nil)
        path = strdup(CrashNote(folder: folder).path)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE] {
            signal(number) { number in
                if let path = Crashes.path {
                    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                    if descriptor >= 0 {
                        if Crashes.taken.pointee != 0, pthread_equal(Crashes.taker.pointee, pthread_self()) != 0 {
                            _ = Glibc.write(descriptor, Crashes.taken, MemoryLayout<Int64>.size)
                        }
                        close(descriptor)
                    }
                }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }
}
