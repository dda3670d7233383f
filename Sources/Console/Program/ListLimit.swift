import Vocabulary

/// How many entries of a list are shown.
enum ListLimit {
    /// As many as fit on a screen, for people who did not say how many.
    private static let usual = 20

    /// - Parameter isForAll: whether nothing is left out unless that is said: a program would not see it.
    static func checked(_ limit: Int?, isForAll: Bool) throws(Failure) -> Int {
        guard let limit else { return isForAll ? Int.max : usual }
        guard limit < 1 else { return limit }
        throw Failure("badUsage", "--limit \(limit) leaves nothing to show.", remedy: "Give a number from 1 on.")
    }
}
