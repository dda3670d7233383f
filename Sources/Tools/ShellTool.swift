import Files
import JSON
import Sandbox
import Vocabulary

/// The tool that runs a command in the workspace: `sh -c`, or the words of a manifest. The command was rehearsed, and
/// its approved changes are applied. If the call says `bare`, exactly the approved command runs on the bare machine.
enum ShellTool {
    static func words(_ assignment: Assignment) throws(Failure) -> [String] {
        if case .program(let action) = assignment.manifest.action {
            return try ProgramTool.words(inWorkspace: assignment, action)
        }
        return ["sh", "-c", try text(assignment)]
    }

    /// Returns the command in one text, in which programs such as git are looked for. Edits without a check have an
    /// empty one.
    static func text(_ assignment: Assignment) throws(Failure) -> String {
        if case .program = assignment.manifest.action { return try words(assignment).joined(separator: " ") }
        if assignment.isEdit { return assignment.text("check") ?? "" }
        return try assignment.requiredText("command")
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
            command.timeoutSeconds = Limits.commandSeconds
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
            let stop = ending.stop(seconds: Limits.commandSeconds, logBytes: Limits.readFileBytes)
            how = .stopped(stop ?? failure ?? Failure(.processFailed, "sh was ended."))
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
