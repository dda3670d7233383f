import Vocabulary

extension Limits {
    /// The longest pattern, and the most brackets in one.
    fileprivate static let (patternBytes, patternBrackets) = (4_000, 200)
}

/// A reader of the patterns of a language. It reads each group once, since thousands of patterns name the same few.
struct PatternReader {
    /// The meaning of the text between the braces of a slot, or nil if it has none.
    typealias SlotNames = (String) -> (name: String, slot: Slot)?

    private let groups: [String: [String]]
    /// Whether `~word` stands for all forms of a word. Without it, the word stands for itself.
    private let readsForms: Bool
    private var read: [String: Pattern] = [:]
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
    ) throws(Pattern.Fault) -> Pattern {
        guard PatternText.isReadable(text) else {
            throw Pattern.Fault(
                words: "A pattern has at most \(Limits.patternBytes) bytes and \(Limits.patternBrackets) brackets.")
        }
        var reading = PatternReading(text)
        return try reading.whole(&self, slots)
    }

    /// Returns the name and the kind of a slot that is written out: `n:length`.
    static func slot(_ text: String) -> (name: String, slot: Slot)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let slot = Slot(rawValue: String(parts[1])) else { return nil }
        return (String(parts[0]), slot)
    }

    fileprivate mutating func group(_ name: String) throws(Pattern.Fault) -> Pattern? {
        if let known = read[name] { return known }
        guard let texts = groups[name], open.insert(name).inserted else { return nil }
        defer { open.remove(name) }
        var sides: [Pattern] = []
        for text in texts { sides.append(try read(text)) }
        let whole = sides.count == 1 ? sides[0] : .choice(sides)
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

/// A reading of one pattern.
private struct PatternReading {
    private var text: PatternText

    init(_ text: String) { self.text = PatternText(text) }

    private func fault(_ words: String) -> Pattern.Fault {
        Pattern.Fault(words: "\(words) in the pattern \"\(text.whole)\".")
    }

    mutating func whole(
        _ reader: inout PatternReader, _ slots: PatternReader.SlotNames
    ) throws(Pattern.Fault) -> Pattern {
        let pattern = try choice(&reader, slots)
        guard text.next == nil else { throw fault("A closing sign too many stands") }
        return pattern
    }

    private mutating func choice(
        _ reader: inout PatternReader, _ slots: PatternReader.SlotNames
    ) throws(Pattern.Fault) -> Pattern {
        let first = try sequence(&reader, slots)
        guard text.next == .bar else { return first }
        var sides = [first]
        while text.skip(.bar) { sides.append(try sequence(&reader, slots)) }
        return .choice(sides)
    }

    private mutating func sequence(
        _ reader: inout PatternReader, _ slots: PatternReader.SlotNames
    ) throws(Pattern.Fault) -> Pattern {
        var parts: [Pattern] = []
        while let byte = text.next, byte != .bar, byte != .close {
            if !text.skip(.space) { parts.append(try part(&reader, slots)) }
        }
        guard !parts.isEmpty else { throw fault("A part without words stands") }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func part(
        _ reader: inout PatternReader, _ slots: PatternReader.SlotNames
    ) throws(Pattern.Fault) -> Pattern {
        var part: Pattern
        switch text.next {
        case .open:
            text.skip(.open)
            part = try choice(&reader, slots)
            guard text.skip(.close) else { throw fault("A \")\" is missing") }
        case .brace:
            let said = try name(closedBy: .endBrace)
            guard let (name, slot) = slots(said) else { throw fault("The slot {\(said)} is not known") }
            part = .slot(name: name, slot)
        case .angle:
            let name = try name(closedBy: .endAngle)
            guard let group = try reader.group(name) else { throw fault("The group <\(name)> is not known") }
            part = group
        case .tilde:
            text.skip(.tilde)
            part = reader.stem(text.word())
        default:
            part = .word(text.word())
        }
        return text.skip(.question) ? .maybe(part) : part
    }

    private mutating func name(closedBy close: UInt8) throws(Pattern.Fault) -> String {
        guard let name = text.name(closedBy: close) else {
            throw fault("A \"\(String(decoding: [close], as: UTF8.self))\" is missing")
        }
        return name
    }
}

/// The text of a pattern, and how far it was read.
struct PatternText {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether a text is short enough, with few enough brackets in it: each is a step deeper on the stack.
    static func isReadable(_ text: String) -> Bool {
        text.utf8.count <= Limits.patternBytes && text.utf8.count { $0 == .open } <= Limits.patternBrackets
    }

    /// The next byte, or nil at the end.
    var next: UInt8? { place < bytes.count ? bytes[place] : nil }
    /// All of the text.
    var whole: String { String(decoding: bytes, as: UTF8.self) }

    /// Passes a byte if it is the next one, and returns whether it is.
    @discardableResult mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    /// Returns the bytes up to a sign of the notation, and passes them.
    mutating func word() -> String {
        let start = place
        while let byte = next, !byte.endsWord { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// Passes an opening sign and returns the bytes up to the closing one, which it passes, too. Returns nil at the end
    /// if there is none.
    mutating func name(closedBy close: UInt8) -> String? {
        place += 1
        let start = place
        while let byte = next, byte != close { place += 1 }
        let name = String(decoding: bytes[start..<place], as: UTF8.self)
        return skip(close) ? name : nil
    }
}

/// The signs of the notation.
extension UInt8 {
    static let space = UInt8(ascii: " ")
    static let bar = UInt8(ascii: "|")
    static let open = UInt8(ascii: "(")
    static let close = UInt8(ascii: ")")
    static let question = UInt8(ascii: "?")
    static let brace = UInt8(ascii: "{")
    static let endBrace = UInt8(ascii: "}")
    static let angle = UInt8(ascii: "<")
    static let endAngle = UInt8(ascii: ">")
    static let tilde = UInt8(ascii: "~")

    fileprivate var endsWord: Bool {
        switch self {
        case .space, .bar, .open, .close, .question, .brace, .angle: true
        default: false
        }
    }
}
