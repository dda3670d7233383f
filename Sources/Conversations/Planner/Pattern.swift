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
    /// The tokens with which a match of a pattern can begin. A word may be listed twice.
    struct Beginning {
        var words: [String] = []
        var stems: [String] = []
        var slots: Set<Slot> = []
    }

    var beginning: Beginning {
        var beginning = Beginning()
        _ = addBeginning(to: &beginning)
        return beginning
    }

    /// Returns whether the pattern can match nothing, so that what follows it is a beginning, too.
    private func addBeginning(to beginning: inout Beginning) -> Bool {
        switch self {
        case .word(let word): beginning.words.append(word)
        case .stem(let stem): beginning.stems.append(stem)
        case .slot(_, let slot): beginning.slots.insert(slot)
        case .maybe(let part):
            _ = part.addBeginning(to: &beginning)
            return true
        case .choice(let sides): return sides.reduce(false) { $1.addBeginning(to: &beginning) || $0 }
        case .sequence(let parts): return parts.allSatisfy { $0.addBeginning(to: &beginning) }
        }
        return false
    }

    /// Returns the pattern with another one in the place of a slot.
    func replacing(slot: String, with other: Pattern) -> Pattern {
        switch self {
        case .word, .stem: self
        case .slot(let name, _): name == slot ? other : self
        case .maybe(let part): .maybe(part.replacing(slot: slot, with: other))
        case .choice(let sides): .choice(sides.map { $0.replacing(slot: slot, with: other) })
        case .sequence(let parts): .sequence(parts.map { $0.replacing(slot: slot, with: other) })
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
        case .choice(let sides):
            sides.allSatisfy { $0.need != nil } ? [Set(sides.compactMap(\.need))] : choiceNeeds(sides.map(\.needs))
        }
    }

    private var need: Need? {
        switch self {
        case .word(let word): word == "," ? nil : .word(word)
        case .stem(let stem): .stem(stem)
        case .slot, .maybe, .choice, .sequence: nil
        }
    }

    private func choiceNeeds(_ sides: [[Set<Need>]]) -> [Set<Need>] {
        guard sides.allSatisfy({ !$0.isEmpty }) else { return [] }
        return [sides.reduce(into: []) { $0.formUnion($1.max { $0.count > $1.count } ?? []) }]
    }
}
