import Conversations
import JSON
import Vocabulary

/// What an inserted word may do to a plan.
enum InsertionRules {
    // MARK: Harm

    private static let deleting: Set = ["delete", "remove", "erase", "destroy", "trash", "move", "rename"]
    private static let overwriting: Set = ["overwrite", "replace"]

    /// Returns what a change destroys that no inserted word asks for.
    ///
    /// - Parameter isQuoted: whether the word was inserted between quotes.
    static func harm(of change: PlanChange, by tokens: [String], isQuoted: Bool) -> String? {
        let deletes = change.added.contains { fact in catalogue[fact].map { $0.effects.contains(.deletes) } ?? false }
        // "move all photos" means pictures where "move photos" means a folder.
        let quantities = english.groups["quantities"] ?? []
        if deletes, !tokens.contains(where: deleting.contains), !tokens.contains(where: quantities.contains) {
            return change.added.contains { fact in tokens.contains { fact == "DeleteFile.path=\($0)" } }
                ? nil : "deletes"
        }
        if !isQuoted, let fact = swallowing(change, tokens) { return "ends up inside a parameter, \(fact)" }
        let isOverwriting = { (fact: String) in fact.hasSuffix(".overwrite=true") }
        let overwrites = change.added.count(where: isOverwriting) > change.removed.count(where: isOverwriting)
        if overwrites, !tokens.contains(where: overwriting.contains) {
            // A file that is named beside another one is an original, too: "a.jpg b.jpg …, replace the original".
            return change.added.contains { fact in tokens.contains { fact == "SaveFile.path=\($0)" } }
                ? nil : "overwrites"
        }
        return nil
    }

    /// Returns a parameter of several words that took in an inserted word, which was not said for it.
    private static func swallowing(_ change: PlanChange, _ tokens: [String]) -> String? {
        change.added.first { fact in
            // A command is taken as it is typed.
            guard let equals = fact.firstIndex(of: "="), !fact.hasPrefix("Shell.command=") else { return false }
            let words = fact[fact.index(after: equals)...].split(separator: " ").map { $0.lowercased() }
            let rest = words.filter { !tokens.contains($0) }
            guard words.count > rest.count, !rest.isEmpty else { return false }
            return change.removed.contains {
                $0.lowercased() == "\(fact[...equals])\(rest.joined(separator: " "))".lowercased()
            }
        }
    }

    // MARK: Reasons

    /// What words bring into a plan besides themselves: parts of tools or parameters, `-` before what leaves it.
    private static let causes: [String: [String]] = {
        let table = """
            square: fill=true
            sideways: angle=90
            blurry blur: Blur
            double twice: scale=200
            half: scale=50 =0.5
            quarter: scale=25 angle=90
            slightly gently gentle light soft: radius=1.5
            strongly heavily extremely very heavy: radius=8
            monochrome grayscale black white: Grayscale
            uppercase: ChangeCase
            lowercase: ChangeCase
            sorted sort: SortLines
            unique: UniqueLines
            reverse: ReverseLines descending
            archive zip: Zip
            unzip: Unpack
            join merge: JoinText JSONMerge
            count: CountWords
            convert: ConvertImage
            compress: CompressLocal Zip
            shrink: enlarge=false
            crop: Crop
            rotate flip: Rotate
            border margin frame: Margin
            key: JSONQuery
            wait pause sleep: Delay
            show print read open: -SaveFile -Resize Loader
            list find search: ListFiles FindText
            duplicate copy copies save then: SaveFile
            replace: ReplaceText overwrite=true
            overwrite: overwrite=true
            delete remove erase destroy: DeleteFile ReplaceText drop=true
            drop skip strip: drop=true ReplaceText
            first last: TakeLines
            jpeg: format=jpg
            all every both each everything other others: Loader ReadFile
            except: -Loader -ReadFile
            dimensions resolution height width size: ImageInfo
            alphabetical: SortLines
            over onto on: Composite
            within: URLLoader enlarge=false
            scale: Resize
            down: enlarge=false
            pixel: =1
            color colours: Grayscale
            squash: Zip CompressLocal
            space semicolon comma: find=
            colour: Grayscale
            directory folder: SaveFile.path FileLoader
            + & and: Zip Rotate Resize Crop SaveFile
            picture image photo: Loader
            into: SaveFile
            document file files: Loader ReadFile FindText
            text: Loader ReadFile pattern=*.txt
            under: enlarge=false
            *: Loader
            """
        var causes: [String: [String]] = [:]
        for row in table.split(separator: "\n") {
            let sides = row.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
            for word in sides[0] { causes[word] = sides[1] }
        }
        return causes
    }()

    /// Whether an inserted word, or its number, stands in what changed, or is known to bring it about.
    static func explains(_ tokens: [String], _ change: PlanChange) -> Bool {
        if change.isOrder { return tokens.contains { prepositions.contains($0) || repeats[$0] != nil } }
        let added = change.added.map { $0.lowercased() }
        let words = Set(added.flatMap { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) })
        return tokens.contains { token in
            let isDistinct = token.count >= 4 || token.contains { !$0.isLetter && !$0.isNumber }
            if words.contains(token) || isDistinct && added.contains(where: { $0.contains(token) }) { return true }
            if numbers(in: token).contains(where: { number in added.contains { $0.hasSuffix("=\(number)") } }) {
                return true
            }
            return (causes[token] ?? []).contains { cause in
                let (facts, text) =
                    cause.hasPrefix("-") ? (change.removed, String(cause.dropFirst())) : (change.added, cause)
                return facts.contains { $0.contains(text) }
            }
        }
    }

    private static let prepositions: Set = [
        "by", "with", "from", "into", "onto", "over", "to", "in", "of", "on", "at", "as", "for", "->", "=>", "about",
        "inside", "within",
        "through", "under",
    ]

    /// Returns the numbers that a word says, as plans write them.
    static func numbers(in token: String) -> [String] {
        let digits = token.filter { $0.isNumber || ".-,x".contains($0) }.replacing(",", with: "")
        let spoken = token.split(separator: "-").compactMap { english.numbers[String($0)] }
        let parts = token.split(separator: "/").compactMap { Double(String($0)) }
        var values = parts.count == 2 ? [(parts[0] / parts[1] * 1e6).rounded() / 1e6] : []
        values += digits.split(separator: "x").compactMap { Double(String($0)) }
        if !spoken.isEmpty { values.append(spoken.reduce(0, +)) }
        let factors: [Double] = [1, -1, 1_000, 60, 3_600, 86_400, 0.001, 100]
        return values.flatMap { value in factors.map { written(value * $0) } }
    }

    private static func written(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e12 ? String(Int(value)) : String(value)
    }

    // MARK: Exceptions

    /// Returns the rule by which a word may leave a plan as it was; `nil` if none allows it. No rule holds for a
    /// condition.
    static func allowed(_ insertion: Insertion) -> String? {
        if insertion.inserted.hasPrefix("without changing"), insertion.tokens.contains("anything") {
            return "the original stays anyway"
        }
        if insertion.inserted == "as soon as possible" { return "all is done at once anyway" }
        if ["in the folder", "in the directory"].contains(insertion.inserted) {
            return "the folder is where all is anyway"
        }
        let words = insertion.line.split(separator: " ").map { $0.lowercased() }
        let small = joints.union(prepositions).union(["it", "that", "are", "a", "the", "if", "possible", "make"])
        let said =
            insertion.tokens.count == 1
            ? insertion.tokens : insertion.tokens.filter { !small.contains($0) && !english.idle.contains($0) }
        guard said.count == 1, let word = said.first, insertion.position < words.count else { return nil }
        let previous = words[..<insertion.position].last { !english.idle.contains($0) }
        let next = insertion.position + 1 < words.count ? words[insertion.position + 1] : nil
        let near =
            words[max(0, insertion.position - 2)..<insertion.position] + words[(insertion.position + 1)...].prefix(2)
        if let kind = kind(of: word),
            words.enumerated().contains(where: { $0.offset != insertion.position && isOfKind($0.element, kind) })
                || near.contains(where: { isOfKind($0, kind) })
        {
            return "noun of its own type"
        }
        if prepositions.contains(word) || word == "=", next != nil { return "preposition before what it belongs to" }
        if joints.contains(word),
            [previous, next].contains(where: {
                $0.map { !joints.isDisjoint(with: [$0, String($0.suffix(1))]) } ?? true
            })
        {
            return "joint beside a joint"
        }
        if ["and", "but", "then", "first", "+", "&"].contains(word), let next,
            isVerb(next) || next.hasSuffix("ed") || next.contains(".") || prepositions.contains(next) || next == "out"
                || ["a", "an", "sideways", "twice", "double", "half", "→"].contains(next)
                || english.numbers[next] != nil || next.first?.isNumber == true
        {
            return "joint before an order"
        }
        if announcers.contains(word),
            near.contains(where: { announcers.contains($0) }) || PlanChange.words(insertion.before).contains("Text(")
        {
            return "announces the text that is announced"
        }
        if ["up", "down", "out", "off"].contains(word),
            near.contains(where: { ["to", "write", "put", "jot", "zip", "pack", "of", "scale"].contains($0) })
        {
            return "particle of a verb"
        }
        if word == "that", let next, kind(of: next) != nil { return "article" }
        if ["that", "which"].contains(word), let next, ["there", "are", "is"].contains(next) {
            return "relative before is"
        }
        if punctuation.contains(word) { return "punctuation" }
        if every.contains(word), PlanChange.words(insertion.before).contains("ReplaceText") {
            return "all of what is all anyway"
        }
        if every.contains(word), previous == "them" || previous == "it" { return "all of what is all anyway" }
        if word == "only", let next, kind(of: next) != nil { return "all of what is all anyway" }
        if word == "only", let next, ["just", "a", "little", "tad", "slightly", "lightly"].contains(next) {
            return "only a little"
        }
        let folders = insertion.sentence.files.split(separator: " ").filter { $0.contains("/") }.map {
            $0.prefix { $0 != "/" }
        }
        if ["folder", "directory"].contains(word),
            [previous, next].contains(where: { name in
                name.map { name in name.contains("/") || folders.contains(name.trimmingSuffix { ",.".contains($0) }) }
                    ?? false
            })
        {
            return "noun of its own type"
        }
        if every.contains(word), let next, kind(of: next) != nil || ["words", "lines", "the"].contains(next) {
            return "all of what is all anyway"
        }
        if word == "recursively" { return "nothing lies below" }
        if ["whole", "entire", "complete"].contains(word), let next,
            folders.contains(next[...]) || kind(of: next) != nil
        {
            return "all of what is all anyway"
        }
        if isRepeated(word, in: insertion.before) { return "repeats what is done" }
        let facts = PlanChange.words(insertion.before).split { " (,)".contains($0) }
        if numbers(in: word).contains(where: { number in facts.contains { $0.hasSuffix("=\(number)") } }) {
            return "repeats a figure"
        }
        return nil
    }

    /// Whether a word names a step or an outcome that a plan has.
    static func isRepeated(_ word: String, in plan: JSON) -> Bool {
        let facts = PlanChange.words(plan)
        return (repeats[word] ?? "").split(separator: " ").contains { facts.contains($0) }
    }

    /// "the photo cat.jpg", "the file", "jpg files": `docs` of the planner allows it, for it says what the object is.
    private static func kind(of word: String) -> String? {
        let bare = word.trimmingSuffix { ",.!?".contains($0) }
        let singular = bare.hasSuffix("s") && bare.count > 3 ? bare.dropLast() : bare
        return english.nouns[String(bare)] ?? english.nouns[String(singular)]
            ?? (types[String(singular)] == nil ? nil : String(singular))
    }

    private static let types = [
        "jpg": "image", "jpeg": "image", "png": "image", "webp": "image", "gif": "image", "tiff": "image",
        "txt": "text", "csv": "text",
        "md": "text", "json": "json", "pdf": "file", "docx": "file", "zip": "file",
    ]

    private static func isOfKind(_ word: String, _ kind: String) -> Bool {
        let suffix =
            word.filter { $0.isLetter || $0.isNumber || $0 == "." }.split(separator: ".").last.map(String.init) ?? ""
        let other = word.contains(".") ? suffix : self.kind(of: word) ?? ""
        return kind == "any" || other == "any" || kind == other || types[other] == kind || types[kind] == other
            || types[kind] != nil && types[kind] == types[other]
    }

    /// The words that stand alone in the phrases of tools.
    private static let verbs: Set<String> = {
        var verbs: Set<String> = []
        for tool in catalogue.sorted {
            for phrase in tool.phrases["en"] ?? [] {
                for pattern in phrase.patterns {
                    guard !pattern.contains(where: { (sign: Character) in " {(".contains(sign) }) else { continue }
                    for word in pattern.split(separator: "|") { verbs.insert(word.filter { $0 != "~" }) }
                }
            }
        }
        return verbs
    }()

    /// Whether a word begins an order, or says what is done.
    private static func isVerb(_ word: String) -> Bool {
        verbs.contains(word)
            || [
                "smaller", "under", "max", "make", "below", "in", "for", "save", "make", "turn", "b/w", "black", "run",
                "download",
            ]
            .contains(word)
    }

    /// "and then then": a joint joins what a joint joins already.
    private static let joints: Set = ["and", "then", "&", "+", "first", "but", ",", ".", "then,"]
    /// Marks that part a sentence, and say nothing.
    private static let punctuation: Set = ["!!", "...", "--", "-"]
    /// "count each word": all of them are counted without it.
    private static let every: Set = ["all", "every", "each", "any"]
    /// "the string word foo".
    private static let announcers: Set = [
        "word", "text", "string", "phrase", "letter", "line", "sentence", "occurrence", "content",
    ]
    /// Words for what a plan does anyway, by what stands in it.
    private static let repeats = [
        "save": "SaveFile CopyFolder", "copy": "SaveFile CopyFolder",
        "duplicate": "SaveFile CopyFolder", "sideways": "angle=90", "current": "scale=", "original": "scale=",
        "shrink": "Resize CompressLocal", "whole": "ReadFile", "overwrite": "overwrite=true",
        "replace": "overwrite=true",
        "resize": "Resize CompressLocal", "scale": "Resize CompressLocal", "key": "JSONQuery", "zip": "Zip",
        "archive": "Zip",
        "convert": "ConvertImage", "squash": "CompressLocal",
        "compress": "CompressLocal Zip", "size": "Resize Crop", "format": "ConvertImage", "what": "ListFiles",
        "version": "(", "show": "(",
        "print": "(", "open": "(", "read": "(",
        "half": "scale=50", "row": "SortLines", "rows": "SortLines", "square": "Crop( fill=true", "remove": "Grayscale",
        "strip": "Grayscale",
        "drop": "Grayscale", "degrees": "angle=", "height": "height=", "less": "target", "smaller": "target",
        "under": "target",
        "extremely": "radius=8", "strongly": "radius=8", "heavily": "radius=8", "very": "radius=8",
        "wide": "width=", "across": "width=", "tall": "height=", "high": "height=", "only": "ListFiles",
        "width": "width=",
        "rename": "SaveFile(path", "which": "ListFiles", "pixels": "=", "pixel": "=",
        "rotate": "Rotate", "copies": "SaveFile CopyFolder", "directory": "ListFiles MoveFile",
        "folder": "ListFiles MoveFile",
        "keep": "(",
        "enlarge": "Resize", "list": "ListFiles", "find": "ListFiles", "search": "ListFiles",
    ]
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, isTrimmed(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
