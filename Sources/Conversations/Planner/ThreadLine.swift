import JSON
import Vocabulary

/// A line that speaks of the last order, in the sentences that it may stand for.
struct ThreadLine {
    private let line: String
    private let thread: OrderThread
    private let planner: BuiltInPlanner
    private let listing: Listing
    private var words: [String: [String]] { planner.language.thread }

    /// A sentence that stands by itself, and whether it corrects the last order.
    struct Candidate {
        var sentence: String
        var corrects = false
    }

    init(_ line: String, _ thread: OrderThread, _ planner: BuiltInPlanner, listing: Listing) {
        self.line = Self.bare(line)
        (self.thread, self.planner, self.listing) = (thread, planner, listing)
    }

    private func parts(_ sentence: String) -> [Part] { planner.parts(of: sentence, listing: listing) }

    private static func bare(_ line: String) -> String {
        var text = line[...]
        while let first = text.first, first.isWhitespace || ",;:".contains(first) { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace || ".!?,;:".contains(last) { text = text.dropLast() }
        return String(text)
    }

    /// The sentences that the line may stand for, the likeliest first.
    var candidates: [Candidate] {
        let (rest, corrects) = correction
        let plain = without(group: "on", without(group: "tails", atEnd: true, rest))
        var found: [Candidate] = []
        func add(_ sentences: [String], corrects: Bool = false) {
            found += sentences.filter { !$0.isEmpty }.map { Candidate(sentence: $0, corrects: corrects) }
        }
        if isIn("again", line) { add([thread.order]) }
        if isIn("show", plain) { add(pattern("show", [thread.subjects.last ?? ""])) }
        if isIn("opposite", rest) || isIn("opposite", plain) { add(turned, corrects: true) }
        add(chosen(in: plain), corrects: corrects)
        let same = without(group: "there", atEnd: true, without(group: "same", plain))
        let named = files(in: same)
        if !named.isEmpty {
            if corrects, named.count == 1, thread.results.count == 1, isMove {
                add(pattern("rename", [thread.results[0], named[0]]))
            }
            add(repeated(with: named), corrects: corrects)
        }
        add(exceptions(same), corrects: corrects)
        if let name = newName(in: plain), thread.results.count == 1 {
            add(pattern("rename", [thread.results[0], name]))
        }
        let again = without(group: "again", rest)
        if corrects || again != rest { add(changed(by: again), corrects: corrects) }
        add(placed(plain))
        if let there = inFolder(plain) { add([there] + continued(there)) }
        add(continued(plain))
        add(["\(thread.order) \(plain)", "\(thread.order), \(plain)"], corrects: corrects)
        return found
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
    private func inFolder(_ text: String) -> String? {
        guard let folder = thread.folder, let pattern = words["thereAs"]?.first else { return nil }
        for word in (words["there"] ?? []).sorted(by: { $0.count > $1.count }) {
            guard let place = text.place(of: word) else { continue }
            return text.replacing(place, with: pattern.replacing("{}", with: Self.quoted(FileName.folder(folder))))
        }
        return nil
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
    private static func quoted(_ name: String) -> String { name.contains(" ") ? "\"\(name)\"" : name }

    /// Returns a text without the longest words of a group at its beginning or end.
    private func without(group: String, atEnd: Bool = false, _ text: String) -> String {
        let lower = text.lowercased()
        let fits = (words[group] ?? []).filter { word in
            guard lower.count > word.count else { return false }
            let next = atEnd ? lower.dropLast(word.count).last : lower.dropFirst(word.count).first
            return (atEnd ? lower.hasSuffix(word) : lower.hasPrefix(word)) && !(next?.isLetter ?? true)
                && !(next?.isNumber ?? true)
        }
        guard let longest = fits.max(by: { $0.count < $1.count }) else { return text }
        return Self.bare(String(atEnd ? text.dropLast(longest.count) : text.dropFirst(longest.count)))
    }

    /// The line without the words that say that the last order was wrong.
    private var correction: (rest: String, corrects: Bool) {
        var rest = line
        while true {
            let next = without(group: "no", rest)
            if next == rest { break }
            rest = next
        }
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
        parts(thread.order).contains { part in
            part.meaning?.tools.contains { planner.catalogue[$0]?.inputs.contains(where: \.isVariadic) ?? false }
                ?? false
        }
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
        for (word, number) in ordinals {
            guard let place = text.place(of: word) else { continue }
            let index = number < 0 ? names.count + number : number - 1
            guard names.indices.contains(index) else { continue }
            let sentence = text.replacing(place, with: Self.quoted(names[index]))
            return files(in: sentence).isEmpty ? [sentence] : repeated(with: [Self.quoted(names[index])]) + [sentence]
        }
        guard !thread.listed.isEmpty else { return [] }
        let all = thread.listed.map(Self.quoted).joined(separator: " \(and) ")
        return FollowUp(order: text, parts: parts(text), asked: .file, answer: all).sentences([:])
    }

    /// The words for a place in a list, the longest first.
    private var ordinals: [(String, Int)] {
        var found: [(String, Int)] = []
        for (place, group) in (words["ordinals"] ?? []).enumerated() {
            for word in group.split(separator: "|") { found.append((String(word), place + 1)) }
        }
        for group in words["last"] ?? [] {
            for word in group.split(separator: "|") { found.append((String(word), -1)) }
        }
        return found.sorted { $0.0.count > $1.0.count }
    }

    // MARK: Corrections

    /// The last order turned the other way.
    private var turned: [String] {
        for pair in words["opposites"] ?? [] {
            let sides = pair.split(separator: "|").map(String.init)
            guard sides.count == 2 else { continue }
            for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                guard let place = thread.order.place(of: one) else { continue }
                return [thread.order.replacing(place, with: other)]
            }
        }
        return (words["turn"] ?? []).map { "\(thread.order) \($0)" }
    }

    /// Returns the last order with the figures, formats and places of a text in the place of its own.
    private func changed(by text: String, in original: String? = nil) -> [String] {
        var order = original ?? thread.order
        var isChanged = false
        for new in parts(text) {
            guard let meaning = new.meaning, meaning.kind != .idle else { continue }
            if let span = span(of: new, in: parts(order), order) {
                order = order.replacing(span, with: replacing(new, text))
                isChanged = true
            } else if !meaning.gives.isEmpty || ["to", "folder", "place", "as", "name"].contains(meaning.role ?? "") {
                order += " \(new.text)"
                isChanged = true
            }
        }
        return isChanged ? [order] : []
    }

    /// Returns the words of a part that take the place of others: only the figure of "600", all of "600 px wide".
    private func replacing(_ new: Part, _ text: String) -> String {
        guard new.meaning?.gives.map(\.name) == ["bare"], let span = new.span(of: "n") else { return new.text }
        return String(Array(text)[span])
    }

    /// Returns the place in the last order of the words that a part replaces. Returns nil if there are none.
    private func span(of new: Part, in old: [Part], _ order: String) -> Range<Int>? {
        guard let meaning = new.meaning else { return nil }
        let names = meaning.gives.map(\.name)
        if names == ["bare"] {
            let figures = old.compactMap { $0.span(of: "n") ?? $0.span(of: "b") }
            let numbers = figures.filter { span in Array(order)[span].contains(where: \.isNumber) }
            return numbers.count == 1 ? numbers[0].figure(in: order) : nil
        }
        if !names.isEmpty {
            let kinds = Self.kinds(of: names)
            let twins = old.filter { part in
                part.meaning.map { !Self.kinds(of: $0.gives.map(\.name)).isDisjoint(with: kinds) } ?? false
            }
            return twins.count == 1 ? twins[0].whole : nil
        }
        let places: Set = ["to", "folder", "place", "as", "name"]
        if let role = meaning.role, places.contains(role) {
            return old.first { places.contains($0.meaning?.role ?? "") }?.whole
        }
        return nil
    }

    /// Returns the kinds of figures that take the place of each other.
    private static func kinds(of names: [String]) -> Set<String> {
        Set(
            names.map { name in
                switch name {
                case "width", "height", "side", "box", "longest", "percent", "share", "less", "more", "megapixels":
                    "size"
                case "angle", "leftward": "turn"
                default: name
                }
            })
    }
}

extension Part {
    /// The place of all its words in the line.
    fileprivate var whole: Range<Int>? {
        guard let first = spans.first, let last = spans.last else { return nil }
        return first.lowerBound..<last.upperBound
    }
}

extension String {
    /// Returns the place of some words, in characters, whatever their capitals. Returns nil if they are not there.
    fileprivate func place(of words: String) -> Range<Int>? {
        Array(lowercased()).firstRange(of: Array(words.lowercased()))
    }

    /// Returns the text with other words at a place, in characters.
    fileprivate func replacing(_ place: Range<Int>, with words: String) -> String {
        var signs = Array(self)
        signs.replaceSubrange(place, with: Array(words))
        return String(signs)
    }
}

extension Range where Bound == Int {
    /// Returns the part of the range that holds only the digits of a figure, without its unit.
    fileprivate func figure(in line: String) -> Range<Int> {
        let signs = Array(line)
        let end = self.first { !signs[$0].isNumber && !".,".contains(signs[$0]) } ?? upperBound
        return lowerBound..<end
    }
}
