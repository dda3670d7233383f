import Files
import Glibc
import Rehearsal
import Sandbox
import Vocabulary

/// The run of a command over an overlay, and its end.
extension Toolbox {
    /// The message for a command that was stopped and may have printed the content of key files. Its own last words are
    /// left out.
    private static let endedPrivately = "A command that reads what may hold keys was ended, or did not start."

    /// Returns the exit code of a rehearsal, with the failure of a command that Assent had to stop. The changes of such
    /// a command are incomplete, so they are removed. Its output is kept.
    ///
    /// - Throws: the failure of a rehearsal that did not start, was cancelled, or disappeared.
    func end(of ended: OverlayRun.Ending, in rehearsal: OverlayRun, isPrivate: Bool) throws(Failure) -> (
        Int, Failure?
    ) {
        if var stop = ended.ending.stop(seconds: Limits.commandSeconds, logBytes: Limits.readFileBytes) {
            stop.message += " Nothing that it changed is applied."
            try rehearsal.folder.make(for: rehearsal.workspace)
            return (128 + Int(SIGKILL), stop)
        }
        let hasStarted = !ended.traces.recordLines.isEmpty
        if case .exited(let code) = ended.ending, hasStarted { return (code, nil) }
        var failure =
            ended.traces.failure(for: ended.ending, of: "sh", seconds: Limits.commandSeconds, isSandboxed: true)
            ?? Failure(.sandboxFailed, "The sandbox for the command did not start.")
        if isPrivate { failure.message = Self.endedPrivately }
        rehearsal.folder.remove()
        throw failure
    }

    /// Runs the command over an overlay. If the machine refuses an overlay, the command runs with the workspace
    /// read-only, and the reason of the refusal is returned, too.
    func run(
        _ rehearsal: OverlayRun, _ words: [String], in runFolder: RunFolder, hidden: PrivateFiles,
        hasLayers: Bool, needsOverlay: Bool, cancel: Cancellation, _ change: (inout ProgramCommand) -> Void
    ) throws(Failure) -> (OverlayRun.Ending, refusal: String?) {
        var refusal = ""
        // The folders of programs may be on a file system that takes no overlay, and the workspace not.
        for laysPrograms in hasLayers ? [true, false] : [true] {
            do throws(Failure) {
                let ending = try rehearsal.run(words, in: runFolder, sandbox: sandbox, cancel: cancel) { command in
                    change(&command)
                    command.laysPrograms = laysPrograms
                }
                return (ending, nil)
            } catch {
                guard error.code == .rehearsalImpossible, !error.isTransient else { throw error }
                refusal = error.message
            }
        }
        guard !needsOverlay else { throw EditTrial.noRehearsal(because: refusal) }
        // A command can connect to a socket in a read-only folder, too.
        let hidden = try hidden.hidingSockets(below: rehearsal.workspace)
        let ending = try rehearsal.run(words, in: runFolder, sandbox: sandbox, cancel: cancel) { command in
            change(&command)
            command.view = .workspace(.readOnly)
            command.hidden = hidden
        }
        return (ending, refusal)
    }
}
