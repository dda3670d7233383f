import Vocabulary

/// What is kept of a run's log: what its provider sent, or the end of what its program complained about.
enum LogTail {
    static func text(of run: RunRecord, in house: House) -> String? {
        if let tail = run.job?.logTail, !tail.isEmpty { return tail }
        return house.again.log(run)
    }

    /// What a progress bar drew over itself is one line.
    static func lines(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n").map { line in
            String(line.split(separator: "\r").last.map { Substring($0) } ?? "")
        }.filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
