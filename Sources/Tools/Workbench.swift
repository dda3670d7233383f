import Glibc
import JSON
import Vocabulary

/// Where one attempt works with programs: inputs under safe names in its work folder, commands one after the other,
/// files back into the store. Whatever the person's file is called, a program only ever sees names that we made.
struct Workbench {
    let assignment: Assignment
    let store: AssetStore
    let sandbox: Sandbox
    let cancel: Cancellation
    let folder: RunFolder
    /// The judge and keeper of the standard error of its programs.
    let complaints: Complaints
    private let own: OwnFolders
    /// Contents of inputs, and what was named.
    private var readable: [String] = []
    /// The files among these.
    private var files: [String] = []
    /// What may hold keys, sockets and pipes in the folders among these.
    private var hidden = PrivateFiles()
    /// What a tool has written to the person's folders by itself, as it was when it was written.
    var made: [UInt64: ChangeList.Stamp] = [:]

    init(_ assignment: Assignment, _ toolbox: Toolbox, cancel: Cancellation) throws(Failure) {
        self.assignment = assignment
        store = toolbox.store
        sandbox = toolbox.sandbox
        own = toolbox.own
        self.cancel = cancel
        folder = RunFolder(assignment.runFolder)
        complaints = Complaints(assignment)
        try folder.make(from: toolbox.spares)
    }

    /// Puts an asset's content into the work folder: a link, which a sandboxed program can follow but not write
    /// through.
    /// - Returns: its name there.
    mutating func place(_ asset: Asset, as name: String) throws(Failure) -> String {
        let path = try store.path(of: asset)
        let link = "\(folder.path)/\(name)"
        unlink(link)
        guard symlink(path, link) == 0 else { throw fileFailure("link", link) }
        readable.append(path)
        files.append(path)
        complaints.name(name, of: asset)
        return name
    }

    /// Of a folder, what may hold keys is not seen unless it is named itself.
    ///
    /// - Parameter path: a real path.
    /// - Throws: `notAFile` for a socket or a pipe, to which a program could speak; `tooManyFiles`, `badName`.
    mutating func allowReading(_ path: String) throws(Failure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw fileFailure("open", path) }
        guard status.kind != .special else { throw Failure("notAFile", "\(path) is no file and no folder.") }
        if status.kind == .folder {
            hidden = try hidden.and(.below(path, of: assignment.workspace, own: own)).hidingSockets(below: path)
        } else {
            files.append(path)
        }
        readable.append(path)
    }

    /// Runs one command to its end.
    /// - Returns: what it said.
    /// - Throws: `processFailed`, `fileDamaged`, `timedOut`, `outputLimit`, `cancelled`, `toolNotInstalled`.
    @discardableResult
    func run(_ words: [String], _ change: (inout Command) -> Void = { _ in }) throws(Failure) -> any Traces {
        let (traces, failure, _) = try runHeeded(words, change)
        if let failure { throw failure }
        return traces
    }

    /// Runs one command, and judges what it wrote on standard error by the rules of the manifest.
    ///
    /// - Parameter allowed: exit codes besides 0 that are a success.
    /// - Throws: why it could not be started.
    func runHeeded(
        _ words: [String], allowing allowed: Set<Int> = [], _ change: (inout Command) -> Void = { _ in }
    ) throws(Failure) -> (traces: any Traces, failure: Failure?, ending: Child.Ending) {
        var isKept = false
        let ran = try runToEnd(words) { command in
            change(&command)
            isKept = command.isAdoptable
            command.keepsErrors = complaints.hasLog
        }
        var failure = ran.failure
        if case .exited(let code) = ran.ending, allowed.contains(code) { failure = nil }
        return (ran.traces, complaints.heed(ran.traces, of: words, failure, isKept: isKept), ran.ending)
    }

    /// Runs one command, and returns what it wrote however it ended. What it wrote on standard error is not judged.
    /// - Throws: why it could not be started.
    func runToEnd(
        _ words: [String], _ change: (inout Command) -> Void = { _ in }
    ) throws(Failure) -> (traces: any Traces, failure: Failure?, ending: Child.Ending) {
        var command = Command(words, in: folder.path)
        command.readable = readable
        command.hidden = hidden
        command.unhidden = files.filter(hidden.holds)
        if !hidden.files.isEmpty { command.emptyFile = try StandIns.emptyFile(in: own.data) }
        change(&command)
        if cancel.isCancelled { throw Failure("cancelled", "Cancelled.") }
        let child = try Child.start(command, sandbox: sandbox, in: folder)
        let ending = child.wait(cancel: cancel)
        let isSandboxed = sandbox.writesRecord(for: command)
        let failure = child.traces.failure(
            for: ending, of: words[0], seconds: command.timeoutSeconds, isSandboxed: isSandboxed)
        return (child.traces, failure, ending)
    }

    func has(_ name: String) -> Bool { access("\(folder.path)/\(name)", F_OK) == 0 }

    func size(of name: String) -> Int? {
        var status = stat()
        return lstat("\(folder.path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            ? Int(status.st_size) : nil
    }

    /// Takes a file of the work folder into the store as what comes out of a port.
    /// - Throws: `outputMissing` if the program left none, or a link in its place.
    func collect(_ port: String, from file: String, name: String, meta: JSON.Object = JSON.Object()) throws(Failure)
        -> [Asset]
    {
        guard size(of: file) != nil else {
            throw Failure("outputMissing", "\(assignment.manifest.title) ended well but left no \(port).")
        }
        let path = "\(folder.path)/\(file)"
        let content = try store.add(
            OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW), path, isCancelled: { cancel.isCancelled })
        var meta = meta
        if let image = ImageHeader.read(path) { meta = image.meta(adding: meta) }
        return assignment.asset(port, content, name: name, meta: meta).map { [$0] } ?? []
    }
}

extension Traces {
    /// `nil` for an end that is a success.
    func failure(for ending: Child.Ending, of program: String, seconds: Double, isSandboxed: Bool) -> Failure? {
        switch ending {
        case .exited(0): return nil
        case .exited(let code):
            let why = lastErrorLine.map { ": \($0)" } ?? "."
            if isSandboxed, recordLines.isEmpty {
                return Failure("sandboxFailed", "The sandbox for \(program) did not start\(why)")
            }
            let how = ExitRule.signal(of: code).map { "was ended by signal \($0)" } ?? "failed with exit code \(code)"
            // What we end ourselves has an ending of its own, below.
            let wasKilled = code == 128 + Int(SIGKILL)
            return Failure(wasKilled ? Failure.killedCode : "processFailed", "\(program) \(how)\(why)")
        case .timedOut: return Failure("timedOut", "\(program) took longer than \(Int(seconds)) s and was ended.")
        case .wroteTooMuch:
            return Failure(
                "outputLimit", "\(program) wrote too much on standard output or standard error and was ended.")
        case .filledDisk:
            return Failure(
                "outputLimit", "\(program) wrote more than \(Limits.rehearsedBytes >> 30) GiB of files and was ended.")
        case .startedTooMany:
            return Failure(
                "tooManyProcesses",
                "\(program) had more than \(Limits.commandProcesses) processes at once and was ended.",
                remedy: "Let it do less at once, such as 'make -j4'.")
        case .cancelled: return Failure("cancelled", "Cancelled.")
        case .unknown: return Failure("processLost", "\(program) is gone and left no word of how it ended.")
        }
    }
}

extension Workbench {
    /// Gives a file of the work folder another name there, in place of what has it.
    func keep(_ file: String, as name: String) throws(Failure) {
        guard rename("\(folder.path)/\(file)", "\(folder.path)/\(name)") == 0 else { throw fileFailure("rename", file) }
    }
}
