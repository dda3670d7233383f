/// A reference from a comment or a page to a page of this repository, and to places in that page.
struct Citation: Equatable {
    /// Where in a page the cited text stands.
    enum Place: Equatable {
        /// The table row or the numbered section with this number, as in `semantics.md` 24.
        case number(Int)
        /// The section with this name and number, as in `wire.md` LLM 5.
        case section(String, Int)
        /// The item of the list under "Guarantees".
        case guarantee(Int)
        /// The invariant with this number.
        case invariant(Int)
        /// The heading with this text.
        case heading(String)
    }

    /// The file name or path of the page, as written.
    var page: String
    var places: [Place]
    /// Whether a section sign follows in the same clause.
    var hasSectionSign: Bool
    /// The offset of the page's name in the passage.
    var offset: Int
    /// The words of the citation, for a report.
    var text: String

    /// Finds the pages that a passage cites, with the places that follow each page's name.
    ///
    /// A page is cited by its file name in backticks. In code, the path of a page below `docs` counts without backticks
    /// too.
    static func all(in bytes: [UInt8], isCode: Bool) -> [Citation] {
        var citations: [Citation] = []
        var from = 0
        while let at = bytes.offset(of: ".md", from: from) {
            let end = at + 3
            from = end
            var start = at
            while start > 0, bytes[start - 1].isNameByte { start -= 1 }
            guard start < at else { continue }
            let isQuoted =
                start > 0 && bytes[start - 1] == UInt8(ascii: "`") && end < bytes.count
                && bytes[end] == UInt8(ascii: "`")
            let isPath =
                isCode && bytes[start..<at].starts(with: "docs/".utf8) && !(end < bytes.count && bytes[end].isLetter)
            guard isQuoted || isPath else { continue }
            var cursor = CitationCursor(bytes: bytes, at: isQuoted ? end + 1 : end)
            let places = cursor.places()
            from = cursor.at
            let clause = clause(of: bytes, from: cursor.at)
            let hasSign = Array(clause).offset(of: "§") != nil
            let text = bytes[(isQuoted ? start - 1 : start)..<(hasSign ? clause.endIndex : cursor.at)]
            citations.append(
                Citation(
                    page: String(decoding: bytes[start..<end], as: UTF8.self), places: places, hasSectionSign: hasSign,
                    offset: start,
                    text: String(decoding: text, as: UTF8.self)))
        }
        return citations
    }

    /// Finds references to table rows that name no page. In tests they mean the rows of `semantics.md`.
    ///
    /// "Row" counts with a capital letter, and in lower case directly after an opening parenthesis.
    static func rows(in bytes: [UInt8]) -> [(offset: Int, number: Int)] {
        var rows: [(offset: Int, number: Int)] = []
        for word in ["Row ", "Rows ", "(row ", "(rows "] as [StaticString] {
            var from = 0
            while let at = bytes.offset(of: word, from: from) {
                var cursor = CitationCursor(bytes: bytes, at: at + word.utf8CodeUnitCount)
                from = cursor.at
                guard at == 0 || !bytes[at - 1].isLetter else { continue }
                rows += cursor.numbers().map { (at, $0) }
            }
        }
        return rows.sorted { ($0.offset, $0.number) < ($1.offset, $1.number) }
    }

    /// Finds references to texts that are no part of this repository: numbered seeds, their appendices, and the folder
    /// beside it.
    static func outside(in bytes: [UInt8]) -> [(offset: Int, text: String)] {
        var found: [(offset: Int, text: ArraySlice<UInt8>)] = []
        for word in ["seed S", "Seed S", "seeds S", "Seeds S", "ppendix ", "../shared"] as [StaticString] {
            var from = 0
            while let at = bytes.offset(of: word, from: from) {
                let end = at + word.utf8CodeUnitCount
                from = end
                let next = end < bytes.count ? bytes[end] : UInt8(ascii: " ")
                let isFound =
                    switch bytes[end - 1] {
                    case UInt8(ascii: "S"): next.isDigit
                    case UInt8(ascii: " "): next >= UInt8(ascii: "A") && next <= UInt8(ascii: "F")
                    default: true
                    }
                guard isFound else { continue }
                let start = word.utf8Start.pointee == UInt8(ascii: "p") ? max(0, at - 1) : at
                found.append((start, clause(of: bytes, from: start)))
            }
        }
        found.sort { $0.offset < $1.offset }
        let isPart = { (index: Int) in index > 0 && found[index].offset < found[index - 1].text.endIndex }
        return found.indices.filter { !isPart($0) }.map {
            (found[$0].offset, String(decoding: found[$0].text, as: UTF8.self))
        }
    }

    /// Returns the bytes from `start` to the end of the clause, or the words of the first 80 bytes.
    private static func clause(of bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
        let most = bytes[start...].prefix(80)
        let clause = most.prefix { !$0.endsClause }
        guard clause.endIndex == most.endIndex, most.endIndex < bytes.count else { return clause }
        return clause.lastIndex(of: UInt8(ascii: " ")).map { clause[..<$0] } ?? clause
    }
}

/// Reads the places that follow the name of a page.
private struct CitationCursor {
    let bytes: [UInt8]
    var at: Int

    /// The names that numbered sections of pages have.
    private static let sections = ["LLM", "Jobs", "MCP"]

    mutating func places() -> [Citation.Place] {
        var places = firstPlaces()
        while !places.isEmpty {
            let mark = at
            guard skip(", and ") || skip(", ") || skip(" and ") else { break }
            let more = nextPlaces(after: places)
            guard !more.isEmpty else {
                at = mark
                break
            }
            places += more
        }
        return places
    }

    private mutating func firstPlaces() -> [Citation.Place] {
        let mark = at
        if skip(" ") {
            let numbers = numbers().map(Citation.Place.number)
            if !numbers.isEmpty { return numbers }
        } else if skip(", ") {
            if let heading = quotedHeading() ?? plainHeading() { return [.heading(heading)] }
        }
        let places = namedPlaces()
        if places.isEmpty { at = mark }
        return places
    }

    private mutating func nextPlaces(after places: [Citation.Place]) -> [Citation.Place] {
        if case .heading = places.last, let heading = quotedHeading() { return [.heading(heading)] }
        return namedPlaces()
    }

    private mutating func namedPlaces() -> [Citation.Place] {
        for name in Self.sections where skip("\(name) ") { return numbers().map { .section(name, $0) } }
        if skip("guarantee ") || skip("guarantees ") { return numbers().map(Citation.Place.guarantee) }
        if skip("invariant ") || skip("invariants ") { return numbers().map(Citation.Place.invariant) }
        if skip("row ") || skip("rows ") { return numbers().map(Citation.Place.number) }
        return []
    }

    /// Reads numbers in the forms `7`, `7, 9 and 15` and `40–42`.
    mutating func numbers() -> [Int] {
        guard let first = number() else { return [] }
        var numbers = [first]
        while true {
            let mark = at
            if skip("–") || skip("-") {
                guard let last = number() else { return ended(at: mark, numbers) }
                numbers += last > numbers[numbers.count - 1] ? (numbers[numbers.count - 1] + 1)...last : last...last
            } else if skip(", and ") || skip(", ") || skip(" and ") {
                guard let next = number() else { return ended(at: mark, numbers) }
                numbers.append(next)
            } else {
                return numbers
            }
        }
    }

    private mutating func ended(at mark: Int, _ numbers: [Int]) -> [Int] {
        at = mark
        return numbers
    }

    private mutating func number() -> Int? {
        let digits = bytes[at...].prefix { $0.isDigit }
        guard (1...3).contains(digits.count) else { return nil }
        let next = digits.endIndex < bytes.count ? bytes[digits.endIndex] : UInt8(ascii: " ")
        let afterNext = digits.endIndex + 1 < bytes.count ? bytes[digits.endIndex + 1] : UInt8(ascii: " ")
        guard !next.isLetter, next != UInt8(ascii: "%"), !(next == UInt8(ascii: ".") && afterNext.isDigit) else {
            return nil
        }
        at = digits.endIndex
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private mutating func quotedHeading() -> String? {
        let mark = at
        guard skip("\"") || skip("“") else { return nil }
        let start = at
        while at < bytes.count, at - start < 120 {
            let end = at
            if skip("\"") || skip("”") { return String(decoding: bytes[start..<end], as: UTF8.self) }
            at += 1
        }
        at = mark
        return nil
    }

    /// Reads a heading without quotation marks: a few words with a capital letter, up to a closing parenthesis.
    private mutating func plainHeading() -> String? {
        let words = bytes[at...].prefix(40).prefix { $0.isLetter || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
        guard let first = words.first, first < UInt8(ascii: "a"), first.isLetter else { return nil }
        guard words.endIndex < bytes.count, bytes[words.endIndex] == UInt8(ascii: ")") else { return nil }
        at = words.endIndex
        return String(decoding: words, as: UTF8.self)
    }

    private mutating func skip(_ text: String) -> Bool {
        guard bytes[at...].starts(with: text.utf8) else { return false }
        at += text.utf8.count
        return true
    }
}

extension UInt8 {
    fileprivate var endsClause: Bool {
        self == UInt8(ascii: ")") || self == UInt8(ascii: "(") || self == UInt8(ascii: ";") || self == UInt8(ascii: ":")
    }
}
