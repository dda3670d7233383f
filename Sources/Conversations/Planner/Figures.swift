import Vocabulary

/// The figures that phrases give, by the names that a language uses for them.
enum Figures {
    /// Returns the figure that a part gives under a name, or nil if the name or the kind of its value is unknown.
    static func measure(_ name: String, _ value: Bound.Value, of part: Part) -> Measure? {
        switch (name, value) {
        case ("width", .number(let value)): .width(value)
        case ("height", .number(let value)): .height(value)
        case ("longest", .number(let value)): .longest(value)
        case ("side", .number(let value)): .side(value)
        case ("box", .pair(let width, let height)): .box(width, height)
        case ("point", .pair(let x, let y)): .point(x, y)
        case ("point", .text("corner")): .point(0, 0)
        case ("left", .number(let value)): .named("left", value)
        case ("top", .number(let value)): .named("top", value)
        case ("bytes", .bytes(let bytes, let words)): .bytes(bytes, words: words)
        case ("angle", .number(let value)): .angle(value)
        case ("leftward", .number(let value)): .angle(-abs(value))
        case ("seconds", .number(let value)): .time(value)
        case ("share", .number(let value)): .share(value)
        case ("percent", .number(let value)): .percent(value)
        case ("less", .number(let value)): .percent(100 - value)
        case ("more", .number(let value)): .percent(100 + value)
        case ("megapixels", .number(let value)): .megapixels(value)
        case ("quality", .number(let value)): .quality(value)
        case ("bare", .number(let value)): .bare(value)
        case ("format", .text(let format)): .format(format)
        case ("strength", .text(let words)): .strength(words)
        case ("foreign", .text(let text)): .foreign(text)
        case ("named", .number(let value)): part.bound["p"]?.text.map { .named($0, value) }
        default: nil
        }
    }
}
