import Vocabulary

/// The part of a list that is shown.
enum ListLimit {
    /// The entries that are shown if the user names no number: about as many as fit on a screen.
    private static let usual = 20

    /// Returns the shown part of a list, and the command that prints the entries after it.
    ///
    /// - Parameters:
    ///   - from: the number of the first entry.
    ///   - noun: the noun for an entry, such as `more workflow`.
    ///   - verb: the verb that shows the list.
    static func page<Entry>(_ all: [Entry], from: Int, limit: Int, _ noun: String, _ verb: String) -> (
        shown: [Entry], rest: Remainder?
    ) {
        let shown = Array(all.dropFirst(from - 1).prefix(limit))
        return (shown, rest(from: from, shown: shown.count, of: all.count, noun, verb))
    }

    static func rest(from: Int, shown: Int, of count: Int, _ noun: String, _ verb: String) -> Remainder? {
        let next = from + shown
        // The length is given even if the remainder reaches the end of the list, since a list without a limit shows
        // only the usual number of entries.
        return Remainder(min(next, count + 1)..<count + 1, of: count + 1, noun, verb, length: "--limit")
    }

    /// Returns the limit of a list.
    ///
    /// - Parameter isForAll: whether the default is the whole list, for programs, which would not notice a cut.
    /// - Throws: `badUsage` if the limit is below 1.
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
