import JSON
import Vocabulary

/// The tool that runs `sh -c` in the workspace. The command was rehearsed, and its approved changes are applied. If the
/// call says `bare`, exactly the approved command runs on the bare machine.
enum ShellTool {
    static func words(_ assignment: Assignment) throws(Failure) -> [String] {
        ["sh", "-c", try assignment.requiredText("command")]
    }

    static func run(_ context: Builtin.Context, on bench: inout Workbench) throws(Failure) -> [Asset] {
        guard context.call.isBare else {
            return try context.toolbox.applyRehearsed(context.assignment, context.call, cancel: bench.cancel)
        }
        let workspace = try Paths(workspace: context.assignment.workspace).workspace
        let (traces, failure, ending) = try bench.runToEnd(try words(context.assignment)) { command in
            command.output = .files(keepsErrors: false)
            command.folder = workspace
            command.view = .machine
            command.logBytes = Limits.readFileBytes
        }
        return try end(of: context.assignment, traces, ending, failure, context.toolbox)
    }

    /// Returns the output of a command on the bare machine.
    ///
    /// - Parameter failure: the failure that the ending means, or `nil`.
    /// - Throws: the failure of the step, with the output.
    static func end(
        of assignment: Assignment, _ traces: any Traces, _ ending: Child.Ending, _ failure: Failure?, _ toolbox: Toolbox
    ) throws(Failure) -> [Asset] {
        var how: CommandEnd.How
        switch ending {
        case .exited(let code): how = .exited(code)
        case .timedOut, .wroteTooMuch, .filledDisk, .startedTooMany:
            how = .stopped(failure ?? Failure(.processFailed, "sh was ended."))
        case .cancelled, .unknown: throw failure ?? Failure(.processLost, "sh is gone.")
        }
        // The process that killed the command may have meant Assent, too.
        if let failure, failure.code == .processKilled { how = .stopped(failure) }
        let (output, errors) = try toolbox.printed(by: traces)
        var end = CommandEnd(how, output: try toolbox.store.add(output), errors: try toolbox.store.add(errors))
        end.lastError = traces.lastErrorLine
        return try end.result(of: assignment)
    }
}

/// The exit of a command, and its output.
struct CommandEnd {
    enum How {
        /// The command ended by itself with this exit code, or by a signal from elsewhere (128 and its number).
        case exited(Int)
        /// Assent stopped the command for its time or its use of resources.
        case stopped(Failure)
    }

    let how: How
    let output: AssetStore.Content
    let errors: AssetStore.Content
    /// The last line on standard error, for the failure.
    var lastError: String?
    /// The requests that the command's proxy has refused.
    var refusals: [String] = []
    /// The files that were hidden from the command.
    var unseen: Call.Rehearsal.Unseen?
    /// The changes of the command, or `nil` if there are none, or they are not known.
    var changed: ChangedFiles?

    init(_ how: How, output: AssetStore.Content, errors: AssetStore.Content) {
        (self.how, self.output, self.errors) = (how, output, errors)
    }

    /// Returns both outputs as assets, each with the exit code.
    ///
    /// - Throws: the failure of a command with an exit code that its step does not accept, with the same assets
    ///   (`semantics.md` 190).
    func result(of assignment: Assignment) throws(Failure) -> [Asset] {
        let printed = assets(of: assignment)
        guard var failure = failure(under: ExitRule(assignment.params)) else { return printed }
        failure.left = printed
        throw failure
    }

    private func assets(of assignment: Assignment) -> [Asset] {
        let meta: JSON.Object =
            switch how {
            case .exited(let code): JSON.Object(members: [.init(key: "exit", value: .int(code))])
            case .stopped(let failure): JSON.Object(members: [.init(key: "ended", value: .string(failure.code.text))])
            }
        return [("text", output, "shell.txt"), ("errors", errors, "shell-errors.txt")].compactMap {
            port, content, name in
            var meta = meta
            if port == "text" {
                if let unseen { meta["notSeen"] = .string(unseen.safeWords) }
                if let changed, !changed.isEmpty { meta["changed"] = changed.json }
            }
            return assignment.asset(port, content, name: name, meta: meta)
        }
    }

    private func failure(under rule: ExitRule) -> Failure? {
        switch how {
        case .stopped(let failure): return failure
        case .exited(let code) where rule.isSuccess(code): return nil
        case .exited(let code):
            let how = ExitRule.signal(of: code).map { "was ended by signal \($0)" } ?? "failed with exit code \(code)"
            let why = lastError.map { ": \($0)" } ?? "."
            return Failure(.processFailed, "The command \(how)\(why)" + refusals.map { " \($0)." }.joined())
        }
    }
}
