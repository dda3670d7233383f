import Glibc
import JSON

/// The same chain on durable engines from PyPI (`make bench` installs them): each in the fastest configuration that it documents and that is
/// durable (`Peers/*_chain.py` name it), with its clock around the run alone. DBOS and LangGraph leave synchronous=FULL where we need only
/// NORMAL, so they are also shown with our settings, which they do not document: without a bar.
enum DurablePeers {
    private static let count = 1_000

    static func run() throws -> [Figure] {
        let contestants: [(bar: Figure.Bar, run: () throws -> Speed)] = [
            (.none, ours), (.ratioAtLeast(0.5), raw),
            (.ratioAtLeast(10), { try peer("dbos") }), (.ratioAtLeast(10), { try peer("langgraph") }),
            (.ratioAtLeast(10), { try peer("prefect") }),
            (.none, { try peer("dbos", "as-ours") }), (.none, { try peer("langgraph", "as-ours") }),
        ]
        // In turns, so that what disturbs the machine disturbs all of them; then the best of each.
        let rounds = try (1...3).map { _ in try contestants.map { try $0.run() } }
        let best = contestants.indices.map { index in rounds.map { $0[index] }.max { $0.nodesPerSecond < $1.nodesPerSecond }! }
        return zip(contestants, best).dropFirst().map { contestant, speed in
            Figure(
                name: best[0].name, value: best[0].nodesPerSecond, unit: "nodes/s", reference: (speed.name, speed.nodesPerSecond),
                bar: contestant.bar)
        }
    }

    private struct Speed {
        let name: String
        let nodesPerSecond: Double
    }

    private static func ours() throws -> Speed {
        Speed(name: "engine, durable chain of 1,000", nodesPerSecond: Double(count) / (try EngineBench.best(of: 1, Graphs.chain(count))))
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
            "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=\(folder)", "PYTHONDONTWRITEBYTECODE=1", "LANGSMITH_TRACING=false",
        ]
        Programs.run(
            ["sh", "-c", #"cd "$0" && exec "$@" > said 2> errors"#, folder, "timeout", "300", "env", "-i"] + variables
                + [python, "\(scripts)/\(program)_chain.py", "\(count)", folder] + settings)
        let said = try JSONReader.read(Files.bytes(folder + "/said"))
        guard let name = said["peer"]?.string, let version = said["version"]?.string, let speed = said["nodes_per_second"]?.number,
            said["durable"] == true, said["nodes"] == .int(count)
        else { throw Failed(words: "\(program)_chain.py said \(said.text)") }
        return Speed(name: "\(name) \(version)" + (settings.isEmpty ? "" : " at synchronous=NORMAL"), nodesPerSecond: speed)
    }

    private static let scripts = #filePath.replacing("/DurablePeers.swift", with: "/Peers")
    private static let environment = #filePath.replacing("/Benchmarks/DurablePeers.swift", with: "/.build/peers/durable")
}
