import Glibc
import JSON
package import Vocabulary

extension Toolbox {
    /// Runs a command over an overlay of the workspace and says what it would change. Blocks. Nothing is changed; what it would change is
    /// kept until it is applied or rehearsed anew. Where no overlay can be laid it sees the workspace read-only; one that fails for that
    /// comes back as a call for the bare machine, which asks.
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
        let (ended, refusal) = try run(rehearsal, ShellTool.words(assignment), in: runFolder, cancel: cancel) { command in
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
                outputBytes: output.bytes, lastError: ended.traces.lastErrorLine,
                impossible: code != 0 && ended.traces.saysReadOnly ? refusal : nil))
        guard let played = try rehearsed(call, assignment) else {
            throw Failure("targetChanged", "The workspace was changed while the command was rehearsed.", isTransient: true)
        }
        return played
    }

    /// Over an overlay; where the machine refuses one, with the workspace read-only, and with the reason.
    private func run(
        _ rehearsal: Rehearsal, _ words: [String], in runFolder: RunFolder, cancel: Cancellation, _ change: (inout Command) -> Void
    ) throws(Failure) -> (Rehearsal.Ending, refusal: String?) {
        func run(isReadOnly: Bool) throws(Failure) -> Rehearsal.Ending {
            try rehearsal.run(words, in: runFolder, sandbox: sandbox, cancel: cancel) { command in
                change(&command)
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
        played.targets = OwnWrites(own).marked(list.targets)
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
            let notes = OwnWrites(own)
            guard list.refusals.isEmpty, notes.marked(list.targets) == call.targets else { throw Self.changedSince }
            try rehearsal.folder.write(RehearsalFolder.Plan(list))
            let same = notes.unchanged(among: list.steps.compactMap { $0.setsOnly ? "\(rehearsal.workspace)/\($0.path)" : nil })
            try Application(folder: rehearsal.folder, workspace: rehearsal.workspace).apply()
            let made = list.steps.compactMap { $0.bringsContent && call.touchesOwnOnly ? "\(rehearsal.workspace)/\($0.path)" : nil }
            afterAct()
            // Not noted, they are asked about.
            try? notes.note(made, only: list.brought)
            try? notes.note(same, only: list.replaced)
        }
        return try ended(assignment, about)
    }

    /// What an engine that died was applying is applied to its end; `nil` where nothing had been rehearsed, or nobody knows what was begun.
    func resumeRehearsed(_ assignment: Assignment) -> RunEnding? {
        guard case .builtin("shell") = assignment.manifest.action, let rehearsal = try? rehearsal(of: assignment),
            let about = rehearsal.folder.read()
        else { return nil }
        let plan: RehearsalFolder.Plan?
        do throws(Failure) { plan = try rehearsal.folder.plan() } catch { return nil }
        return ending(of: assignment) { () throws(Failure) in
            guard plan != nil else { return try notBegun(assignment, rehearsal, about) }
            if !rehearsal.folder.has(.applied) { try Application(folder: rehearsal.folder, workspace: rehearsal.workspace).apply() }
            return try ended(assignment, about)
        }
    }

    /// Without a plan nothing of it was applied. What only read has ended all the same.
    private func notBegun(
        _ assignment: Assignment, _ rehearsal: Rehearsal, _ about: RehearsalFolder.About
    ) throws(Failure) -> [Asset] {
        guard try rehearsal.changes(since: about.started, own: own).isEmpty else {
            throw Failure(
                "notApplied", "Assent ended before anything of what was rehearsed was applied: nothing was changed.",
                remedy: "A retry rehearses it anew and asks.")
        }
        return try ended(assignment, about)
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
