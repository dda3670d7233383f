import Vocabulary

extension Limits {
    fileprivate static let patternLineBytes = 1_024
    fileprivate static let patternSteps = 20_000_000
    fileprivate static let patternOutputSteps = 200_000_000
}

/// A manifest's regular expression, tried on a stranger's text line by line and within bounds.
struct JobPattern {
    /// The part of a text that is looked through.
    struct Bounds {
        /// The last lines, each cut.
        var lines = Limits.readFileBytes
        var lineBytes = Limits.readFileBytes
        var steps: Int

        /// The bounds of what is looked through at each status check.
        static let ofCheck = Bounds(
            lines: Limits.patternLines, lineBytes: Limits.patternLineBytes, steps: Limits.patternSteps)
        /// The bounds of an answer whose size is bounded already.
        static let ofAnswer = Bounds(steps: Limits.patternSteps)
    }

    /// The word of a log about an output.
    enum Printed: Hashable {
        case value(String)
        case nothing
        /// The last line that has to do with it ends before the match does.
        case cutShort(line: String)
        case tooLong(bytes: Int)
        /// The pattern could not be tried on the whole log in the time that it has.
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

    /// The first group of the last match, or all of it where there is no group.
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

    /// Returns what the last line says that has to do with the pattern. Nothing that came is passed over, and what was
    /// cut is not taken for what was not said.
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

    /// Returns the last match in a line, and what the search behind it came to.
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

    /// A carriage return ends a line, too: programs that draw a progress bar write one.
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
