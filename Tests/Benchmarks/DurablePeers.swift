import Glibc
import JSON

/// The same chain on durable engines from PyPI (`make bench` installs them): each in the fastest configuration that it
/// documents and that is durable (`Peers/*_chain.py` name it), with its clock around the run alone.
///
/// The bar is on what a person gets who runs that chain here and there. Shown without one is what makes the two alike:
/// our chain with a commit a transition, where steps like these share one otherwise, and the peers at
/// synchronous=NORMAL, which two of them do not document and which is all that we need. (Raw SQLite itself is less than
/// 10 × LangGraph at a commit a transition.)
enum DurablePeers {
    private static let count = 1_000

    static func run() throws -> [Figure] {
        let contestants: [() throws -> Speed] = [
            { try ours(sharesCommits: true) }, { try ours(sharesCommits: false) }, raw,
            { try peer("dbos") }, { try peer("langgraph") }, { try peer("prefect") },
            { try peer("dbos", "as-ours") }, { try peer("langgraph", "as-ours") },
        ]
        // In turns, so that what disturbs the machine disturbs all of them; ratios are of one round.
        let rounds = try (1...5).map { _ in try contestants.map { try $0() } }
        func figure(_ one: Int, beside other: Int, _ bar: Figure.Bar) -> Figure {
            let pairs = Pairs(rounds.map { ($0[one].nodesPerSecond, $0[other].nodesPerSecond) })
            return Figure(name: rounds[0][one].name, pairs, unit: "nodes/s", reference: rounds[0][other].name, bar: bar)
        }
        let (shared, strict, raw) = (0, 1, 2)
        return [figure(strict, beside: raw, .ratioAtLeast(0.5))]
            + (3...5).map { figure(shared, beside: $0, .ratioAtLeast(10)) }
            + (6...7).map { figure(shared, beside: $0, .none) } + (3...7).map { figure(strict, beside: $0, .none) }
    }

    private struct Speed {
        let name: String
        let nodesPerSecond: Double
    }

    private static func ours(sharesCommits: Bool) throws -> Speed {
        let seconds = try EngineBench.seconds(for: Graphs.chain(count), sharesCommits: sharesCommits)
        return Speed(
            name: "engine, durable chain of 1,000" + (sharesCommits ? "" : ", one commit a transition"),
            nodesPerSecond: Double(count) / seconds)
    }

    private static func raw() throws -> Speed {
        let seconds = try withScratchFolder { try RawSQLite.chain(count, in: $0) }
        return Speed(name: "raw SQLite, one commit a transition", nodesPerSecond: Double(count) / seconds)
    }

    private struct Failed: Error { let words: String }

    /// A process with a database of its own.
    private static func peer(_ program: String, _ settings: String...) throws -> Speed {
        try withScratchFolder { try peer(program, settings, in: $0) }
    }

    private static func peer(_ program: String, _ settings: [String], in folder: String) throws -> Speed {
        let python = environment + "/bin/python3"
        guard access(python, X_OK) == 0 else { throw Failed(words: "the durable peers are not installed: make bench") }
        let variables = [
            "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=\(folder)", "PYTHONDONTWRITEBYTECODE=1",
            "LANGSMITH_TRACING=false",
        ]
        Programs.run(
            ["sh", "-c", #"cd "$0" && exec "$@" > said 2> errors"#, folder, "timeout", "300", "env", "-i"] + variables
                + [python, "\(scripts)/\(program)_chain.py", "\(count)", folder] + settings)
        let said = try JSONReader.read(BenchFiles.bytes(folder + "/said"))
        guard let name = said["peer"]?.string, let version = said["version"]?.string,
            let speed = said["nodes_per_second"]?.number,
            said["durable"] == true, said["nodes"] == .int(count)
        else { throw Failed(words: "\(program)_chain.py said \(said.text)") }
        return Speed(
            name: "\(name) \(version)" + (settings.isEmpty ? "" : " at synchronous=NORMAL"), nodesPerSecond: speed)
    }

    private static let scripts = #filePath.replacing("/DurablePeers.swift", with: "/Peers")
    private static let environment = #filePath.replacing(
        "/Tests/Benchmarks/DurablePeers.swift", with: "/.build/peers/durable")
}
