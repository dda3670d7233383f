import CaseNames
import CProcess
@testable import Files
import Glibc
import Harness
@testable import Sandbox
import Testing

/// A program that may outlive us begins when word of it has been left, and never if that cannot be (`semantics.md` 17).
struct GateTests {
    /// `touch` of a file in the lab's folder, made and not begun.
    private func touching(by path: String, in lab: Lab) throws -> Spawned {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        var command = ProgramCommand([path, lab.path("made")], in: lab.workspace)
        command.output = .files(keepsErrors: false)
        return try spawn(
            command.words, environment: [], command, writesRecord: false, descriptors: (null, null, null, null, -1))
    }

    @Test(.process) func itBeginsOnlyWhenItMay() async throws {
        let lab = try Lab()
        let touch = try touching(by: "/usr/bin/touch", in: lab)
        // It stands at the gate: a copy of us that sleeps. Without one it would soon be a program of its own that has
        // ended.
        let ours = ProcessTable.commandLine(getpid())
        #expect(try await eventually { ["S", "Z"].contains(ProcessTable.state(touch.pid)) })
        #expect(ProcessTable.state(touch.pid) == "S" && ProcessTable.commandLine(touch.pid) == ours)
        #expect(!lab.exists("made"))
        #expect(cprocess_begin(touch.pid, touch.gate.descriptor) == 0)
        #expect(cprocess_wait(touch.pid) == 0)
        #expect(lab.exists("made"))
    }

    @Test(.process) func itNeverBeginsOnceWhoStartedItIsGone() throws {
        let lab = try Lab()
        let touch = try touching(by: "/usr/bin/touch", in: lab)
        let pid = touch.pid
        _ = consume touch
        #expect(cprocess_wait(pid) == 127)
        #expect(!lab.exists("made"))
    }

    @Test(.process) func whatCannotBeStartedSaysWhy() throws {
        let lab = try Lab()
        let nothing = try touching(by: "/nonexistent/program", in: lab)
        #expect(cprocess_begin(nothing.pid, nothing.gate.descriptor) == ENOENT)
        #expect(kill(nothing.pid, 0) == -1 && errno == ESRCH, "it has been waited for")
    }
}
