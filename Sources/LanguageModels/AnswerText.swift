import Vocabulary

/// A buffer for the beginning of an answer that may be a call written as text, so that no call is shown raw before it
/// runs.
struct CallHold {
    private var held = ""
    private var state = TextCalls.Beginning.undecided
    /// The most bytes that are held back before it is clear whether an answer is a call.
    private static let longestStart = 1_024

    /// Adds more of an answer.
    ///
    /// - Returns: the part that can be shown now.
    mutating func feed(_ piece: String) -> String {
        if state == .answer { return piece }
        held += piece
        if state == .undecided {
            state = TextCalls.beginning(of: held)
            if state == .undecided, held.utf8.count > Self.longestStart { state = .answer }
        }
        if held.utf8.count > Limits.textCallBytes { state = .answer }
        return state == .answer ? end() : ""
    }

    /// Returns the text that was held back, at the end of the answer.
    mutating func end() -> String {
        defer { held = "" }
        return held
    }
}

/// A filter that shortens runs of blank lines, since some models repeat line breaks until their limit. At most two
/// blank lines in a row stay.
struct BlankLineFolder {
    private static let mostBreaks = 3
    private var breaks = 0
    /// White space at the beginning of a line that may be blank.
    private var indent = ""

    /// Adds more of a text.
    ///
    /// - Returns: the part without superfluous blank lines.
    mutating func feed(_ piece: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in piece.unicodeScalars {
            if scalar == "\n" {
                breaks += 1
                indent = ""
                if breaks <= Self.mostBreaks { folded.append(scalar) }
            } else if scalar == " " || scalar == "\t" || scalar == "\r" {
                if breaks >= Self.mostBreaks { indent.unicodeScalars.append(scalar) } else { folded.append(scalar) }
            } else {
                folded.append(contentsOf: indent.unicodeScalars)
                (breaks, indent) = (0, "")
                folded.append(scalar)
            }
        }
        return String(folded)
    }
}
