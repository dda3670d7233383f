import Files
import JSON
import Rehearsal
import Sandbox
package import Vocabulary

extension Assignment {
    /// Whether the call edits files, with or without a command that checks the result.
    var isEdit: Bool { manifest.action == .builtin("edit") }
}

extension Toolbox {
    /// Checks whether edits fit to the files as they are now. It blocks and writes nothing.
    ///
    /// - Throws: `editMissed` with all edits that do not fit, or why a file cannot be edited.
    package func checkEdits(_ assignment: Assignment) throws(Failure) {
        let preparation = try Preparation(assignment, own)
        _ = try EditPlan(try TextEdit.list(assignment.params["edits"]), preparation, self)
    }
}

extension Preparation {
    /// Prepares edits. They are laid over the workspace, as what a rehearsed command changes is, and their check is
    /// a command that sees them there.
    ///
    /// - Throws: `badParam`, or `noRehearsal` if a check could not see the edits.
    func edit(_ call: inout Call, _ sandbox: Isolation) throws(Failure) {
        let reads = try readings(try TextEdit.list(assignment.params["edits"]))
        if assignment.text("check") == nil {
            try paths.refuseOwn(paths.workspace)
            (call.targets, call.effects, call.rehearsal) = (reads, [], .wanted)
            call.environment["folder"] = .string(paths.workspace)
            call.reversibility = .yes(how: "no file is changed before you say yes")
            return
        }
        if let reason = sandbox.reasonForNone { throw EditTrial.noRehearsal(because: reason) }
        try shell(&call, sandbox)
        call.targets += reads
    }

    /// Returns the files that edits look into. A path that cannot be edited is left out, since it is not read either.
    private func readings(_ edits: [TextEdit]) throws(Failure) -> [Call.Target] {
        var targets: [Call.Target] = []
        for edit in edits {
            do throws(Failure) {
                let path = try paths.target(edit.path)
                guard paths.reach(path) == .workspace, try files.status(path)?.kind == .file,
                    !targets.contains(where: { $0.path == path })
                else {
                    continue
                }
                targets.append(Call.Target(.reads, .path(path), reach: .workspace))
            } catch { continue }
        }
        return targets
    }
}

/// The trial of edits in the folder of a rehearsal: the edited files lie there while the check runs, and are laid
/// there once more after it, so that what the check itself changed is dropped.
struct EditTrial {
    private let plan: EditPlan
    private let rehearsal: OverlayRun
    private let asksAnyway: Bool
    let hasCheck: Bool
    /// A time before the first file was read, in nanoseconds since 1970.
    let started: Int64

    /// Reads the files and lays the edited ones into the folder, which exists.
    ///
    /// - Returns: nil if the call is no edit.
    static func begin(
        _ assignment: Assignment, _ rehearsal: OverlayRun, _ preparation: borrowing Preparation, _ toolbox: Toolbox
    ) throws(Failure) -> EditTrial? {
        guard assignment.isEdit else { return nil }
        let started = try OverlayRun.moment(in: rehearsal.folder)
        let plan = try EditPlan(try TextEdit.list(assignment.params["edits"]), preparation, toolbox)
        try rehearsal.folder.lay(plan.files, over: rehearsal.workspace)
        return EditTrial(
            plan: plan, rehearsal: rehearsal, asksAnyway: assignment.flag("askAnyway"),
            hasCheck: assignment.text("check") != nil, started: started)
    }

    /// The changed lines of each file, by its path below the workspace.
    var lines: [String: String] { plan.lines }

    /// Ends the check: all that it wrote is dropped, and the edits stay.
    ///
    /// - Parameter stop: the failure of a check that Assent ended.
    /// - Returns: the failure of edits whose check did not pass. Then nothing of them stays.
    func end(exitCode: Int, _ stop: Failure?) throws(Failure) -> Failure? {
        try rehearsal.folder.make(for: rehearsal.workspace)
        if let stop { return stop }
        guard exitCode == 0 || asksAnyway else {
            return Failure(
                .checkNotPassed, "The check ended with exit code \(exitCode), so nothing is changed.",
                remedy: "Correct the edits. With ask_anyway the user decides.")
        }
        try rehearsal.folder.lay(plan.files, over: rehearsal.workspace)
        return nil
    }

    /// Returns the failure of a check on a machine that cannot lay edits over the workspace.
    static func noRehearsal(because reason: String) -> Failure {
        Failure(
            .noRehearsal, "A check cannot see edits before they are made on this machine: \(reason).",
            remedy: "Leave check out, and run the command after the edits.")
    }
}
