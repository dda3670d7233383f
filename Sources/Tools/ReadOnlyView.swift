import Files
import Sandbox
import Vocabulary

/// A read-only view of the workspace in the sandbox, without the private files and without a network. The programs of a
/// model's looks run over it.
struct ReadOnlyView {
    let bench: Workbench
    /// A real path.
    let workspace: String
    let hidden: PrivateFiles
    private let emptyFile: String?

    init(_ context: Builtin.Context, _ bench: Workbench) throws(Failure) {
        self.bench = bench
        workspace = try context.paths().workspace
        let own = context.toolbox.own
        // A program would wait at a pipe with the name of a file that it reads.
        hidden = try PrivateFiles.below(workspace, own: own, skipsOddNames: true, hidesPipes: true)
            .and(MountPoints.below(workspace))
        emptyFile = hidden.files.isEmpty ? nil : try StandIns.emptyFile(in: own.data)
    }

    /// Runs a program in the workspace and gathers its output.
    ///
    /// - Parameters:
    ///   - bytes: the most bytes of the output.
    ///   - seconds: the time after which it is ended.
    func run(
        _ words: [String], bytes: Int, seconds: Double
    ) throws(Failure) -> (traces: any Traces, failure: Failure?, ending: Child.Ending) {
        try bench.runToEnd(words) { command in
            command.folder = workspace
            command.view = .workspace(.readOnly)
            command.hidden = hidden
            if let emptyFile { command.emptyFile = emptyFile }
            command.home = bench.folder.path
            command.gathersOutput = true
            command.logBytes = bytes
            command.timeoutSeconds = seconds
        }
    }
}
