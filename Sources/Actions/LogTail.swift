package import Vocabulary

/// The stored log of a run: the log from its provider, or the end of its program's standard error.
package enum LogTail {
    package static func text(of run: RunRecord, in reruns: Reruns) -> String? {
        if let tail = run.job?.logTail, !tail.isEmpty { return tail }
        return reruns.log(run)
    }

    /// Returns the lines of a log without empty ones. All states of a progress bar are one line, of which the last
    /// state is returned.
    package static func lines(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n").map { line in
            String(line.split(separator: "\r").last.map { Substring($0) } ?? "")
        }.filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
