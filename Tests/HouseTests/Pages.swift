/// The places of one Markdown page that can be cited, and the links in the page.
struct Page {
    /// The texts of the headings, without their signs of level.
    private(set) var headings: [String] = []
    /// The numbers that begin table rows.
    private(set) var rows: Set<Int> = []
    /// The numbers of list items, by the heading above them.
    private(set) var items: [String: Set<Int>] = [:]
    /// The anchors that GitHub gives to the headings.
    private(set) var anchors: Set<String> = []
    /// The targets of links and pictures, with the numbers of their lines.
    private(set) var links: [(line: Int, target: String)] = []

    init(_ file: [UInt8]) {
        var isFenced = false
        for (number, (_, bytes)) in file.lines().enumerated() {
            let line = Substring(decoding: bytes, as: UTF8.self)
            let text = line.drop { $0 == " " }
            if text.hasPrefix("```") || text.hasPrefix("~~~") {
                isFenced.toggle()
            } else if !isFenced {
                read(text)
                links += Self.targets(in: line).map { (number + 1, $0) }
            }
        }
    }

    private mutating func read(_ line: Substring) {
        let rest = line.drop { $0 == "#" }
        if line.hasPrefix("#"), rest.hasPrefix(" ") {
            let heading = String(rest.dropFirst())
            headings.append(heading)
            let slug = Self.slug(heading)
            var anchor = slug
            var copies = 0
            while !anchors.insert(anchor).inserted {
                copies += 1
                anchor = "\(slug)-\(copies)"
            }
        } else if line.hasPrefix("|") {
            let cell = line.dropFirst().prefix { $0 != "|" }.filter { $0 != " " && $0 != "*" }
            if let number = Int(cell) { rows.insert(number) }
        } else if let dot = line.firstIndex(of: "."), let number = Int(line[..<dot]), line[dot...].hasPrefix(". ") {
            items[headings.last ?? "", default: []].insert(number)
        }
        for attribute in ["id=\"", "name=\""] {
            for part in line.split(separator: attribute).dropFirst() {
                anchors.insert(String(part.prefix { $0 != "\"" }))
            }
        }
    }

    /// Returns whether the page has the cited place.
    func has(_ place: Citation.Place) -> Bool {
        switch place {
        case .number(let number): rows.contains(number) || headings.contains { $0.hasPrefix("\(number). ") }
        case .section(let name, let number):
            headings.contains { $0 == "\(name) \(number)" || $0.hasPrefix("\(name) \(number).") }
        case .guarantee(let number): items.contains { $0.key.hasPrefix("Guarantees") && $0.value.contains(number) }
        case .invariant(let number):
            headings.contains { Self.holds("Invariant \(number)", in: $0) }
                || items.contains { $0.key.contains("Invariants") && $0.value.contains(number) }
        case .heading(let text):
            headings.contains { Self.plain($0) == Self.plain(text) || Self.unnumbered($0) == Self.plain(text) }
        }
    }

    private static func holds(_ words: String, in heading: String) -> Bool {
        guard let range = heading.firstRange(of: words) else { return false }
        return !(heading[range.upperBound...].first?.isNumber ?? false)
    }

    private static func plain(_ heading: String) -> String { heading.filter { $0 != "`" } }

    /// Returns the text of a heading such as `9. SwiftPM` or `6b. FlyingFox` without its number.
    private static func unnumbered(_ heading: String) -> String {
        guard let dot = heading.firstRange(of: ". ") else { return plain(heading) }
        let number = heading[..<dot.lowerBound]
        guard number.first?.isNumber ?? false, number.allSatisfy({ $0.isNumber || $0.isLetter }) else {
            return plain(heading)
        }
        return plain(String(heading[dot.upperBound...]))
    }

    /// Returns the anchor that GitHub makes of a heading: lower case, hyphens for spaces, no punctuation.
    static func slug(_ heading: String) -> String {
        String(
            heading.lowercased().compactMap { character in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || character == "-" || character == "_"
                    ? character : nil
            })
    }

    /// Returns the targets of `[text](target)`, `src`, `srcset` and `href` in a line, outside code spans.
    static func targets(in line: Substring) -> [String] {
        let parts = " \(line)".split(separator: "`", omittingEmptySubsequences: false)
        let text = parts.enumerated().map { $0.offset.isMultiple(of: 2) ? $0.element : "code" }.joined()
        let links = text.split(separator: "](", omittingEmptySubsequences: false).dropFirst()
        var targets = links.map { String($0.prefix { $0 != ")" && $0 != " " }) }
        for attribute in [" src=\"", " href=\"", " srcset=\""] {
            for part in text.split(separator: attribute, omittingEmptySubsequences: false).dropFirst() {
                let sources = part.prefix { $0 != "\"" }.split(separator: ",")
                targets += sources.compactMap { $0.split(separator: " ").first.map(String.init) }
            }
        }
        return targets
    }
}

/// All pages of the repository, by their paths from its top.
struct Pages {
    /// The result of looking for a cited page.
    enum Match: Equatable {
        case page(String)
        case none
        /// The paths of several pages that have the cited name.
        case several([String])
    }

    private let pages: [String: Page]

    init(_ pages: [String: Page]) { self.pages = pages }

    subscript(path: String) -> Page? { pages[path] }

    /// Finds the page that `name` means in the file at `path`.
    ///
    /// A path counts from the top of the repository or from the folder of the citing file. A bare name means the page
    /// in that folder, otherwise the only page of this name below `docs`, otherwise a page at the top, otherwise the
    /// only page below `Tests`.
    func match(_ name: String, citedIn path: String) -> Match {
        for candidate in [Self.join(Self.folder(of: path), name), name].compactMap({ $0 }) where pages[candidate] != nil
        {
            if candidate != name || name.contains("/") { return .page(candidate) }
        }
        guard !name.contains("/") else { return .none }
        let inDocs = pages.keys.filter { $0.hasPrefix("docs/") && $0.hasSuffix("/\(name)") }.sorted()
        if !inDocs.isEmpty { return inDocs.count == 1 ? .page(inDocs[0]) : .several(inDocs) }
        if pages[name] != nil { return .page(name) }
        let inTests = pages.keys.filter { $0.hasPrefix("Tests/") && $0.hasSuffix("/\(name)") }.sorted()
        return inTests.isEmpty ? .none : inTests.count == 1 ? .page(inTests[0]) : .several(inTests)
    }

    static func folder(of path: String) -> String { path.split(separator: "/").dropLast().joined(separator: "/") }

    /// Returns a path from the top for one that counts from `folder`, or nil if it leaves the repository.
    static func join(_ folder: String, _ path: String) -> String? {
        var parts = path.hasPrefix("/") ? [] : folder.split(separator: "/")
        for part in path.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(part)
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return parts.joined(separator: "/")
    }
}
