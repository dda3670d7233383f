package import Files
import Glibc
import JSON
import Rehearsal
import Sandbox
import Undo
package import Vocabulary

extension Toolbox {
    /// Runs a command over an overlay of the workspace, and returns the call with the changes it would make. It blocks.
    ///
    /// The workspace is not changed. The changes are stored until they are applied or the command is rehearsed again.
    /// If no overlay can be mounted, the command sees the workspace read-only. If it fails for that, the result is a
    /// call for the bare machine, which the user is asked about.
    ///
    /// - Parameters:
    ///   - agreed: the call that was approved. If the call reaches out of the workspace and is no longer the approved
    ///     one, it is returned without a run.
    ///   - hasTurn: called with `false` if the command has to wait for another one in this folder, and with `true` when
    ///     the wait is over.
    /// - Throws: why the command did not start, was cancelled or disappeared, or `rehearsalRefused` if it made a change
    ///   that commands may not make.
    package func rehearse(
        _ assignment: Assignment, agreed: Call? = nil, cancel: Cancellation, hasTurn: (Bool) -> Void = { _ in }
    ) throws(Failure) -> Call {
        var call = try prepare(assignment)
        guard call.rehearsal == .wanted else { return call }
        let rehearsal = try rehearsal(of: assignment)
        let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: cancel, hasTurn: hasTurn)
        defer { turn.end() }
        // The command may have waited for long.
        if call.reachesOut { call = try prepare(assignment) }
        guard call.rehearsal == .wanted, !call.reachesOut || call == agreed else { return call }
        let runFolder = RunFolder(assignment.runFolder)
        try runFolder.make(from: spares)
        defer { spares.give(runFolder.path) }
        try rehearsal.folder.make(for: rehearsal.workspace)
        let preparation = try Preparation(assignment, own)
        let edits = try EditTrial.begin(assignment, rehearsal, preparation, self)
        if let edits, !edits.hasCheck { return try noted(edits, call, assignment, rehearsal) }
        let (outside, repository) = (try OutsideAccess(assignment, preparation), preparation.repository())
        let hidden = try PrivateFiles.below(rehearsal.workspace, own: own).and(MountPoints.below(rehearsal.workspace))
            .and(in: outside, own: own)
        if let keys = hidden.folders.first(where: { rehearsal.workspace.path(below: $0) != nil }) {
            throw Failure(
                .secretFile, "\(keys) may hold keys, so a command in it cannot read a folder around it.",
                remedy: "Leave that folder out of reads.")
        }
        let programs = try programs.seen(in: rehearsal.workspace)
        let (layers, leftOut) = layers(of: programs, in: rehearsal.folder)
        defer { rehearsal.folder.removePrograms() }
        let given = outside.readings.filter(\.isPrivate).map(\.path)
        let standIns = try StandIns(of: hidden, given: given, in: rehearsal.workspace, at: layer(of: assignment.run))
        defer { standIns?.remove() }
        let emptyFile =
            hidden.files.isEmpty && layers.isEmpty ? nil : try StandIns.emptyFile(in: own.data)
        let (live, step) = (live, assignment.run.step)
        live.begin(step)
        defer { live.end(step) }
        var links: Set<String> = []
        let (ended, refusal) = try run(
            rehearsal, ShellTool.words(assignment), in: runFolder, hidden: hidden, hasLayers: !layers.isEmpty,
            needsOverlay: edits != nil, cancel: cancel
        ) { command in
            command.timeoutSeconds = Limits.commandSeconds
            command.hidden = hidden
            command.view = .workspace(.overlay(rehearsal.folder.overlay, standIns: standIns))
            if let emptyFile { command.emptyFile = emptyFile }
            command.allow(outside, resolve: resolve)
            command.show(programs, layers)
            // A run folder that is used again takes no time, as a new one would.
            command.home = runFolder.path
            links = Set(command.homeLinks.keys)
            command.logBytes = Limits.readFileBytes
            command.output = .pipes { live.add($0, of: step) }
        }
        var (code, failure) = try end(of: ended, in: rehearsal, isPrivate: outside.isPrivate)
        if let edits { failure = try edits.end(exitCode: code, failure) }
        var refusals = ended.log?.refusals ?? []
        if code != 0, ended.traces.saysReadOnly, let repository { refusals.append(repository.sentence) }
        let misses = code == 0 || outside.isPrivate ? [] : misses(of: ended, programs, outside, in: rehearsal.workspace)
        refusals += misses.map(\.words) + (code == 0 ? [] : leftOut)
        let notAllowed = [call.environment[UnseenPrograms.fact]?.string].compactMap(\.self) + leftOut
        let (output, errors): (String, String)
        // The refusals of the proxy explain the failure, so they follow the command's own error output.
        do throws(Failure) { (output, errors) = try printed(by: ended.traces, adding: code == 0 ? [] : refusals) } catch
        {
            rehearsal.folder.remove()
            throw error
        }
        let command = try ShellTool.text(assignment)
        let isPrivate =
            outside.isPrivate
            || [output, errors].contains { GitOutput(command: command, output: $0).mayShowKeys(hidden: hidden) }
        let contents = (output: try store.add(output), errors: try store.add(errors))
        if isPrivate {
            try withoutWords(if: true) { () throws(Failure) in
                // Of a check nothing is kept but what it printed.
                try keepPrivate([contents.output, contents.errors], edits == nil ? rehearsal.folder : nil)
            }
        }
        try rehearsal.folder.note(
            RehearsalFolder.About(
                call: .of(call.json.canonical), workspace: rehearsal.workspace,
                started: edits?.started ?? ended.started, exitCode: code,
                milliseconds: ended.milliseconds, output: contents.output, errors: contents.errors,
                lastError: isPrivate ? nil : ended.traces.lastErrorLine,
                isPrivate: isPrivate, hosts: ended.log?.hosts ?? [], refusals: refusals,
                impossible: failure == nil && code != 0 && ended.traces.saysReadOnly ? refusal : nil,
                hidden: HiddenPaths(hidden, given: given, below: rehearsal.workspace), failure: failure,
                programs: misses.compactMap(\.command),
                notAllowed: notAllowed.isEmpty ? nil : notAllowed.joined(separator: "; "),
                thrownAway: isPrivate || edits != nil ? nil : thrownAway(runFolder, links, layers, of: programs),
                editedLines: edits?.lines ?? [:]))
        return try played(call, assignment, rehearsal)
    }

    /// Records edits that have no check as a rehearsal that printed nothing.
    private func noted(
        _ edits: EditTrial, _ call: Call, _ assignment: Assignment, _ rehearsal: OverlayRun
    ) throws(Failure) -> Call {
        try rehearsal.folder.note(
            RehearsalFolder.About(
                call: .of(call.json.canonical), workspace: rehearsal.workspace, started: edits.started, exitCode: 0,
                output: AssetStore.Content(hash: .ofNothing, bytes: 0), editedLines: edits.lines))
        return try played(call, assignment, rehearsal)
    }

    /// Returns the call with the changes of the rehearsal that has just been recorded.
    private func played(_ call: Call, _ assignment: Assignment, _ rehearsal: OverlayRun) throws(Failure) -> Call {
        guard let played = try rehearsed(call, assignment, holdsTurn: true) else {
            rehearsal.folder.remove()
            throw Failure(
                .targetChanged, "The workspace was changed while the command was rehearsed.", isTransient: true)
        }
        return played
    }

    /// Returns the call with the changes of its stored rehearsal, as the overlay has them now.
    ///
    /// The result is `nil` if no rehearsal of this call is stored, if it is being applied, or if the workspace has
    /// changed. The call leaves the sandbox if the command failed because it saw the workspace read-only.
    ///
    /// - Parameter holdsTurn: whether the caller has locked the workspace.
    func rehearsed(_ call: Call, _ assignment: Assignment, holdsTurn: Bool = false) throws(Failure) -> Call? {
        let rehearsal = try rehearsal(of: assignment)
        guard let about = rehearsal.folder.read(), about.call == .of(call.json.canonical),
            try rehearsal.folder.plan() == nil
        else {
            return nil
        }
        if let why = about.impossible {
            var bare = call
            bare.leaveSandbox(because: "it would change something, and \(why)")
            return bare
        }
        // File names can contain words that the command read from a file of keys.
        let list: ChangeList
        do throws(Failure) {
            list = try withoutWords(if: about.isPrivate) { () throws(Failure) in
                try rehearsal.changes(of: about, own: own)
            }
            if list.isStale { return nil }
            try refuse(list, of: rehearsal, about)
        } catch {
            // The changes cannot be applied, and may be large.
            if error.code.isOne(of: Self.refusals) { rehearsal.folder.remove() }
            throw error
        }
        KeptRehearsals.makeRoom(after: rehearsal, list, in: own.data, holdsTurn: holdsTurn)
        let git = try GitChangeReader.kept(list, of: rehearsal, sandbox: sandbox)
        var played = call
        var record = Call.Rehearsal.Played(
            exitCode: about.exitCode, output: about.output.hash, outputBytes: about.output.bytes,
            errors: about.errors.bytes == 0 ? nil : about.errors.hash, errorBytes: about.errors.bytes,
            unseen: about.hidden.unseen)
        record.git = git
        played.rehearsal = .done(record)
        played.targets = targets(of: list, about, git)
        played.effects = Set(played.targets.map(\.effect))
        let hasNames = list.targets.contains { $0.hasOtherNames && [.overwrites, .deletes].contains($0.effect) }
        let how =
            list.targets.isEmpty
            ? "nothing is changed"
            : "what was there before is kept"
                + (hasNames ? "; undo makes a file of its own of each that has another name" : "")
        played.reversibility = list.lost.isEmpty ? .yes(how: how) : .no
        return played
    }

    private static let refusals: [Code] = [.rehearsalRefused, .tooManyChanges, .hiddenTracked, .badName]

    /// Returns the folder for the stand-ins of an attempt. It lies outside the workspace, since no overlay takes one
    /// layer below another.
    private func layer(of run: RunID) -> String {
        "\(own.data)/rehearsals/layers/\(run.step.workflow)-\(run.step.index)-\(run.attempt)"
    }

    /// Throws an error if a command made changes that commands may not make.
    ///
    /// - Throws: `hiddenTracked` or `rehearsalRefused`.
    private func refuse(_ list: ChangeList, of rehearsal: OverlayRun, _ about: RehearsalFolder.About) throws(Failure) {
        try TrackedFiles.refuse(list, hidden: about.hidden, exitCode: about.exitCode, in: rehearsal)
        guard !list.refusals.isEmpty else { return }
        let words = about.isPrivate ? "some of it cannot be." : list.refusals.joined(separator: " ")
        throw Failure(
            .rehearsalRefused, "Nothing of what the command did is taken over: \(words)",
            remedy: list.touchesHidden
                ? "Nothing was changed. Name the very file in reads, which asks first, or run the command on the bare machine."
                : "Nothing was changed. What cannot be taken over can be run on the bare machine.")
    }

    /// Returns the targets of the changes. If the command read keys, changed files whose names do not show it are
    /// marked as private, so that the user is asked in every mode.
    ///
    /// A repository that loses a part of its history is a target that is deleted from, too.
    private func targets(of list: ChangeList, _ about: RehearsalFolder.About, _ git: [GitChange]) -> [Call.Target] {
        let targets = GitFolders.markedByNames(OwnWrites(own).marked(list.targets)).map { target in
            var target = target
            if about.isPrivate, [.creates, .overwrites].contains(target.effect) {
                target.isPrivate = target.path.map { !SecretFiles.holds($0) } ?? true
            }
            return target
        }
        let losing = Set(git.filter(\.loses).map(\.folder))
        let lost = targets.filter { target in
            target.effect == .overwrites && target.path.map(losing.contains) ?? false
        }.map { target in
            var target = target
            target.effect = .deletes
            return target
        }
        return targets + lost
    }

    /// Applies the approved changes, and returns the output of the command.
    func applyRehearsed(_ assignment: Assignment, _ call: Call, cancel: Cancellation) throws(Failure) -> [Asset] {
        let rehearsal = try rehearsal(of: assignment)
        guard let about = rehearsal.folder.read() else {
            throw Failure(.rehearsalLost, "What was rehearsed is not there any more.")
        }
        var changed: ChangedFiles?
        if !call.targets.isEmpty {
            changed = ChangedFiles(call.targets, workspace: rehearsal.workspace, hidesNames: about.isPrivate)
            let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: cancel)
            defer { turn.end() }
            let list = try rehearsal.changes(of: about, own: own)
            let notes = OwnWrites(own)
            guard list.refusals.isEmpty, targets(of: list, about, call.gitChanges) == call.targets else {
                throw Self.changedSince
            }
            // First: a crash must not leave such a file without its note.
            if about.isPrivate { try PrivateNotes.note(list, of: rehearsal, own) }
            let changes = try RehearsedChanges(workspace: rehearsal.workspace, folder: rehearsal.folder).changes(
                list.steps)
            let recording = ChangeRecording(UndoRecords(own), assignment.run, workspace: rehearsal.workspace)
            try recording.begin(changes, isLasting: true)
            try rehearsal.folder.write(RehearsalFolder.Plan(list, changed: changed))
            let same = notes.unchanged(
                among: list.steps.compactMap { $0.setsOnly ? "\(rehearsal.workspace)/\($0.path)" : nil })
            try apply(Application(folder: rehearsal.folder, workspace: rehearsal.workspace), of: assignment.run)
            let made = list.steps.compactMap {
                $0.bringsContent && call.touchesOwnOnly ? "\(rehearsal.workspace)/\($0.path)" : nil
            }
            afterAct()
            // Not noted, they are asked about.
            try? notes.note(made, only: list.brought)
            try? notes.note(same, only: list.set)
        }
        return try ended(assignment, about, changed)
    }

    /// Completes an application that the end of a process interrupted. Returns `nil` if no command was rehearsed, or if
    /// the plan cannot be read.
    func resumeRehearsed(_ assignment: Assignment) -> RunEnding? {
        guard assignment.manifest.isCommand, let rehearsal = try? rehearsal(of: assignment),
            let about = rehearsal.folder.read()
        else { return nil }
        let plan: RehearsalFolder.Plan?
        do throws(Failure) { plan = try rehearsal.folder.plan() } catch { return nil }
        return ending(of: assignment) { () throws(Failure) in
            try withoutWords(if: about.isPrivate) { () throws(Failure) in
                guard let plan else { return try notBegun(assignment, rehearsal, about) }
                // The application cannot be cancelled, since it has begun.
                let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: Cancellation())
                defer { turn.end() }
                if !rehearsal.folder.has(.applied) {
                    try apply(Application(folder: rehearsal.folder, workspace: rehearsal.workspace), of: assignment.run)
                }
                return try ended(assignment, about, plan.changed)
            }
        }
    }

    /// Applies a plan. If it stops in the middle, the undo record is reduced to the completed changes.
    func apply(_ application: Application, of run: RunID) throws(Failure) {
        let records = UndoRecords(own)
        do throws(Failure) { try application.apply() } catch {
            if let done = try? application.donePaths(), let record = try? records.record(of: run) {
                try? records.cut(record, to: done.map { application.workspace.child($0) })
            }
            throw error
        }
        records.end(run)
    }

    /// Returns the result of a command without changes. Without a plan, no changes were applied.
    ///
    /// - Throws: `notApplied` if the command made changes.
    private func notBegun(
        _ assignment: Assignment, _ rehearsal: OverlayRun, _ about: RehearsalFolder.About
    ) throws(Failure) -> [Asset] {
        guard try rehearsal.changes(of: about, own: own).isEmpty else {
            throw Failure(
                .notApplied, "Assent ended before anything of what was rehearsed was applied: nothing was changed.",
                remedy: "A retry rehearses it anew and asks.")
        }
        return try ended(assignment, about)
    }

    /// Returns the result of a rehearsed command whose changes, if there are any, have been applied.
    private func ended(
        _ assignment: Assignment, _ about: RehearsalFolder.About, _ changed: ChangedFiles? = nil
    ) throws(Failure) -> [Asset] {
        var end = CommandEnd(
            about.failure.map { .stopped($0) } ?? .exited(about.exitCode), output: about.output, errors: about.errors)
        end.milliseconds = about.milliseconds
        end.lastError = about.lastError
        end.refusals = about.refusals
        if about.exitCode == 0, !about.isPrivate { end.notReached = about.refusals }
        end.programCommands = about.programs
        end.notAllowed = about.notAllowed
        end.thrownAway = about.thrownAway
        end.unseen = about.hidden.unseen
        end.changed = changed
        end.refused = try rehearsal(of: assignment).folder.refused()
        if !about.editedLines.isEmpty, changed != nil {
            let result = EditResult(
                lines: about.editedLines, taken: try rehearsal(of: assignment).folder.part(),
                workspace: try Paths(workspace: assignment.workspace).workspace,
                hasCheck: assignment.text("check") != nil)
            end.edits = try store.add(result.text)
        }
        return try end.result(of: assignment)
    }

    private static var changedSince: Failure {
        Failure(
            .targetChanged, "The workspace is no longer as it was when the command was rehearsed.",
            remedy: "Nothing was changed. Run it anew.")
    }

    /// Returns the rehearsal of the current attempt. Each attempt has its own, so that the next one does not remove the
    /// replaced files of the one before.
    private func rehearsal(of assignment: Assignment) throws(Failure) -> OverlayRun {
        try rehearsal(of: assignment.run, in: assignment.workspace)
    }

    func rehearsal(of run: RunID, in workspace: String) throws(Failure) -> OverlayRun {
        let workspace = try Paths(workspace: workspace).workspace
        let state = try RehearsalState.folder(for: workspace, data: own.data)
        let name = "\(run.step.workflow)/\(run.step.index)-\(run.attempt)"
        return OverlayRun(folder: RehearsalFolder(path: "\(state)/\(name)"), workspace: workspace)
    }
}
