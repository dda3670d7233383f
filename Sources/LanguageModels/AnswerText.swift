import Vocabulary

/// Holds back an answer that may be a call written as text, so that no call is shown raw before it is run.
struct CallHold {
    private var held = ""
    private var state = TextCalls.Beginning.undecided
    /// The most bytes that are held back before it is clear whether an answer is a call.
    private static let longestStart = 1_024

    /// Takes more of an answer.
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

    /// Returns the text that was held back, when nothing more comes.
    mutating func end() -> String {
        defer { held = "" }
        return held
    }
}

/// Folds runs of blank lines: some models repeat line breaks until their limit. Two blank lines in a row stay.
struct BlankLineFolder {
    private static let mostBreaks = 3
    private var breaks = 0
    /// White space at the beginning of a line that may be blank.
    private var indent = ""

    /// Takes more of a text.
    ///
    /// - Returns: the part without the blank lines that are too many.
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
