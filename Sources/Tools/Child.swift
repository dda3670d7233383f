import CProcess
import Glibc
import Vocabulary

/// A process group that runs, ours or one that an earlier engine left behind.
struct Child {
    enum Ending: Hashable {
        case exited(Int)
        case timedOut
        case cancelled
        /// It wrote more on standard output or standard error than it may.
        case wroteTooMuch
        /// It ended and nobody wrote how.
        case unknown
    }

    private let process: RunFolder.Process
    private let folder: RunFolder
    /// Ours to reap.
    private let isOurs: Bool

    /// Starts a command and leaves word of it in the run folder.
    static func start(_ command: Command, sandbox: Sandbox, recordingIn folder: RunFolder, isLast: Bool) throws(Failure) -> Child {
        let line = try sandbox.line(for: command)
        for word in line where word.utf8.contains(0) { throw Failure("badParam", "A word of the command has a NUL byte in it.") }
        unlink("\(folder.path)/pid")
        let input = try OpenFile("/dev/null", O_RDONLY)
        let output = try OpenFile(folder.output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        let errors = try OpenFile(folder.errors, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        let isWatched = sandbox.writesRecord(for: command) || command.needsRecord
        let record = isWatched ? try OpenFile(folder.status, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND) : OpenFile(adopting: -1)
        let pid = try spawn(
            line, environment: sandbox.environment(for: command), command, writesRecord: sandbox.writesRecord(for: command),
            descriptors: (input.descriptor, output.descriptor, errors.descriptor, record.descriptor))
        let process = RunFolder.Process(
            pid: pid, startTicks: RunFolder.Process.startTicks(of: pid) ?? "", boot: RunFolder.Process.bootNow,
            deadline: nowMilliseconds() + Int64(command.timeoutSeconds * 1000), isLast: isLast, logBytes: command.logBytes)
        let child = Child(process: process, folder: folder, isOurs: true)
        // Whose end nobody writes down, nobody can take over either.
        guard isWatched else { return child }
        do throws(Failure) {
            try folder.write(process)
        } catch {
            child.end()
            throw error
        }
        return child
    }

    /// The child that an earlier engine started in this folder, if it still runs.
    static func left(in folder: RunFolder) -> Child? {
        guard let process = folder.process, process.isAlive, process.isLast else { return nil }
        return Child(process: process, folder: folder, isOurs: false)
    }

    var pid: pid_t { process.pid }

    /// Blocks until the group has ended, by itself or because it had to.
    func wait(cancel: Cancellation) -> Ending {
        let gone = OpenFile(adopting: cprocess_open_pid(process.pid))
        // A pid that was taken over between look and open is not the one we mean.
        if !isOurs, gone.descriptor < 0 || !process.isAlive { return recorded(nil) }
        var forced: Ending?
        while true {
            if hasEnded(gone.descriptor, orRaised: cancel.descriptor, within: 200) { break }
            forced = reasonToEnd(cancel)
            if forced != nil { break }
        }
        if forced != nil {
            kill(-process.pid, SIGTERM)
            let deadline = nowMilliseconds() + Int64(Limits.termToKillSeconds * 1000)
            while nowMilliseconds() < deadline, !hasEnded(gone.descriptor, orRaised: -1, within: 50) {}
        }
        // An orphan's number is free once it has ended: only while it had to be forced is the group surely still its own.
        let code = isOurs || forced != nil ? end() : nil
        return forced ?? recorded(code)
    }

    private func reasonToEnd(_ cancel: Cancellation) -> Ending? {
        if cancel.isCancelled { return .cancelled }
        if nowMilliseconds() >= process.deadline { return .timedOut }
        for path in [folder.output, folder.errors] {
            var status = stat()
            if stat(path, &status) == 0, Int(status.st_size) > process.logBytes { return .wroteTooMuch }
        }
        return nil
    }

    private func recorded(_ code: Int?) -> Ending {
        for path in [folder.output, folder.errors] {
            var status = stat()
            if stat(path, &status) == 0, Int(status.st_size) > process.logBytes { return .wroteTooMuch }
        }
        if let code = folder.exitCode ?? code { return .exited(code) }
        return nowMilliseconds() >= process.deadline ? .timedOut : .unknown
    }

    /// Ends what is left of the group, before the leader is reaped: until then its number cannot be another's.
    @discardableResult
    private func end() -> Int? {
        kill(-process.pid, SIGKILL)
        guard isOurs else { return nil }
        let code = cprocess_wait(process.pid)
        return code < 0 ? nil : Int(code)
    }

    private func hasEnded(_ pidDescriptor: Int32, orRaised flag: Int32, within milliseconds: Int32) -> Bool {
        var waits = [pollfd(fd: pidDescriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: flag, events: Int16(POLLIN), revents: 0)]
        poll(&waits, 2, milliseconds)
        return waits[0].revents != 0
    }
}

private func spawn(
    _ line: [String], environment: [String], _ command: Command, writesRecord: Bool, descriptors: (Int32, Int32, Int32, Int32)
) throws(Failure) -> pid_t {
    let arguments = line.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for word in arguments + variables { free(word) } }
    var failure: Int32 = 0
    let pid = command.folder.withCString { directory in
        arguments.withUnsafeBufferPointer { arguments in
            variables.withUnsafeBufferPointer { variables in
                var child = cprocess_child(
                    path: arguments[0]!, arguments: arguments.baseAddress!, environment: variables.baseAddress!, directory: directory,
                    input: descriptors.0, output: descriptors.1, error: descriptors.2, record: descriptors.3,
                    inherits_record: writesRecord ? 1 : 0,
                    wall_seconds: UInt64((command.timeoutSeconds + Sandbox.watchdogGraceSeconds).rounded(.up)),
                    memory_bytes: UInt64(command.memoryBytes), file_bytes: UInt64(command.fileBytes), cpu_seconds: 0, open_files: 0)
                return cprocess_spawn(&child, &failure)
            }
        }
    }
    guard pid > 0 else {
        throw Failure(
            "processFailed", "Cannot start \(command.words[0]): \(String(cString: strerror(failure))).", isTransient: failure == EAGAIN)
    }
    return pid
}

func nowMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
