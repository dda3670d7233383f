import CProcess
import Glibc
import JSON
import Vocabulary

extension Limits {
    package static let commandTasks = 2048

    /// How often a child is looked after.
    fileprivate static let lookAfterMilliseconds: Int32 = 100
    fileprivate static let termToKillSeconds = 2.0
}

/// A process group that runs, ours or one that an earlier engine left behind.
struct Child {
    enum Ending: Hashable {
        case exited(Int)
        case timedOut
        case cancelled
        /// It wrote more on standard output or standard error than it may.
        case wroteTooMuch
        /// It wrote more files than a rehearsal may.
        case filledDisk
        /// It started more processes than a command in the sandbox may.
        case startedTooMany
        /// It ended and nobody wrote how.
        case unknown
    }

    let pid: pid_t
    let traces: any Traces
    /// Milliseconds since 1970 at which its time is over.
    private let deadline: Int64
    /// Most bytes on standard output, and on standard error.
    private let logBytes: Int
    /// What a rehearsal writes to, and how much was free there before.
    private var disk: (folder: String, free: Int)?
    /// Most processes that it may have at once; `nil` for any.
    private var processes: Int?
    /// Through which it speaks to the hosts that it may.
    private(set) var proxy: HostProxy?
    /// As another engine noted it down, whose child it was; `nil` for one that is ours to reap.
    private var orphan: RunFolder.Process?

    /// Starts a command. One that may outlive us leaves word of itself beside the run folder before it begins.
    static func start(_ original: Command, sandbox: Sandbox, in folder: RunFolder) throws(Failure) -> Child {
        var command = original
        // Without a sandbox, what it starts need not stay below it.
        if !sandbox.writesRecord(for: command) { command.processes = nil }
        let line = try sandbox.line(for: command)
        for word in line where word.utf8.contains(0) {
            throw Failure("badParam", "A word of the command has a NUL byte in it.")
        }
        let traces: any Traces =
            command.isAdoptable
            ? TraceFiles(folder: folder, keepsErrors: command.keepsErrors)
            : TracePipes(limit: command.logBytes, heard: command.heard)
        let input = try OpenFile("/dev/null", O_RDONLY)
        let filter = try sandbox.filter(for: command)
        let ends = try traces.open(withRecord: command.isAdoptable || sandbox.writesRecord(for: command))
        let spawned = try spawn(
            line, environment: sandbox.environment(for: command), command,
            writesRecord: sandbox.writesRecord(for: command),
            descriptors: (
                input.descriptor, ends.output.descriptor, ends.errors.descriptor, ends.record.descriptor,
                filter.descriptor
            ))
        let pid = spawned.pid
        let deadline = nowMilliseconds() + Int64(command.timeoutSeconds * 1000)
        var child = Child(pid: pid, traces: traces, deadline: deadline, logBytes: command.logBytes)
        child.disk = command.rehearsal.map { ($0.upper, freeBytes($0.upper)) }
        child.processes = command.processes
        if let network = command.network {
            do throws(Failure) {
                child.proxy = try HostProxy(
                    listener: spawned.listener, hosts: network.hosts, resolve: network.resolve)
            } catch {
                child.end()
                throw error
            }
        }
        guard command.isAdoptable else { return child }
        let process = RunFolder.Process(
            pid: pid, startTicks: RunFolder.Process.startTicks(of: pid) ?? "", boot: RunFolder.Process.bootNow,
            deadline: deadline,
            logBytes: command.logBytes, processes: command.processes)
        do throws(Failure) {
            // The sandbox writes there too, a word at a time: as long as it has not begun, a line of ours stays whole.
            try ends.record.write(Array((process.json.text + "\n").utf8))
        } catch {
            _ = consume spawned
            child.end()
            throw error
        }
        let failure = cprocess_begin(pid, spawned.gate.descriptor)
        guard failure == 0 else { throw cannotStart(command, failure) }
        return child
    }

    /// The child that an earlier engine started in this folder, if it still runs.
    static func left(in folder: RunFolder) -> Child? {
        guard let process = folder.process, process.isAlive else { return nil }
        return Child(
            pid: process.pid, traces: TraceFiles(folder: folder), deadline: process.deadline,
            logBytes: process.logBytes,
            processes: process.processes, orphan: process)
    }

    /// Blocks until the group has ended, by itself or because it had to.
    func wait(cancel: Cancellation) -> Ending {
        let gone = OpenFile(adopting: cprocess_open_pid(pid))
        // A pid that was taken over between look and open is not the one we mean.
        if let orphan, gone.descriptor < 0 || !orphan.isAlive { return recorded(nil) }
        var forced: Ending?
        while forced == nil,
            !isReadable(
                gone.descriptor, or: [cancel.descriptor] + traces.incoming, within: Limits.lookAfterMilliseconds)
        {
            traces.takeIn()
            forced = reasonToEnd(cancel)
        }
        if forced != nil {
            kill(-pid, SIGTERM)
            let lastWord = nowMilliseconds() + Int64(Limits.termToKillSeconds * 1000)
            while nowMilliseconds() < lastWord, !isReadable(gone.descriptor, within: 50) {}
        }
        // An orphan's number is free once it has ended: only while it had to be forced is the group surely still its
        // own.
        let code = orphan == nil || forced != nil ? end() : nil
        traces.takeIn()
        proxy?.end()
        return forced ?? recorded(code)
    }

    private func reasonToEnd(_ cancel: Cancellation) -> Ending? {
        if cancel.isCancelled { return .cancelled }
        if nowMilliseconds() >= deadline { return .timedOut }
        // Others write there too: what is watched for is a disk that fills, not the last byte.
        if let disk, disk.free - freeBytes(disk.folder) > Limits.rehearsedBytes + Limits.rehearsedBytes / 4 {
            return .filledDisk
        }
        if let processes, cprocess_count(pid, Int32(processes)) > processes { return .startedTooMany }
        return traces.size > logBytes ? .wroteTooMuch : nil
    }

    private func recorded(_ code: Int?) -> Ending {
        if traces.size > logBytes { return .wroteTooMuch }
        if traces.hasTooManyProcesses { return .startedTooMany }
        if let code = traces.exitCode ?? code { return .exited(code) }
        return nowMilliseconds() >= deadline ? .timedOut : .unknown
    }

    /// Ends what is left of the group, before the leader is reaped: until then its number cannot be another's.
    @discardableResult
    private func end() -> Int? {
        kill(-pid, SIGKILL)
        guard orphan == nil else { return nil }
        let code = cprocess_wait(pid)
        return code < 0 ? nil : Int(code)
    }

    /// - Returns: whether the first is; that one of the others is only ends the wait.
    private func isReadable(_ descriptor: Int32, or others: [Int32] = [], within milliseconds: Int32) -> Bool {
        var waits = ([descriptor] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&waits, nfds_t(waits.count), milliseconds)
        return waits[0].revents != 0
    }
}

/// A process of ours. One that may outlive us waits at its gate until it may begin, and ends if that is closed before.
struct Spawned: ~Copyable {
    let pid: pid_t
    let gate: OpenFile
    /// Where a program with a network of its own looks for its proxy; nothing for one without.
    let listener: OpenFile
}

func spawn(
    _ line: [String], environment: [String], _ command: Command, writesRecord: Bool,
    descriptors: (Int32, Int32, Int32, Int32, Int32)
) throws(Failure) -> Spawned {
    let arguments = line.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    let overlay = [command.rehearsal?.upper, command.rehearsal?.work, command.cover].map { path in
        path.flatMap { strdup($0) }
    }
    defer { for word in arguments + variables + overlay { free(word) } }
    var (gate, failure, listener) = (-1 as Int32, 0 as Int32, -1 as Int32)
    let pid = command.folder.withCString { directory in
        arguments.withUnsafeBufferPointer { arguments in
            variables.withUnsafeBufferPointer { variables in
                withUnsafeMutablePointer(to: &listener) { listener in
                    var child = cprocess_child(
                        path: arguments[0]!, arguments: arguments.baseAddress!, environment: variables.baseAddress!,
                        directory: directory,
                        input: descriptors.0, output: descriptors.1, error: descriptors.2,
                        supervised: command.isAdoptable ? 1 : 0,
                        record: descriptors.3,
                        inherits_record: writesRecord ? 1 : 0, filter: descriptors.4,
                        upper: overlay[0], cover: overlay[2], work: overlay[1],
                        listener: command.network == nil ? nil : listener,
                        processes: Int32(command.processes ?? 0),
                        tasks: Int32(command.processes == nil ? 0 : Limits.commandTasks),
                        wall_seconds: UInt64((command.timeoutSeconds + Sandbox.watchdogGraceSeconds).rounded(.up)),
                        memory_bytes: UInt64(command.memoryBytes), file_bytes: UInt64(command.fileBytes),
                        cpu_seconds: UInt64(command.processorSeconds), open_files: 0)
                    return cprocess_spawn(&child, &gate, &failure)
                }
            }
        }
    }
    guard pid > 0 else { throw cannotBegin(command, failure) }
    return Spawned(pid: pid, gate: OpenFile(adopting: gate), listener: OpenFile(adopting: listener))
}

private func cannotStart(_ command: Command, _ code: Int32) -> Failure {
    Failure(
        "processFailed", "Cannot start \(command.words[0]): \(String(cString: strerror(code))).",
        isTransient: code == EAGAIN)
}

/// The errors that kernels and containers answer namespaces and overlays with (seen on Debian, Ubuntu and in
/// containers).
private func cannotBegin(_ command: Command, _ code: Int32) -> Failure {
    guard command.rehearsal != nil || command.network != nil else { return cannotStart(command, code) }
    let why =
        switch code {
        case EPERM: "a container or a setting of the kernel does not allow it"
        case ENOSPC: "there may be no more user namespaces (user.max_user_namespaces)"
        case EACCES: "user namespaces are restricted (kernel.apparmor_restrict_unprivileged_userns)"
        case EINVAL: "this file system takes none"
        case ENODEV: "the kernel has none"
        default: String(cString: strerror(code))
        }
    guard command.rehearsal != nil else {
        return Failure(
            "networkImpossible", "The network of a command cannot be held to some hosts here: \(why).",
            remedy: "Leave out network, or run it on the bare machine.")
    }
    return Failure(
        "rehearsalImpossible", "no overlay can be laid over the folder: \(why)",
        isTransient: code == EAGAIN || code == ENOMEM)
}

/// What is free on the file system of a folder.
private func freeBytes(_ folder: String) -> Int {
    var status = statvfs()
    return statvfs(folder, &status) == 0 ? Int(status.f_bavail) * Int(status.f_frsize) : 0
}

func nowMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
