import Harness
import JSON

/// What the program is killed under: jobs at providers, programs in a sandbox, files, waits, a question, and a long
/// tail of small steps.
struct MixedLoad: Sendable {
    /// Jobs of a workflow, evenly of each mode.
    static let jobs = 20
    static let waits = 16
    static let pictures = 3

    let jobs: JobLab
    /// Steps that only pass on. They hang on all the waits, so that some are ready at any time, and each relaunch has
    /// all of them to look at.
    let tail: Int

    var lab: ProgramLab { jobs.lab }
    var steps: Int { 3 + Self.waits + Self.jobs + 3 * Self.pictures + 4 + 3 + tail }

    static func mode(_ job: Int) -> String { JobLab.modes[job % JobLab.modes.count] }
    /// What a job without a name is known by.
    static func mark(_ round: Int, _ node: String) -> String { "\(round)-\(node)" }
    static func words(_ round: Int) -> String { "words for \(round)" }
    /// What a workflow leaves in the workspace.
    static func files(_ round: Int) -> [String] {
        (1...pictures).map { "out-\(round)-\($0).jpg" } + ["out-\(round)-words.txt"]
    }

    func plan(_ round: Int) -> JSON {
        var nodes = [
            node("read", "ReadFile", ["path": "notes.txt"]), node("load", "ImageLoader", ["path": "cat.jpg"]),
            node("ask", "AskText", ["question": "What else?"]),
        ]
        var edges: [JSON] = []
        func wait(_ id: String, _ seconds: Double, _ type: JSON, after end: String) {
            nodes.append([
                "id": .string(id), "kind": "Delay", "params": ["seconds": .double(seconds)], "inputs": ["in": type],
                "outputs": ["out": type],
            ])
            edges.append(edge(end, "\(id).in"))
        }
        for number in 1...Self.waits { wait("wait\(number)", 0.35 * Double(number), "text", after: "read.text") }
        for number in 1...Self.jobs {
            let (id, kind) = ("job\(number)", ["short", "long", "slow"][number % 3])
            var params: JSON = ["kind": .string(kind)]
            // The others go by their names; their bodies are the same at each try.
            if Self.mode(number) != "reconcile" {
                params = ["kind": .string(kind), "input": ["mark": .string(Self.mark(round, id))]]
            }
            nodes.append(node(id, JobLab.kind(Self.mode(number)), params))
            edges.append(edge("wait\(1 + number % Self.waits).out", "\(id).after"))
        }
        // Programs, each in its sandbox, and what they leave.
        for number in 1...Self.pictures {
            wait("hold\(number)", 1.5 * Double(number), "image", after: "load.image")
            nodes += [
                node("gray\(number)", "Grayscale"),
                node("save\(number)", "SaveFile", ["path": .string(Self.files(round)[number - 1])]),
            ]
            edges += [
                edge("hold\(number).out", "gray\(number).image"), edge("gray\(number).image", "save\(number).file"),
            ]
        }
        for number in 1...4 {
            nodes.append(node("count\(number)", "CountWords"))
            edges.append(edge("wait\(3 * number).out", "count\(number).text"))
        }
        // What a person says.
        nodes += [
            node("heard", "ReplaceText", ["find": "none", "replacement": "some"]), node("said", "CountWords"),
            node("words", "WriteFile", ["path": .string(Self.files(round).last!)]),
        ]
        edges += [edge("ask.text", "heard.text"), edge("heard.text", "said.text"), edge("heard.text", "words.text")]
        for number in 1...tail {
            let isFirst = number % 100 == 1
            nodes.append([
                "id": .string("pass\(number)"), "kind": "Pass", "inputs": ["in": "text"], "outputs": ["out": "text"],
            ])
            edges.append(
                edge(isFirst ? "wait\(1 + number / 100 % Self.waits).out" : "pass\(number - 1).out", "pass\(number).in")
            )
        }
        return workflow(
            "mixed \(round)", nodes, edges,
            options: ["concurrency": ["remote": 16, "local": 2], "errorPolicy": "isolate-node"])
    }
}
