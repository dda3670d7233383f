/// The citations and links that lead nowhere, sorted by what is missing.
struct CitationFaults {
    enum Kind: CaseIterable {
        case page, place, outside, row, link

        /// The first line of the report of all faults of this kind.
        var title: String {
            switch self {
            case .page: "citations name a page that this repository does not have"
            case .place: "citations name a row, section or heading that their page does not have"
            case .outside: "references lead out of this repository; cite a page below docs/ instead"
            case .row: "references name a row that docs/design/semantics.md does not have"
            case .link: "links lead to a file or heading that does not exist"
            }
        }
    }

    /// Names in backticks that mean a file of a user or of another project, never a page of this repository.
    static let namesOfUsersFiles: Set<String> = [
        "AGENTS.md", "CLAUDE.md", "SKILL.md",  // Files that agents obey. Assent asks before it writes them.
        "todo.md", "notes.md", "report.md", "plan.md", "draft.md",  // Documents in examples and test data.
        "CHANGELOG.md", "docs/todo.md", "docs/guide.md", "docs/notes.md",  // The sample repository of the tools' tests.
    ]

    /// Pages that existed outside this repository, or were merged into others.
    static let formerPages: Set<String> = ["decisions.md", "design.md", "style.md"]

    static let semantics = "docs/design/semantics.md"

    let pages: Pages
    /// Whether a file or folder exists at a path from the top of the repository.
    let exists: (String) -> Bool
    private(set) var lines: [Kind: [String]] = [:]
    /// How many citations and links were examined.
    private(set) var examined = 0
    /// How many of them name a row, section or heading.
    private(set) var examinedPlaces = 0
    /// How often each page that is missing, or lacks a cited place, is cited in vain.
    private(set) var deadByPage: [String: Int] = [:]

    init(pages: Pages, exists: @escaping (String) -> Bool) { (self.pages, self.exists) = (pages, exists) }

    /// Examines the comments of a source file or the text of a page.
    mutating func examine(_ file: [UInt8], at path: String) {
        guard let language = Language(path: path), Self.mayCite(file) else { return }
        for passage in language.passages(of: file) {
            for citation in Citation.all(in: passage.bytes, isCode: language != .markdown) {
                examine(citation, at: "\(path):\(passage.line(at: citation.offset))", in: path)
            }
            for reference in Citation.outside(in: passage.bytes) {
                report(.outside, page: "seeds", "\(path):\(passage.line(at: reference.offset)): \(reference.text)")
            }
            guard path.hasPrefix("Tests/") else { continue }
            for row in Citation.rows(in: passage.bytes) {
                examined += 1
                guard !(pages[Self.semantics]?.has(.number(row.number)) ?? false) else { continue }
                report(.row, page: "semantics.md", "\(path):\(passage.line(at: row.offset)): row \(row.number)")
            }
        }
        if language == .markdown { examineLinks(at: path) }
    }

    /// Returns whether a file holds any of the words with which a citation begins, so that most files need not be read
    /// further.
    private static func mayCite(_ file: [UInt8]) -> Bool {
        ([".md", "eed", "ppendix", "../shared", "Row", "(row", "](", "src"] as [StaticString]).contains {
            file.offset(of: $0) != nil
        }
    }

    private mutating func examine(_ citation: Citation, at place: String, in path: String) {
        guard !Self.namesOfUsersFiles.contains(citation.page) else { return }
        examined += 1
        if Self.formerPages.contains(citation.page) {
            report(.page, page: citation.page, "\(place): \(citation.text) — cite the page that took over its text")
            return
        }
        if citation.hasSectionSign {
            report(.outside, page: citation.page, "\(place): \(citation.text) — write the heading in quotes")
        }
        switch pages.match(citation.page, citedIn: path) {
        case .none: report(.page, page: citation.page, "\(place): \(citation.text) — no such page")
        case .several(let paths):
            report(
                .page, page: citation.page,
                "\(place): \(citation.text) — write the path: \(paths.joined(separator: " or "))")
        case .page(let found):
            examinedPlaces += citation.places.isEmpty ? 0 : 1
            let missing = citation.places.filter { !(pages[found]?.has($0) ?? false) }
            guard !missing.isEmpty else { return }
            let words = missing.map { $0.description }.joined(separator: ", ")
            report(.place, page: citation.page, "\(place): \(citation.text) — \(found) has no \(words)")
        }
    }

    private mutating func examineLinks(at path: String) {
        for (line, target) in pages[path]?.links ?? [] where !target.isEmpty && !Self.isExternal(target) {
            examined += 1
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let file = parts[0].isEmpty ? path : Pages.join(Pages.folder(of: path), String(parts[0]))
            if let file, exists(file) {
                guard parts.count == 2, let page = pages[file], !page.anchors.contains(String(parts[1])) else {
                    continue
                }
                report(.link, page: file, "\(path):\(line): (\(target)) — \(file) has no heading with this anchor")
            } else {
                report(.link, page: target, "\(path):\(line): (\(target)) — no such file")
            }
        }
    }

    private static func isExternal(_ target: String) -> Bool {
        ["http://", "https://", "mailto:", "data:"].contains { target.hasPrefix($0) }
    }

    private mutating func report(_ kind: Kind, page: String, _ line: String) {
        lines[kind, default: []].append(line)
        deadByPage[page, default: 0] += 1
    }
}

extension Citation.Place: CustomStringConvertible {
    var description: String {
        switch self {
        case .number(let number): "row or section \(number)"
        case .section(let name, let number): "heading \"\(name) \(number).\""
        case .guarantee(let number): "guarantee \(number)"
        case .invariant(let number): "invariant \(number)"
        case .heading(let text): "heading \"\(text)\""
        }
    }
}
