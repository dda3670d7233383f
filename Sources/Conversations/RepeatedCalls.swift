import JSON
import Vocabulary

extension Limits {
    /// How often a call has the same result until the model gets a remark about it.
    static let remarkedRepeats = 3

    /// How often a call may have the same result. With the last time the turn ends.
    static let repeats = 6
}

/// The calls of a turn that were made again with equal arguments and had the same result each time.
///
/// It is pure. A call whose result changes has made progress, so it is counted from 1 again.
struct RepeatedCalls {
    private var seen: [CallKey: (result: String, times: Int)] = [:]

    /// Calls that are made again while something else changes, such as a wait for a command.
    private static let uncounted: Set<String> = ["wait", "results", "show_workflow"]

    /// Counts a call with the text of its result.
    ///
    /// - Returns: how many times in a row the call had this result.
    mutating func count(_ call: ChatCall, _ result: String) -> Int {
        guard !Self.uncounted.contains(call.name) else { return 1 }
        let key = CallKey(call)
        let result = Self.comparable(result)
        let before = seen[key].flatMap { $0.result == result ? $0.times : nil } ?? 0
        seen[key] = (result, before + 1)
        return before + 1
    }

    /// Returns a result without what differs each time: the number of the workflow and the time in the first line
    /// about a command.
    private static func comparable(_ result: String) -> String {
        var lines = result.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard let first = words.first, first.hasPrefix("w"), WorkflowID(parsing: String(first)) != nil else {
            return result
        }
        let time = words.lastIndex(of: "in") ?? words.endIndex
        lines[0] = Substring(words[1..<max(1, time)].joined(separator: " "))
        return lines.joined(separator: "\n")
    }

    /// Returns the remark for the model beside the result of a call that was made `times` times, or nil.
    static func remark(after times: Int) -> String? {
        guard times >= Limits.remarkedRepeats else { return nil }
        return "This is the same call with the same result for the \(ordinal(times)) time. "
            + "Do something else, or answer."
    }

    /// Returns the failure that ends the turn after a call was made `times` times, or nil.
    static func failure(of call: ChatCall, after times: Int) -> Failure? {
        guard times >= Limits.repeats else { return nil }
        return Failure(
            .tooManyCalls,
            "The model called \(call.name) \(times == 6 ? "six" : "\(times)") times with the same arguments "
                + "and got the same result each time.",
            remedy: "Say it in other words, or in smaller steps.")
    }

    private static func ordinal(_ number: Int) -> String {
        switch number {
        case 3: "third"
        case 4: "fourth"
        case 5: "fifth"
        default: "\(number)th"
        }
    }
}
