import CaseNames
import JSON
import Testing
import Vocabulary

@Suite struct TextToolTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private func text(_ assets: [Asset], _ port: String = "text") throws -> String {
        try lab.text(try #require(assets.first { $0.port == port }))
    }

    @Test func textIsItself() async throws {
        #expect(try text(await lab.run("Text", ["text": "a\n\u{1B}b"])) == "a\n\u{1B}b")
    }

    @Test func textsJoinInTheOrderOfTheirNumbers() async throws {
        let inputs = try [10, 2, 1].map { ("texts.\($0)", try lab.asset("t\($0)")) }
        #expect(try text(await lab.run("JoinText", ["separator": ", "], inputs)) == "t1, t2, t10")
        #expect(try text(await lab.run("JoinText", [:], [])) == "")
    }

    @Test(arguments: [
        ("", 0, 0, 0), ("one", 1, 1, 3), ("one two\nthree\n", 3, 2, 14), ("  a\t b \n\n", 2, 2, 9),
        ("grüße 👩‍👩‍👧", 2, 1, 7),
    ])
    func wordsLinesAndCharacters(content: String, words: Int, lines: Int, characters: Int) async throws {
        let assets = try await lab.run("CountWords", [:], [("text", try lab.asset(content))])
        let json = try JSONReader.read(text(assets, "json"))
        #expect(
            json["words"] == .int(words) && json["lines"] == .int(lines) && json["characters"] == .int(characters)
                && json["bytes"] == .int(content.utf8.count))
        #expect(try text(assets).hasPrefix("note.txt: \(words) word\(words == 1 ? "" : "s"), "))
    }

    @Test func everyOccurrenceIsReplaced() async throws {
        let asset = try lab.asset("a.b.c (a)")
        #expect(
            try text(await lab.run("ReplaceText", ["find": ".", "replacement": ""], [("text", asset)])) == "abc (a)")
        #expect(
            try text(await lab.run("ReplaceText", ["find": "a", "replacement": "aa"], [("text", asset)]))
                == "aa.b.c (aa)")
    }

    @Test func aTextThatNobodyCouldReadIsNotMade() async throws {
        let (long, longer) = (String(repeating: "a", count: 60_000), String(repeating: "b", count: 60_000))
        let asset = try lab.asset(long)
        func code(_ kind: String, _ params: JSON, _ inputs: [(String, Asset)]) async -> String? {
            let failure = await #expect(throws: Failure.self) { try await lab.run(kind, params, inputs) }
            return failure?.code.text
        }
        #expect(
            await code("ReplaceText", ["find": "a", "replacement": .string(longer)], [("text", asset)]) == "tooLarge")
        #expect(await code("JoinText", [:], (1...1_200).map { ("texts.\($0)", asset) }) == "tooLarge")
        #expect(
            await code("JoinText", ["separator": .string(longer)], (1...1_200).map { ("texts.\($0)", asset) })
                == "tooLarge")
        let json = try lab.asset(#"{"a":"\#(long)"}"#, .json)
        let template = String(repeating: "{{a}}", count: 1_200)
        #expect(await code("TextTemplate", ["template": .string(template)], [("json", json)]) == "tooLarge")
        let small = try lab.asset(#"{"a":1}"#, .json)
        let large = try lab.asset([UInt8](repeating: 0x20, count: Limits.readFileBytes - 2), .json, name: "large.json")
        #expect(await code("JSONMerge", [:], [("values.1", small), ("values.2", large)]) == "tooLarge")
    }

    /// More than could be, were every character one that is replaced.
    @Test func fewPlacesAreReplacedByALongText() async throws {
        let (long, longer) = (String(repeating: "a", count: 60_000), String(repeating: "b", count: 60_000))
        let asset = try lab.asset("x\(long)y\(long)x")
        for (find, expected) in [("x", "\(longer)\(long)y\(long)\(longer)"), ("z", "x\(long)y\(long)x")] {
            let params: JSON = ["find": .string(find), "replacement": .string(longer)]
            #expect(try text(await lab.run("ReplaceText", params, [("text", asset)])) == expected)
        }
    }

    @Test func blanksAreFilledOnceFromJSON() async throws {
        let json = try lab.asset(#"{"name":"Ana {{x}}","n":3,"items":[{"t":"é"}],"none":null}"#, .json, name: "a.json")
        let params: JSON = ["template": "Dear {{name}}, {{ n }} × {{items.0.t}}{{none}} {}"]
        #expect(try text(await lab.run("TextTemplate", params, [("json", json)])) == "Dear Ana {{x}}, 3 × é {}")
        let failure = await #expect(throws: Failure.self) {
            try await lab.run("TextTemplate", ["template": "{{gone}}"], [("json", json)])
        }
        #expect(failure?.code == "missingValue")
    }

    @Test(arguments: [("a.1.b", "2", "2"), ("s", "\"x\"", "x"), ("a", #"[0,{"b":2}]"#, #"[0,{"b":2}]"#)])
    func aFieldByItsPath(path: String, json: String, words: String) async throws {
        let assets = try await lab.run(
            "JSONQuery", ["path": .string(path)], [("json", try lab.asset(#"{"a":[0,{"b":2}],"s":"x"}"#, .json))])
        #expect(try text(assets, "json") == json)
        #expect(try text(assets) == words)
    }

    @Test func laterObjectsWin() async throws {
        let inputs = [
            ("values.1", try lab.asset(#"{"a":1,"b":1}"#, .json)),
            ("values.2", try lab.asset(#"{"b":2,"c":3}"#, .json)),
        ]
        #expect(try text(await lab.run("JSONMerge", [:], inputs), "json") == #"{"a":1,"b":2,"c":3}"#)
        let failure = await #expect(throws: Failure.self) {
            try await lab.run("JSONMerge", [:], [("values.1", try lab.asset("[1]", .json))])
        }
        #expect(failure?.code == "badJSON")
    }

    @Test(arguments: ["Pass", "Delay"]) func passHandsOn(kind: String) async throws {
        let (a, b) = (try lab.asset("A", .image, name: "a.png"), try lab.asset("B"))
        let assets = try await lab.run(
            kind, ["seconds": 1], [("x", a), ("y", b)], outputs: [Vocabulary.Port("y", .text), .init("z", .any)])
        #expect(
            assets.map(\.hash) == [b.hash, a.hash] && assets.map(\.port) == ["y", "z"]
                && assets.map(\.name) == ["note.txt", "a.png"])
        #expect(assets.map(\.type) == [.text, .image])
        let nothing = try await lab.run(kind, ["seconds": 1], [], outputs: [Vocabulary.Port("out", .any)])
        #expect(nothing.map(\.bytes) == [0] && nothing.map(\.hash) == [.ofNothing])
    }
}
