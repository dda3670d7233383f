import Vocabulary

/// A set of files, by their kind, their place and their names.
struct FileSet: Hashable {
    /// The kind of the files, such as `jpg`, `image`, `text` or `any`, or a pattern with `*`.
    var what: String
    var folder: String?
    var largerThanBytes: Double?
    var smallerThanBytes: Double?
    /// The texts with which the names begin, end, or which they contain, as the user wrote them.
    var begins: String?
    var ends: String?
    var holds: String?
    /// The kinds of files that do not belong to the set: `txt`, `image`.
    var excluded: [String] = []
    /// Whether pictures that Assent made belong to the set. A pattern with `*` is a name, so such pictures do.
    var results = Results.also
    /// Whether the files in all folders below belong to the set, too.
    var isDeep = false
    /// Whether the words of the set take the files whose names begin with a dot, too.
    var takesHidden = false

    enum Results: String { case leftOut, also, only }

    /// Whether the set is everything in its folder, so that it stands for the folders in it, too.
    var isEverything: Bool {
        self
            == FileSet(
                what: "any", folder: folder, excluded: excluded, results: .also, isDeep: isDeep,
                takesHidden: takesHidden)
    }

    /// Narrows the set by a condition of a phrase.
    mutating func narrow(_ name: String, _ value: Bound.Value) {
        switch (name, value) {
        case ("larger", .bytes(let bytes, _)): largerThanBytes = bytes
        case ("smaller", .bytes(let bytes, _)): smallerThanBytes = bytes
        case ("begins", .text(let text)): begins = text
        case ("ends", .text(let text)): ends = text
        case ("holds", .text(let text)): holds = text
        case ("not", .noun(let kind, _)): excluded.append(kind)
        case ("results", .text(let text)): results = Results(rawValue: text) ?? results
        case ("below", _): isDeep = true
        case ("hidden", _): takesHidden = true
        default: break
        }
    }

    /// The same set, including the files that Assent made: for looking and counting.
    var withResults: FileSet {
        var set = self
        if results == .leftOut { set.results = .also }
        return set
    }

    /// Returns why no file of a folder is in the set.
    func refusal(in listing: Listing) -> Refusal {
        let made = leftResults(of: listing)
        guard let first = made.first else {
            return Refusal(
                results == .only ? "No \(inWords) \(place) is a result of mine." : "There is no \(inWords) \(place).")
        }
        return Refusal(
            made.count == 1
                ? "The only \(inWords) \(place), \(first), is a result of mine. Say “also the results”."
                : "All \(made.count) \(plural) \(place) are results of mine. Say “also the results”."
        )
        .asking(.results)
    }

    /// The folder of the set, without a `/` at its end. It is empty for the working folder.
    var top: String { folder.map(FileName.withoutSlash) ?? "" }

    /// The folder of the set, in words.
    var place: PlannerText { folder.map { "in \($0)" } ?? "here" }

    /// Returns the pictures that only belong to the set if results do.
    func leftResults(of listing: Listing) -> [String] {
        guard results == .leftOut else { return [] }
        return listing.files.filter { withResults.contains($0) && !contains($0) }.map(\.name)
    }

    /// Whether hidden files belong to the set: its words take them, or its pattern begins with a dot.
    private var reachesHidden: Bool { takesHidden || FileName.base(of: what).hasPrefix(".") }

    /// Returns the files and folders among which those of the set are.
    func entries(of listing: Listing) -> [FileEntry] { reachesHidden ? listing.files + listing.hidden : listing.files }

    /// Returns the hidden files that would only belong to the set if its words took them.
    func leftHidden(of listing: Listing) -> [String] {
        reachesHidden ? [] : listing.hidden.filter(contains).map(\.name)
    }

    /// Returns the number of files that only belong to the set if it reaches into the folders below.
    func countBelow(in listing: Listing) -> Int {
        guard !isDeep else { return 0 }
        var deep = self
        deep.isDeep = true
        return listing.files.count { deep.contains($0) && !contains($0) }
    }

    private func allows(_ file: FileEntry) -> Bool {
        switch results {
        case .leftOut:
            !file.isResult || FileName.type(of: file.name) != "image" || what.contains("*") || what.contains("?")
        case .also: true
        case .only: file.isResult
        }
    }

    func contains(_ file: FileEntry) -> Bool {
        guard !file.isFolder, allows(file), Double(file.bytes) > (largerThanBytes ?? -1),
            Double(file.bytes) < (smallerThanBytes ?? .infinity)
        else { return false }
        let parts = file.name.split(separator: "/")
        let place = parts.dropLast().joined(separator: "/")
        let wanted = folder.map(FileName.withoutSlash) ?? (what.contains("/") ? place : "")
        guard place == wanted || isDeep && (wanted.isEmpty || place.hasPrefix(wanted + "/")),
            isCalled(String(parts.last ?? "").lowercased())
        else { return false }
        if what.contains("*") || what.contains("?") {
            return Self.matches(
                Array((what.contains("/") ? file.name : String(parts.last ?? "")).lowercased()),
                Array(what.lowercased()))
        }
        return isKind(of: file.name) && !excluded.contains { FileSet(what: $0).isKind(of: file.name) }
    }

    /// Whether a file of this name belongs to the kind.
    func isKind(of name: String) -> Bool {
        if ["image", "text", "json"].contains(what) { return FileName.type(of: name) == what }
        return what == "any" || FileName.format(FileName.suffix(of: name) ?? "") == FileName.format(what)
    }

    private func isCalled(_ name: String) -> Bool {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        return name.hasPrefix(begins?.lowercased() ?? "")
            && (ends.map { name.hasSuffix($0.lowercased()) || stem.hasSuffix($0.lowercased()) } ?? true)
            && (holds.map { name.contains($0.lowercased()) } ?? true)
    }

    private static func matches(_ name: [Character], _ pattern: [Character]) -> Bool {
        // The loop costs at most the length of the pattern times that of the name, however many stars there are.
        var (i, j, star, mark) = (0, 0, -1, 0)
        while i < name.count {
            if j < pattern.count, pattern[j] == "?" || (pattern[j] == name[i] && pattern[j] != "*") {
                i += 1
                j += 1
            } else if j < pattern.count, pattern[j] == "*" {
                (star, mark) = (j, i)
                j += 1
            } else if star >= 0 {
                mark += 1
                (i, j) = (mark, star + 1)
            } else {
                return false
            }
        }
        return pattern[j...].allSatisfy { $0 == "*" }
    }

    /// The kind of the files in words, for one and for several: "picture" and "pictures".
    private var words: (one: PlannerText, several: PlannerText) {
        switch what {
        case "image": ("picture", "pictures")
        case "any": ("file", "files")
        case "text": ("text file", "text files")
        default: what.contains("*") ? ("file like \(what)", "files like \(what)") : ("\(what)", "\(what)s")
        }
    }

    var inWords: PlannerText { words.one }
    var plural: PlannerText { words.several }
}
