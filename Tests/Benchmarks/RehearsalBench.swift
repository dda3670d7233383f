import Files
import Glibc
import JSON
import Rehearsal
import Tools
import Vocabulary

/// What it costs that a command is rehearsed, beside the same command by itself: the overlay, the sandbox, the look for
/// private files before it and the list of changes after it.
enum RehearsalBench {
    /// Of the rehearsed command: so often the bare one, so much to begin with, so much for a file that it looks at.
    private static let (times, startMilliseconds, fileMilliseconds) = (1.5, 40.0, 0.006)
    private static let count = 30

    static func run() throws -> [Figure] {
        try withScratchFolder { folder in
            let toolbox = Toolbox(
                store: AssetStore(folder: "\(folder)/data/assets"),
                own: OwnFolders(config: "\(folder)/config", data: "\(folder)/data", cache: "\(folder)/cache"))
            guard case .whole = try toolbox.shelter(over: nil) else {
                print("· rehearsal: not measured, since no command can be rehearsed here")
                return []
            }
            return try [300, 20_000].flatMap { files in
                let workspace = "\(folder)/work-\(files)"
                try make(workspace, files)
                let commands =
                    files == 300
                    ? [("git status", files), ("ls", files), ("sed -i s/x/y/ 1/1", 1)] : [("git status", files)]
                return try commands.map { try figure($0.0, files: $0.1, of: files, in: workspace, toolbox) }
            }
        }
    }

    private static func figure(_ command: String, files: Int, of all: Int, in workspace: String, _ toolbox: Toolbox)
        throws -> Figure
    {
        let shell = ToolManifest(kind: "Shell", title: "Shell", action: .builtin("shell"))
        let params: JSON = ["command": .string(command)]
        var attempt = 0
        let pairs = try Pairs(count + 1) {
            // What an attempt has rehearsed is not rehearsed again.
            attempt += 1
            let assignment = Assignment(
                run: RunID(StepID(WorkflowID(1), 1), attempt: attempt), manifest: shell,
                params: params.object ?? JSON.Object(),
                workspace: workspace, runFolder: "\(toolbox.own.data)/runs/\(attempt)")
            return try Clock.measure {
                let call = try toolbox.rehearse(assignment, cancel: Cancellation())
                precondition(call.rehearsal != .wanted, "it was not rehearsed")
            } * 1000
        } _: {
            Clock.measure { Programs.run(["sh", "-c", "cd \(workspace) && \(command) > /dev/null"]) } * 1000
        }
        let bar = times * pairs.reference + startMilliseconds + fileMilliseconds * Double(files)
        let rehearsed = pairs.values.sorted()
        var figure = Figure(
            name: "rehearsed \(command) in \(all) files", value: pairs.value, unit: "ms",
            reference: ("bare", pairs.reference),
            bar: .atMost(bar))
        (figure.spread, figure.count) = (rehearsed.first!...rehearsed.last!, rehearsed.count)
        return figure
    }

    /// A repository of so many files in folders of a hundred.
    private static func make(_ workspace: String, _ files: Int) throws {
        let script = """
            mkdir -p "$1" && cd "$1" && git init -q && git config gc.auto 0
            for folder in $(seq $(($2 / 100))); do mkdir $folder; for file in $(seq 100); do echo "x $folder $file" > $folder/$file; done; done
            git add . && git -c user.name=a -c user.email=a@b commit -qm all && git status > /dev/null
            """
        Programs.run(["sh", "-ec", script, "sh", workspace, "\(files)"])
    }
}
