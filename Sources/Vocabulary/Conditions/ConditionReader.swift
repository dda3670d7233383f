extension Limits {
    /// The most bytes of a condition of a guide.
    fileprivate static let conditionBytes = 4096

    /// How deep the parts of a condition of a guide may be nested.
    fileprivate static let conditionDepth = 32

    /// The most parts of a condition of a guide.
    fileprivate static let conditionNodes = 200

    /// The most values that are written in a condition of a guide.
    fileprivate static let conditionLiterals = 100
}

extension Condition {
    /// Reads a condition.
    ///
    /// - Throws: `badCondition` with the place of the first fault, or `tooLarge` beyond the limits.
    package static func read(_ text: String) throws(ConditionFault) -> Condition {
        guard text.utf8.count <= Limits.conditionBytes else {
            throw ConditionFault(
                code: .tooLarge,
                message: "A condition has at most \(Limits.conditionBytes) bytes; this one has \(text.utf8.count).",
                offset: 0)
        }
        var reader = ConditionReader(try ConditionLexer.tokens(of: text))
        return try reader.whole()
    }
}

/// Builds the tree of a condition from its tokens, by one function for each rule of the grammar.
struct ConditionReader {
    private let tokens: [ConditionToken]
    private var place = 0
    private var depth = 0
    private var nodes = 0
    private var literals = 0

    init(_ tokens: [ConditionToken]) { self.tokens = tokens }

    private var token: ConditionToken { tokens[place] }

    mutating func whole() throws(ConditionFault) -> Condition {
        let condition = try any()
        guard token.kind == .end else { throw unexpected("\"and\", \"or\" or the end") }
        return condition
    }

    // MARK: Rules

    /// Reads `and {"or" and}`.
    private mutating func any() throws(ConditionFault) -> Condition {
        try deeper()
        defer { depth -= 1 }
        var parts = [try all()]
        while takes("or") { parts.append(try all()) }
        return parts.count == 1 ? parts[0] : try counted(.any(parts))
    }

    /// Reads `unary {"and" unary}`.
    private mutating func all() throws(ConditionFault) -> Condition {
        var parts = [try unary()]
        while takes("and") { parts.append(try unary()) }
        return parts.count == 1 ? parts[0] : try counted(.all(parts))
    }

    /// Reads `"not" unary | test`.
    private mutating func unary() throws(ConditionFault) -> Condition {
        guard takes("not") else { return try test() }
        try deeper()
        defer { depth -= 1 }
        return try counted(.not(try unary()))
    }

    private mutating func test() throws(ConditionFault) -> Condition {
        if takes(sign: "(") {
            let condition = try any()
            try expect(sign: ")")
            return condition
        }
        if isCall("selected") {
            place += 2
            let name = try name()
            try expect(sign: ",")
            let word = try text("the word that is chosen, in quotes")
            try expect(sign: ")")
            return try counted(.selected(name, word))
        }
        if case .word(let word) = token.kind, !ConditionWords.reserved.subtracting(["answer"]).contains(word),
            place + 1 < tokens.count
        {
            switch tokens[place + 1].kind {
            case .word("exists"):
                let name = try name()
                place += 1
                return try counted(.exists(name))
            case .word("matches"):
                let name = try name()
                place += 1
                return try counted(.matches(name, try pattern()))
            default: break
            }
        }
        return try comparison()
    }

    private mutating func pattern() throws(ConditionFault) -> ConditionPattern {
        let offset = token.offset
        let written = try text("the pattern, in quotes")
        do throws(LinePatternFault) { return try ConditionPattern(written) } catch {
            throw ConditionFault(
                code: .badCondition, message: "The pattern cannot be used: it \(error.words).", offset: offset)
        }
    }

    /// Reads `value = value`, or `value not in [ … ]`.
    private mutating func comparison() throws(ConditionFault) -> Condition {
        let one = try value()
        if case .sign(let sign) = token.kind, let comparison = Condition.Comparison(rawValue: sign) {
            place += 1
            return try counted(.compare(one, comparison, try value()))
        }
        let isNegated = takes("not")
        guard takes("in") else { throw unexpected(isNegated ? "\"in\"" : "a comparison, such as = or \"in\"") }
        try expect(sign: "[")
        var list = [try literal()]
        while takes(sign: ",") { list.append(try literal()) }
        try expect(sign: "]")
        return try counted(.isIn(one, isNegated: isNegated, list))
    }

    private mutating func value() throws(ConditionFault) -> Condition.Value {
        if isCall("count") {
            place += 2
            let name = try name()
            try expect(sign: ")")
            return .count(name)
        }
        if case .word = token.kind { return .name(try name()) }
        return .literal(try literal())
    }

    private mutating func literal() throws(ConditionFault) -> Condition.Literal {
        literals += 1
        guard literals <= Limits.conditionLiterals else {
            throw tooLarge("\(Limits.conditionLiterals) values that are written in it")
        }
        let literal: Condition.Literal
        switch token.kind {
        case .text(let text): literal = .text(text)
        case .number(let number): literal = .number(number)
        case .date(let date): literal = .date(date)
        case .word, .sign, .end: throw unexpected("a text in quotes, a number or a day")
        }
        place += 1
        return literal
    }

    private mutating func name() throws(ConditionFault) -> ConditionName {
        guard case .word(let word) = token.kind, word == "answer" || !ConditionWords.reserved.contains(word) else {
            throw unexpected("the name of a step")
        }
        let offset = token.offset
        place += 1
        return ConditionName(word, offset: offset)
    }

    private mutating func text(_ what: String) throws(ConditionFault) -> String {
        guard case .text(let text) = token.kind else { throw unexpected(what) }
        literals += 1
        guard literals <= Limits.conditionLiterals else {
            throw tooLarge("\(Limits.conditionLiterals) values that are written in it")
        }
        place += 1
        return text
    }

    // MARK: Tokens

    /// Returns whether a function's name and its bracket follow.
    private func isCall(_ word: String) -> Bool {
        token.kind == .word(word) && place + 1 < tokens.count && tokens[place + 1].kind == .sign("(")
    }

    private mutating func takes(_ word: String) -> Bool { takes(.word(word)) }

    private mutating func takes(sign: String) -> Bool { takes(.sign(sign)) }

    private mutating func takes(_ kind: ConditionToken.Kind) -> Bool {
        guard token.kind == kind else { return false }
        place += 1
        return true
    }

    private mutating func expect(sign: String) throws(ConditionFault) {
        guard takes(sign: sign) else { throw unexpected("\"\(sign)\"") }
    }

    private func unexpected(_ wanted: String) -> ConditionFault {
        ConditionFault(
            code: .badCondition, message: "Here \(wanted) is expected, not \(token.shown).", offset: token.offset)
    }

    // MARK: Limits

    private mutating func deeper() throws(ConditionFault) {
        depth += 1
        guard depth <= Limits.conditionDepth else { throw tooLarge("a depth of \(Limits.conditionDepth)") }
    }

    private mutating func counted(_ condition: Condition) throws(ConditionFault) -> Condition {
        nodes += 1
        guard nodes <= Limits.conditionNodes else { throw tooLarge("\(Limits.conditionNodes) parts") }
        return condition
    }

    private func tooLarge(_ limit: String) -> ConditionFault {
        ConditionFault(code: .tooLarge, message: "A condition has at most \(limit).", offset: token.offset)
    }
}
