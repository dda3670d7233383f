extension Limits {
    /// The most instructions of a compiled line pattern.
    package static let patternOps = 1_000
}

/// The reason why a text cannot be used as a pattern: the rest of a sentence that begins with "it".
package struct LinePatternFault: Error, Hashable, Sendable {
    package var words: String
}

/// A set of signs that a pattern matches at one place of a line.
enum LinePatternSign: Hashable {
    case one(Unicode.Scalar)
    case any
    case among(CharacterClass)

    struct CharacterClass: Hashable {
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var kinds: [Kind] = []
        /// The kinds whose opposite belongs to the class, as in `[\D]`.
        var others: [Kind] = []
        var isNegated = false
    }

    enum Kind: Hashable {
        case digit, word, space

        func holds(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .digit: ("0"..."9").contains(scalar)
            case .word where scalar.isASCII:
                scalar == "_" || ("0"..."9").contains(scalar) || scalar.properties.isAlphabetic
            case .word: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            case .space: scalar.properties.isWhitespace
            }
        }
    }

    func matches(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .one(let own): own == scalar
        case .any: true
        case .among(let set):
            set.isNegated
                != (set.ranges.contains { $0.contains(scalar) } || set.kinds.contains { $0.holds(scalar) }
                    || set.others.contains { !$0.holds(scalar) })
        }
    }
}

/// Reads the usual signs of regular expressions: `.` `[a-z]` `\d\w\s\b` `( )` `(?: )` `(?<name> )` `(?i)` `|` `* + ?
/// {n,m}` and their lazy forms. Lookbehind and lookahead are refused, since the machine cannot follow them.
struct LinePatternReader {
    private var rest: [Unicode.Scalar]
    private var groups = 0
    private var isCaseless = false
    private var ops: [LinePattern.Instruction] = []
    private var written = 0

    init(_ text: String) { rest = text.unicodeScalars.reversed() }

    private indirect enum Node {
        case sign(LinePatternSign)
        case edge(LinePattern.Anchor)
        case first(Node)
        case sequence([Node])
        case choice([Node])
        case repeated(Node, least: Int, most: Int?, isLazy: Bool)
    }

    mutating func program() throws(LinePatternFault) -> (ops: [LinePattern.Instruction], hasGroup: Bool) {
        let node = try choice()
        guard rest.isEmpty else { throw LinePatternFault(words: "closes a group that is not open") }
        try write(node)
        ops.append(.match)
        return (ops, groups > 0)
    }

    // MARK: Reading

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.last == scalar else { return false }
        rest.removeLast()
        return true
    }

    private mutating func choice() throws(LinePatternFault) -> Node {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(LinePatternFault) -> Node {
        var parts: [Node] = []
        while let sign = rest.last, sign != "|", sign != ")" {
            guard let part = try part() else { continue }
            parts.append(try repeated(part))
        }
        return .sequence(parts)
    }

    /// Reads one part. Returns `nil` if the part is only a flag for the following text, such as `(?i)`.
    private mutating func part() throws(LinePatternFault) -> Node? {
        let sign = rest.removeLast()
        switch sign {
        case "(": return try group()
        case "[": return .sign(.among(try set()))
        case ".": return .sign(.any)
        case "^": return .edge(.start)
        case "$": return .edge(.end)
        case "\\": return try escaped()
        case "*", "+", "?": throw LinePatternFault(words: "repeats nothing with \(sign)")
        default: return plain(sign)
        }
    }

    private func plain(_ scalar: Unicode.Scalar) -> Node {
        guard isCaseless, scalar.isASCII, scalar.properties.isAlphabetic else { return .sign(.one(scalar)) }
        return .sign(.among(cased(.init(ranges: [scalar...scalar]))))
    }

    /// Returns the class with the letters of the other case, if case is ignored.
    private func cased(_ set: LinePatternSign.CharacterClass) -> LinePatternSign.CharacterClass {
        guard isCaseless else { return set }
        var both = set
        for range in set.ranges {
            for (low, high, shift) in [("a", "z", -32), ("A", "Z", 32)] as [(Unicode.Scalar, Unicode.Scalar, Int)] {
                let (from, to) = (max(range.lowerBound, low), min(range.upperBound, high))
                guard from <= to, let from = Unicode.Scalar(UInt32(Int(from.value) + shift)),
                    let to = Unicode.Scalar(UInt32(Int(to.value) + shift))
                else { continue }
                both.ranges.append(from...to)
            }
        }
        return both
    }

    private mutating func group() throws(LinePatternFault) -> Node? {
        var isFirst = false
        let wasCaseless = isCaseless
        if take("?") {
            if take("i") {
                isCaseless = true
                if take(")") { return nil }
                guard take(":") else { throw LinePatternFault(words: "has a group of a kind that cannot be used") }
            } else if !take(":") {
                isFirst = try name()
            }
        } else {
            groups += 1
            isFirst = groups == 1
        }
        let inner = try choice()
        guard take(")") else { throw LinePatternFault(words: "has a group without its end") }
        isCaseless = wasCaseless
        return isFirst ? .first(inner) : inner
    }

    /// Reads the name of `(?<name> )` or `(?P<name> )`.
    /// - Returns: true for the first group of all.
    private mutating func name() throws(LinePatternFault) -> Bool {
        _ = take("P")
        guard take("<"), let next = rest.last, next != "=", next != "!", let end = rest.lastIndex(of: ">") else {
            throw LinePatternFault(words: "has a group of a kind that cannot be used")
        }
        rest.removeSubrange(end...)
        groups += 1
        return groups == 1
    }

    private mutating func repeated(_ node: Node) throws(LinePatternFault) -> Node {
        let bounds: (least: Int, most: Int?)
        switch rest.last {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            guard let counted = try counted() else { return node }
            bounds = counted
        default: return node
        }
        rest.removeLast()
        if let most = bounds.most, bounds.least > most {
            throw LinePatternFault(words: "repeats something at least more often than at most")
        }
        let isLazy = take("?")
        if let next = rest.last, next == "*" || next == "+" || next == "?" {
            throw LinePatternFault(words: "repeats a repetition with \(next)")
        }
        return .repeated(node, least: bounds.least, most: bounds.most, isLazy: isLazy)
    }

    /// Reads `{3}`, `{3,}`, `{3,5}` or `{,5}` up to its closing brace. Returns `nil`, and reads nothing, if the brace
    /// is an ordinary sign.
    private mutating func counted() throws(LinePatternFault) -> (least: Int, most: Int?)? {
        guard let end = rest.lastIndex(of: "}") else { return nil }
        let inner = String(String.UnicodeScalarView(rest[(end + 1)...].dropLast().reversed()))
        let numbers = inner.split(separator: ",", omittingEmptySubsequences: false)
        guard (1...2).contains(numbers.count), inner.utf8.contains(where: { $0 != 0x2C }),
            inner.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2C })
        else { return nil }
        guard numbers.allSatisfy({ $0.utf8.count <= 4 }) else { throw Self.tooLarge }
        let parts = numbers.map { Int($0) }
        rest.removeSubrange((end + 1)...)
        return (parts[0] ?? 0, numbers.count == 1 ? parts[0] : parts[1])
    }

    private mutating func escaped() throws(LinePatternFault) -> Node {
        guard let sign = rest.popLast() else { throw LinePatternFault(words: "ends with a backslash") }
        switch sign {
        case "b": return .edge(.word)
        case "B": return .edge(.noWord)
        case "A": return .edge(.start)
        case "z", "Z": return .edge(.end)
        case "D": return .sign(.among(.init(others: [.digit])))
        case "W": return .sign(.among(.init(others: [.word])))
        case "S": return .sign(.among(.init(others: [.space])))
        default:
            if let kind = Self.kind(sign) { return .sign(.among(.init(kinds: [kind]))) }
            return plain(try scalar(sign))
        }
    }

    private static func kind(_ sign: Unicode.Scalar) -> LinePatternSign.Kind? {
        switch sign {
        case "d": .digit
        case "w": .word
        case "s": .space
        default: nil
        }
    }

    /// Reads the sign that a backslash and this one stand for.
    private mutating func scalar(_ sign: Unicode.Scalar) throws(LinePatternFault) -> Unicode.Scalar {
        switch sign {
        case "t": return "\t"
        case "n": return "\n"
        case "r": return "\r"
        case "x": return try hexadecimal(digits: 2)
        case "u": return try hexadecimal(digits: 4)
        case "1"..."9", "k", "g":
            throw LinePatternFault(
                words: "refers to what a group has matched, which can take for ever on a text made for that")
        case _ where sign.isASCII && (sign.properties.isAlphabetic || sign == "0"):
            throw LinePatternFault(words: "has \\\(sign), which is not known here")
        default: return sign
        }
    }

    private mutating func hexadecimal(digits count: Int) throws(LinePatternFault) -> Unicode.Scalar {
        let digits = String(String.UnicodeScalarView(rest.suffix(count).reversed()))
        guard digits.utf8.count == count, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number)
        else {
            throw LinePatternFault(words: "has a sign by a number that is none")
        }
        rest.removeLast(count)
        return scalar
    }

    /// Reads a class, behind its `[`.
    private mutating func set() throws(LinePatternFault) -> LinePatternSign.CharacterClass {
        var set = LinePatternSign.CharacterClass()
        set.isNegated = take("^")
        var isFirst = true
        while let sign = rest.popLast() {
            if sign == "]", !isFirst { return cased(set) }
            isFirst = false
            var low = sign
            if sign == "\\" {
                guard let next = rest.popLast() else { break }
                if let kind = Self.kind(next) {
                    set.kinds.append(kind)
                    continue
                }
                if let kind = next.isASCII ? Self.kind(Unicode.Scalar(next.value | 0x20) ?? next) : nil {
                    set.others.append(kind)
                    continue
                }
                low = try scalar(next)
            }
            guard rest.last == "-", rest.count > 1, rest[rest.count - 2] != "]" else {
                set.ranges.append(low...low)
                continue
            }
            rest.removeLast()
            var high = rest.removeLast()
            if high == "\\", let next = rest.popLast() { high = try scalar(next) }
            guard low <= high else { throw LinePatternFault(words: "has a range of signs that goes backwards") }
            set.ranges.append(low...high)
        }
        throw LinePatternFault(words: "has a set of signs without its end")
    }

    // MARK: Writing

    private static let tooLarge = LinePatternFault(words: "is too large with all that it repeats")

    private mutating func append(_ op: LinePattern.Instruction) throws(LinePatternFault) {
        guard ops.count < Limits.patternOps else { throw Self.tooLarge }
        ops.append(op)
    }

    private mutating func write(_ node: Node) throws(LinePatternFault) {
        // Nothing can be repeated very often, too.
        written += 1
        guard written <= 10 * Limits.patternOps else { throw Self.tooLarge }
        switch node {
        case .sign(let sign): try append(.read(sign))
        case .edge(let edge): try append(.at(edge))
        case .first(let inner):
            try append(.open)
            try write(inner)
            try append(.close)
        case .sequence(let parts): for part in parts { try write(part) }
        case .choice(let branches):
            var ends: [Int] = []
            for branch in branches.dropLast() {
                let fork = ops.count
                try append(.match)
                try write(branch)
                ends.append(ops.count)
                try append(.match)
                ops[fork] = .split(fork + 1, ops.count)
            }
            if let last = branches.last { try write(last) }
            for end in ends { ops[end] = .jump(ops.count) }
        case .repeated(let inner, let least, let most, let isLazy):
            for _ in 0..<least { try write(inner) }
            guard let most else {
                let fork = ops.count
                try append(.match)
                try write(inner)
                try append(.jump(fork))
                ops[fork] = isLazy ? .split(ops.count, fork + 1) : .split(fork + 1, ops.count)
                return
            }
            var forks: [Int] = []
            for _ in least..<most {
                forks.append(ops.count)
                try append(.match)
                try write(inner)
            }
            for fork in forks { ops[fork] = isLazy ? .split(ops.count, fork + 1) : .split(fork + 1, ops.count) }
        }
    }
}
