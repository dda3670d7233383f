import Glibc
import Vocabulary

/// A command that is run to see what it would change (`consent.md`, "Rehearsal"): over the workspace lies an overlay,
/// and the workspace itself stays as it is.
struct Rehearsal {
    let folder: RehearsalFolder
    /// A real path.
    let workspace: String

    /// What the command said and how it ended; what it changed lies in the folder. All of its processes have ended.
    struct Ending {
        var ending: Child.Ending
        var traces: any Traces
        var started: Int64
        /// Of one with hosts.
        var log: ProxyLog?
    }

    /// Blocks. The folder has been made.
    ///
    /// - Throws: `rehearsalImpossible` where no overlay can be laid: why, as the rest of a sentence.
    func run(
        _ words: [String], in runFolder: RunFolder, sandbox: Sandbox, cancel: Cancellation,
        _ change: (inout Command) -> Void = { _ in }
    ) throws(Failure) -> Ending {
        // The workspace itself is seen as what lies over it.
        let permissions = try OpenFolder(workspace).file.status().st_mode & 0o7777
        guard chmod(folder.upper, permissions) == 0 else { throw fileFailure("change", folder.upper) }
        var command = Command(words, in: workspace)
        command.view = .workspace
        command.rehearsal = folder
        change(&command)
        let started = try Self.moment(in: folder)
        let child = try Child.start(command, sandbox: sandbox, in: runFolder)
        return Ending(ending: child.wait(cancel: cancel), traces: child.traces, started: started, log: child.proxy?.log)
    }

    /// Reads the overlay beside the workspace.
    ///
    /// - Parameters:
    ///   - hidden: what the command did not see, and so must not have changed.
    ///   - own: our own folders, which no command changes.
    func changes(
        since started: Int64, hidden: HiddenPaths = HiddenPaths(), own: OwnFolders? = nil
    ) throws(Failure) -> ChangeList {
        let paths = try Paths(workspace: workspace, own: own)
        let upper = try OpenFolder(folder.upper)
        // What changes nothing needs no names.
        let links = try upper.names().isEmpty ? WorkspaceLinks() : WorkspaceLinks(of: workspace, but: paths.own)
        let list = try ChangeWalk.list(
            upper: upper, workspace: workspace, started: started, links: links, hidden: hidden
        ) { path, isLink in
            paths.isOwn(path, isLink: isLink)
        }
        return folder.part().map { list.part($0, of: workspace) } ?? list
    }

    /// Returns the changes of a command whose end was stored.
    func changes(of about: RehearsalFolder.About, own: OwnFolders) throws(Failure) -> ChangeList {
        try changes(since: about.started, hidden: about.hidden, own: own)
    }

    /// Now, as the file system of the workspace tells it: later than any change before.
    static func moment(in folder: RehearsalFolder) throws(Failure) -> Int64 {
        let path = "\(folder.path)/started"
        try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC).write([0])
        let started = try OpenFile(path, O_RDONLY).status().modifiedNanoseconds
        // Its clock ticks every few milliseconds: what was changed in the tick of now is of before.
        while try { () throws(Failure) in
            try OpenFile(path, O_WRONLY | O_TRUNC).write([0])
            return try OpenFile(path, O_RDONLY).status().modifiedNanoseconds
        }() == started { usleep(1000) }
        return try OpenFile(path, O_RDONLY).status().modifiedNanoseconds
    }
}
