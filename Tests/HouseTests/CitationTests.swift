import Testing

/// The pages, rows and headings that comments and pages cite must exist in this repository.
@Suite struct CitationTests {
    @Test func everyCitationLeadsToAPlaceInThisRepository() {
        let paths =
            ["Sources", "Tests", "Config", "docs", "Prompts"].flatMap { House.files(under: $0) } + [
                "README.md", "Package.swift", "Makefile", ".ci/run",
            ]
        let pages = paths.filter { $0.hasSuffix(".md") }.map { ($0, Page(House.bytes(at: $0) ?? [])) }
        var faults = CitationFaults(pages: Pages(Dictionary(uniqueKeysWithValues: pages)), exists: House.exists)
        for path in paths where !path.hasPrefix("Prompts/") { faults.examine(House.bytes(at: path) ?? [], at: path) }

        let dead = faults.deadByPage.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        print(
            "citations: \(faults.examined) examined, \(faults.examinedPlaces) with a place; dead: \(dead.isEmpty ? "none" : dead.joined(separator: ", "))"
        )
        #expect(faults.examined >= 400 && faults.examinedPlaces >= 250, "\(faults.examinedPlaces) name a place")
        for kind in CitationFaults.Kind.allCases {
            guard let lines = faults.lines[kind] else { continue }
            Issue.record("\(lines.count) \(kind.title):\n\(lines.joined(separator: "\n"))")
        }
    }

    @Test(
        arguments: [
            ("(`semantics.md` 24)", "semantics.md 24"), ("`semantics.md` 7, 9, 15.", "semantics.md 7 9 15"),
            ("`semantics.md` 40–42, 47: x", "semantics.md 40 41 42 47"),
            ("`semantics.md` 25 and 26", "semantics.md 25 26"),
            ("`semantics.md` 2, *produces*", "semantics.md 2"), ("`semantics.md` 5, and more", "semantics.md 5"),
            ("`semantics.md`, rows 5 and 6", "semantics.md 5 6"),
            ("`semantics.md` 3%, `wire.md` 3.5", "semantics.md; wire.md"),
            ("`consent.md` guarantee 4", "consent.md guarantee 4"),
            ("`consent.md`, guarantees 4, 5", "consent.md guarantee 4 guarantee 5"),
            ("`wire.md` LLM 3, 6", "wire.md LLM 3 LLM 6"), ("`wire.md`, Jobs 3)", "wire.md Jobs 3"),
            ("`wire.md` LLM 5, row by row", "wire.md LLM 5"),
            ("`wire.md` LLM 2 and Jobs 1–2", "wire.md LLM 2 Jobs 1 Jobs 2"),
            ("`architecture.md` invariant 4.", "architecture.md invariant 4"), ("`platform.md` 9", "platform.md 9"),
            ("`consent.md`, \"Modes\" of", "consent.md \"Modes\""),
            ("(`a.md`, \"A b\", \"C\" and “D”)", "a.md \"A b\" \"C\" \"D\""),
            ("`consent.md`, Modes)", "consent.md \"Modes\""), ("`consent.md`, Modes are", "consent.md"),
            ("`docs/design/wire.md` LLM 1 and `a.md` 2", "docs/design/wire.md LLM 1; a.md 2"),
            ("docs/wire.md: LLM", "docs/wire.md"), ("wire.md 3, `*.md`, `cat a.md`", ""), ("`a.md`, §5", "a.md §"),
            ("`a.md` 1 (RFC 9110 §5)", "a.md 1"),
        ])
    func citationsAreFoundWithTheirPlaces(text: String, found: String) {
        let citations = Citation.all(in: Array(text.utf8), isCode: true).map { citation in
            ([citation.page] + citation.places.map(\.brief) + (citation.hasSectionSign ? ["§"] : [])).joined(
                separator: " ")
        }
        #expect(citations.joined(separator: "; ") == found)
    }

    @Test func pathsWithoutBackticksAreCitationsInCodeOnly() {
        #expect(Citation.all(in: Array("see docs/wire.md".utf8), isCode: false).isEmpty)
    }

    @Test(
        arguments: [
            ("Row 27 and more", [27]), ("Rows 7, 8", [7, 8]), ("waits (row 66)", [66]), ("(rows 1–3)", [1, 2, 3]),
            ("on row 4", []),
            ("Row after row", []), ("Arrow 3, ThrowRow 5", []),
        ])
    func rowsWithoutAPageAreFound(text: String, rows: [Int]) {
        #expect(Citation.rows(in: Array(text.utf8)).map(\.number) == rows)
    }

    @Test(
        arguments: [
            ("as in seed S1 §3, here", ["seed S1 §3, here"]), ("Seed S0: x", ["Seed S0"]),
            ("seeds S2 and S3 (x)", ["seeds S2 and S3 "]),
            ("seed S1, appendix D §1", ["seed S1, appendix D §1"]), ("Appendix E 5: x", ["Appendix E 5"]),
            ("in ../shared/a", ["../shared/a"]),
            ("seed 12, seed Sx, an appendix to", []),
        ])
    func referencesToTextsOutsideAreFound(text: String, found: [String]) {
        #expect(Citation.outside(in: Array(text.utf8)).map(\.text) == found)
    }

    @Test func commentsAreToldFromCodeAndLiterals() throws {
        let swift = #"""
            let a = "`a.md` 1 // \(b("// `b.md`")) no comment"  // one `c.md`
            /// two
            let c = #"a " // no"# ; let d = """
                // no " comment
                """
            /* three
             * four /* five */ `d.md`
             */ let e = 1 // six
            """#
        let passages = Language.slashes.passages(of: Array(swift.utf8))
        #expect(passages.map(\.words) == ["one `c.md` two", "three four /* five */ `d.md`  six"])
        #expect(try passages.map { $0.line(at: try #require($0.bytes.offset(of: ".md"))) } == [1, 7])
    }

    @Test func commentsOfYAMLAndParagraphsOfMarkdownAreFound() {
        let yaml = "# one\nkey: \"# no\" # two\n\nperson's: a#b\n# three\n#four"
        #expect(Language.hash.passages(of: Array(yaml.utf8)).map(\.words) == ["one two", "three four"])
        let markdown =
            "# Title\nA line\nand `a.md`\n5 more.\n\n```\n`b.md`\n```\n| 1 | x |\n| 2 | y |\n- item\n  goes on"
        #expect(
            Language.markdown.passages(of: Array(markdown.utf8)).map(\.words)
                == ["# Title", "A line and `a.md` 5 more.", "| 1 | x |", "| 2 | y |", "- item goes on"])
    }

    private static let pages = Pages([
        "docs/design/semantics.md": Page(Array("# Rows\n| # | x |\n|---|---|\n| 24 | y |\n| **25** | z |\n".utf8)),
        "docs/design/consent.md": Page(Array("## Modes\n1. no\n## Guarantees\n4. yes\n## Guarantees again\n".utf8)),
        "docs/design/wire.md": Page(
            Array("## LLM 5. Ends\n## Jobs 12\n## 9. Build `it`\n```\n# no\n```\n## The \"way\"\n".utf8)),
        "docs/design/architecture.md": Page(Array("## Invariants\n4. four\n### Invariant 12: twelve\n".utf8)),
        "docs/guide/wire.md": Page([]), "README.md": Page([]), "Tests/X/README.md": Page([]),
        "Tests/Y/peers.md": Page([]),
    ])

    @Test(
        arguments: [
            "`semantics.md` 24–25", "`consent.md` guarantee 4", "`consent.md`, \"Modes\", \"Guarantees again\"",
            "`docs/design/wire.md` LLM 5",
            "`docs/design/wire.md` 9, Jobs 12", "`docs/design/wire.md`, \"9. Build it\"",
            "`docs/design/wire.md`, \"Build `it`\"",
            "`architecture.md` invariants 4, 12", "`README.md`", "`peers.md`", "`../guide/wire.md`", "`AGENTS.md`",
            "Row 24",
            "(rows 24 and 25)",
        ])
    func liveCitationsAreAccepted(text: String) {
        #expect(
            faults(of: "// \(text)", at: "Tests/X/T.swift").isEmpty
                || text.hasPrefix("`../") && faults(of: text, at: "docs/x/a.md").isEmpty
        )
    }

    @Test(
        arguments: [
            ("`semantics.md` 24, 26", "place"), ("`semantics.md`\n/// 7", "place"),
            ("`consent.md` guarantee 1", "place"),
            ("`consent.md`, \"Rules\"", "place"), ("`consent.md`, Rules)", "place"),
            ("`docs/design/wire.md` LLM 6", "place"),
            ("`docs/design/wire.md` Jobs 1", "place"), ("`docs/design/wire.md`, \"no\"", "place"),
            ("`architecture.md` invariant 1", "place"),
            ("`lost.md`", "page"), ("`wire.md`", "page"), ("`docs/semantics.md`", "page"),
            ("`decisions.md`, Effects", "page"),
            ("docs/lost.md", "page"), ("`semantics.md`, §3", "outside"), ("seed\n/// S1", "outside"), ("Row 23", "row"),
            ("Rows 24, 99", "row"),
        ])
    func deadCitationsAreReported(text: String, kind: String) {
        let faults = faults(of: "let a = 1\n/// \(text)", at: "Tests/X/T.swift")
        #expect(faults.keys.map { "\($0)" } == [kind])
        #expect(faults.values.joined().allSatisfy { $0.hasPrefix("Tests/X/T.swift:2: ") })
    }

    @Test func rowsWithoutAPageMeanSomethingInTestsOnly() {
        #expect(faults(of: "/// Row 99", at: "Sources/A.swift").isEmpty)
    }

    @Test func linksThatLeadNowhereAreReported() {
        let page = """
            # The `way` of a Line!
            [a](#the-way-of-a-line) [b](../guide/wire.md "t") [c](https://x.org/a.md) `[d](no.md)` <img alt="" src="p.png"> <source
            srcset="p.png 2x, q.png"> [e](#nowhere) ![f](lost.md#x) [g](semantics.md#rows) [h](/README.md) [i](semantics.md#no)
            """
        let path = "docs/design/a.md"
        var all = CitationFaults(
            pages: Pages(["docs/design/semantics.md": Page(Array("# Rows".utf8)), path: Page(Array(page.utf8))]),
            exists: {
                [path, "docs/guide/wire.md", "docs/design/p.png", "docs/design/semantics.md", "README.md"].contains($0)
            })
        all.examine(Array(page.utf8), at: path)
        #expect(
            all.lines[.link]?.map { $0.dropFirst(path.utf8.count).prefix { $0 != "—" } } == [
                ":3: (#nowhere) ", ":3: (lost.md#x) ", ":3: (semantics.md#no) ", ":3: (q.png) ",
            ])
    }

    private func faults(of text: String, at path: String) -> [CitationFaults.Kind: [String]] {
        var faults = CitationFaults(pages: Self.pages, exists: { _ in true })
        faults.examine(Array(text.utf8), at: path)
        return faults.lines
    }
}

extension Passage {
    fileprivate var words: String { String(decoding: bytes, as: UTF8.self) }
}

extension Citation.Place {
    fileprivate var brief: String {
        switch self {
        case .number(let number): "\(number)"
        case .section(let name, let number): "\(name) \(number)"
        case .guarantee(let number): "guarantee \(number)"
        case .invariant(let number): "invariant \(number)"
        case .heading(let text): "\"\(text)\""
        }
    }
}
