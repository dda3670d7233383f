import CAttack
import CVips
import CaseNames
import Glibc
import Harness
import Testing

/// What a picture may do that has taken over the child that decodes it.
@Suite(.process) struct ChildFilterTests {
    /// Where root has all rights, and without a sandbox around: the filter alone must refuse each attempt.
    @Test(arguments: 0..<Int(cattack_count())) func anAttemptIsRefused(attempt: Int) throws {
        let scratch = try ScratchFolder()
        let path = "\(scratch.path)/kept"
        try ScratchFolder.write("kept", to: path)
        let name = String(cString: cattack_name(Int32(attempt)))
        let reading = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(reading) }
        var status = stat()
        fstat(reading, &status)
        let neighbour = try ProgramProcess(
            "/bin/sleep", ["600"], environment: [:], folder: scratch.path, files: scratch.path)
        defer { kill(neighbour.pid, SIGKILL) }
        let code = try self.code { cattack_try(Int32(attempt), reading, neighbour.pid, path) == 0 ? 0 : 1 }
        #expect(code == 0, "\(name) was possible")
        var after = stat()
        #expect(stat(path, &after) == 0 && after.st_size == 4, "\(name)")
        #expect(after.st_mode == status.st_mode && after.st_uid == status.st_uid, "\(name)")
        #expect(after.st_mtim.tv_nsec == status.st_mtim.tv_nsec, "\(name)")
        #expect(kill(neighbour.pid, 0) == 0, "\(name)")
    }

    /// The same attempts succeed, for the most part, in a process without the filter. Without that, the test above would
    /// say nothing.
    @Test func theAttemptsAreReal() throws {
        let possible = [
            "opens_again", "opens_for_writing", "makes_a_file", "forks", "forks_by_number", "makes_a_socket",
            "makes_a_pair",
            "changes_the_mode_of_what_is_open", "changes_the_time", "makes_a_memory_file", "opens_a_neighbour",
            "outlives_the_zygote", "ends_a_neighbour",
        ]
        for attempt in 0..<cattack_count() where possible.contains(String(cString: cattack_name(attempt))) {
            let scratch = try ScratchFolder()
            let path = "\(scratch.path)/kept"
            try ScratchFolder.write("kept", to: path)
            let reading = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(reading) }
            let neighbour = try ProgramProcess(
                "/bin/sleep", ["600"], environment: [:], folder: scratch.path, files: scratch.path)
            defer { kill(neighbour.pid, SIGKILL) }
            #expect(
                cattack_try(attempt, reading, neighbour.pid, path) == 1, "\(String(cString: cattack_name(attempt)))")
        }
    }

    /// Only what the request named is open.
    @Test func noOtherDescriptorIsOpen() throws {
        let secret = open("/etc/hostname", O_RDONLY)
        let given = open("/dev/null", O_RDONLY)
        defer {
            close(secret)
            close(given)
        }
        let code = try self.code([given]) { cattack_is_open_beside(given) }
        #expect(code == 0)
    }

    /// Runs something in a child, and returns its exit code.
    private func code(_ descriptors: [Int32] = [], _ body: () -> Int32) throws -> Int32 {
        let all = descriptors + (descriptors.isEmpty ? (3..<256).filter { fcntl($0, F_GETFD) >= 0 } : [])
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(nothing) }
        let pid = all.withUnsafeBufferPointer { all in
            var child = cvips_child(
                output: nothing, errors: nothing, descriptors: all.baseAddress!, count: Int32(all.count),
                memory_bytes: 0, file_bytes: 0, cpu_seconds: 0)
            return cvips_fork(&child)
        }
        if pid == 0 { _exit(body()) }
        var status: Int32 = 0
        try #require(waitpid(pid, &status, 0) == pid)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
