import Vocabulary

/// `sh -c` in the workspace, as the person would run it: consent was given for exactly this line.
enum ShellTool {
    static func run(_ context: Builtin.Context, on bench: inout Workbench) throws(Failure) -> [Asset] {
        let line = try context.assignment.requiredText("command")
        let workspace = try Paths(workspace: context.assignment.workspace).workspace
        let traces = try bench.run(["sh", "-c", line]) { command in
            command.isAdoptable = true
            command.folder = workspace
            command.isOpen = true
            command.logBytes = Limits.readFileBytes
        }
        return try collect(context.assignment, traces, bench)
    }

    /// Standard output as a text; bytes that are not UTF-8 are replaced.
    static func collect(_ assignment: Assignment, _ traces: any Traces, _ bench: Workbench) throws(Failure) -> [Asset] {
        let text = String(decoding: try traces.output(limit: Limits.readFileBytes), as: UTF8.self)
        return assignment.asset("text", try bench.store.add(text), name: "shell.txt").map { [$0] } ?? []
    }
}
