import JSON
import Vocabulary

/// A line that speaks of the last order, in the sentences that it may stand for.
struct ThreadLine {
    let line: String
    let thread: OrderThread
    let planner: BuiltInPlanner
    let listing: Listing
    var words: [String: [String]] { planner.language.thread }

    /// A sentence that stands by itself, and whether it corrects the last order.
    struct Candidate {
        var sentence: String
        var corrects = false
    }

    init(_ line: String, _ thread: OrderThread, _ planner: BuiltInPlanner, listing: Listing) {
        self.line = Self.bare(line)
        (self.thread, self.planner, self.listing) = (thread, planner, listing)
    }

    func parts(_ sentence: String) -> [Part] { planner.parts(of: sentence, listing: listing) }

    static func bare(_ line: String) -> String {
        var text = line[...]
        while let first = text.first, first.isWhitespace || ",;:".contains(first) { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace || ".!?,;:".contains(last) { text = text.dropLast() }
        return String(text)
    }

    /// The sentences that the line may stand for, the likeliest first.
    var candidates: [Candidate] {
        if isIn("again", line) { return [Candidate(sentence: thread.order)] }
        // What follows a command is no part of it.
        guard !planner.runsCommand(thread.order) else { return [] }
        // The words by which a plan says that more can be taken: "also the hidden files".
        if isCondition { return [Candidate(sentence: "\(thread.order), \(line)")] }
        let (rest, corrects) = correction
        let plain = without(
            group: "on", without(group: "tails", atEnd: true, without(group: "tails", atEnd: true, rest)))
        var found: [Candidate] = []
        func add(_ sentences: [String], corrects: Bool = false) {
            found += sentences.filter { !$0.isEmpty }.map { Candidate(sentence: $0, corrects: corrects) }
        }
        if isIn("show", plain) { add(pattern("show", [thread.subjects.last ?? ""])) }
        if isIn("opposite", rest) || isIn("opposite", plain) { add(turned, corrects: true) }
        add(chosen(in: plain), corrects: corrects)
        let same = without(group: "there", atEnd: true, without(group: "same", plain))
        guard !asks(same) else {
            add(placed(plain) + inFolder(plain))
            return found
        }
        // A name alone says nothing of the last order.
        let named = corrects || same != line ? files(in: same) : []
        if !named.isEmpty {
            if corrects, named.count == 1, thread.results.count == 1, isMove {
                add(pattern("rename", [thread.results[0], named[0]]))
            }
            add(repeated(with: named), corrects: corrects)
            if gathers { add(withVerb((thread.sources + named).joined(separator: " \(and) ")), corrects: corrects) }
        }
        add(exceptions(same), corrects: corrects)
        if let name = newName(in: plain), thread.results.count == 1 {
            add(pattern("rename", [thread.results[0], name]))
        }
        let again = without(group: "again", rest)
        if corrects || again != rest { add(changed(by: again), corrects: corrects) }
        add(placed(plain))
        if namesFiles(plain) {
            // "and b.txt to photos" after "move a.txt to docs".
            if !gathers { add(withVerb(plain)) }
            return found
        }
        for there in inFolder(plain) { add([there] + continued(there)) }
        add(continued(plain))
        add(["\(thread.order) \(plain)", "\(thread.order), \(plain)"], corrects: corrects)
        if !gathers { add(sameVerb(plain)) }
        return found
    }

    /// Whether a line only says which files a set has: "also the results".
    private var isCondition: Bool {
        let said = parts(line)
        return !said.isEmpty
            && said.allSatisfy { $0.meaning.map { !$0.filters.isEmpty && $0.set == nil && $0.tools.isEmpty } ?? false }
    }

    /// Whether a line is a question, so that it does nothing again.
    private func asks(_ text: String) -> Bool {
        guard let first = text.lowercased().split(whereSeparator: { !$0.isLetter && $0 != "'" }).first else {
            return false
        }
        return words["questions"]?.contains(String(first)) ?? false
    }

    /// Whether the last order gave a file another name or place.
    private var isMove: Bool { parts(thread.order).contains { $0.meaning.map(planner.moves) ?? false } }

    /// Returns the last order with another of its choices: "and the average?" after "the sum of …".
    private func chosen(in text: String) -> [String] {
        let said = text.lowercased().split(whereSeparator: \.isWhitespace).map { Self.bare(String($0)) }
        for (chosen, others) in thread.choices {
            guard let other = others.first(where: said.contains), let place = thread.order.place(of: chosen)
            else { continue }
            return [thread.order.replacing(place, with: other)]
        }
        return []
    }

    /// Returns the last order for other files and with a change: "the same for scan.png, but 90 px".
    private func exceptions(_ text: String) -> [String] {
        for word in words["but"] ?? [] {
            guard let place = text.place(of: " \(word) ") else { continue }
            let named = files(in: Self.bare(String(text.prefix(place.lowerBound))))
            let change = String(text.dropFirst(place.upperBound))
            guard !named.isEmpty else { continue }
            return repeated(with: named).flatMap { changed(by: change, in: $0) }
        }
        return []
    }

    /// Returns the line with the folder of the last order in the place of "in there".
    private func inFolder(_ text: String) -> [String] {
        guard let folder = thread.folder else { return [] }
        for word in (words["there"] ?? []).sorted(by: { $0.count > $1.count }) {
            guard let place = text.place(of: word) else { continue }
            return (words["thereAs"] ?? []).map { pattern in
                text.replacing(place, with: pattern.replacing("{}", with: Self.quoted(FileName.folder(folder))))
            }
        }
        return []
    }

    /// Returns the line with the verb and the file of the last order: "and port to 3000" after "set debug to true in
    /// config.json".
    private func sameVerb(_ text: String) -> [String] {
        (words["inAs"] ?? []).flatMap { pattern in
            [thread.results, thread.sources].compactMap(\.last).flatMap { file in
                withVerb("\(text) \(pattern.replacing("{}", with: Self.quoted(file)))")
            }
        }
    }

    private func withVerb(_ text: String) -> [String] {
        parts(thread.order).first { $0.verb != nil }?.verb.map { ["\($0) \(text)"] } ?? []
    }

    /// Whether a line names a file to work on, so that it does not go on with the last one.
    private func namesFiles(_ text: String) -> Bool {
        planner.tokens(of: text, listing: listing).contains { token in
            if case .file(let entry, _) = token.kind { !entry.isFolder } else { false }
        }
    }

    // MARK: Words

    private func isIn(_ group: String, _ text: String) -> Bool {
        words[group]?.contains(text.lowercased()) ?? false
    }

    private func pattern(_ name: String, _ values: [String]) -> [String] {
        guard let pattern = words[name + "As"]?.first, !values.contains("") else { return [] }
        var filled = ""
        var rest = values[...]
        for piece in pattern.split(separator: "{}", omittingEmptySubsequences: false) {
            filled += piece
            if let value = rest.popFirst() { filled += Self.quoted(value) }
        }
        return [filled]
    }

    /// Returns a name in quotes, if it would not stand by itself in a sentence.
    private static func quoted(_ name: String) -> String { FileName.quoted(name) }

    /// Returns a text without the longest words of a group at its beginning or end.
    private func without(group: String, atEnd: Bool = false, _ text: String) -> String {
        Self.without(words[group] ?? [], atEnd: atEnd, text)
    }

    private static func without(_ group: [String], atEnd: Bool = false, _ text: String) -> String {
        let lower = text.lowercased()
        let fits = group.filter { word in
            guard lower.count > word.count else { return false }
            let next = atEnd ? lower.dropLast(word.count).last : lower.dropFirst(word.count).first
            return (atEnd ? lower.hasSuffix(word) : lower.hasPrefix(word)) && !(next?.isLetter ?? true)
                && !(next?.isNumber ?? true)
        }
        guard let longest = fits.max(by: { $0.count < $1.count }) else { return text }
        return bare(String(atEnd ? text.dropLast(longest.count) : text.dropFirst(longest.count)))
    }

    /// Returns a line without the words before it that say that something was wrong: "no, 600 px".
    static func withoutNo(_ line: String, _ language: PlannerLanguage) -> String {
        let rest = without(language.thread["no"] ?? [], line)
        return rest == line ? line : withoutNo(rest, language)
    }

    /// The line without the words that say that the last order was wrong.
    private var correction: (rest: String, corrects: Bool) {
        let rest = Self.withoutNo(line, planner.language)
        let ended = without(group: "instead", atEnd: true, rest)
        return (ended, ended != line)
    }

    // MARK: Files

    /// Returns the texts of the files, if a text names files and nothing else.
    private func files(in text: String) -> [String] {
        let said = parts(text).filter { part in
            switch part.kind {
            case .idle, .pause: false
            case .phrase(let meaning): ![.idle, .and].contains(meaning.kind)
            case .unknown: true
            }
        }
        let isFiles = said.allSatisfy { part in
            guard let meaning = part.meaning, meaning.tools.isEmpty, meaning.gives.isEmpty, meaning.kind == nil else {
                return false
            }
            return meaning.set != nil || ["object", "of", "in", "with"].contains(meaning.role)
        }
        guard isFiles else { return [] }
        return said.compactMap { part in
            if case .reference(let reference)? = part.bound["f"]?.value { return reference.plainName.map(Self.quoted) }
            return part.meaning?.set == nil ? nil : part.text
        }
    }

    /// Returns the last order with other files in the place of its own.
    private func repeated(with files: [String]) -> [String] {
        let old = sourceSpans
        // Of what is packed or joined, the old files stay in it.
        let files = gathers ? (thread.sources + files).filter { !$0.isEmpty } : files
        guard let first = old.first, let last = old.last else { return [] }
        // "cat.jpg and dog.png" is one place.
        let place = first.lowerBound..<last.upperBound
        return [thread.order.replacing(place, with: files.joined(separator: " \(and) "))]
    }

    /// Whether the last order made one thing of several files.
    private var gathers: Bool {
        parts(thread.order).contains { $0.meaning.map(planner.catalogue.gathers) ?? false }
    }

    private var and: String { words["and"]?.first ?? "and" }

    /// The places of the files in the last order that it works on.
    private var sourceSpans: [Range<Int>] {
        var spans: [Range<Int>] = []
        for part in parts(thread.order) {
            guard let meaning = part.meaning else { continue }
            if let span = part.span(of: "f"), case .reference(let reference)? = part.bound["f"]?.value,
                let name = reference.plainName,
                thread.sources.contains(name) || thread.results.contains(name)
                    || ["object", "of", "in"].contains(meaning.role ?? "")
            {
                // The files of one list lie beside each other.
                if let last = spans.last, span.lowerBound > last.upperBound + 8 { break }
                spans.append(span)
            } else if meaning.set != nil, let span = part.spans.first, let end = part.spans.last, spans.isEmpty {
                spans.append(span.lowerBound..<end.upperBound)
            }
        }
        return spans
    }

    /// Returns the name in "call it x.jpg".
    private func newName(in text: String) -> String? {
        let said = parts(text).filter { $0.meaning?.kind != .idle && $0.meaning != nil }
        guard said.contains(where: { $0.meaning?.kind == .save || $0.meaning?.tools.isEmpty == false }),
            said.allSatisfy({ part in
                guard let meaning = part.meaning else { return false }
                let isMove = meaning.tools.isEmpty || meaning.with["to"] != nil || part.bound["f"] == nil
                return isMove && meaning.gives.allSatisfy { $0.name == "calls" }
            })
        else { return nil }
        let isRenaming = said.contains { part in
            part.meaning.map { $0.kind == .save || planner.moves($0) } ?? false
        }
        let names = said.compactMap { part -> String? in
            guard case .reference(let reference)? = part.bound["f"]?.value ?? part.bound["n"]?.value else { return nil }
            return reference.isFolder ? nil : reference.plainName
        }
        return isRenaming && names.count == 1 ? names[0] : nil
    }

    // MARK: Going on

    /// Returns the line with the newest result as its file.
    private func continued(_ text: String) -> [String] {
        guard !thread.subjects.isEmpty, !text.isEmpty else { return [] }
        let files = thread.subjects.map(Self.quoted).joined(separator: " \(and) ")
        let followUp = FollowUp(order: text, parts: parts(text), asked: .file, answer: files)
        let made = words["make"]?.first.map { ["\($0) \(files) \(text)"] } ?? []
        return followUp.sentences([:]) + made + ["\(files) \(text)"]
    }

    /// Returns the line with the file that "the second" means, of those that were listed last.
    private func placed(_ text: String) -> [String] {
        let names = thread.listed.isEmpty ? thread.subjects : thread.listed
        for (word, number) in planner.language.ordinals {
            guard let place = text.place(of: word) else { continue }
            guard let name = names.element(number).map(Self.quoted) else { continue }
            let sentence = text.replacing(place, with: name)
            return files(in: sentence).isEmpty ? [sentence] : repeated(with: [name]) + [sentence]
        }
        let all = names.map(Self.quoted).joined(separator: " \(and) ")
        for word in (words["them"] ?? []).sorted(by: { $0.count > $1.count }) {
            guard let place = text.place(of: word), !names.isEmpty else { continue }
            return [text.replacing(place, with: all)]
        }
        guard !thread.listed.isEmpty else { return [] }
        return FollowUp(order: text, parts: parts(text), asked: .file, answer: all).sentences([:])
    }
}

extension String {
    /// Returns the place of some words, in characters, whatever their capitals. Returns nil if they are not there.
    func place(of words: String) -> Range<Int>? {
        let signs = Array(lowercased())
        return signs.ranges(of: Array(words.lowercased())).first { place in
            !(place.lowerBound > 0 && signs[place.lowerBound - 1].isLetter)
                && !(place.upperBound < signs.count && signs[place.upperBound].isLetter)
        }
    }

    /// Returns the text with other words at a place, in characters.
    func replacing(_ place: Range<Int>, with words: String) -> String {
        var signs = Array(self)
        signs.replaceSubrange(place, with: Array(words))
        return String(signs)
    }
}
