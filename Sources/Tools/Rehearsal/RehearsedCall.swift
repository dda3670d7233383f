import Glibc
import JSON
package import Vocabulary

extension Toolbox {
    /// Runs a command over an overlay of the workspace and says what it would change. Blocks. Nothing is changed; what it would change is
    /// kept until it is applied or rehearsed anew. Where no overlay can be laid it sees the workspace read-only; one that fails for that
    /// comes back as a call for the bare machine, which asks.
    ///
    /// - Throws: how the command was ended, where it did not end by itself; `rehearsalRefused` for what must not come of a command.
    package func rehearse(_ assignment: Assignment, cancel: Cancellation) throws(Failure) -> Call {
        let call = try prepare(assignment)
        guard call.rehearsal == .wanted else { return call }
        let rehearsal = try rehearsal(of: assignment)
        let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: cancel)
        defer { turn.end() }
        let runFolder = RunFolder(assignment.runFolder)
        try runFolder.make(from: spares)
        defer { spares.give(runFolder.path) }
        try rehearsal.folder.make()
        let hidden = try PrivateFiles.below(rehearsal.workspace, own: own)
        let (ended, refusal) = try run(rehearsal, ShellTool.words(assignment), in: runFolder, hidden: hidden, cancel: cancel)
        guard case .exited(let code) = ended.ending, !ended.traces.recordLines.isEmpty else {
            rehearsal.folder.remove()
            throw ended.traces.failure(for: ended.ending, of: "sh", seconds: Limits.programSeconds, isSandboxed: true)
                ?? Failure("sandboxFailed", "The sandbox for the command did not start.")
        }
        let output = try store.add(String(decoding: try ended.traces.output(limit: Limits.readFileBytes), as: UTF8.self))
        try rehearsal.folder.note(
            RehearsalFolder.About(
                call: .of(call.json.canonical), started: ended.started, exitCode: code, output: output.hash, outputBytes: output.bytes,
                lastError: ended.traces.lastErrorLine, impossible: code != 0 && ended.traces.saysReadOnly ? refusal : nil))
        guard let played = try rehearsed(call, assignment) else {
            throw Failure("targetChanged", "The workspace was changed while the command was rehearsed.", isTransient: true)
        }
        return played
    }

    /// Over an overlay; where the machine refuses one, with the workspace read-only, and with the reason.
    private func run(
        _ rehearsal: Rehearsal, _ words: [String], in runFolder: RunFolder, hidden: PrivateFiles, cancel: Cancellation
    ) throws(Failure) -> (Rehearsal.Ending, refusal: String?) {
        func run(isReadOnly: Bool) throws(Failure) -> Rehearsal.Ending {
            try rehearsal.run(words, in: runFolder, sandbox: sandbox, cancel: cancel) { command in
                command.hidden = hidden
                command.logBytes = Limits.readFileBytes
                guard isReadOnly else { return }
                command.rehearsal = nil
                command.isReadOnly = true
            }
        }
        do throws(Failure) { return (try run(isReadOnly: false), nil) } catch {
            guard error.code == "rehearsalImpossible", !error.isTransient else { throw error }
            return (try run(isReadOnly: true), error.message)
        }
    }

    /// The call with what its kept rehearsal would change, as it lies there now; `nil` where none is kept, or the workspace has changed.
    func rehearsed(_ call: Call, _ assignment: Assignment) throws(Failure) -> Call? {
        let rehearsal = try rehearsal(of: assignment)
        guard let about = rehearsal.folder.read(), about.call == .of(call.json.canonical), try rehearsal.folder.plan() == nil else {
            return nil
        }
        if let why = about.impossible {
            var bare = call
            bare.leaveSandbox(because: "it would change something, and \(why)")
            return bare
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
        let workspace = try Paths(workspace: assignment.workspace).workspace
        let state = try RehearsalFolder.state(for: workspace, data: own.data)
        let name = "\(assignment.run.step.workflow)/\(assignment.run.step.index)-\(assignment.run.attempt)"
        return Rehearsal(folder: RehearsalFolder(path: "\(state)/\(name)"), workspace: workspace)
    }
}
