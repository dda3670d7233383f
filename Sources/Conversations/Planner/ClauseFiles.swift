import Vocabulary

/// Files by what they are ("every jpg", "the photo") and the formats a clause names.
extension ClauseReader {
    private static let imageNouns: Set<String> = ["picture", "image", "photo", "pic", "photograph"]

    private static func what(_ noun: String) -> String? {
        if imageNouns.contains(noun) { return "image" }
        if noun == "file" || noun == "document" { return "any" }
        return noun != "text" && noun != "word" && Lexicon.extensions.contains(noun) && noun.count > 1
            ? noun : noun == "text" ? "text" : nil
    }

    /// "every jpg", "all the png files", "the pictures in photos/", "the photo".
    mutating func set() -> Bool {
        var at = place
        var quantifier = false
        var definite = false
        while ["every", "all", "each", "any", "both", "of", "the", "my", "these", "those", "other", "single", "our", "this", "that"]
            .contains(word(at)), at - place < 4
        {
            quantifier = quantifier || ["every", "all", "each", "any"].contains(word(at))
            definite = definite || ["the", "my", "this", "that", "these", "those"].contains(word(at))
            at += 1
        }
        let written = word(at)
        if written == "everything", at == place {
            guard !clause.usesPronoun, clause.mentions.isEmpty, place > 0 else { return false }
            mention(.set(FileSet(what: "any", folder: nil)))
            return true
        }
        let isPlural = written.hasSuffix("s") && written.count > 3
        let noun = ToolWords.singular(written)
        guard var what = Self.what(noun) else { return false }
        var last = at
        var plural = isPlural
        // "blur photo": the only one there is.
        let isBare =
            at == place && Self.imageNouns.contains(written) && (word(place - 1) == clause.head || place == 0 && tokens.count > 1)
            && !clause.head.isEmpty && Self.what(ToolWords.singular(word(at + 1))) == nil
            && !["size", "info", "file", "from", "of"].contains(word(at + 1))
        definite = definite || isBare
        if let second = Self.what(ToolWords.singular(word(at + 1))),
            Self.imageNouns.contains(ToolWords.singular(word(at + 1))) || second == "any"
        {
            last = at + 1
            plural = plural || word(last).hasSuffix("s")
        }
        guard quantifier || plural || (definite && (at > place || isBare)) else { return false }
        if !quantifier, !plural, isTarget(at) || ["size", "name", "format", "type", "extension"].contains(word(last + 1)) { return false }
        if !quantifier, !plural, tokens.indices.contains(last + 1), tokens[last + 1].isName || ["called", "named"].contains(word(last + 1))
        {
            return false
        }
        if !quantifier, tokens.indices.contains(last + 1), tokens[last + 1].isName { return false }
        if plural, !quantifier, at == place, !isObject(place) { return false }
        if what == "text", !quantifier, last == at { return false }
        if what == "json", !quantifier, !plural, last == at { return false }
        if what == "tif" { what = "tiff" }
        let start = place
        place = last
        var set = FileSet(what: what, folder: nil)
        set.folder = folder()
        mention(quantifier || plural ? .set(set) : .definite(set), at: start)
        clause.mentions[clause.mentions.count - 1].place = last
        return true
    }

    func isTarget(_ place: Int) -> Bool {
        ["to", "as", "into"].contains(word(place - 1)) || ["to", "as", "into"].contains(word(place - 2))
    }

    /// A bare plural is meant where it is asked about or acted upon: "which jpgs", "shrink pngs".
    func isObject(_ place: Int) -> Bool {
        let before = word(place - 1)
        return before != "to" && before != "as" && before != "into" && !(place == 0 && tokens.count > 1 && word(1) == "to")
    }

    /// "… in photos/", "… in the folder photos".
    mutating func folder() -> String? {
        var at = place + 1
        guard ["in", "from", "inside", "under"].contains(word(at)) else { return nil }
        at += 1
        while ["the", "folder", "directory", "my"].contains(word(at)) { at += 1 }
        guard tokens.indices.contains(at), case .file(let entry, _) = tokens[at].kind, entry.isFolder else { return nil }
        place = ["folder", "directory"].contains(word(at + 1)) ? at + 1 : at
        return entry.name
    }

    private static let formats: Set<String> = Lexicon.images.union([
        "pdf", "docx", "doc", "mp4", "mp3", "html", "csv", "md", "json", "xml", "yaml", "epub", "ico", "eps", "jp2", "jxl",
    ])

    /// "to png", "as a webp", "in png format", "a png version", or just "webp".
    mutating func format() -> Bool {
        let word = ToolWords.singular(word(place))
        guard Self.formats.contains(word) else { return false }
        var before = place - 1
        while Lexicon.determiners.contains(self.word(before)) || ["new", "format", "picture", "image"].contains(self.word(before)) {
            before -= 1
        }
        let role = self.word(before)
        let next = self.word(place + 1)
        let isPicture = Lexicon.images.contains(word)
        if role == "from" || role == "of" { return true }
        let isMeant =
            ["to", "as", "into"].contains(role) || ["version", "format", "copy"].contains(next)
            || (isPicture && !["file", "files"].contains(next))
        guard isMeant, isPicture || ["to", "as", "into"].contains(role) else { return true }
        clause.measures.append((.format(FileName.format(word)), place))
        return true
    }
}
