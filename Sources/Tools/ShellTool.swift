import JSON
import Vocabulary

/// `sh -c` in the workspace: rehearsed, and then applied; or, where the call says `bare`, as the person would run it.
/// Consent was given for exactly these changes, or for exactly this line.
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
            command.isAdoptable = true
            command.folder = workspace
            command.view = .machine
            command.logBytes = Limits.readFileBytes
        }
        return try end(of: context.assignment, traces, ending, failure, context.toolbox)
    }

    /// Returns what a command on the bare machine printed.
    ///
    /// - Parameter failure: of a program that ended like this.
    /// - Throws: the failure of the step, with what was printed.
    static func end(
        of assignment: Assignment, _ traces: any Traces, _ ending: Child.Ending, _ failure: Failure?, _ toolbox: Toolbox
    ) throws(Failure) -> [Asset] {
        var how: CommandEnd.How
        switch ending {
        case .exited(let code): how = .exited(code)
        case .timedOut, .wroteTooMuch, .filledDisk, .startedTooMany:
            how = .stopped(failure ?? Failure("processFailed", "sh was ended."))
        case .cancelled, .unknown: throw failure ?? Failure("processLost", "sh is gone.")
        }
        // Who ended it may have meant Assent, too.
        if let failure, failure.code == Failure.killedCode { how = .stopped(failure) }
        let (output, errors) = try toolbox.printed(by: traces)
        var end = CommandEnd(how, output: try toolbox.store.add(output), errors: try toolbox.store.add(errors))
        end.lastError = traces.lastErrorLine
        return try end.result(of: assignment)
    }
}

/// How a command ended, and what it printed.
struct CommandEnd {
    enum How {
        /// The command ended by itself with this exit code, or by a signal from elsewhere (128 and its number).
        case exited(Int)
        /// Assent ended it, for its time or for what it used.
        case stopped(Failure)
    }

    let how: How
    let output: AssetStore.Content
    let errors: AssetStore.Content
    /// The last line on standard error, for the failure.
    var lastError: String?
    /// The requests that the proxy of its hosts has refused.
    var refusals: [String] = []
    /// The files that it was not shown.
    var unseen: Call.Rehearsal.Unseen?
    /// The changes that it made; `nil` if it changed nothing, or if that is not known.
    var changed: ChangedFiles?

    init(_ how: How, output: AssetStore.Content, errors: AssetStore.Content) {
        (self.how, self.output, self.errors) = (how, output, errors)
    }

    /// Returns both streams as assets, each with the exit code.
    ///
    /// - Throws: the failure of a command whose exit code its step does not take, with the same assets (`semantics.md`
    ///   190).
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
            case .stopped(let failure): JSON.Object(members: [.init(key: "ended", value: .string(failure.code))])
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
            return Failure("processFailed", "The command \(how)\(why)" + refusals.map { " \($0)." }.joined())
        }
    }
}
