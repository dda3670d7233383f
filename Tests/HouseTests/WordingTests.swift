import Testing

/// The ratchet for the sense of comments and messages: `Figures/wording.txt` holds how many violations of each kind
/// `Sources` may have. `make figures` lowers the bounds.
@Suite struct WordingTests {
    @Test func wordingGetsNoWorse() throws {
        var places: [Wording.Kind: [String]] = [:]
        var modules: [String: [Wording.Kind: Int]] = [:]
        var count = 0
        for path in House.swiftFiles where path.hasPrefix("Sources/") {
            let below = path.dropFirst("Sources/".count)
            for text in SwiftText.all(in: House.bytes(at: path) ?? []) {
                count += 1
                for finding in Wording.findings(in: text) {
                    places[finding.kind, default: []].append("\(below):\(text.line): \(finding.words)")
                    modules[String(below.prefix { $0 != "/" }), default: [:]][finding.kind, default: 0] += 1
                }
            }
        }
        #expect(count > 5000)
        printFigures(modules, places)
        let figures = Wording.Kind.allCases.map { kind in
            Figure(name: kind.rawValue, value: places[kind]?.count ?? 0, places: places[kind] ?? [])
        }
        try Bounds.hold(figures, at: "Tests/HouseTests/Figures/wording.txt")
    }

    private func printFigures(_ modules: [String: [Wording.Kind: Int]], _ places: [Wording.Kind: [String]]) {
        func row(_ name: String, _ values: [String]) -> String {
            name + String(repeating: " ", count: max(1, 18 - name.count)) + values.joined(separator: " | ")
        }
        var lines = [row("wording", Wording.Kind.allCases.map(\.rawValue))]
        for (module, counts) in modules.sorted(by: { $0.key < $1.key }) {
            lines.append(row(module, Wording.Kind.allCases.map { String(counts[$0] ?? 0) }))
        }
        lines.append(row("all", Wording.Kind.allCases.map { String(places[$0]?.count ?? 0) }))
        print(lines.joined(separator: "\n"))
    }

    @Test(
        arguments: [
            ("/// Nobody here wants a lock.", ["words-in-docs nobody"]),
            ("// Read anew by whoever asks.", ["words-in-comments anew", "words-in-comments whoever"]),
            ("let a = \"The house is gone, by law.\"", ["house", "gone", "law"].map { "words-in-messages \($0)" }),
            ("/// A failure is told in the log.", ["words-in-docs is told"]),
            ("/// Files that are not told.", ["words-in-docs are told"]),
            (
                "/// The attempt was given\n/// up on, and what comes of it.",
                ["given up", "comes of"].map { "words-in-docs \($0)" }
            ),
            ("run() // put down, and nobody's", ["words-in-comments put down", "words-in-comments nobody"]),
            ("/* The fault was\n mended. */", ["words-in-comments fault", "words-in-comments mended"]),
            ("/// The size; zero if empty.", ["semicolons-in-docs ;"]),
            ("// First this;\n// then that; and more", ["semicolons-in-comments ;", "semicolons-in-comments ;"]),
            ("/// What is asked.", ["riddles what is"]), ("/// Draws what was left. More.", ["riddles what was"]),
            ("/// The one that was called last.", ["riddles one that was"]), ("/// That is all.", ["riddles that is"]),
            ("/// Those that are open.", ["riddles those that are"]),
            ("/// All that is said.", ["words-in-docs is said", "riddles all that is"]),
            ("let a = #\"An \"old\" law, again\"#", ["words-in-messages law"]),
            ("let a = \"\"\"\n    Two lines\n    of a fault\n    \"\"\"", ["words-in-messages fault"]),
            ("let a = \"Step \\(b ? \"nobody was there\" : \"\") of all\"", ["words-in-messages nobody"]),
            ("let a = 1 /* one */ // mend it", ["words-in-comments mend"]),
            ("let a = \"assent connect\"", ["unquoted-calls assent connect"]),
            ("let a = \"To undo it: assent undo \\(id)\"", ["unquoted-calls assent undo"]),
            ("let a = \"Open it (assent list)\"", ["unquoted-calls assent list"]),
            ("let a = \"This ends it: assent \\(verb) \\(number)\"", ["unquoted-calls assent `"]),
        ])
    func violationsAreCounted(source: String, expected: [String]) {
        #expect(found(source) == expected)
    }

    @Test(
        arguments: [
            "/// Returns the lock of `nobody`.", "/// A call of `f(); g()`, as in `a;\n/// b`.",
            "let nobody = 1; let house = 2",
            "/// ```\n/// nobody(); anew()\n/// ```", "let a = \"house\"",
            "let a = \"SELECT house FROM law WHERE gone = 1\"",
            "/// The person who told it.", "/// The sequence 38;5;1 and \"a;b\".", "let a = \"One more; the next one\"",
            "/// The file that is open.\n///\n/// What is open is written.", "/// Whether the row is new.",
            "/// Puts a lid down. The results come in. Of all, given one, up to three.",
            "// The one that is named.", "let a = \"/* no comment */ // go on\" + \"\\\"nobody\\\"\"",
            "let a = \"\\(house[\"law\"]) of all files\"",
            "let a = \"See 'assent list'.\"", "let a = \"As `assent \\(verb)` says.\"",
            "let a = \"assent \\(version)\"",
            "let a = \"The word assent is a name.\"", "/// Begins with assent list.",
            "/// Houseboats, lawful or in-house, by house_law and law.txt.",
        ])
    func plainTextsAreAccepted(source: String) {
        #expect(found(source) == [])
    }

    @Test func textsAreFoundWithTheirKindsAndLines() {
        let source = """
            import A
            /// The first `x`
            /// line.
            ///
            /// More.
            func f() { // a note
                print(\"\"\"
                    Some \\(name) words
                    over lines
                    \"\"\", "a b", "three more words")
            }
            // The end
            """
        let texts = SwiftText.all(in: Array(source.utf8)).map {
            "\($0.line) \($0.kind.rawValue): \(String(decoding: $0.bytes, as: UTF8.self))"
        }
        #expect(
            texts == [
                "2 doc: The first ` line.\nMore.", "6 comment: a note", "7 message:  Some ` words over lines ",
                "10 message: three more words", "12 comment: The end",
            ])
    }

    private func found(_ source: String) -> [String] {
        SwiftText.all(in: Array(source.utf8)).flatMap(Wording.findings).map { "\($0.kind.rawValue) \($0.words)" }
    }
}
