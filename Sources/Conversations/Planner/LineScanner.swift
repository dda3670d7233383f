import Vocabulary

/// A scanner that cuts a line into tokens. Names of existing files are found first, even with spaces in them and
/// without quotes.
struct LineScanner {
    private let line: [Character]
    private var position = 0
    private var tokens: [Token] = []
    private var byName: [String: [FileEntry]] = [:]
    private var spaced: [(name: [Character], entry: FileEntry)] = []
    private var knownExtensions = FileName.extensions
    private let outside: OutsidePath
    private let language: PlannerLanguage

    static func tokens(of line: String, listing: Listing, _ language: PlannerLanguage) -> [Token] {
        var scanner = LineScanner(line, listing: listing, language)
        scanner.scan()
        return scanner.tokens
    }

    private init(_ line: String, listing: Listing, _ language: PlannerLanguage) {
        self.line = Array(line)
        self.language = language
        outside = OutsidePath(listing: listing)
        for entry in listing.files {
            byName[entry.name.lowercased(), default: []].append(entry)
            if entry.name.contains(" ") { spaced.append((Array(entry.name.lowercased()), entry)) }
            if !entry.isFolder, let suffix = FileName.suffix(of: entry.name), suffix.count <= 5 {
                knownExtensions.insert(suffix)
            }
        }
        spaced.sort { $0.name.count > $1.name.count }
    }

    private mutating func scan() {
        while position < line.count {
            let character = line[position]
            if character == "\n" {
                add(.stop, to: position + 1)
            } else if character.isWhitespace {
                position += 1
            } else if !spacedName(), !quoted(), !mark(character) {
                chunk()
            }
        }
    }

    private mutating func add(_ kind: Token.Kind, to end: Int, text: String? = nil) {
        let text = text ?? String(line[position..<end])
        tokens.append(Token(kind: kind, text: text, word: text.lowercased(), range: position..<end))
        position = end
    }

    // MARK: Names with spaces, quotes, marks

    private mutating func spacedName() -> Bool {
        for (name, entry) in spaced where position + name.count <= line.count {
            let end = position + name.count
            guard line[position].lowercased() == String(name[0]), isBoundary(position - 1), isBoundary(end) else {
                continue
            }
            let written = String(line[position..<end])
            guard written.lowercased() == String(name) else { continue }
            add(.file(entry, isExact: written == entry.name), to: end)
            return true
        }
        return false
    }

    private func isBoundary(_ place: Int) -> Bool {
        guard line.indices.contains(place) else { return true }
        return !(line[place].isLetter || line[place].isNumber || line[place] == "_" || line[place] == "/")
    }

    private static let closing: [Character: Character] = [
        "\"": "\"", "“": "”", "„": "“", "«": "»", "`": "`", "'": "'", "‘": "’",
    ]

    private mutating func quoted() -> Bool {
        guard let close = Self.closing[line[position]], isBoundary(position - 1) else { return false }
        var end = position + 1
        while end < line.count, line[end] != close || (close == "'" && !isBoundary(end + 1)) { end += 1 }
        guard end < line.count else {
            position += 1
            return true
        }
        let content = String(line[(position + 1)..<end])
        add(
            line[position] == "`"
                ? .code(content) : name(content, isQuoted: true) ?? .quoted(content.withoutEscapes), to: end + 1,
            text: content)
        return true
    }

    private mutating func mark(_ character: Character) -> Bool {
        switch character {
        case ",", "(", ")", "[", "]", "{", "}", ":": add(.comma, to: position + 1)
        case "!", "?", ";", "…": add(.stop, to: position + 1)
        case "&" where isSpace(position + 1), "+" where isSpace(position + 1): add(.word, to: position + 1, text: "and")
        case "-" where isArrow, "=" where isArrow: add(.word, to: position + 2, text: "to")
        case "-" where position + 1 < line.count && line[position + 1] == "-" && isSpace(position + 2):
            add(.comma, to: position + 2)
        case "-" where position > 0 && !isSpace(position - 1): position += 1
        case "." where isSpace(position + 1): add(.stop, to: position + 1)
        case "." where line[position...].prefix(3) == [".", ".", "."]: add(.comma, to: position + 3)
        case "→": add(.word, to: position + 1, text: "to")
        case "-" where isSpace(position + 1), "–", "—": add(.comma, to: position + 1)
        default: return false
        }
        return true
    }

    private var isArrow: Bool { position + 1 < line.count && line[position + 1] == ">" }

    private func isSpace(_ place: Int) -> Bool { place >= line.count || line[place].isWhitespace }

    // MARK: Chunks between spaces

    private mutating func chunk() {
        var end = position
        while end < line.count, !line[end].isWhitespace, !",;!?()\"“”`→".contains(line[end]) { end += 1 }
        if end < line.count, line[end] == "?",
            String(line[position..<end]).contains("://") || (end + 1 < line.count && line[end + 1] == ".")
        {
            while end < line.count, !line[end].isWhitespace { end += 1 }
        }
        if let url = url() { return add(.url(url), to: position + url.count) }
        guard end > position else { return add(.comma, to: position + 1) }
        var stem = end
        while stem > position + 1, ".:'".contains(line[stem - 1]) { stem -= 1 }
        let text = String(line[position..<stem])
        if text.contains("."), let spelled = language.spellings[text.lowercased()] {
            add(.word, to: stem, text: spelled)
        } else if let kind = name(text, isQuoted: false) {
            add(kind, to: stem)
        } else if number() || assignment(text) || halfSize(text) {
            return
        } else {
            word(text, to: stem)
        }
        if stem < end, line[stem] == ":", let last = tokens.last, last.isWord, Self.labels.contains(last.word) {
            position += 1
        }
        if stem < end, line[stem] == ".", language.spellings[text.lowercased() + "."] != nil { position += 1 }
        if stem < end, position == stem, line[stem] == "." || line[stem] == ":" {
            add(line[stem] == "." ? .stop : .comma, to: stem + 1)
        }
        if position < end, position >= stem { position = end }
    }

    /// The words that label the text after them: "output: small.jpg", "width: 800".
    private static let labels: Set<String> = [
        "output", "result", "target", "destination", "width", "height", "quality", "format", "as", "to",
    ]

    /// Reads an assignment such as "w=400" or "quality=80". Returns whether there is one.
    private mutating func assignment(_ text: String) -> Bool {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex, text[..<equals].allSatisfy(\.isLetter)
        else { return false }
        let key = text[..<equals].lowercased()
        let value = position + key.count + 1
        guard figure(at: value) != nil else { return false }
        add(.word, to: value, text: ["w": "width", "h": "height", "q": "quality"][key] ?? key)
        return number()
    }

    /// Reads half of a size: "1200x" is a width, "x800" a height. Returns whether there is one.
    private mutating func halfSize(_ text: String) -> Bool {
        let digits = text.filter(\.isNumber)
        guard let value = Double(digits), text.lowercased() == digits + "x" || text.lowercased() == "x" + digits else {
            return false
        }
        let isWidth = text.last?.isLetter == true
        add(.number(value, .pixels), to: position + text.count)
        tokens.append(
            Token(
                kind: .word, text: isWidth ? "wide" : "high", word: isWidth ? "wide" : "high",
                range: position..<position))
        return true
    }

    private func url() -> String? {
        let rest = String(line[position...].prefix(8)).lowercased()
        guard rest.hasPrefix("http://") || rest.hasPrefix("https://") else { return nil }
        var end = position
        while end < line.count, !line[end].isWhitespace, !"\"<>`“”".contains(line[end]) { end += 1 }
        while end > position, ".,;:!?)'".contains(line[end - 1]) { end -= 1 }
        return String(line[position..<end])
    }

    private func name(_ text: String, isQuoted: Bool) -> Token.Kind? {
        let ofHome = isQuoted ? nil : outside.belowHome(text)
        let path = ofHome ?? outside.relative(text.hasPrefix("./") ? String(text.dropFirst(2)) : text)
        let isFolder = path.hasSuffix("/") && path.count > 1
        let bare = isFolder ? String(path.dropLast()) : path
        if let kind = existing(bare),
            isFolder || isQuoted || bare.contains(where: { ".0123456789_/".contains($0) }) || isProper(kind, bare)
        {
            return kind
        }
        let hasKnownEnding = FileName.suffix(of: path).map(knownExtensions.contains) ?? false
        if outside.isMeant(path, isQuoted: isQuoted, after: tokens.last?.word ?? "", hasKnownEnding: hasKnownEnding) {
            return .outside(path)
        }
        if isFolder { return .missing(path) }
        if !isQuoted, path.contains("*") || path.contains("?"), path.contains(".") || path == "*" { return .glob(path) }
        guard let suffix = FileName.suffix(of: path), !path.hasPrefix("."), path.firstRange(of: "://") == nil else {
            return dotted(text, isQuoted: isQuoted)
        }
        let isPlain = isQuoted || !path.contains { "=[]{}<>|\"".contains($0) }
        if knownExtensions.contains(suffix), isPlain, Double(path) == nil { return .missing(path) }
        return dotted(text, isQuoted: isQuoted)
    }

    private func existing(_ name: String) -> Token.Kind? {
        guard let entries = byName[name.lowercased()] else { return nil }
        // Two files may have names that only look equal, so the one of the same bytes is meant.
        let same = entries.filter { $0.name == name }
        if let exact = same.first(where: { $0.name.isSameName(as: name) }) ?? (same.count == 1 ? same[0] : nil) {
            return .file(exact, isExact: true)
        }
        return entries.count == 1 ? .file(entries[0], isExact: false) : nil
    }

    /// Returns whether a file name without a dot is meant as a name. It is if it cannot be a word, such as `Makefile`,
    /// or if it follows "into" or "folder".
    private func isProper(_ kind: Token.Kind, _ name: String) -> Bool {
        guard case .file(_, let isExact) = kind, isExact else { return false }
        if name.dropFirst().contains(where: \.isUppercase) || (name.first?.isUppercase == true && !tokens.isEmpty) {
            return true
        }
        return tokens.last.map {
            (language.groups["names"] ?? []).contains($0.word)
                || ($0.word == "the" && isCalledFolder(name))
        } ?? false
    }

    private func isCalledFolder(_ name: String) -> Bool {
        let rest = String(line[min(line.count, position + name.count)...].prefix(10)).lowercased()
        return (language.groups["folder"] ?? []).contains { rest.hasPrefix(" " + $0) }
    }

    private func dotted(_ text: String, isQuoted: Bool) -> Token.Kind? {
        guard !isQuoted, text.contains("."), let first = text.first, first.isLetter || first == "_" || first == "$",
            text.last != "."
        else {
            return nil
        }
        if byName.keys.contains(where: { Slip.isSlip(text.lowercased(), of: $0) }) { return .missing(text) }
        guard text.allSatisfy({ $0.isLetter || $0.isNumber || "._[]$-".contains($0) }), text.count > 2,
            !["e.g", "i.e"].contains(text.lowercased())
        else { return nil }
        return .dotted(text)
    }

    private mutating func word(_ text: String, to end: Int) {
        let lower = text.lowercased().replacing("’", with: "'")
        if lower.hasPrefix("."), knownExtensions.contains(String(lower.dropFirst())) {
            return add(.word, to: end, text: String(lower.dropFirst()))
        }
        if tokens.isEmpty, lower == "cat", end < line.count { return add(.word, to: end, text: "show") }
        if let synonym = language.spellings[lower] { return add(.word, to: end, text: synonym) }
        let parts = lower.split(separator: "-", omittingEmptySubsequences: false)
        let canSplit =
            parts.count > 1 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isLetter) }
            && language.numbers[lower] == nil
        guard canSplit else {
            add(.word, to: end, text: text.replacing("’", with: "'"))
            if case .file(let entry, true)? = existing(text) { tokens[tokens.count - 1].entry = entry }
            return
        }
        for part in parts {
            let last = part.endIndex == lower.endIndex
            tokens.append(
                Token(
                    kind: .word, text: String(part), word: String(part),
                    range: position..<(last ? end : position + part.count)))
            position = last ? end : position + part.count + 1
        }
    }

    // MARK: Numbers

    private func isAmbiguous(_ figure: ArraySlice<Character>) -> Bool {
        let parts = figure.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].count == 3 && 1...3 ~= parts[0].count && parts[0].first != "0"
    }

    private mutating func number() -> Bool {
        guard var (value, end) = figure(at: position) else { return false }
        // "1.000" means a thousand in some languages, and one in others.
        if isAmbiguous(line[position..<end]) { return false }
        // "16:9" and "7:30" are not figures.
        if end + 1 < line.count, line[end] == ":", line[end + 1].isNumber { return false }
        if end < line.count, line[end] == "/", let (divisor, after) = figure(at: end + 1), divisor > 0 {
            (value, end) = (value / divisor, after)
        }
        if let (second, secondEnd) = secondFigure(after: end) {
            add(
                .size(value, second),
                to: unit(after: secondEnd).flatMap { $0.unit == .pixels ? $0.end : nil } ?? secondEnd)
            return true
        }
        // "4k" is not a file size.
        if value < 10, end < line.count, line[end] == "k" || line[end] == "K",
            end + 1 == line.count || !line[end + 1].isLetter
        {
            return false
        }
        if let (unit, unitEnd) = unit(after: end) {
            add(.number(value, unit), to: unitEnd)
        } else {
            guard end >= line.count || !line[end].isLetter || line[end] == "×" else { return false }
            add(.number(value, nil), to: end)
        }
        return true
    }

    /// Returns a figure such as `1200`, `1,200`, `1.5`, `1,5` or `-90`, and its end. Returns nil if there is none at
    /// `start`.
    private func figure(at start: Int) -> (Double, end: Int)? {
        var end = start
        var digits = ""
        if end < line.count, line[end] == "-" || line[end] == "+" {
            if line[end] == "-" { digits = "-" }
            end += 1
        }
        let first = end
        while end < line.count, line[end].isASCII, line[end].isNumber || line[end] == "." || line[end] == "," {
            if line[end] == "." || line[end] == "," {
                guard end + 1 < line.count, line[end + 1].isASCII, line[end + 1].isNumber else { break }
                if line[end] == "," {
                    let run = line[(end + 1)...].prefix { $0.isNumber }.count
                    let isGroup = run == 3 && end - first <= 3
                    let isFraction = !isGroup && !digits.contains(".") && hasByteUnit(after: end + 1 + run)
                    guard isGroup || isFraction else { break }
                    if isFraction { digits.append(".") }
                    end += 1
                    continue
                }
            }
            digits.append(line[end])
            end += 1
        }
        guard end > first, let value = Double(digits) else { return nil }
        return (value, end)
    }

    private func hasByteUnit(after end: Int) -> Bool {
        if case .bytes? = unit(after: end)?.unit { return true }
        return false
    }

    private func skipped(_ place: Int) -> Int {
        var place = place
        while place < line.count, line[place] == " " { place += 1 }
        return place
    }

    private func unit(after end: Int) -> (unit: Token.Unit, end: Int)? {
        var start = skipped(end)
        if start < line.count, line[start] == "-", start + 1 < line.count, line[start + 1].isLetter { start += 1 }
        guard start < line.count else { return nil }
        if let unit = Token.Unit(language.units[String(line[start])]), !line[start].isLetter {
            return (unit, start + 1)
        }
        let letters = String(line[start...].prefix { $0.isLetter })
        let isAttached = start == end
        guard let unit = Token.Unit(language.units[letters.lowercased()]),
            letters.count > 1 || isAttached || letters == "s" || letters == "B"
        else {
            return nil
        }
        return (unit, start + letters.count)
    }

    /// Returns the second figure of a size, the `300` of `400x300`, `400 × 300` or `400px by 300px`, and its end.
    /// Returns nil if there is none.
    private func secondFigure(after end: Int) -> (Double, end: Int)? {
        var place = end
        if case (.pixels, let unitEnd)? = unit(after: end) { place = unitEnd }
        place = skipped(place)
        guard place < line.count else { return nil }
        let rest = String(line[place...].prefix(3)).lowercased()
        if "x×*".contains(line[place].lowercased()) {
            place = skipped(place + 1)
        } else if rest == "by " {
            place = skipped(place + 3)
        } else {
            return nil
        }
        guard place < line.count, line[place].isNumber else { return nil }
        return figure(at: place)
    }
}
