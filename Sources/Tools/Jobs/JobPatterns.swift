import Vocabulary

/// A manifest's regular expression, tried on a stranger's text line by line and within bounds.
struct JobPattern {
    private let regex: Regex<AnyRegexOutput>

    init?(_ text: String) {
        guard let regex = try? Regex(text) else { return nil }
        self.regex = regex.matchingSemantics(.unicodeScalar)
    }

    func matches(_ text: String) -> Bool { Self.lines(of: text).contains { $0.firstMatch(of: regex) != nil } }

    /// The first group of the last match, or all of it where there is no group.
    func lastGroup(in text: String) -> String? {
        for line in Self.lines(of: text).reversed() {
            if let match = line.matches(of: regex).last { return Self.group(match.output) }
        }
        return nil
    }

    func firstGroup(in text: String) -> String? {
        for line in Self.lines(of: text) {
            if let match = line.firstMatch(of: regex) { return Self.group(match.output) }
        }
        return nil
    }

    private static func group(_ output: AnyRegexOutput) -> String? {
        (output.count > 1 ? output[1].substring : output[0].substring).map { String($0) }
    }

    /// The last lines, each cut. A carriage return ends a line, too: programs that draw a progress bar write one.
    private static func lines(of text: String) -> [String] {
        let bytes = text.utf8.suffix(Limits.patternLines * Limits.patternLineBytes)
        return bytes.split { $0 == 0x0A || $0 == 0x0D }.suffix(Limits.patternLines).map {
            String(decoding: $0.prefix(Limits.patternLineBytes), as: UTF8.self)
        }
    }
}
