package import Files
import Glibc
package import Sandbox
package import Vocabulary

/// A run of a command that shows its effects (`consent.md`, "Rehearsal"). The command writes to an overlay over the
/// workspace, and the workspace itself stays unchanged.
package struct OverlayRun {
    package let folder: RehearsalFolder
    /// A real path.
    package let workspace: String

    package init(folder: RehearsalFolder, workspace: String) {
        self.folder = folder
        self.workspace = workspace
    }

    /// The output and the exit of a rehearsed command, all processes of which have ended. Its changes lie in the
    /// folder.
    package struct Ending {
        package var ending: Child.Ending
        package var traces: any Traces
        package var started: Int64
        /// How long the command ran, in milliseconds.
        package var milliseconds: Int
        /// The log of the proxy, or `nil` if the command names no hosts.
        package var log: ProxyLog?
    }

    /// Runs the command over the overlay, and waits for its end. `folder` must exist.
    ///
    /// - Throws: `rehearsalImpossible` if no overlay can be mounted. The message is the reason, as the rest of a
    ///   sentence.
    package func run(
        _ words: [String], in runFolder: RunFolder, sandbox: Isolation, cancel: Cancellation,
        _ change: (inout ProgramCommand) -> Void = { _ in }
    ) throws(Failure) -> Ending {
        // The workspace itself is seen as the root of the overlay.
        let permissions = try OpenFolder(workspace).file.status().st_mode & 0o7777
        guard chmod(folder.upper, permissions) == 0 else { throw fileFailure("change", folder.upper) }
        var command = ProgramCommand(words, in: workspace)
        command.view = .workspace(.overlay(folder.overlay, standIns: nil))
        change(&command)
        let started = try Self.moment(in: folder)
        let begun = ContinuousClock.now
        let child = try Child.start(command, sandbox: sandbox, in: runFolder)
        let ending = child.wait(cancel: cancel)
        return Ending(
            ending: ending, traces: child.traces, started: started,
            milliseconds: Int((ContinuousClock.now - begun) / .milliseconds(1)), log: child.proxy?.log)
    }

    /// Returns the changes in the overlay, compared with the workspace.
    ///
    /// - Parameters:
    ///   - started: when the command began, in nanoseconds since 1970.
    ///   - hidden: the paths that the command could not see, and so must not have changed.
    ///   - own: Assent's own folders, which no command may change.
    package func changes(
        since started: Int64, hidden: HiddenPaths = HiddenPaths(), own: OwnFolders? = nil
    ) throws(Failure) -> ChangeList {
        let list = try allChanges(since: started, hidden: hidden, own: own)
        return folder.part().map { list.part($0, of: workspace) } ?? list
    }

    /// Returns all changes in the overlay, also those that the user has refused.
    private func allChanges(since started: Int64, hidden: HiddenPaths, own: OwnFolders?) throws(Failure) -> ChangeList {
        let paths = try Paths(workspace: workspace, own: own)
        let upper = try OpenFolder(folder.upper)
        // The names are needed only if something was changed.
        let links = try upper.names().isEmpty ? WorkspaceLinks() : WorkspaceLinks(of: workspace, but: paths.own)
        return try ChangeWalk.list(
            upper: upper, workspace: workspace, started: started, links: links, hidden: hidden
        ) { path, isLink in
            paths.isOwn(path, isLink: isLink)
        }
    }

    /// Returns the changes of a command whose end was stored. Of a command that Assent ended, nothing is applied, so its
    /// overlay is not looked at.
    package func changes(of about: RehearsalFolder.About, own: OwnFolders) throws(Failure) -> ChangeList {
        guard about.failure == nil else { return ChangeList() }
        return try changes(since: about.started, hidden: about.hidden, own: own)
    }

    /// Returns all changes of a command whose end was stored, also those that the user has refused.
    package func allChanges(of about: RehearsalFolder.About, own: OwnFolders) throws(Failure) -> ChangeList {
        guard about.failure == nil else { return ChangeList() }
        return try allChanges(since: about.started, hidden: about.hidden, own: own)
    }

    /// Returns the time of the workspace's file system, in nanoseconds since 1970. It waits for the next tick of that
    /// clock, so that the time is later than any change before the call.
    package static func moment(in folder: RehearsalFolder) throws(Failure) -> Int64 {
        let path = "\(folder.path)/started"
        try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC).write([0])
        let started = try OpenFile(path, O_RDONLY).status().modifiedNanoseconds
        // The clock ticks every few milliseconds. A change in the current tick is one before this call.
        while try { () throws(Failure) in
            try OpenFile(path, O_WRONLY | O_TRUNC).write([0])
            return try OpenFile(path, O_RDONLY).status().modifiedNanoseconds
        }() == started { usleep(1000) }
        return try OpenFile(path, O_RDONLY).status().modifiedNanoseconds
    }
}
