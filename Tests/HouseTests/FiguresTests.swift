import CaseNames
import Harness
import Testing

/// The ratchet for the structure of `Sources` and for the prose of the guide, counted by the scripts in `Figures`.
@Suite(.process) struct FiguresTests {
    private static let scripts = "\(House.top)/Tests/HouseTests/Figures"
    /// Figures without a bound, since they grow with the program.
    private static let unbounded: Set<String> = ["lines"]
    /// The highest shares of sentences in `docs/guide`, in percent.
    private static let (mostLong, mostWithSemicolon) = (5.0, 2.0)

    @Test func noFigureGrows() async throws {
        let figures = try await figures(of: House.top, "\(Self.scripts)/walks")
        #expect(figures.count > 15)
        print(figures.map { "\($0.name) \($0.value)" }.joined(separator: ", "))
        try Bounds.hold(
            figures.filter { !Self.unbounded.contains($0.name) }, at: "Tests/HouseTests/Figures/most.txt")
    }

    @Test func theGuideIsPlain() async throws {
        let pages = House.files(under: "docs/guide").filter { $0.hasSuffix(".md") }.map { "\(House.top)/\($0)" }
        let share = try Self.shares(await Self.run("prose.py", pages))
        guard share.long > Self.mostLong || share.withSemicolon > Self.mostWithSemicolon else { return }
        let sentences = try await Self.run("prose.py", ["--where"] + pages).split(separator: "\n")
        Issue.record(
            """
            Of the sentences of docs/guide \(share.long) % are long (at most \(Self.mostLong) %), and \
            \(share.withSemicolon) % have a semicolon (at most \(Self.mostWithSemicolon) %):
            \(sentences.prefix(80).joined(separator: "\n"))
            """)
    }

    @Test func theScriptsCountWhatIsThere() async throws {
        let checkout = try ScratchFolder()
        for (path, text) in Self.known {
            let path = "\(checkout.path)/\(path)"
            try ScratchFolder.makeFolder(String(path[..<path.lastIndex(of: "/")!]))
            try ScratchFolder.write(text, to: path)
        }
        let found = try await figures(of: checkout.path, "\(checkout.path)/walks")
        let lines = Self.known.filter { $0.path.hasPrefix("Sources/") }.map { $0.text.count { $0 == "\n" } }
        #expect(
            Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.value) }) == [
                "closures": 1, "tries": 1, "unwraps": 1, "columns": 1, "branches": 1, "duplicates": 1,
                "file-names-twice": 1, "types-twice": 1, "gerunds": 1, "limits": 1, "lines": lines.reduce(0, +),
                "largest-module": lines[0] + lines[1], "changes-way": 2, "visits-way": 1,
            ])
        let places = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.places) })
        #expect(places["closures"] == ["Doors/Same.swift:2"])
        #expect(places["tries"] == ["Doors/Same.swift:4"])
        #expect(places["unwraps"] == ["Doors/Same.swift:5"])
        #expect(places["columns"] == ["Doors/Same.swift:6"])
        #expect(places["branches"] == ["Doors/Opening.swift:1 many 16"])
        #expect(places["duplicates"] == ["Doors/Opening.swift ~ Vocabulary/Same.swift"])
        #expect(places["file-names-twice"] == ["Same.swift"])
        #expect(places["types-twice"] == ["Same"])
        #expect(places["gerunds"] == ["Opening.swift"])
        #expect(places["limits"] == ["Vocabulary/DoorLimits.swift mostDoors: Doors"])
    }

    @Test func sentencesOfAPageAreCounted() async throws {
        let folder = try ScratchFolder()
        let long = (1...26).map { "word\($0)" }.joined(separator: " ")
        let page = "# A heading; with a sign\n\nOne short sentence. A \(long). Two parts; one sign. The last.\n"
        try ScratchFolder.write(page, to: "\(folder.path)/a.md")
        try ScratchFolder.write("A second page.\n\n```\nno; text\n```\n", to: "\(folder.path)/b.md")
        let share = try Self.shares(await Self.run("prose.py", ["\(folder.path)/a.md", "\(folder.path)/b.md"]))
        #expect(share.long == 20)
        #expect(share.withSemicolon == 20)
    }

    // MARK: The scripts

    private func figures(of root: String, _ walks: String) async throws -> [Figure] {
        var figures: [Figure] = []
        for line in try await Self.run("figures.py", ["--places", root, walks]).split(separator: "\n") {
            if line.first == "\t" {
                figures[figures.count - 1].places.append(String(line.dropFirst()))
            } else {
                let words = line.split(separator: " ")
                figures.append(Figure(name: String(words[0]), value: try #require(Int(words[1]), "\(line)")))
            }
        }
        return figures
    }

    /// Returns the shares, in percent, of sentences that are long or have a semicolon, as `prose.py` printed them.
    private static func shares(_ output: String) throws -> (long: Double, withSemicolon: Double) {
        let words = try #require(output.split(separator: "\n").last).split(separator: " ")
        try #require(words.count == 8 && words[0] == "all", "\(output)")
        return (try #require(Double(words[3])), try #require(Double(words[5])))
    }

    private static func run(_ script: String, _ arguments: [String]) async throws -> String {
        let files = try ScratchFolder()
        let process = try ProgramProcess(
            "/usr/bin/python3", ["\(scripts)/\(script)"] + arguments, environment: ["LC_ALL": "C.UTF-8"],
            folder: files.path, files: files.path, owner: files)
        let ending = try await onOwnThread { process.wait() }
        try #require(ending.exit == 0, "\(script) ended with \(ending.exit): \(ending.errors)")
        return ending.output
    }

    // MARK: A checkout with known figures

    private static let copied = (1...6).map { "    let sum\($0) = first + second * \($0)\n" }.joined()
    private static let known: [(path: String, text: String)] = [
        (
            "Sources/Doors/Same.swift",
            """
            struct Same {
                let open: (Int) -> Bool
                // try? first! in a comment does not count.
                var number: Int? { try? read("try? first!") }
                var sure: Int { number! }
                // \(String(repeating: "x", count: 120))
                var most: Int { Limits.mostDoors }
            }

            """
        ),
        (
            "Sources/Doors/Opening.swift",
            "func many(_ a: Int) {\n\(String(repeating: "    if a > 1 { leave() }\n", count: 15))}\n"
                + "func fewer() {\n\(String(repeating: "    if a > 1 { leave() }\n", count: 14))}\n"
                + "func copied(first: Int, second: Int) {\n\(copied)}\n"
        ),
        ("Sources/Vocabulary/Same.swift", "enum Same {}\nfunc again(first: Int, second: Int) {\n\(copied)}\n"),
        ("Sources/Vocabulary/DoorLimits.swift", "extension Limits {\n    static let mostDoors = 3\n}\n"),
        ("Sources/assent/Main.swift", "private struct Same {}\n"),
        ("walks/way.txt", "Doors/Same\nassent/Main\nassent/Main\nDoors/Opening\n"),
    ]
}
