import Glibc

/// Large graphs from the file to the exit of the program, beside raw SQLite that writes the same rows.
enum GraphBench {
    /// The bars are a third of what the same run showed before version 13 of the schema.
    private static let shapes: [(name: String, text: String, nodes: Int, most: Double)] = [
        ("32 layers of 32 nodes with every edge", Graphs.dense(layers: 32, width: 32), 1_024, 2.9),
        ("300 layers of 32 nodes with every edge", Graphs.dense(layers: 300, width: 32), 9_600, 2.5),
        ("10,000 nodes in a line", Graphs.chain(10_000), 10_000, 1),
    ]

    static func run() throws -> [Figure] {
        let assent = try Terminal.program()
        return try shapes.flatMap { shape in
            var megabytes = 0.0
            let pairs = try withScratchFolder { folder in
                BenchFiles.write(shape.text, to: folder + "/graph.json")
                var round = 0
                return try Pairs(3) {
                    round += 1
                    let line =
                        "cd '\(folder)' && ASSENT_HOME='\(folder)/home\(round)' exec '\(assent)' run graph.json --mode auto > said"
                    return Clock.measure { megabytes = max(megabytes, Programs.peak(["sh", "-c", line])) }
                } _: {
                    try withScratchFolder { try RawSQLite.chain(shape.nodes, in: $0) }
                }
            }
            return [
                Figure(
                    name: "\(shape.name), from file to exit", pairs, unit: "s",
                    reference: "raw SQLite, one commit a transition", bar: .ratioAtMost(shape.most)),
                Figure(name: "memory of it", value: megabytes, unit: "MB", bar: .atMost(200)),
            ]
        }
    }
}

extension Programs {
    /// Runs a program to its end, and returns the most memory that it had, in megabytes.
    static func peak(_ words: [String]) -> Double {
        let child = start(words)
        var (status, usage) = (Int32(0), rusage())
        wait4(child, &status, 0, &usage)
        precondition(status == 0, "\(words[0]) failed")
        return Double(usage.ru_maxrss) / 1024
    }
}
