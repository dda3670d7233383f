import Engine
import Files
import Glibc
import Sandbox
import Tools
import Vocabulary

/// Steps that start a program that does nothing: what the engine, the run folder and the records add to the start
/// itself.
enum SpawnBench {
    private static let count = 300

    static func run(withSandbox: Bool = true) throws -> [Figure] {
        let plain = try Pairs(21, amount: Double(count)) {
            try seconds(.none("the benchmark compares without one"))
        } _: {
            try withScratchFolder { try make(in: $0) }
        }
        var figures = [
            Figure(
                name: "spawn true, no sandbox", plain, unit: "steps/s", reference: "make -j2", bar: .ratioAtLeast(0.6))
        ]
        figures += try SpawnParts.figures(.none("the benchmark compares without one"), "true, no sandbox")
        guard withSandbox, case .bubblewrap = Isolation.here else { return figures }
        let sandboxed = try Pairs(amount: Double(count)) {
            try seconds(.here)
        } _: {
            try withScratchFolder { try xargs(in: $0) }
        }
        figures.append(
            Figure(
                name: "spawn true, sandboxed", sandboxed, unit: "steps/s", reference: "xargs -P2 bwrap",
                bar: .ratioAtLeast(0.6)))
        figures += try SpawnParts.figures(.here, "true, sandboxed")
        return figures
    }

    private static func seconds(_ sandbox: Isolation) throws -> Double {
        let tool = ToolManifest(
            kind: "True", title: "True",
            action: .program(
                ToolManifest.ProgramAction(
                    commands: [ToolManifest.Command(words: ["true"])], files: [:], timeoutSeconds: 60,
                    memoryBytesLimit: 1 << 30)))
        let nodes = (1...count).map { #"{"id":"n\#($0)","kind":"True"}"# }.joined(separator: ",")
        let template = #"{"schema":"app.workflow/v2","name":"spawn","nodes":[\#(nodes)]}"#
        return try withScratchFolder { folder in
            let toolbox = Toolbox(
                store: AssetStore(folder: folder + "/assets"),
                own: OwnFolders(config: folder, data: folder, cache: folder), sandbox: sandbox)
            return try EngineBench.seconds(
                for: template, catalogue: Catalogue([tool]), in: folder,
                tools: tools(toolbox, Catalogue([tool]), folder))
        }
    }

    private static func tools(_ toolbox: Toolbox, _ catalogue: Catalogue, _ folder: String) -> World.Tools {
        World.Tools(
            catalogue: { catalogue }, prepare: { _ in fatalError("it has no effect") },
            run: { assignment, _ in toolbox.run(assignment, call: nil, cancel: Cancellation()) },
            recover: { _ in .lost }, kill: { _ in },
            runFolder: { run in "\(folder)/runs/\(run.step.workflow)/\(run.step.index)-\(run.attempt)" })
    }

    private static func make(in folder: String) throws -> Double {
        let targets = (1...count).map { "t\($0)" }
        let text = "all: \(targets.joined(separator: " "))\n" + targets.map { "\($0):\n\t@true\n" }.joined()
        try write(text, to: folder + "/Makefile")
        return Clock.measure { Programs.run(["make", "-s", "-j2", "-C", folder]) }
    }

    private static func xargs(in folder: String) throws -> Double {
        try write((1...count).map { "\($0)\n" }.joined(), to: folder + "/list")
        let sandbox = "bwrap --ro-bind / / --unshare-all --dev /dev --proc /proc true"
        return Clock.measure { Programs.run(["sh", "-c", "xargs -P2 -I{} \(sandbox) < \(folder)/list"]) }
    }

    private static func write(_ text: String, to path: String) throws {
        let file = fopen(path, "w")!
        fputs(text, file)
        fclose(file)
    }
}

enum Programs {
    /// Runs a reference program to its end.
    static func run(_ words: [String]) {
        let child = start(words)
        var status: Int32 = 0
        waitpid(child, &status, 0)
        precondition(status == 0, "\(words[0]) failed")
    }

    static func start(_ words: [String]) -> pid_t {
        var child = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        precondition(posix_spawnp(&child, words[0], nil, nil, &arguments, environ) == 0, "\(words[0]) is not installed")
        return child
    }
}
