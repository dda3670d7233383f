/// A piece of a line: a word, a name, a number with its unit.
struct Token {
    enum Unit: Hashable {
        case pixels, percent, degrees
        /// How many bytes one of it has.
        case bytes(Double)
        case seconds(Double)
        case megapixels
        /// A unit that no tool here takes (cm, inches).
        case foreign
    }

    enum Kind: Hashable {
        case word
        case quoted(String)
        /// A text in backticks.
        case code(String)
        case url(String)
        /// A file or folder that is there. `isExact`: also in upper and lower case.
        case file(FileEntry, isExact: Bool)
        /// Looks like a file and is not there.
        case missing(String)
        /// A path that leads out of what the listing tells, as written: `../other/cat.jpg`.
        case outside(String)
        case glob(String)
        /// `items.0.name`.
        case dotted(String)
        case number(Double, Unit?)
        case size(Double, Double)
        case comma, stop
    }

    var kind: Kind
    /// The text as written. `word` is the same in lower case.
    var text: String
    var word: String
    /// The place of the token in the line, in characters.
    var range: Range<Int>

    var isWord: Bool { kind == .word }

    var isName: Bool {
        switch kind {
        case .file, .missing, .outside, .glob, .url: true
        default: false
        }
    }

    /// `/usr/bin`: a path by its slashes alone. As the text that is to be replaced it is a text.
    var isBarePath: Bool { if case .outside(let path) = kind { FileName.suffix(of: path) == nil } else { false } }

    var isBreak: Bool { kind == .comma || kind == .stop }
}

extension Token.Unit {
    /// Reads a unit as a language writes it: `px`, `%`, `°`, `MP`, `-`, `1000 B`, `60 s`.
    init?(_ text: String?) {
        switch text {
        case "px": self = .pixels
        case "%": self = .percent
        case "°": self = .degrees
        case "MP": self = .megapixels
        case "-": self = .foreign
        default:
            let parts = (text ?? "").split(separator: " ")
            guard parts.count == 2, let factor = Double(parts[0]) else { return nil }
            self = parts[1] == "s" ? .seconds(factor) : .bytes(factor)
        }
    }
}
