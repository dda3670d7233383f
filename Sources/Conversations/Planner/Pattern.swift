/// A pattern of words and slots, in the notation of a language: `(to|at)? {n:length} wide`.
///
/// `a|b` is a choice, `?` makes the part before it optional, `{n:length}` is a slot, `~crop` is a word in any of its
/// forms, and `<group>` stands for a pattern with a name.
indirect enum Pattern: Hashable, Sendable {
    case word(String)
    /// A word by its stem: "cropped", "cropping".
    case stem(String)
    case slot(name: String, Slot)
    case sequence([Pattern])
    case choice([Pattern])
    case maybe(Pattern)

    /// The reason why a pattern cannot be read.
    struct Fault: Error { let words: String }

    /// Reads a pattern.
    ///
    /// - Parameter groups: the texts of the named patterns.
    init(_ text: String, groups: [String: [String]]) throws(Fault) {
        var reader = PatternReader(text, groups: groups)
        self = try reader.whole()
    }
}

private struct PatternReader {
    private let text: [Character]
    private let groups: [String: [String]]
    private let depth: Int
    private var place = 0
    /// How deep groups may be nested.
    private static let deepest = 8

    init(_ text: String, groups: [String: [String]], depth: Int = 0) {
        self.text = Array(text)
        self.groups = groups
        self.depth = depth
    }

    private var next: Character? { place < text.count ? text[place] : nil }

    private func fault(_ words: String) -> Pattern.Fault {
        Pattern.Fault(words: "\(words) in the pattern \"\(String(text))\".")
    }

    mutating func whole() throws(Pattern.Fault) -> Pattern {
        let pattern = try choice()
        guard place == text.count else { throw fault("A closing sign too many stands") }
        return pattern
    }

    private mutating func choice() throws(Pattern.Fault) -> Pattern {
        var sides = [try sequence()]
        while next == "|" {
            place += 1
            sides.append(try sequence())
        }
        return sides.count == 1 ? sides[0] : .choice(sides)
    }

    private mutating func sequence() throws(Pattern.Fault) -> Pattern {
        var parts: [Pattern] = []
        while let character = next, character != "|", character != ")" {
            if character == " " {
                place += 1
            } else {
                parts.append(try part())
            }
        }
        guard !parts.isEmpty else { throw fault("A part without words stands") }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func part() throws(Pattern.Fault) -> Pattern {
        let part: Pattern
        switch next {
        case "(":
            place += 1
            part = try choice()
            guard next == ")" else { throw fault("A \")\" is missing") }
            place += 1
        case "{": part = try slot(try name(closedBy: "}"))
        case "<": part = try group(try name(closedBy: ">"))
        case "~":
            place += 1
            part = .stem(Stem.of(word()))
        default: part = .word(word())
        }
        guard next == "?" else { return part }
        place += 1
        return .maybe(part)
    }

    private mutating func word() -> String {
        let start = place
        while let character = next, !" |)(?{<".contains(character) { place += 1 }
        return String(text[start..<place])
    }

    private mutating func name(closedBy close: Character) throws(Pattern.Fault) -> String {
        place += 1
        let start = place
        while let character = next, character != close { place += 1 }
        guard next == close else { throw fault("A \"\(close)\" is missing") }
        place += 1
        return String(text[start..<(place - 1)])
    }

    private func slot(_ text: String) throws(Pattern.Fault) -> Pattern {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 2, let kind = Slot(rawValue: parts[1]) else {
            throw fault("The slot {\(text)} is not known")
        }
        return .slot(name: parts[0], kind)
    }

    private func group(_ name: String) throws(Pattern.Fault) -> Pattern {
        guard let texts = groups[name], depth < Self.deepest else { throw fault("The group <\(name)> is not known") }
        var sides: [Pattern] = []
        for text in texts {
            var reader = PatternReader(text, groups: groups, depth: depth + 1)
            sides.append(try reader.whole())
        }
        return sides.count == 1 ? sides[0] : .choice(sides)
    }
}

/// The kind of words that fill a slot of a pattern.
enum Slot: String, Hashable, Sendable {
    /// A number without a unit, or with the unit that the name says. `length` is in pixels or without a unit.
    case number, length, side, percent, degrees, seconds, bytes, megapixels, size
    /// A number of things, also as a word.
    case count
    /// A file that exists or looks like a file name, an address, or a pattern.
    case file
    /// A name for a result: in the form of a file name, in quotes, or as one word.
    case name
    /// A name of one word, whatever the word means elsewhere: after "folder".
    case label
    /// A name of one word that is not a kind of files, whatever else the word means.
    case place
    case folder
    /// A name under which there is no file or folder yet.
    case new
    /// "picture", "jpg", "files".
    case noun
    case format
    /// The name of a parameter of a tool.
    case param
    /// A text in quotes, or words as they stand.
    case text
    case quoted
    /// A word of any kind.
    case word
    /// A word without any other meaning.
    case plain
    /// A path into JSON: `items.0.name`, or one word.
    case field
    /// A path into JSON with a dot in it.
    case dotted
    case url
    /// A command for a shell.
    case command
    /// A workflow, such as `w3`.
    case workflow
    case color
    /// "comma".
    case sign
    /// A unit that no tool takes.
    case foreign
}

extension Pattern {
    /// The tokens with which a match of a pattern can begin.
    struct Beginning {
        var words: Set<String> = []
        var stems: Set<String> = []
        var slots: Set<Slot> = []
        var isMaybe = false

        mutating func add(_ other: Beginning) {
            words.formUnion(other.words)
            stems.formUnion(other.stems)
            slots.formUnion(other.slots)
        }
    }

    var beginning: Beginning {
        switch self {
        case .word(let word): return Beginning(words: [word])
        case .stem(let stem): return Beginning(stems: [stem])
        case .slot(_, let slot): return Beginning(slots: [slot])
        case .maybe(let part):
            var beginning = part.beginning
            beginning.isMaybe = true
            return beginning
        case .choice(let sides):
            return sides.reduce(into: Beginning()) { sum, side in
                let beginning = side.beginning
                sum.add(beginning)
                sum.isMaybe = sum.isMaybe || beginning.isMaybe
            }
        case .sequence(let parts):
            var sum = Beginning()
            for part in parts {
                let beginning = part.beginning
                sum.add(beginning)
                guard beginning.isMaybe else { return sum }
            }
            sum.isMaybe = true
            return sum
        }
    }

    /// The words in the pattern, to one of which a mistyped word may be corrected.
    var literals: Set<String> {
        switch self {
        case .word(let word): [word]
        case .stem, .slot: []
        case .maybe(let part): part.literals
        case .choice(let parts), .sequence(let parts): parts.reduce(into: []) { $0.formUnion($1.literals) }
        }
    }
}

extension Pattern {
    /// A word, or the stem of one, that a sentence must have.
    enum Need: Hashable, Sendable { case word(String), stem(String) }

    /// The words without which a pattern cannot match: of each set, a sentence must have one. Most patterns are ruled out
    /// by them before they are tried.
    var needs: [Set<Need>] {
        switch self {
        case .word(let word): word == "," ? [] : [[.word(word)]]
        case .stem(let stem): [[.stem(stem)]]
        case .slot, .maybe: []
        case .sequence(let parts): parts.flatMap(\.needs)
        case .choice(let sides): choiceNeeds(sides.map(\.needs))
        }
    }

    private func choiceNeeds(_ sides: [[Set<Need>]]) -> [Set<Need>] {
        guard sides.allSatisfy({ !$0.isEmpty }) else { return [] }
        return [sides.reduce(into: []) { $0.formUnion($1.max { $0.count > $1.count } ?? []) }]
    }
}
