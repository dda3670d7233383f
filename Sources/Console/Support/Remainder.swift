import Terminal
import Vocabulary

/// The entries of a list that are not shown, and the verb that prints exactly these.
struct Remainder: Hashable, Sendable {
    /// The numbers of the entries, from 1.
    let range: Range<Int>
    /// The noun with its adjective, such as `more line`.
    let noun: String
    /// The command that prints them, such as `view w3.2.1.text --from 13`.
    let call: String

    /// Creates the remainder of a list.
    ///
    /// - Parameters:
    ///   - range: the numbers of the entries that are left out, from 1.
    ///   - count: the number of all entries.
    ///   - verb: the verb that prints the list if it is given `--from` and `--lines`.
    ///   - length: the option for the number of printed entries.
    /// - Returns: nil if nothing is left out.
    init?(_ range: Range<Int>, of count: Int, _ noun: String, _ verb: String, length: String = "--lines") {
        guard !range.isEmpty else { return nil }
        (self.range, self.noun) = (range, noun)
        let from = range.lowerBound == 1 ? "" : " --from \(range.lowerBound)"
        call = verb + from + (range.upperBound > count ? "" : " \(length) \(range.count)")
    }

    /// Returns the words of the row, such as `… 28 more lines: /view w3.2.1.text --from 13`
    func words(_ remark: String = "") -> String {
        let number = range.count
        let noun = noun.hasSuffix("entry") && number != 1 ? "\(noun.dropLast())ies" : number == 1 ? noun : "\(noun)s"
        return "… \(number) \(noun)\(remark): \(Voice.call(call))"
    }

    /// Draws the words in as many rows as they need. The command at their end is never cut.
    func lines(columns: Int, indent: Int = 2, remark: String = "", style: Style = .dim) -> [StyledText] {
        Layout.wrapped(StyledText(words(remark), style), columns: columns, indent: indent)
    }
}

extension Remainder? {
    /// Draws nothing if nothing is left out.
    func lines(columns: Int, indent: Int = 2, remark: String = "", style: Style = .dim) -> [StyledText] {
        self?.lines(columns: columns, indent: indent, remark: remark, style: style) ?? []
    }
}
