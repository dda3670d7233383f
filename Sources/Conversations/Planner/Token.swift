/// A piece of a line: a word, a name, a number with its unit.
struct Token {
    enum Unit: Hashable {
        case pixels, percent, degrees
        /// A unit of bytes, with its number of bytes.
        case bytes(Double)
        case seconds(Double)
        case megapixels
        /// A unit that no tool uses (cm, inches).
        case foreign
    }

    enum Kind: Hashable {
        case word
        case quoted(String)
        /// A text in backticks.
        case code(String)
        case url(String)
        /// A file or folder that exists. `isExact`: whether upper and lower case agree, too.
        case file(FileEntry, isExact: Bool)
        /// A text that looks like a file name, but no such file exists.
        case missing(String)
        /// A path outside the listing, as written: `../other/cat.jpg`.
        case outside(String)
        case glob(String)
        /// A path into JSON, such as `items.0.name`.
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

    /// The file or folder of exactly this name, if the token is a word that is also the name of one: "photos".
    var entry: FileEntry?

    var isWord: Bool { kind == .word }

    var isName: Bool {
        switch kind {
        case .file, .missing, .outside, .glob, .url: true
        default: false
        }
    }

    /// Whether the token is a path only because of its slashes, such as `/usr/bin`. As a text that is to be replaced,
    /// it is read as a text.
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
