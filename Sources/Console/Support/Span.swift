import ArgumentParser
import Vocabulary

/// The requested part of a list.
struct Span: ParsableArguments, Sendable {
    @Option(help: "The first entry that is printed, from 1. Nothing is left out from there on.")
    var from: Int?

    @Option(help: "How many entries are printed.")
    var lines: Int?

    init() {}

    func validate() throws {
        guard from ?? 1 >= 1, lines ?? 1 >= 1 else { throw ValidationError("--from and --lines are numbers from 1.") }
    }

    var isGiven: Bool { from != nil || lines != nil }

    /// Returns the numbers of the requested entries, from 1, or nil if no part was requested.
    func range(of count: Int) -> Range<Int>? {
        guard isGiven else { return nil }
        let first = min(from ?? 1, count + 1)
        return first..<first + min(lines ?? .max, count + 1 - first)
    }

    /// Throws `badUsage` if a part was requested, since the output is not a list.
    func refuse(_ what: String) throws(Failure) {
        guard isGiven else { return }
        throw Failure(.badUsage, "--from and --lines belong to \(what).", remedy: "Leave them out.")
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the entries with these numbers, counted from 1, or all entries for nil.
    func entries(_ range: Range<Int>?) -> SubSequence {
        guard let range else { return self[...] }
        return dropFirst(range.lowerBound - 1).prefix(range.count)
    }
}
