import Vocabulary

extension Limits {
    /// The bytes at the beginning of a line that a pattern reads at each status check.
    fileprivate static let patternLineBytes = 1_024

    /// The most steps of the search for a pattern in an answer. Then the pattern counts as not found.
    fileprivate static let patternSteps = 20_000_000

    /// The most steps of the search for an output in a whole log: one or two seconds.
    fileprivate static let patternOutputSteps = 200_000_000
}

/// A manifest's regular expression, which is tried on a provider's text line by line and within bounds.
struct JobPattern {
    /// The part of a text that is searched.
    struct Bounds {
        /// The number of last lines that are searched. Each is cut to `lineBytes`.
        var lines = Limits.readFileBytes
        var lineBytes = Limits.readFileBytes
        var steps: Int

        /// The bounds for a text that is searched at each status check.
        static let ofCheck = Bounds(
            lines: Limits.patternLines, lineBytes: Limits.patternLineBytes, steps: Limits.patternSteps)
        /// The bounds for an answer whose size is limited already.
        static let ofAnswer = Bounds(steps: Limits.patternSteps)
    }

    /// The result of a search for an output in a log.
    enum Printed: Hashable {
        case value(String)
        case nothing
        /// The last line that began to match ends before the match does.
        case cutShort(line: String)
        case tooLong(bytes: Int)
        /// The pattern needed more steps than allowed for the whole log.
        case unread
    }

    private let pattern: LinePattern

    init?(_ text: String) {
        do throws(LinePatternFault) { pattern = try LinePattern(text) } catch { return nil }
    }

    func matches(_ text: String, in bounds: Bounds = .ofCheck) -> Bool {
        var steps = bounds.steps
        return Self.lines(of: text, bounds).contains { line in
            if case .match = pattern.first(in: line, steps: &steps) { true } else { false }
        }
    }

    /// Returns the first group of the last match, or the whole match if the pattern has no group. Returns `nil` if no
    /// line matches.
    func lastGroup(in text: String, _ bounds: Bounds = .ofCheck) -> String? {
        var steps = bounds.steps
        for line in Self.lines(of: text, bounds).reversed() {
            if let last = last(in: line, &steps).match { return last.group.map { Self.text(line[$0]) } }
        }
        return nil
    }

    func firstGroup(in text: String, _ bounds: Bounds = .ofCheck) -> String? {
        var steps = bounds.steps
        for line in Self.lines(of: text, bounds) {
            if case .match(let match) = pattern.first(in: line, steps: &steps) {
                return match.group.map { Self.text(line[$0]) }
            }
        }
        return nil
    }

    /// Returns the match of the last line that matches, or begins to match. A line that ends too early is reported as
    /// `cutShort`, and not as `nothing`.
    func printed(in text: String, steps most: Int = Limits.patternOutputSteps) -> Printed {
        var steps = most
        for line in Self.lines(of: text, Bounds(steps: steps)).reversed() {
            let (match, finding) = last(in: line, &steps)
            switch finding {
            case .unfinished: return .unread
            case .none(isBegun: true): return .cutShort(line: Self.text(line.prefix(Limits.serverWordsCharacters)))
            case .none, .match: break
            }
            guard let group = match?.group else { continue }
            let value = Self.text(line[group])
            return value.utf8.count > Limits.patternOutputBytes ? .tooLong(bytes: value.utf8.count) : .value(value)
        }
        return .nothing
    }

    /// Returns the last match in a line, and the result of the search after it.
    private func last(in line: [Unicode.Scalar], _ steps: inout Int) -> (
        match: LinePattern.Hit?, finding: LinePattern.Search
    ) {
        var last: LinePattern.Hit?
        var place = 0
        while true {
            let finding = pattern.first(in: line, from: place, steps: &steps)
            guard case .match(let match) = finding else { return (last, finding) }
            last = match
            place = match.range.isEmpty ? match.range.upperBound + 1 : match.range.upperBound
            guard place <= line.count else { return (last, finding) }
        }
    }

    /// Returns the last lines of a text, within the bounds. A carriage return ends a line, too, since progress bars use
    /// it.
    private static func lines(of text: String, _ bounds: Bounds) -> LazyMapCollection<
        ArraySlice<Substring.UTF8View>, [Unicode.Scalar]
    > {
        let bytes = text.utf8.suffix(min(bounds.lines * bounds.lineBytes, Limits.readFileBytes))
        return bytes.split { $0 == 0x0A || $0 == 0x0D }.suffix(bounds.lines).lazy.map { line in
            Array(String(decoding: line.prefix(bounds.lineBytes), as: UTF8.self).unicodeScalars)
        }
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
