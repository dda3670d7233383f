import Glibc
import Harness
import Testing

@testable import Services

/// Programs that notify the user: their words, input, environment and end.
@Suite struct NoticeProgramTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func run(_ words: [String], input: String = "", seconds: Double? = nil) -> Bool {
        NoticeProgram(words, secrets: Secrets(config: scratch.path, keyCommand: []), seconds: seconds).run(
            input: Array(input.utf8))
    }

    @Test func noShellReadsTheWords() {
        let path = "\(scratch.path)/said"
        #expect(run(["sh", "-c", "cat > \"$0\"; printf %s \"$1\" >> \"$0\"", path, "$(id); a 'b'"], input: "{}\n"))
        #expect(ScratchFolder.text(path) == "{}\n$(id); a 'b'")
    }

    @Test func aProgramThatFailsOrIsMissingIsNoSuccess() {
        #expect(run(["true"]) && !run(["false"]) && !run(["\(scratch.path)/none"]) && !run([]))
    }

    @Test func noKeyIsInItsEnvironment() {
        setenv("NOTICE_TEST_API_KEY", "secret", 1)
        defer { unsetenv("NOTICE_TEST_API_KEY") }
        #expect(run(["sh", "-c", "test -z \"$NOTICE_TEST_API_KEY\" && test -n \"$PATH\""]))
    }

    /// A program that hangs is ended with its children, and its output is read by nobody.
    @Test func aProgramThatHangsIsEnded() async throws {
        let path = "\(scratch.path)/child"
        // On a busy machine it may be ended before it has begun.
        for seconds in [0.2, 2, 20] where ScratchFolder.text(path)?.contains("\n") != true {
            #expect(!run(["sh", "-c", "sleep 600 & echo $! > \"$0\"; yes; wait", path], seconds: seconds))
        }
        let child = try #require(ScratchFolder.text(path).flatMap { pid_t($0.filter(\.isNumber)) })
        let isOver = try await eventually { kill(child, 0) != 0 || isZombie(child) }
        #expect(isOver)
    }

    private func isZombie(_ pid: pid_t) -> Bool {
        ScratchFolder.text("/proc/\(pid)/stat")?.contains(") Z ") ?? true
    }
}
