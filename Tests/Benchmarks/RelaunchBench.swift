import CPty
import Glibc

/// The times that a person waits after kill -9: until the next start of the program goes on with ten thousand steps
/// under way, and until an engine that was there before takes over.
enum RelaunchBench {
    static func run() throws -> [Figure] {
        [
            Figure(
                name: "relaunch with 10,000 steps under way, to its first word", try relaunches(15), unit: "s",
                bar: .atMost(0.5)),
            Figure(
                name: "takeover by an engine that was there, to its first word", try takeovers(9), unit: "s",
                bar: .atMost(1)),
        ]
    }

    /// A hundred chains of a hundred steps, all of which wait for the same day.
    private static func relaunches(_ count: Int) throws -> [Double] {
        try withScratchFolder { folder in
            let chains = (0..<100).flatMap { chain in
                (0..<100).map { (node: "p\(chain)x\($0)", from: $0 == 0 ? "wait" : "p\(chain)x\($0 - 1)") }
            }
            BenchFiles.write(plan(waiting: 1_000_000, then: chains), to: folder + "/plan.json")
            let first = try Launch(["run", "plan.json", "--mode", "auto", "--json"], in: folder)
            try first.wait(for: "runningLocal")
            first.kill()
            return try (0..<count).map { _ in
                // Whoever goes on finds a word of a person: that it is obeyed shows that all was loaded.
                try Launch(["resume", "w1"], in: folder).waitForEnd()
                let next = try Launch(["work", "--json"], in: folder)
                defer { next.kill() }
                return try next.wait(for: #""reason":"resumeAsked""#)
            }
        }
    }

    /// A chain of short waits, carried by one and then the other.
    private static func takeovers(_ count: Int) throws -> [Double] {
        try withScratchFolder { folder in
            let delays = (1...4_000).map { (node: "d\($0)", from: $0 == 1 ? "wait" : "d\($0 - 1)") }
            BenchFiles.write(
                plan(waiting: 0.05, then: delays, of: "Delay", #","params":{"seconds":0.05}"#),
                to: folder + "/plan.json")
            var carrier = try Launch(["run", "plan.json", "--mode", "auto", "--json"], in: folder)
            try carrier.wait(for: "step.changed")
            defer { carrier.kill() }
            return try (0..<count).map { _ in
                let next = try Launch(["work", "--json"], in: folder)
                // It is there, and has looked for something to do.
                usleep(1_500_000)
                carrier.kill()
                let start = Clock.seconds()
                try next.wait(for: "step.changed")
                carrier = next
                return Clock.seconds() - start
            }
        }
    }

    private static func plan(
        waiting seconds: Double, then steps: [(node: String, from: String)], of kind: String = "Pass",
        _ params: String = ""
    ) -> String {
        let ports = #""inputs":{"in":"text"},"outputs":{"out":"text"}"#
        var nodes = [
            #"{"id":"text","kind":"Text","params":{"text":"x"}}"#,
            #"{"id":"wait","kind":"Delay","params":{"seconds":\#(seconds)},\#(ports)}"#,
        ]
        var edges = [#"{"from":["text","text"],"to":["wait","in"]}"#]
        for step in steps {
            nodes.append(#"{"id":"\#(step.node)","kind":"\#(kind)",\#(ports)\#(params)}"#)
            edges.append(#"{"from":["\#(step.from)","out"],"to":["\#(step.node)","in"]}"#)
        }
        return #"{"schema":"app.workflow/v2","name":"bench","nodes":[\#(nodes.joined(separator: ","))],"#
            + #""edges":[\#(edges.joined(separator: ","))]}"#
    }
}

/// The release program with a home of its own, its output in a file.
private final class Launch {
    private let words: [String]
    private let pid: pid_t
    private let output: String
    private let start: Double
    private var hasEnded = false

    init(_ words: [String], in folder: String) throws {
        self.words = words
        output = "\(folder)/\(UInt32.random(in: 0 ... .max)).out"
        start = Clock.seconds()
        pid = Programs.start(
            [
                "sh", "-c", #"cd "$0" && export ASSENT_HOME="$0/home" && out=$1 && shift && exec "$@" > "$out" 2>&1"#,
                folder, output,
                try Terminal.program(),
            ] + words)
    }

    /// - Returns: seconds from its start until it had said this.
    @discardableResult
    func wait(for text: String) throws -> Double {
        let limit = Clock.seconds() + 120
        while Clock.seconds() < limit {
            if BenchFiles.text(output).contains(text) { return Clock.seconds() - start }
            usleep(1_000)
        }
        kill()
        throw Terminal.Failed(words: "\"\(text)\" did not come from \(words.joined(separator: " "))")
    }

    func waitForEnd() throws {
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        hasEnded = true
        guard status == 0 else {
            throw Terminal.Failed(words: "\(words.joined(separator: " ")) failed: \(BenchFiles.text(output))")
        }
    }

    func kill() {
        guard !hasEnded else { return }
        hasEnded = true
        Glibc.kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }
}
