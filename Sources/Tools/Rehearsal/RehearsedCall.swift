import Glibc
import JSON
package import Vocabulary

extension Toolbox {
    /// Runs a command over an overlay of the workspace and says what it would change. Blocks. Nothing is changed; what it would change is
    /// kept until it is applied or rehearsed anew.
    ///
    /// - Parameter hasTurn: told `false` where it has to wait for another command in this folder, and `true` when it need not any more.
    /// - Throws: how the command was ended, where it did not end by itself; `rehearsalRefused` for what must not come of a command.
    package func rehearse(_ assignment: Assignment, cancel: Cancellation, hasTurn: (Bool) -> Void = { _ in }) throws(Failure) -> Call {
        let call = try prepare(assignment)
        guard call.rehearsal == .wanted else { return call }
        let rehearsal = try rehearsal(of: assignment)
        let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: cancel, hasTurn: hasTurn)
        defer { turn.end() }
        let runFolder = RunFolder(assignment.runFolder)
        try runFolder.make(from: spares)
        defer { spares.give(runFolder.path) }
        try rehearsal.folder.make()
        let hidden = try PrivateFiles.below(rehearsal.workspace, own: own)
        let (live, step) = (live, assignment.run.step)
        live.begin(step)
        defer { live.end(step) }
        let ended = try rehearsal.run(ShellTool.words(assignment), in: runFolder, sandbox: sandbox, cancel: cancel) { command in
            command.hidden = hidden
            command.logBytes = Limits.readFileBytes
            command.heard = { live.add($0, of: step) }
        }
        guard case .exited(let code) = ended.ending, !ended.traces.recordLines.isEmpty else {
            rehearsal.folder.remove()
            throw ended.traces.failure(for: ended.ending, of: "sh", seconds: Limits.programSeconds, isSandboxed: true)
                ?? Failure("sandboxFailed", "The sandbox for the command did not start.")
        }
        let output = try store.add(String(decoding: try ended.traces.output(limit: Limits.readFileBytes), as: UTF8.self))
        try rehearsal.folder.note(
            RehearsalFolder.About(
                call: .of(call.json.canonical), workspace: rehearsal.workspace, started: ended.started, exitCode: code, output: output.hash,
                outputBytes: output.bytes,
                lastError: ended.traces.lastErrorLine))
        guard let played = try rehearsed(call, assignment) else {
            throw Failure("targetChanged", "The workspace was changed while the command was rehearsed.", isTransient: true)
        }
        return played
    }

    /// The call with what its kept rehearsal would change, as it lies there now; `nil` where none is kept, or the workspace has changed.
    func rehearsed(_ call: Call, _ assignment: Assignment) throws(Failure) -> Call? {
        let rehearsal = try rehearsal(of: assignment)
        guard let about = rehearsal.folder.read(), about.call == .of(call.json.canonical), try rehearsal.folder.plan() == nil else {
            return nil
        }
        let list = try rehearsal.changes(since: about.started, own: own)
        if list.isStale { return nil }
        guard list.refusals.isEmpty else {
            throw Failure(
                "rehearsalRefused", "Nothing of what the command did is taken over: \(list.refusals.joined(separator: " "))",
                remedy: "Nothing was changed. What cannot be taken over can be run on the bare machine.")
        }
        var played = call
        played.rehearsal = .done(Call.Rehearsal.Played(exitCode: about.exitCode, output: about.output, outputBytes: about.outputBytes))
        played.targets = list.targets
        played.effects = Set(list.targets.map(\.effect))
        played.reversibility = .yes(how: list.targets.isEmpty ? "nothing is changed" : "what was there before is kept")
        return played
    }

    /// Applies what was approved, and gives what the command said.
    func applyRehearsed(_ assignment: Assignment, _ call: Call, cancel: Cancellation) throws(Failure) -> [Asset] {
        let rehearsal = try rehearsal(of: assignment)
        guard let about = rehearsal.folder.read() else { throw Failure("rehearsalLost", "What was rehearsed is not there any more.") }
        if !call.targets.isEmpty {
            let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: cancel)
            defer { turn.end() }
            let list = try rehearsal.changes(since: about.started, own: own)
            guard list.refusals.isEmpty, list.targets == call.targets else { throw Self.changedSince }
            try rehearsal.folder.write(RehearsalFolder.Plan(steps: list.steps, locked: list.locked))
            try Application(folder: rehearsal.folder, workspace: rehearsal.workspace).apply()
        }
        return try ended(assignment, about)
    }

    /// Takes back what a rehearsed command has changed: exactly what was kept. Blocks.
    ///
    /// - Returns: how many changes were taken back.
    /// - Throws: `nothingToUndo`; `targetChanged` where somebody has worked on since, and nothing is touched.
    package func undo(_ run: RunID, workspace: String) throws(Failure) -> Int {
        let rehearsal = try rehearsal(of: run, in: workspace)
        guard rehearsal.folder.has(.applied) else {
            throw Failure("nothingToUndo", "\(run.step) has changed nothing that was kept.")
        }
        guard !rehearsal.folder.has(.undone) else { throw Failure("nothingToUndo", "\(run.step) was taken back already.") }
        let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: Cancellation())
        defer { turn.end() }
        return try Application(folder: rehearsal.folder, workspace: rehearsal.workspace).undo()
    }

    /// Whether a run changed something that can be taken back.
    package func canUndo(_ run: RunID, workspace: String) -> Bool {
        guard let folder = try? rehearsal(of: run, in: workspace).folder else { return false }
        return folder.has(.applied) && !folder.has(.undone)
    }

    /// Drops what is not wanted of a rehearsal that waits for an answer; less each time.
    package func narrowRehearsal(of run: RunID, workspace: String, to paths: Set<String>) throws(Failure) {
        let rehearsal = try rehearsal(of: run, in: workspace)
        let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: Cancellation())
        defer { turn.end() }
        guard rehearsal.folder.read() != nil, !rehearsal.folder.hasPlan else {
            throw Failure("rehearsalLost", "What was rehearsed is not there any more.", remedy: "Answer yes or no; it is rehearsed anew.")
        }
        try rehearsal.folder.note(part: rehearsal.folder.part()?.intersection(paths) ?? paths)
    }

    /// Throws away what was rehearsed and not asked for any more. What is being applied, or was, stays.
    package func forgetRehearsal(of run: RunID, workspace: String) {
        guard let rehearsal = try? rehearsal(of: run, in: workspace), !rehearsal.folder.hasPlan else { return }
        rehearsal.folder.remove()
    }

    /// What an engine that died was applying is applied to its end; `nil` where it had not begun.
    func resumeRehearsed(_ assignment: Assignment) -> RunEnding? {
        guard case .builtin("shell") = assignment.manifest.action, let rehearsal = try? rehearsal(of: assignment),
            let about = rehearsal.folder.read(), let plan = try? rehearsal.folder.plan(), !plan.steps.isEmpty
        else { return nil }
        return ending(of: assignment) { () throws(Failure) in
            if !rehearsal.folder.has(.applied) { try Application(folder: rehearsal.folder, workspace: rehearsal.workspace).apply() }
            return try ended(assignment, about)
        }
    }

    private func ended(_ assignment: Assignment, _ about: RehearsalFolder.About) throws(Failure) -> [Asset] {
        guard about.exitCode == 0 else {
            let why = about.lastError.map { ": \($0)" } ?? "."
            throw Failure("processFailed", "The command failed with exit code \(about.exitCode)\(why)")
        }
        let content = AssetStore.Content(hash: about.output, bytes: about.outputBytes)
        return assignment.asset("text", content, name: "shell.txt").map { [$0] } ?? []
    }

    private static var changedSince: Failure {
        Failure(
            "targetChanged", "The workspace is no longer as it was when the command was rehearsed.",
            remedy: "Nothing was changed. Run it anew.")
    }

    /// Kept for each attempt by itself: what was there before one of them is not lost to the next.
    private func rehearsal(of assignment: Assignment) throws(Failure) -> Rehearsal {
        try rehearsal(of: assignment.run, in: assignment.workspace)
    }

    func rehearsal(of run: RunID, in workspace: String) throws(Failure) -> Rehearsal {
        let workspace = try Paths(workspace: workspace).workspace
        let state = try RehearsalFolder.state(for: workspace, data: own.data)
        let name = "\(run.step.workflow)/\(run.step.index)-\(run.attempt)"
        return Rehearsal(folder: RehearsalFolder(path: "\(state)/\(name)"), workspace: workspace)
    }
}
