package import Files
import Glibc
import JSON
package import Vocabulary

/// The work of one attempt with programs: it places inputs in the work folder, runs commands one after another, and
/// stores their files. Programs see only names that Assent chooses, never the names of the user's files.
package struct Workbench {
    package let assignment: Assignment
    package let store: AssetStore
    package let sandbox: Isolation
    package let cancel: Cancellation
    package let folder: RunFolder
    /// The log and the rules for the standard error of the programs.
    package let complaints: Complaints
    private let own: OwnFolders
    /// The paths that programs may read: the contents of inputs, and files and folders that the call names.
    private var readable: [String] = []
    /// The paths among these that are files.
    private var files: [String] = []
    /// The paths of the contents of inputs, by their names in the work folder.
    package private(set) var placed: [String: String] = [:]
    /// The files of keys, sockets and pipes in the folders among these, which are hidden.
    private var hidden = PrivateFiles()
    /// The stamps of the files that a tool itself wrote to the user's folders, by inode.
    package var made: [UInt64: FileStamp] = [:]

    /// - Parameter spares: the empty folders of which one becomes the work folder.
    package init(
        _ assignment: Assignment, store: AssetStore, own: OwnFolders, sandbox: Isolation, spares: SpareFolders,
        cancel: Cancellation
    ) throws(Failure) {
        self.assignment = assignment
        self.store = store
        self.sandbox = sandbox
        self.own = own
        self.cancel = cancel
        folder = RunFolder(assignment.runFolder)
        complaints = Complaints(assignment)
        try folder.make(from: spares)
    }

    /// Places an asset's content in the work folder, as a link that a sandboxed program can read but not write through.
    ///
    /// - Returns: the name in the work folder.
    package mutating func place(_ asset: Asset, as name: String) throws(Failure) -> String {
        let path = try store.path(of: asset)
        let link = "\(folder.path)/\(name)"
        unlink(link)
        guard symlink(path, link) == 0 else { throw fileFailure("link", link) }
        readable.append(path)
        files.append(path)
        placed[name] = path
        complaints.name(name, of: asset)
        return name
    }

    /// Lets programs read a file or a folder that the call names. Files of keys in a folder stay hidden.
    ///
    /// - Parameter path: a real path.
    /// - Throws: `notAFile` for a socket or a pipe, to which a program could connect, `tooManyFiles`, or `badName`.
    package mutating func allowReading(_ path: String) throws(Failure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw fileFailure("open", path) }
        guard status.kind != .special else { throw Failure(.notAFile, "\(path) is no file and no folder.") }
        if status.kind == .folder {
            hidden = try hidden.and(.below(path, of: assignment.workspace, own: own)).hidingSockets(below: path)
        } else {
            files.append(path)
        }
        readable.append(path)
    }

    /// Runs a command to its end.
    ///
    /// - Returns: its output.
    /// - Throws: `processFailed`, `fileDamaged`, `timedOut`, `outputLimit`, `cancelled`, `toolNotInstalled`.
    @discardableResult
    package func run(_ words: [String], _ change: (inout ProgramCommand) -> Void = { _ in }) throws(Failure)
        -> any Traces
    {
        let (traces, failure, _) = try runHeeded(words, change)
        if let failure { throw failure }
        return traces
    }

    /// Runs a command, and checks its standard error by the rules of the manifest.
    ///
    /// - Parameter allowed: exit codes besides 0 that mean success.
    /// - Throws: an error if the command could not be started.
    package func runHeeded(
        _ words: [String], allowing allowed: Set<Int> = [], _ change: (inout ProgramCommand) -> Void = { _ in }
    ) throws(Failure) -> (traces: any Traces, failure: Failure?, ending: Child.Ending) {
        var isKept = false
        let ran = try runToEnd(words) { command in
            change(&command)
            isKept = command.isAdoptable
            if isKept { command.output = .files(keepsErrors: complaints.hasLog) }
        }
        var failure = ran.failure
        if case .exited(let code) = ran.ending, allowed.contains(code) { failure = nil }
        return (ran.traces, complaints.heed(ran.traces, of: words, failure, isKept: isKept), ran.ending)
    }

    /// Runs a command, and returns its output however it ended. Its standard error is not checked.
    ///
    /// - Throws: an error if the command could not be started.
    package func runToEnd(
        _ words: [String], _ change: (inout ProgramCommand) -> Void = { _ in }
    ) throws(Failure) -> (traces: any Traces, failure: Failure?, ending: Child.Ending) {
        var command = ProgramCommand(words, in: folder.path)
        command.readable = readable
        command.hidden = hidden
        command.unhidden = files.filter(hidden.holds)
        if !hidden.files.isEmpty { command.emptyFile = try StandIns.emptyFile(in: own.data) }
        change(&command)
        if cancel.isCancelled { throw Failure(.cancelled, "Cancelled.") }
        let child = try Child.start(command, sandbox: sandbox, in: folder)
        let ending = child.wait(cancel: cancel)
        let isSandboxed = sandbox.writesRecord(for: command)
        let failure = child.traces.failure(
            for: ending, of: words[0], seconds: command.timeoutSeconds, processorSeconds: command.processorSeconds,
            isSandboxed: isSandboxed)
        return (child.traces, failure, ending)
    }

    func has(_ name: String) -> Bool { access("\(folder.path)/\(name)", F_OK) == 0 }

    package func size(of name: String) -> Int? {
        var status = stat()
        return lstat("\(folder.path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            ? Int(status.st_size) : nil
    }
}

extension Workbench {
    /// Renames a file of the work folder, and replaces a file that has the name.
    package func keep(_ file: String, as name: String) throws(Failure) {
        guard rename("\(folder.path)/\(file)", "\(folder.path)/\(name)") == 0 else { throw fileFailure("rename", file) }
    }
}
