import Files
import Glibc
import JSON
import Tools
import Vocabulary

/// What a language model waits for a look: the search in many small files beside ripgrep itself, and a late line of a
/// large file beside sed.
enum LooksBench {
    private static let bar = 2.0
    private static let files = 100_000
    private static let lines = 1_200_000
    private static let line = 1_000_000

    static func run() throws -> [Figure] {
        try withScratchFolder { folder in
            let toolbox = Toolbox(
                store: AssetStore(folder: "\(folder)/data/assets"),
                own: OwnFolders(config: "\(folder)/config", data: "\(folder)/data", cache: "\(folder)/cache"))
            let workspace = "\(folder)/work"
            try make(workspace)
            return try [search(in: workspace, toolbox), read(in: workspace, toolbox)]
        }
    }

    private static func search(in workspace: String, _ toolbox: Toolbox) throws -> Figure {
        let manifest = ToolManifest(
            kind: "SearchFiles", title: "Search files", outputs: [Port("text", .text)], effects: [.reads],
            action: .builtin("searchFiles"))
        var attempt = 0
        let pairs = try Pairs {
            attempt += 1
            return try milliseconds(manifest, ["text": "needle", "path": "."], attempt, in: workspace, toolbox)
        } _: {
            Clock.measure { Programs.run(["sh", "-c", "cd \(workspace)/ && rg -n -F needle ./ > /dev/null"]) } * 1000
        }
        return Figure(
            name: "search in \(files) small files", pairs, unit: "ms", reference: "rg", bar: .ratioAtMost(bar))
    }

    private static func read(in workspace: String, _ toolbox: Toolbox) throws -> Figure {
        let manifest = ToolManifest(
            kind: "ReadLines", title: "Read lines", outputs: [Port("text", .text)], effects: [.reads],
            action: .builtin("readLines"))
        var attempt = files
        // Beside few files: the folder is not what is measured.
        let folder = "\(workspace)-lines"
        let pairs = try Pairs {
            attempt += 1
            let params: JSON = ["path": "large.txt", "from": .int(line), "lines": 1]
            return try milliseconds(manifest, params, attempt, in: folder, toolbox)
        } _: {
            Clock.measure { Programs.run(["sh", "-c", "sed -n \(line)p \(folder)/large.txt > /dev/null"]) } * 1000
        }
        return Figure(
            name: "read line \(line) of \(lines)", pairs, unit: "ms", reference: "sed -n", bar: .ratioAtMost(bar))
    }

    /// Returns the time of a call from its preparation to its result.
    private static func milliseconds(
        _ manifest: ToolManifest, _ params: JSON, _ attempt: Int, in workspace: String, _ toolbox: Toolbox
    ) throws -> Double {
        let assignment = Assignment(
            run: RunID(StepID(WorkflowID(1), 1), attempt: attempt), manifest: manifest,
            params: params.object ?? JSON.Object(), workspace: workspace,
            runFolder: "\(toolbox.own.data)/runs/\(attempt)")
        return try Clock.measure {
            let call = try toolbox.prepare(assignment)
            guard case .succeeded(let assets) = toolbox.run(assignment, call: call, cancel: Cancellation()) else {
                preconditionFailure("\(manifest.kind) failed")
            }
            precondition(assets.count == 1)
        } * 1000
    }

    private static func make(_ workspace: String) throws {
        let script = """
            mkdir -p "$1" "$1-lines" && cd "$1"
            for folder in $(seq $(($2 / 100))); do
                mkdir $folder
                for file in $(seq 100); do printf 'a line\\nanother line of text\\n%s %s\\n' $folder $file > $folder/$file.txt; done
            done
            printf 'one needle\\n' >> 7/7.txt
            seq -f 'line %.0f of a text with some more words in it' $3 > "$1-lines/large.txt"
            """
        Programs.run(["sh", "-ec", script, "sh", workspace, "\(files)", "\(lines)"])
    }
}
