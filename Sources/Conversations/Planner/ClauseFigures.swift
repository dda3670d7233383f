import Vocabulary

/// Figures and the role that the words around them give them.
extension ClauseReader {
    mutating func number(_ value: Double, _ unit: Token.Unit?) throws(Refusal) {
        let next = [word(place + 1), word(place + 2)]
        let text = tokens[place].text
        let measure: Measure
        switch unit {
        case .bytes(let factor): return try bytes(value * factor, words: text, unit: factor)
        case .degrees: measure = .angle(isLeftward == true ? -abs(value) : value)
        case .seconds(let factor): measure = .time(value * factor)
        case .foreign: measure = .foreign(text)
        case .percent: measure = isQuality || isOfFormat ? .quality(value) : .percent(value)
        case .pixels, nil:
            measure =
                isQuality
                ? .quality(value)
                : isLeftward != nil && unit == nil
                    ? .angle(isLeftward == true ? -abs(value) : value) : pixels(value, isPlain: unit == nil, next: next)
        }
        if case .point = measure {} else { clause.measures.append((measure, place)) }
    }

    /// "a 90% jpg".
    private var isOfFormat: Bool { Lexicon.images.contains(word(place + 1)) }

    var isQuality: Bool { word(place - 1) == "quality" || word(place - 2) == "quality" || word(place + 1) == "quality" }

    mutating func pixels(_ value: Double, isPlain: Bool, next: [String]) -> Measure {
        let edge = word(place + 2) == "the" ? word(place + 3) : word(place + 2)
        if next[0] == "from", ["left", "top"].contains(edge) { return .named(edge, value) }
        if ["width", "height"].contains(word(place - 1)), !tokens.indices.contains(place - 2) || !isFigure(place - 2) {
            return word(place - 1) == "width" ? .width(value) : .height(value)
        }
        if ["wide", "width", "across"].contains(next[0]) || (["in", "of"].contains(next[0]) && next[1] == "width") {
            return .width(value)
        }
        if ["tall", "high", "height"].contains(next[0]) || (["in", "of"].contains(next[0]) && next[1] == "height") {
            return .height(value)
        }
        let after = tokens[(place + 1)...].prefix(5).map(\.word)
        if after.contains("side") || after.contains("edge"),
            after.contains(where: { ["longest", "long", "longer", "largest", "larger", "either", "each"].contains($0) })
        {
            return .longest(value)
        }
        let before = tokens[..<place].suffix(4).map(\.word)
        if before.contains("side") || before.contains("edge"),
            before.contains(where: { ["longest", "long", "longer", "largest"].contains($0) })
        {
            return .longest(value)
        }
        for back in 1...4 where tokens.indices.contains(place - back) {
            if tokens[place - back].isName { continue }
            let word = word(place - back)
            if back == 1, ["left", "top"].contains(word) { return .named(word, value) }
            if word == "width" || word == "wide" { return .width(value) }
            if word == "height" || word == "tall" { return .height(value) }
            if word.isEmpty || (Lexicon.numbers[word] != nil) { break }
        }
        if tokens.contains(where: { $0.word == "square" }) { return .box(value, value) }
        if let second = position(value) { return second }
        return isPlain ? .bare(value) : .side(value)
    }

    private func isFigure(_ place: Int) -> Bool { if case .number = tokens[place].kind { true } else { false } }

    /// "at 10,20" and "at 10, 20": a comma between figures does not end a clause.
    mutating func position(_ x: Double) -> Measure? {
        var at = place + 1
        if tokens.indices.contains(at), tokens[at].kind == .comma || word(at) == "and" { at += 1 }
        guard at > place + 1 || tokens.contains(where: { $0.word == "at" }), tokens.indices.contains(at),
            case .number(let y, let unit) = tokens[at].kind,
            unit == nil || unit == .pixels
        else { return nil }
        clause.measures.append((.point(x, y), place))
        place = at
        return .point(x, y)
    }

    mutating func bytes(_ value: Double, words text: String, unit: Double) throws(Refusal) {
        var isFloor = false
        for back in 1...4 where tokens.indices.contains(place - back) {
            if tokens[place - back].isName { break }
            if case .number = tokens[place - back].kind { break }
            let word = word(place - back)
            if Lexicon.floors.contains(word) { isFloor = true }
            if Negation.words.contains(word) || word == "most" { isFloor = false; break }
            if Lexicon.ceilings.contains(word) { break }
        }
        guard isFloor else { return clause.measures.append((.bytes(value, words: text), place)) }
        if let last = clause.mentions.indices.last, case .set(var set) = clause.mentions[last].reference,
            place - clause.mentions[last].place <= 5
        {
            set.largerThanBytes = value
            clause.mentions[last].reference = .set(set)
        } else if !isQuestion {
            throw Refusal("I can make a file smaller than a limit, but not larger than \(text).")
        }
    }
}
