import Vocabulary

/// `sh -c` in the workspace: rehearsed, and then applied; or, where the call says `bare`, as the person would run it. Consent was given for
/// exactly these changes, or for exactly this line.
enum ShellTool {
    static func words(_ assignment: Assignment) throws(Failure) -> [String] { ["sh", "-c", try assignment.requiredText("command")] }

    static func run(_ context: Builtin.Context, on bench: inout Workbench) throws(Failure) -> [Asset] {
        guard context.call.isBare else {
            return try context.toolbox.applyRehearsed(context.assignment, context.call, cancel: bench.cancel)
        }
        let workspace = try Paths(workspace: context.assignment.workspace).workspace
        let traces = try bench.run(try words(context.assignment)) { command in
            command.isAdoptable = true
            command.folder = workspace
            command.view = .machine
            command.logBytes = Limits.readFileBytes
        }
        return try collect(context.assignment, traces, bench, context.toolbox)
    }

    /// Standard output as a text; bytes that are not UTF-8 are replaced.
    static func collect(_ assignment: Assignment, _ traces: any Traces, _ bench: Workbench, _ toolbox: Toolbox) throws(Failure) -> [Asset] {
        let text = String(decoding: try traces.output(limit: Limits.readFileBytes), as: UTF8.self)
        try toolbox.refuseKeys(in: text)
        return assignment.asset("text", try bench.store.add(text), name: "shell.txt").map { [$0] } ?? []
    }
}
