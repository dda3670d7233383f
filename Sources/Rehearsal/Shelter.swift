package import Files
import Glibc
package import Sandbox
package import Vocabulary

extension Limits {
    /// How long the command may run that tests whether rehearsals work, in seconds.
    fileprivate static let probeSeconds = 30.0
}

/// The protection for commands and programs on this machine, as a trial shows it.
package enum Shelter: Hashable, Sendable {
    /// Commands run in a sandbox, over an overlay.
    case whole
    /// Commands run in a sandbox and see the workspace read-only. The text is the reason why there is no overlay.
    case readOnly(String)
    /// No sandbox is available. The text is the reason.
    case none(String)

    /// A notice about missing protection and its effects, or `nil` if nothing is missing.
    package var notice: String? {
        switch self {
        case .whole: nil
        case .readOnly(let reason):
            "Commands cannot be rehearsed here: \(reason). They run in the sandbox and see the folder read-only; one that would change "
                + "something is asked for as a command on the bare machine, and denied where nobody can be asked."
        case .none(let reason):
            "There is no sandbox here: \(reason). Every command is asked for as one on the bare machine, and denied where nobody can be "
                + "asked; tools that others wrote ask in every mode. Tools that come with Assent run without it."
        }
    }
}

extension Shelter {
    /// Finds out the protection by rehearsing a command that creates a file. It blocks for about 30 ms and leaves no
    /// files behind.
    ///
    /// - Parameter workspace: the real path of a workspace to test. `nil` tests a folder in the data folder, so the
    ///   result does not depend on a workspace's file system.
    /// - Throws: an error that prevented the trial, such as a full disk.
    package static func found(over workspace: String?, own: OwnFolders, sandbox: Isolation) throws(Failure) -> Shelter {
        if let reason = sandbox.reasonForNone { return .none(reason) }
        let name = "probe-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let place = "\(own.data)/rehearsals/\(name)"
        defer { removeFolder(place) }
        try makeFolders("\(place)/below")
        try makeFolders("\(place)/run")
        let workspace = workspace ?? "\(place)/below"
        let hadState = isFolder("\(workspace)/.assent/state")
        let state = try RehearsalState.folder(for: workspace, data: own.data, trial: name)
        let rehearsal = OverlayRun(folder: RehearsalFolder(path: "\(state)/\(name)-over"), workspace: workspace)
        defer {
            rehearsal.folder.remove()
            if state.path(below: workspace) != nil { rmdir(state) }
            if !hadState, state.path(below: workspace) != nil { Self.forgetState(in: workspace) }
        }
        try rehearsal.folder.make()
        do throws(Failure) {
            let ended = try rehearsal.run(
                ["sh", "-c", ": > \(name)"], in: RunFolder("\(place)/run"), sandbox: sandbox, cancel: Cancellation()
            ) { command in command.timeoutSeconds = Limits.probeSeconds }
            guard ended.ending == .exited(0), access("\(rehearsal.folder.upper)/\(name)", F_OK) == 0 else {
                throw Failure(
                    .rehearsalFailed,
                    "The trial of a command failed: \(ended.traces.lastErrorLine ?? "\(ended.ending)").")
            }
            return .whole
        } catch {
            guard error.code == .rehearsalImpossible, !error.isTransient else { throw error }
            return .readOnly(error.message)
        }
    }

    /// Removes the folders that only the trial created in the workspace.
    private static func forgetState(in workspace: String) {
        removeFolder("\(workspace)/.assent/state")
        rmdir("\(workspace)/.assent")
    }
}
