/// A pattern that was read, with the words in it.
struct ReadPattern: Sendable {
    var pattern: Pattern
    /// The words in the pattern, to one of which a mistyped word may be corrected.
    var literals: [String] = []
    /// The words that stand for all their forms.
    var verbs: [String] = []
}

/// A reader of the patterns of a language. It reads each group once, since thousands of patterns name the same few.
struct PatternReader {
    /// The meaning of the text between the braces of a slot, or nil if it has none.
    typealias SlotNames = (String) -> (name: String, slot: Slot)?

    private let groups: [String: [String]]
    /// Whether `~word` stands for all forms of a word. Without it, the word stands for itself.
    private let readsForms: Bool
    private var read: [String: ReadPattern] = [:]
    /// The groups that are being read. None of them can be a part of itself.
    private var open: Set<String> = []
    private var stems: [String: String] = [:]

    /// Creates a reader.
    ///
    /// - Parameter groups: the texts of the named patterns.
    init(groups: [String: [String]], readsForms: Bool = true) {
        (self.groups, self.readsForms) = (groups, readsForms)
    }

    /// Reads a pattern.
    ///
    /// - Parameter slots: the slots of the pattern itself. Those of its groups have a name and a kind: `{n:length}`.
    mutating func read(
        _ text: String, slots: SlotNames = Self.slot
    ) throws(Pattern.Fault) -> ReadPattern {
        var reading = PatternReading(text)
        let pattern = try reading.whole(&self, slots)
        return ReadPattern(pattern: pattern, literals: reading.literals, verbs: reading.verbs)
    }

    /// Returns the name and the kind of a slot that is written out: `n:length`.
    static func slot(_ text: String) -> (name: String, slot: Slot)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let slot = Slot(rawValue: String(parts[1])) else { return nil }
        return (String(parts[0]), slot)
    }

    fileprivate mutating func group(_ name: String) throws(Pattern.Fault) -> ReadPattern? {
        if let known = read[name] { return known }
        guard let texts = groups[name], open.insert(name).inserted else { return nil }
        defer { open.remove(name) }
        var sides: [Pattern] = []
        var whole = ReadPattern(pattern: .sequence([]))
        for text in texts {
            let side = try read(text)
            sides.append(side.pattern)
            whole.literals += side.literals
            whole.verbs += side.verbs
        }
        whole.pattern = sides.count == 1 ? sides[0] : .choice(sides)
        read[name] = whole
        return whole
    }

    fileprivate mutating func stem(_ word: String) -> Pattern {
        guard readsForms else { return .word(word) }
        let stem = stems[word] ?? Stem.of(word)
        stems[word] = stem
        return .stem(stem)
    }
}

/// The text of one pattern, and how far it was read.
private struct PatternReading {
    private let bytes: [UInt8]
    private var place = 0
    private(set) var literals: [String] = []
    private(set) var verbs: [String] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func fault(_ words: String) -> Pattern.Fault {
        Pattern.Fault(words: "\(words) in the pattern \"\(String(decoding: bytes, as: UTF8.self))\".")
    }

    mutating func whole(
        _ reader: inout PatternReader, _ slots: PatternReader.SlotNames
    ) throws(Pattern.Fault) -> Pattern {
        let pattern = try choice(&reader, slots)
        guard place == bytes.count else { throw fault("A closing sign too many stands") }
        return pattern
    }

    private mutating func choice(
        _ reader: inout PatternReader, _ slots: PatternReader.SlotNames
    ) throws(Pattern.Fault) -> Pattern {
        let first = try sequence(&reader, slots)
        guard next == .bar else { return first }
        var sides = [first]
        while next == .bar {
            place += 1
            sides.append(try sequence(&reader, slots))
        }
        return .choice(sides)
    }

    private mutating func sequence(
        _ reader: inout PatternReader, _ slots: PatternReader.SlotNames
    ) throws(Pattern.Fault) -> Pattern {
        var parts: [Pattern] = []
        while let byte = next, byte != .bar, byte != .close {
            if byte == .space { place += 1 } else { parts.append(try part(&reader, slots)) }
        }
        guard !parts.isEmpty else { throw fault("A part without words stands") }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func part(
        _ reader: inout PatternReader, _ slots: PatternReader.SlotNames
    ) throws(Pattern.Fault) -> Pattern {
        var part: Pattern
        switch next {
        case .open:
            place += 1
            part = try choice(&reader, slots)
            guard next == .close else { throw fault("A \")\" is missing") }
            place += 1
        case .brace:
            let text = try name(closedBy: .endBrace)
            guard let (name, slot) = slots(text) else { throw fault("The slot {\(text)} is not known") }
            part = .slot(name: name, slot)
        case .angle:
            let name = try name(closedBy: .endAngle)
            guard let group = try reader.group(name) else { throw fault("The group <\(name)> is not known") }
            literals += group.literals
            verbs += group.verbs
            part = group.pattern
        case .tilde:
            place += 1
            let word = word()
            verbs.append(word)
            part = reader.stem(word)
        default:
            let word = word()
            literals.append(word)
            part = .word(word)
        }
        guard next == .question else { return part }
        place += 1
        return .maybe(part)
    }

    private mutating func word() -> String {
        let start = place
        while let byte = next, !byte.endsWord { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func name(closedBy close: UInt8) throws(Pattern.Fault) -> String {
        place += 1
        let start = place
        while let byte = next, byte != close { place += 1 }
        guard next == close else {
            throw fault("A \"\(String(decoding: [close], as: UTF8.self))\" is missing")
        }
        place += 1
        return String(decoding: bytes[start..<(place - 1)], as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate static let space = UInt8(ascii: " ")
    fileprivate static let bar = UInt8(ascii: "|")
    fileprivate static let open = UInt8(ascii: "(")
    fileprivate static let close = UInt8(ascii: ")")
    fileprivate static let question = UInt8(ascii: "?")
    fileprivate static let brace = UInt8(ascii: "{")
    fileprivate static let endBrace = UInt8(ascii: "}")
    fileprivate static let angle = UInt8(ascii: "<")
    fileprivate static let endAngle = UInt8(ascii: ">")
    fileprivate static let tilde = UInt8(ascii: "~")

    fileprivate var endsWord: Bool {
        switch self {
        case .space, .bar, .open, .close, .question, .brace, .angle: true
        default: false
        }
    }
}
