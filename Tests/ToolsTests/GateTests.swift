import CProcess
import Glibc
import Testing

/// A program that may outlive us begins when word of it has been left, and never if that cannot be (`semantics.md` 17).
struct GateTests {
    /// `touch` of a file in the lab's folder, made and not begun.
    private func spawn(_ path: String, in lab: Lab) throws -> (pid: pid_t, gate: Int32) {
        let arguments = [strdup(path), strdup(lab.path("made")), nil]
        let environment: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { for word in arguments { free(word) } }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        var (gate, failure) = (-1 as Int32, 0 as Int32)
        let pid = lab.workspace.withCString { folder in
            arguments.withUnsafeBufferPointer { arguments in
                environment.withUnsafeBufferPointer { environment in
                    var child = cprocess_child(
                        path: arguments[0]!, arguments: arguments.baseAddress!, environment: environment.baseAddress!, directory: folder,
                        input: null, output: null, error: null, supervised: 1, record: null, inherits_record: 0, wall_seconds: 60,
                        memory_bytes: 0, file_bytes: 0, cpu_seconds: 0, open_files: 0)
                    return cprocess_spawn(&child, &gate, &failure)
                }
            }
        }
        try #require(pid > 0 && gate >= 0, "\(String(cString: strerror(failure)))")
        return (pid, gate)
    }

    @Test func itBeginsOnlyWhenItMay() throws {
        let lab = try Lab()
        let (pid, gate) = try spawn("/usr/bin/touch", in: lab)
        defer { close(gate) }
        usleep(200_000)
        #expect(!lab.exists("made"))
        #expect(cprocess_begin(pid, gate) == 0)
        #expect(cprocess_wait(pid) == 0)
        #expect(lab.exists("made"))
    }

    @Test func itNeverBeginsOnceWhoStartedItIsGone() throws {
        let lab = try Lab()
        let (pid, gate) = try spawn("/usr/bin/touch", in: lab)
        close(gate)
        #expect(cprocess_wait(pid) == 127)
        #expect(!lab.exists("made"))
    }

    @Test func whatCannotBeStartedSaysWhy() throws {
        let lab = try Lab()
        let (pid, gate) = try spawn("/nonexistent/program", in: lab)
        defer { close(gate) }
        #expect(cprocess_begin(pid, gate) == ENOENT)
        #expect(kill(pid, 0) == -1 && errno == ESRCH, "it has been waited for")
    }
}
