import CProcess
package import Files
import Glibc
import JSON
package import Vocabulary

extension Limits {
    /// The most processes and threads of a rehearsed command: its namespace has no numbers for more.
    package static let commandTasks = 2048

    /// The milliseconds between two readings of an output that is gathered. A pipe of 1 MiB holds what most programs
    /// print meanwhile.
    fileprivate static let gatherMilliseconds: Int32 = 5

    /// The milliseconds between two checks of a running child for its limits.
    fileprivate static let lookAfterMilliseconds: Int32 = 100

    /// The seconds between SIGTERM and SIGKILL for a child that must end.
    fileprivate static let termToKillSeconds = 2.0

    /// The seconds that the kernel has to end all processes of a namespace, which write as long as one of them lives.
    fileprivate static let namespaceEndSeconds = 60.0
}

/// A running process group that this engine or an earlier one started.
package struct Child {
    package enum Ending: Hashable {
        case exited(Int)
        case timedOut
        case cancelled
        /// The process wrote too much on standard output or standard error.
        case wroteTooMuch
        /// The process wrote more to the disk than a rehearsal may.
        case filledDisk
        /// The process started more processes than a command in the sandbox may.
        case startedTooMany
        /// The process ended, and its exit code was not recorded.
        case unknown
    }

    package let pid: Int32
    package let traces: any Traces
    /// The time at which the process is stopped, in milliseconds since 1970.
    private let deadline: Int64
    /// The most bytes on standard output and standard error.
    private let logBytes: Int
    /// The folders to which a rehearsal writes, each with the free bytes on its file system at the start. Other
    /// commands have none.
    private var disks: [(folder: String, free: Int)] = []
    /// The most processes that may run at once, or `nil` for no limit.
    private var processes: Int?
    /// Whether the output is read every few milliseconds only.
    private var gathersOutput = false
    /// Whether the process waits for the end of all processes of a namespace.
    private var isStaged = false
    /// The proxy through which the command contacts its hosts, or `nil` if it names none.
    package private(set) var proxy: HostProxy?
    /// The record of an earlier engine that started the process, or `nil` if the process is a child of this engine.
    private var orphan: RunFolder.Process?

    /// Starts a command. If the command may outlive the engine, its record is written beside the run folder before it
    /// begins.
    package static func start(_ original: ProgramCommand, sandbox: Isolation, in folder: RunFolder) throws(Failure)
        -> Child
    {
        var command = original
        // Without a sandbox, the processes of the command cannot be counted reliably.
        if !sandbox.writesRecord(for: command) { command.processes = nil }
        let line = try sandbox.line(for: command)
        for word in line where word.utf8.contains(0) {
            throw Failure(.badParam, "A word of the command has a NUL byte in it.")
        }
        let traces: any Traces =
            switch command.output {
            case .files(let keepsErrors): TraceFiles(folder: folder, keepsErrors: keepsErrors)
            case .pipes(let heard):
                TracePipes(limit: command.logBytes, heard: heard, areLarge: command.gathersOutput)
            }
        let input = command.input < 0 ? try OpenFile("/dev/null", O_RDONLY) : OpenFile(adopting: dup(command.input))
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
        let deadline = runningMilliseconds() + Int64(command.timeoutSeconds * 1000)
        var child = Child(pid: pid, traces: traces, deadline: deadline, logBytes: command.logBytes)
        if let overlay = command.overlay {
            child.disks = ([overlay.upper] + (command.home.map { [$0] } ?? [])).map { ($0, freeBytes($0)) }
        }
        child.processes = command.processes
        child.gathersOutput = command.gathersOutput
        child.isStaged = command.overlay != nil || command.namesHosts
        if case .hosts(let hosts, let resolve) = command.network {
            do throws(Failure) {
                child.proxy = try HostProxy(listener: spawned.listener, hosts: hosts, resolve: resolve)
            } catch {
                child.stop(OpenFile(adopting: cprocess_open_pid(pid)))
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
            // The sandbox writes to this file, too. Before it begins, our line stays complete.
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

    /// Returns the child that an earlier engine started in this folder, or `nil` if it does not run any more.
    package static func left(in folder: RunFolder) -> Child? {
        guard let process = folder.process, process.isAlive else { return nil }
        return Child(
            pid: process.pid, traces: TraceFiles(folder: folder), deadline: process.deadline,
            logBytes: process.logBytes,
            processes: process.processes, orphan: process)
    }

    /// Blocks until the process group has ended, by itself or because it had to be stopped.
    package func wait(cancel: Cancellation) -> Ending {
        let gone = OpenFile(adopting: cprocess_open_pid(pid))
        // The pid may belong to another process since it was checked.
        if let orphan, gone.descriptor < 0 || !orphan.isAlive { return recorded(nil) }
        var forced: Ending?
        while forced == nil,
            !isReadable(
                gone.descriptor, or: [cancel.descriptor] + traces.incoming, within: Limits.lookAfterMilliseconds)
        {
            traces.takeIn()
            forced = reasonToEnd(cancel)
            if gathersOutput {
                _ = isReadable(gone.descriptor, or: [cancel.descriptor], within: Limits.gatherMilliseconds)
            }
        }
        if forced != nil { stop(gone) }
        // The pid of an orphan is free once it has ended. Only if it was stopped is the group surely still its own.
        let code = orphan == nil || forced != nil ? end() : nil
        traces.takeIn()
        proxy?.end()
        return forced ?? recorded(code)
    }

    /// Tells the process group to end, and waits a while until its leader has.
    private func stop(_ gone: borrowing OpenFile) {
        kill(-pid, SIGTERM)
        let seconds = isStaged ? Limits.namespaceEndSeconds : Limits.termToKillSeconds
        let lastWord = runningMilliseconds() + Int64(seconds * 1000)
        while runningMilliseconds() < lastWord, !isReadable(gone.descriptor, within: 50) {}
    }

    private func reasonToEnd(_ cancel: Cancellation) -> Ending? {
        if cancel.isCancelled { return .cancelled }
        if runningMilliseconds() >= deadline { return .timedOut }
        // Other processes write there, too. The check finds a disk that fills up, not the exact limit.
        let most = Limits.rehearsedBytes + Limits.rehearsedBytes / 4
        if disks.contains(where: { $0.free - freeBytes($0.folder) > most }) { return .filledDisk }
        if let processes, cprocess_count(pid, Int32(processes)) > processes { return .startedTooMany }
        return traces.size > logBytes ? .wroteTooMuch : nil
    }

    private func recorded(_ code: Int?) -> Ending {
        if traces.size > logBytes { return .wroteTooMuch }
        if traces.hasTooManyProcesses { return .startedTooMany }
        if let code = traces.exitCode ?? code { return .exited(code) }
        return runningMilliseconds() >= deadline ? .timedOut : .unknown
    }

    /// Kills the rest of the group before the leader is reaped, since the pid cannot be reused until then.
    ///
    /// - Returns: the exit code, or `nil` for an orphan.
    @discardableResult
    private func end() -> Int? {
        kill(-pid, SIGKILL)
        guard orphan == nil else { return nil }
        let code = cprocess_wait(pid)
        return code < 0 ? nil : Int(code)
    }

    /// Waits until a descriptor is readable.
    ///
    /// - Parameter others: descriptors that end the wait, too.
    /// - Returns: whether the first descriptor is readable.
    private func isReadable(_ descriptor: Int32, or others: [Int32] = [], within milliseconds: Int32) -> Bool {
        var waits = ([descriptor] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&waits, nfds_t(waits.count), milliseconds)
        return waits[0].revents != 0
    }
}

/// A started process. A process that may outlive the engine waits at its gate until it may begin, and ends if the gate
/// is closed before.
struct Spawned: ~Copyable {
    let pid: pid_t
    let gate: OpenFile
    /// The socket at which a program with a network of its own finds its proxy. For other programs, the descriptor is
    /// -1.
    let listener: OpenFile
}

func spawn(
    _ line: [String], environment: [String], _ command: ProgramCommand, writesRecord: Bool,
    descriptors: (Int32, Int32, Int32, Int32, Int32)
) throws(Failure) -> Spawned {
    let arguments = line.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    let overlay = [command.overlay?.upper, command.overlay?.work, command.standIns?.folder].map { path in
        path.flatMap { strdup($0) }
    }
    let layers = command.laidLayers.map(CLayer.init)
    defer {
        for word in arguments + variables + overlay { free(word) }
        for layer in layers { layer.free() }
    }
    var (gate, failure, listener) = (-1 as Int32, 0 as Int32, -1 as Int32)
    let given = layers.map(\.value)
    let pid = command.folder.withCString { directory in
        arguments.withUnsafeBufferPointer { arguments in
            variables.withUnsafeBufferPointer { variables in
                given.withUnsafeBufferPointer { given in
                    withUnsafeMutablePointer(to: &listener) { listener in
                        var child = cprocess_child(
                            path: arguments[0]!, arguments: arguments.baseAddress!, environment: variables.baseAddress!,
                            directory: directory,
                            input: descriptors.0, output: descriptors.1, error: descriptors.2,
                            supervised: command.isAdoptable ? 1 : 0,
                            record: descriptors.3,
                            inherits_record: writesRecord ? 1 : 0, filter: descriptors.4,
                            upper: overlay[0], cover: overlay[2], work: overlay[1],
                            layers: given.baseAddress, layer_count: Int32(given.count),
                            listener: command.namesHosts ? listener : nil,
                            processes: Int32(command.processes ?? 0),
                            tasks: Int32(command.processes == nil ? 0 : Limits.commandTasks),
                            wall_seconds: UInt64(
                                (command.timeoutSeconds + Isolation.watchdogGraceSeconds).rounded(.up)),
                            memory_bytes: UInt64(command.memoryBytes), file_bytes: UInt64(command.fileBytes),
                            cpu_seconds: UInt64(command.processorSeconds), open_files: 0)
                        return cprocess_spawn(&child, &gate, &failure)
                    }
                }
            }
        }
    }
    guard pid > 0 else { throw cannotBegin(command, failure) }
    return Spawned(pid: pid, gate: OpenFile(adopting: gate), listener: OpenFile(adopting: listener))
}

/// A layer in the form of C, with copies of its paths.
private struct CLayer {
    let value: cprocess_layer

    init(_ layer: ProgramLayer.Laid) {
        value = cprocess_layer(
            lower: strdup(layer.lower), cover: layer.cover.flatMap { strdup($0) },
            upper: layer.upper.flatMap { strdup($0) },
            work: layer.work.flatMap { strdup($0) }, place: strdup(layer.place))
    }

    func free() {
        for path in [value.lower, value.cover, value.upper, value.work, value.place] {
            Glibc.free(UnsafeMutableRawPointer(mutating: path))
        }
    }
}

private func cannotStart(_ command: ProgramCommand, _ code: Int32) -> Failure {
    Failure(
        .processFailed, "Cannot start \(command.words[0]): \(String(cString: strerror(code))).",
        isTransient: code == EAGAIN)
}

/// Returns the failure of a start. Its reason fits the errors that kernels and containers report for namespaces and
/// overlays (seen on Debian, Ubuntu and in containers).
private func cannotBegin(_ command: ProgramCommand, _ code: Int32) -> Failure {
    guard command.overlay != nil || command.namesHosts else { return cannotStart(command, code) }
    let why =
        switch code {
        case EPERM: "a container or a setting of the kernel does not allow it"
        case ENOSPC: "there may be no more user namespaces (user.max_user_namespaces)"
        case EACCES: "user namespaces are restricted (kernel.apparmor_restrict_unprivileged_userns)"
        case EINVAL: "this file system takes none"
        case ENODEV: "the kernel has none"
        default: String(cString: strerror(code))
        }
    guard command.overlay != nil else {
        return Failure(
            .networkImpossible, "The network of a command cannot be held to some hosts here: \(why).")
    }
    return Failure(
        .rehearsalImpossible, "no overlay can be laid over the folder: \(why)",
        isTransient: code == EAGAIN || code == ENOMEM)
}

/// Returns the free bytes on the file system of a folder, or 0 if they are unknown.
private func freeBytes(_ folder: String) -> Int {
    var status = statvfs()
    return statvfs(folder, &status) == 0 ? Int(status.f_bavail) * Int(status.f_frsize) : 0
}

/// Returns the milliseconds since the machine was booted, without the time that it was suspended. Limits of programs
/// go by this clock, which cannot be set.
package func runningMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
