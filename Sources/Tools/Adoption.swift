package import Files
import Sandbox
import Undo
package import Vocabulary

/// The state of an attempt that was running when the engine ended (`semantics.md` 17).
package enum Adoption: Hashable, Sendable {
    case finished(RunEnding)
    /// The last program of the attempt still runs. `Toolbox.resume` waits for it.
    case alive(pid: Int32)
    /// The attempt has neither ended nor a running program. An idempotent step may run again, and another one asks the
    /// user.
    case gone
}

extension Toolbox {
    /// Finds out the state of an attempt, and collects the results of one that has finished. It waits only if a
    /// rehearsed command is being applied, for other commands in the same folder.
    package func adopt(_ assignment: Assignment) -> Adoption {
        let folder = RunFolder(assignment.runFolder)
        if let ending = folder.ending(of: assignment.run) { return .finished(ending) }
        if let intent = folder.intent {
            let outcome = settle(intent, of: assignment)
            // The intent is one of many acts of an undo. The undo runs again and continues where it stopped.
            if case .builtin("undo") = assignment.manifest.action { return .gone }
            switch outcome {
            case .done: return .finished(report(intent, of: assignment))
            case .left(let failure): return .finished(ending(of: assignment) { () throws(Failure) in throw failure })
            case .notDone: break
            }
        }
        if let ending = resumeRehearsed(assignment) { return .finished(ending) }
        // If the records cannot be trimmed now, undo compares the states of the files.
        try? undo.trim(assignment.run)
        if let child = Child.left(in: folder) { return .alive(pid: child.pid) }
        guard let process = folder.process else { return .gone }
        if let code = TraceFiles(folder: folder).exitCode { return .finished(collect(assignment, .exited(code))) }
        return runningMilliseconds() >= process.deadline && process.boot == RunFolder.Process.bootNow
            ? .finished(collect(assignment, .timedOut)) : .gone
    }

    /// Waits for the program that `adopt` found alive, and returns how the attempt ended. It blocks.
    package func resume(_ assignment: Assignment, cancel: Cancellation) -> RunEnding {
        let folder = RunFolder(assignment.runFolder)
        guard let child = Child.left(in: folder) else {
            if case .finished(let ending) = adopt(assignment) { return ending }
            return .lost
        }
        let ending = child.wait(cancel: cancel)
        return ending == .unknown ? .lost : collect(assignment, ending)
    }

    private func settle(_ intent: FileIntent, of assignment: Assignment) -> FileIntent.Outcome {
        guard let files = try? PersonFiles(workspace: Paths(workspace: assignment.workspace).workspace) else {
            return .notDone
        }
        return intent.settle(in: files)
    }

    /// Returns the results of an act that was complete when the engine ended.
    private func report(_ intent: FileIntent, of assignment: Assignment) -> RunEnding {
        ending(of: assignment) { () throws(Failure) in
            let call = Call(
                tool: assignment.manifest.kind, toolVersion: assignment.manifest.version, params: assignment.params)
            let context = Builtin.Context(assignment: assignment, call: call, toolbox: self)
            switch assignment.manifest.action {
            case .builtin("saveFile"), .builtin("writeFile"): return try SaveTool(context).saved(at: intent.path)
            case .builtin("unpack"): return try UnpackTool(context).unpacked(at: intent.path)
            case .builtin("copyFolder"):
                let tool = CopyFolderTool(context: context, cancel: Cancellation())
                return try tool.copied(to: intent.path)
            case .builtin("moveFile"):
                let assets = try FileTools(context).moved(to: intent.path)
                if assignment.text("from").map(SecretFiles.holds) ?? false { try store.markPrivate(assets) }
                return assets
            case .builtin, .program, .job, .person: return []
            }
        }
    }

    private func collect(_ assignment: Assignment, _ ended: Child.Ending) -> RunEnding {
        ending(of: assignment) { () throws(Failure) in
            let bench = try workbench(assignment, cancel: Cancellation())
            let (program, seconds) = assignment.lastCommand
            let traces = TraceFiles(folder: bench.folder)
            if assignment.manifest.isCommand {
                let failure = traces.failure(for: ended, of: program, seconds: seconds, isSandboxed: false)
                return try ShellTool.end(of: assignment, traces, ended, failure, self)
            }
            // If the call cannot be prepared any more, its files may hold keys.
            let call = try? prepare(assignment)
            bench.complaints.isSecret = { call.map { worksOnSecrets(assignment, $0) } ?? true }
            let ended = traces.failure(for: ended, of: program, seconds: seconds, isSandboxed: false)
            if let failure = bench.complaints.heed(traces, of: [program], ended, isKept: true) { throw failure }
            switch assignment.manifest.action {
            case .program(let action):
                let assets = try ProgramTool(action, assignment, store: store).collect(bench).warning(
                    bench.complaints.warning)
                if call.map({ touchesSecretFile($0, in: assignment.workspace) }) ?? true {
                    try store.markPrivate(assets)
                }
                return assets
            case .builtin, .job, .person:
                throw Failure(.processLost, "\(assignment.manifest.title) was cut in the middle.")
            }
        }
    }
}

extension Assignment {
    fileprivate var lastCommand: (String, Double) {
        guard case .program(let action) = manifest.action else { return ("sh", Limits.commandSeconds) }
        return (action.commands.last?.words.first ?? manifest.title, action.timeoutSeconds)
    }
}
