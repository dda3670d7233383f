import Vocabulary

/// Finds the verbs that take a literal text ("replace foo with bar in …", "write hello to …", "run `make`") and turns each with its text
/// into one token, so that nothing within the text is taken for an order.
struct Frames {
    private let line: [Character]
    private let catalogue: Catalogue
    private var tokens: [Token]

    static func applied(to tokens: [Token], line: String, catalogue: Catalogue) throws(Refusal) -> [Token] {
        var frames = Frames(line: Array(line), catalogue: catalogue, tokens: tokens)
        var place = 0
        while place < frames.tokens.count {
            if frames.isHead(place) { try frames.frame(at: place) }
            place += 1
        }
        return frames.tokens
    }

    private mutating func frame(at place: Int) throws(Refusal) {
        switch tokens[place].word {
        case "replace", "substitute", "swap", "change": replace(at: place)
        case "use": insteadOf(at: place)
        case "remove", "delete", "erase", "strip": removeText(at: place)
        case "write", "put", "save", "store", "jot", "note": write(at: place)
        case "create", "make": create(at: place)
        case "run", "execute": try shell(at: place)
        case "overwrite": overwrite(at: place)
        default: break
        }
    }

    /// Where a verb may stand: nothing but small words before it in its clause, and no "don't".
    private func isHead(_ place: Int) -> Bool {
        guard tokens[place].isWord else { return false }
        var before = place - 1
        while before >= 0, tokens[before].isWord, !["and", "then", "but"].contains(tokens[before].word) {
            let word = tokens[before].word
            if Negation.words.contains(word) || Lexicon.questionWords.contains(word) { return false }
            guard Lexicon.politeness.contains(word) || Lexicon.isFiller(word) else { return false }
            before -= 1
        }
        guard before >= 0 else { return true }
        if case .act = tokens[before].kind { return true }
        return tokens[before].isBreak || tokens[before].isWord || tokens[before].isName
    }

    private func end(from place: Int) -> Int { tokens[place...].firstIndex { $0.kind == .stop } ?? tokens.count }

    private mutating func put(_ kind: String, _ params: [String: String], over range: Range<Int>) {
        guard catalogue[kind] != nil, let first = tokens[range].first, let last = tokens[range].last else { return }
        let span = first.range.lowerBound..<last.range.upperBound
        tokens.replaceSubrange(range, with: [Token(kind: .act(kind, params), text: String(line[span]), word: "", range: span)])
    }

    /// The literal text of some tokens: what is in quotes, or as written without the words that only announce it.
    private func literal(_ range: Range<Int>, announced: Set<String> = []) -> String? {
        var range = range
        while let first = tokens[range].first, first.isWord, announced.contains(first.word), range.count > 1 {
            range = (range.lowerBound + 1)..<range.upperBound
        }
        guard let first = tokens[range].first, let last = tokens[range].last else { return nil }
        if let sign = Self.sign(tokens[range]) { return sign }
        let quotes = tokens[range].compactMap { token -> String? in
            switch token.kind {
            case .quoted(let text), .code(let text): text
            default: nil
            }
        }
        if quotes.count == 1 { return quotes[0] }
        return String(line[first.range.lowerBound..<last.range.upperBound])
    }

    /// "a comma", "spaces": signs by their names.
    private static func sign(_ tokens: ArraySlice<Token>) -> String? {
        let named = tokens.drop { $0.isWord && ["a", "an", "one"].contains($0.word) }
        guard named.count == 1, let word = named.first, word.isWord else { return nil }
        return [
            "comma": ",", "semicolon": ";", "colon": ":", "period": ".", "dot": ".", "dash": "-", "hyphen": "-", "underscore": "_",
            "tab": "\t",
            "space": " ", "newline": "\n", "slash": "/",
        ][ToolWords.singular(word.word)]
    }

    private static let announcing: Set<String> = [
        "the", "all", "every", "each", "any", "of", "word", "words", "text", "string", "phrase", "letter", "letters", "occurrence",
        "occurrences", "instance",
        "instances", "line", "sentence", "content", "contents", "following", "a", "an", "message",
    ]

    // MARK: Replace

    private mutating func replace(at place: Int) {
        let end = end(from: place)
        let isChange = tokens[place].word == "change"
        let joints: Set<String> =
            isChange ? ["to", "into", "with", "by"] : tokens[place].word == "swap" ? ["with", "by", "for"] : ["with", "by"]
        guard let joint = tokens[(place + 1)..<end].firstIndex(where: { $0.isWord && joints.contains($0.word) }), joint > place + 1 else {
            return
        }
        if replaceInName(place, joint: joint, end: end) { return }
        let find = (place + 1)..<joint
        guard !tokens[find].contains(where: { $0.isName && !$0.isBarePath }), !isReference(find) else { return }
        let close = close(of: (joint + 1)..<end)
        guard close > joint + 1 else { return }
        let isQuoted = tokens[find].contains { if case .quoted = $0.kind { true } else { false } }
        let isBehindPlace = tokens[..<place].contains { $0.word == "in" } && tokens[..<place].contains(where: \.isName)
        let namesPlace =
            isBehindPlace || close < end && ["in", "inside", "within", "throughout", "of", "from"].contains(tokens[close].word)
        guard !isChange || isQuoted || namesPlace else { return }
        guard !tokens[(joint + 1)..<close].contains(where: { $0.isName && !$0.isBarePath }) else { return }
        guard let what = literal(find, announced: Self.announcing),
            let by = literal((joint + 1)..<close, announced: Self.announcing.subtracting(["a", "an", "all", "any"]))
        else { return }
        put("ReplaceText", ["find": what, "replacement": by == "nothing" ? "" : by], over: place..<close)
    }

    /// "change "Bob" in draft.txt to "Alice"": the file between the two texts.
    private mutating func replaceInName(_ place: Int, joint: Int, end: Int) -> Bool {
        guard catalogue["ReplaceText"] != nil, joint - 2 > place, tokens[joint - 1].isName,
            ["in", "inside", "within", "of", "from"].contains(tokens[joint - 2].word)
        else {
            return false
        }
        let close = close(of: (joint + 1)..<end)
        guard joint - 2 > place + 1, close > joint + 1, !isReference((place + 1)..<(joint - 2)),
            !tokens[(joint + 1)..<close].contains(where: \.isName),
            let what = literal((place + 1)..<(joint - 2), announced: Self.announcing),
            let by = literal((joint + 1)..<close, announced: Self.announcing.subtracting(["a", "an", "all", "any"]))
        else { return false }
        let name = tokens[joint - 1]
        put("ReplaceText", ["find": what, "replacement": by == "nothing" ? "" : by], over: place..<close)
        tokens.insert(name, at: place)
        return true
    }

    /// "use bar instead of foo in notes.txt".
    private mutating func insteadOf(at place: Int) {
        let end = end(from: place)
        guard let joint = tokens[place..<end].firstIndex(where: { $0.word == "instead" }), joint > place + 1, joint + 2 < end,
            tokens[joint + 1].word == "of"
        else { return }
        let close = close(of: (joint + 2)..<end)
        guard close > joint + 2, close < end, !tokens[(place + 1)..<close].contains(where: \.isName),
            let what = literal((joint + 2)..<close, announced: Self.announcing),
            let by = literal((place + 1)..<joint, announced: Self.announcing)
        else { return }
        put("ReplaceText", ["find": what, "replacement": by], over: place..<close)
    }

    private func isReference(_ range: Range<Int>) -> Bool {
        tokens[range].allSatisfy(\.isWord)
            && tokens[range].allSatisfy {
                Lexicon.pronouns.contains($0.word) || Lexicon.determiners.contains($0.word)
                    || [
                        "original", "originals", "file", "old", "existing", "size", "format", "width", "height", "name", "color", "colour",
                        "extension", "background",
                    ].contains($0.word)
            }
    }

    /// Where the replacement ends: before "in FILE", a comma, or "and" with a verb behind it.
    private func close(of range: Range<Int>) -> Int {
        for place in range {
            if tokens[place].isBreak { return place }
            guard tokens[place].isWord else { continue }
            let next = tokens[(place + 1)..<range.upperBound]
            switch tokens[place].word {
            case "in", "inside", "within", "throughout", "of", "from", "everywhere":
                if next.prefix(4).contains(where: {
                    $0.isName || Lexicon.pronouns.contains($0.word) || ["all", "every", "each", "txt", "text"].contains($0.word)
                }) {
                    return place
                }
            case "and", "then":
                if let verb = next.first, verb.isWord, verb.word == "then" || isVerb(verb.word) { return place }
            default: break
            }
        }
        return range.upperBound
    }

    private func isVerb(_ word: String) -> Bool {
        Lexicon.saveWords.contains(word) || Lexicon.lightVerbs.contains(word)
            || !ToolIndex(catalogue).ranked(byStems: [Stem.of(word)]).isEmpty
    }

    /// "remove the word foo from notes.txt" is about a text, not about the file.
    private mutating func removeText(at place: Int) {
        let end = end(from: place)
        guard let joint = tokens[(place + 1)..<end].firstIndex(where: { ["from", "in"].contains($0.word) }), joint > place + 1,
            joint + 1 < end
        else { return }
        let find = (place + 1)..<joint
        let isText = tokens[find].contains { token in
            if case .quoted = token.kind { return true }
            return ["word", "text", "string", "phrase", "occurrence", "occurrences", "letter"].contains(token.word)
        }
        guard isText, !tokens[find].contains(where: \.isName), tokens[joint...].prefix(4).contains(where: \.isName),
            let what = literal(find, announced: Self.announcing)
        else { return }
        put("ReplaceText", ["find": what, "replacement": ""], over: place..<joint)
    }

    // MARK: Write

    private mutating func write(at place: Int) {
        let end = end(from: place)
        guard let name = tokens[(place + 1)..<end].firstIndex(where: { $0.isName }), let path = path(at: name) else { return }
        var joint = name - 1
        while joint > place, ["a", "an", "the", "new", "file", "text", "called", "named", "my"].contains(tokens[joint].word) { joint -= 1 }
        guard joint > place + 1, ["to", "into", "in", "as"].contains(tokens[joint].word) else { return }
        let text = (place + 1)..<joint
        let first = tokens[text.lowerBound]
        let isQuoted = tokens[text].contains { if case .quoted = $0.kind { true } else { false } }
        if tokens[place].word != "write" && tokens[place].word != "jot" {
            guard
                isQuoted || (first.word == "the" && ["text", "line", "sentence", "words"].contains(tokens[text].dropFirst().first?.word))
                    || first.word == "text"
            else { return }
        } else if !isQuoted {
            let results: Set<String> = [
                "result", "results", "output", "field", "value", "count", "dimensions", "number", "size", "list", "name", "contents",
                "answer",
            ]
            guard !Lexicon.pronouns.contains(first.word) || text.count > 1 && first.word != "it" && first.word != "them" else { return }
            guard !(first.word == "the" && results.contains(tokens[text].dropFirst().first?.word ?? "")) else { return }
        }
        guard !tokens[text].contains(where: { if case .number(_, .bytes?) = $0.kind { true } else { false } }) || isQuoted else { return }
        let announced: Set<String> = isQuoted ? [] : ["the", "text", "line", "sentence", "words", "following"]
        guard let literal = literal(text, announced: first.word == "the" || first.word == "text" ? announced : []) else { return }
        put("WriteFile", ["path": path, "text": literal], over: place..<(name + 1))
    }

    /// "overwrite notes.txt with "hello"": the verb stays, for it is what permits.
    private mutating func overwrite(at place: Int) {
        guard place + 3 < tokens.count, let path = path(at: place + 1), tokens[place + 2].word == "with",
            case .quoted(let text) = tokens[place + 3].kind
        else { return }
        put("WriteFile", ["path": path, "text": text], over: (place + 1)..<(place + 4))
    }

    private mutating func create(at place: Int) {
        let end = end(from: place)
        guard let name = tokens[(place + 1)..<end].firstIndex(where: { $0.isName }), let path = path(at: name) else { return }
        guard ["text", "json", "file"].contains(FileName.type(of: path)), !["zip", "pdf"].contains(FileName.suffix(of: path)) else {
            return
        }
        guard
            tokens[(place + 1)..<name].allSatisfy({
                ["a", "an", "the", "new", "empty", "file", "text", "called", "named", "me", "note"].contains($0.word)
            })
        else { return }
        var start = name + 1
        let joints: Set<String> = [
            "with", "containing", "saying", "that", "which", "says", "contains", "reading", "and", "write", "into", "it", "put",
        ]
        while start < end, tokens[start].kind == .comma || joints.contains(tokens[start].word) { start += 1 }
        if start == end {
            guard tokens[place].word == "create", name + 1 == end else { return }
            return put("WriteFile", ["path": path, "text": ""], over: place..<(name + 1))
        }
        guard start > name + 1, let text = literal(start..<end, announced: Self.announcing) else { return }
        put("WriteFile", ["path": path, "text": text], over: place..<end)
    }

    private func path(at place: Int) -> String? {
        switch tokens[place].kind {
        case .file(let entry, _): entry.isFolder ? nil : entry.name
        case .missing(let name), .outside(let name): name.hasSuffix("/") ? nil : name
        default: nil
        }
    }

    // MARK: Shell

    private static let programs: Set<String> = [
        "ls", "cat", "echo", "make", "git", "grep", "find", "df", "du", "date", "pwd", "whoami", "uname", "ps", "python", "python3", "node",
        "npm", "cargo",
        "swift", "go", "wc", "head", "tail", "sort", "uniq", "curl", "wget", "tar", "sed", "awk", "uptime", "free", "env", "which", "id",
        "hostname", "tree",
        "touch", "mkdir", "cp", "mv", "rm", "chmod", "pip", "docker", "ping", "sleep", "printf", "diff", "file", "stat", "cmake", "ruby",
        "perl", "bash", "sh",
    ]

    private mutating func shell(at place: Int) throws(Refusal) {
        var start = place + 1
        while start < tokens.count,
            ["the", "a", "this", "shell", "command", "commands", "following", "program"].contains(tokens[start].word), tokens[start].isWord
        { start += 1 }
        while start < tokens.count, tokens[start].kind == .comma { start += 1 }
        guard start < tokens.count,
            let tool = catalogue.sorted.first(where: { $0.queue != .remote && $0.params.contains(where: \.isLiteral) }),
            let param = tool.params.first(where: \.isLiteral)
        else { return }
        switch tokens[start].kind {
        case .code(let command), .quoted(let command): return put(tool.kind, [param.name: command], over: place..<(start + 1))
        default: break
        }
        // As written: "ls" is read as "list" elsewhere.
        let first = String(line[tokens[start].range])
        let raw = commandEnd(from: start)
        let last = tokens[raw - 1].range.upperBound
        let command = String(line[tokens[start].range.lowerBound..<last])
        let looksLikeOne =
            Self.programs.contains(first) || first.hasPrefix("./") || OutsidePath.leadsOut(first) || command.contains(" -")
            || command.contains(" | ")
        guard looksLikeOne else {
            let rest = tokens[start..<end(from: place)]
            if !rest.contains(where: { $0.isName || Lexicon.pronouns.contains($0.word) }) {
                throw Refusal("Put the command in backticks, as in: run `ls -la`")
            }
            return
        }
        put(tool.kind, [param.name: command], over: place..<raw)
    }

    private func commandEnd(from start: Int) -> Int {
        var end = start + 1
        while end < tokens.count {
            let next = end + 1 < tokens.count ? tokens[end + 1].word : ""
            let isJoint = tokens[end].text == "and" || tokens[end].text == "then" || tokens[end].kind == .comma
            if tokens[end].kind == .stop && tokens[end].text != ";" && isLast(end) { break }
            if isJoint, next == "then" || Lexicon.saveWords.contains(next) || Lexicon.lightVerbs.contains(next) || next == "count" { break }
            end += 1
        }
        while end > start + 1,
            ["please", "pls", "thanks"].contains(tokens[end - 1].word) || tokens[end - 1].kind == .comma && tokens[end - 1].text == ","
        { end -= 1 }
        if end > start + 2, tokens[end - 1].word == "me", tokens[end - 2].word == "for" { end -= 2 }
        return end
    }

    private func isLast(_ place: Int) -> Bool {
        tokens[(place + 1)...].allSatisfy { $0.kind == .stop || ["please", "thanks"].contains($0.word) }
    }
}

enum Negation {
    static let words: Set<String> = [
        "don't", "dont", "not", "never", "without", "no", "doesn't", "cannot", "can't", "won't", "nor", "neither", "avoid", "instead",
    ]
}

/// Why nothing is proposed, in words for the person.
struct Refusal: Error, Hashable {
    var words: String

    init(_ words: String) {
        self.words = words
    }
}
