import Vocabulary

/// How many entries of a list are shown.
enum ListLimit {
    /// As many as fit on a screen, for people who did not say how many.
    private static let usual = 20

    /// Returns the part of a list that is shown, and what prints the entries after it.
    ///
    /// - Parameters:
    ///   - from: the number of the first entry.
    ///   - noun: such as `more workflow`.
    ///   - verb: what shows the list.
    static func page<Entry>(_ all: [Entry], from: Int, limit: Int, _ noun: String, _ verb: String) -> (
        shown: [Entry], rest: Remainder?
    ) {
        let shown = Array(all.dropFirst(from - 1).prefix(limit))
        return (shown, rest(from: from, shown: shown.count, of: all.count, noun, verb))
    }

    static func rest(from: Int, shown: Int, of count: Int, _ noun: String, _ verb: String) -> Remainder? {
        let next = from + shown
        // Said although it is the end: a list shows a usual number of entries otherwise.
        return Remainder(min(next, count + 1)..<count + 1, of: count + 1, noun, verb, length: "--limit")
    }

    /// - Parameter isForAll: whether nothing is left out unless that is said: a program would not see it.
    static func checked(_ limit: Int?, isForAll: Bool) throws(Failure) -> Int {
        guard let limit else { return isForAll ? Int.max : usual }
        guard limit < 1 else { return limit }
        throw Failure(.badUsage, "--limit \(limit) leaves nothing to show.", remedy: "Give a number from 1 on.")
    }

    static func checked(from: Int) throws(Failure) {
        if from < 1 {
            throw Failure(.badUsage, "--from \(from) is no entry of a list.", remedy: "Give a number from 1 on.")
        }
    }
}
