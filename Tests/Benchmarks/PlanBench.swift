import Glibc

/// How long an order takes until its plan waits for a yes: one run of the program with a sentence that asks. Beside it
/// stands a run without a sentence, or the program of another version if `ASSENT_BASE` names one.
enum PlanBench {
    private static let sentences = [
        "delete a.txt", "please delete the file a.txt now", "move a.txt to b.txt and overwrite it",
        "replace foo with bar in a.txt, save it as b.txt and overwrite that", "lösche a.txt",
    ]

    static func run() throws -> [Figure] {
        let own = try Terminal.program()
        let base = getenv("ASSENT_BASE").map { String(cString: $0) }
        return withScratchFolder { folder in
            for name in ["a.txt", "b.txt"] { BenchFiles.write("foo\n", to: "\(folder)/\(name)") }
            func measured(_ program: String, _ home: String, _ words: [String]) -> Double {
                1000
                    * Clock.measure {
                        Programs.run(
                            [
                                "sh", "-c",
                                "cd \"$1\"; ASSENT_HOME=\"$2\"; export ASSENT_HOME; shift 2; \"$@\" > /dev/null 2>&1 < /dev/null; true",
                                "sh", folder, "\(folder)/\(home)", program,
                            ] + words)
                    }
            }
            var places = (0, 0)
            let pairs = Pairs(2 * sentences.count + 1) {
                places.0 += 1
                return measured(own, "own", ["ask", sentences[places.0 % sentences.count]])
            } _: {
                guard let base else { return measured(own, "own", ["list"]) }
                places.1 += 1
                return measured(base, "base", ["ask", sentences[places.1 % sentences.count]])
            }
            return [
                Figure(
                    name: "an order until its plan waits", pairs, unit: "ms", reference: base ?? "assent list",
                    bar: base == nil ? .none : .ratioAtMost(1.2))
            ]
        }
    }
}
