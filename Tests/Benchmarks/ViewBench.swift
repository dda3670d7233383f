import Glibc

/// How soon the first page of a text of 1 GB is there, which `view` hands to `less`: beside `less` itself.
enum ViewBench {
    private static let less = "/usr/bin/less"
    private static let megabytes = 1000

    static func run() throws -> [Figure] {
        guard access(less, X_OK) == 0 else {
            print("· first page of 1 GB of text: not measured, since less is not installed (apt-get install less)")
            return []
        }
        let assent = try Terminal.program()
        let pairs = try withScratchFolder { folder in
            let text = "\(folder)/large.txt"
            write(to: text)
            return try Pairs(21) {
                try milliseconds([assent, "view", text], ["ASSENT_HOME=\(folder)/home", "PAGER=less"], folder)
            } _: {
                try milliseconds([less, text], [], folder)
            }
        }
        return [Figure(name: "first page of 1 GB of text", pairs, unit: "ms", reference: "less", bar: .ratioAtMost(3))]
    }

    /// Returns the time to the last line of the first page.
    private static func milliseconds(_ words: [String], _ environment: [String], _ folder: String) throws -> Double {
        let terminal = try Terminal(words, environment: environment, in: folder)
        defer { terminal.end() }
        return 1000 * (try terminal.wait(for: "line 20 "))
    }

    private static func write(to path: String) {
        var piece = (1...10_000).map { "line \($0) of a text that is much longer than what anybody reads of it\n" }
            .joined()
        piece += String(repeating: "x", count: max(0, 1_000_000 - piece.utf8.count - 1)) + "\n"
        guard let file = fopen(path, "w") else { return }
        defer { fclose(file) }
        for _ in 0..<megabytes { fputs(piece, file) }
    }
}
