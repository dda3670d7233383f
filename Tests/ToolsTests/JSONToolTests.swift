import CaseNames
import JSON
import Testing
import Vocabulary

/// The tools for JSON pass on what they do not change as it is written.
@Suite struct JSONToolTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private func merged(_ texts: [String]) async throws -> String {
        let inputs = try texts.enumerated().map {
            ("values.\($0.offset + 1)", try lab.asset($0.element, .json, name: "a.json"))
        }
        return try lab.text(try #require(try await lab.run("JSONMerge", [:], inputs).first))
    }

    @Test(arguments: [
        (
            [#"{"id":123456789012345678901,"x":1234567890123456789.5,"p":1.10,"z":-0.0,"t":1e-400}"#, #"{"a":1}"#],
            #"{"id":123456789012345678901,"x":1234567890123456789.5,"p":1.10,"z":-0.0,"t":1e-400,"a":1}"#
        ),
        ([#"{"name":"\ud800.txt","n":1}"#, #"{"z":0}"#], #"{"name":"\ud800.txt","n":1,"z":0}"#),
        (["{\"caf\u{E9}\":1,\"cafe\u{301}\":2}", #"{"z":0}"#], "{\"caf\u{E9}\":1,\"cafe\u{301}\":2,\"z\":0}"),
        ([#"{"z":1,"a":2}"#, #"{"m":3,"z":[ 4 ]}"#], #"{"z":[ 4 ],"a":2,"m":3}"#),
        ([#"{"\u0061":1}"#, #"{"a":2}"#], #"{"\u0061":2}"#),
        ([#"{"\ud800":1}"#, #"{"\ud801":2}"#, #"{"\ud800":3}"#], #"{"\ud800":3,"\ud801":2}"#), (["{}", "{ }"], "{}"),
    ])
    func mergedObjectsKeepTheirBytes(texts: [String], expected: String) async throws {
        #expect(Array(try await merged(texts).utf8) == Array(expected.utf8))
    }

    @Test(arguments: [
        ("a", "{ \"b\" : 1.10 }", "{ \"b\" : 1.10 }"), ("a.b", "1.10", "1.10"), (#""x.y""#, "-0.0", "-0.0"),
        (#"["x.y"]"#, "-0.0", "-0.0"), ("h", #""\ud800""#, #""\ud800""#), ("s", #""a\u00e9""#, "aé"), ("n", "null", ""),
    ])
    func aFieldKeepsItsBytes(path: String, json: String, words: String) async throws {
        let asset = try lab.asset(
            #"{"a": { "b" : 1.10 }, "x.y":-0.0, "h":"\ud800", "s":"a\u00e9","n":null}"#, .json, name: "k.json")
        let assets = try await lab.run("JSONQuery", ["path": .string(path)], [("json", asset)])
        #expect(try lab.text(try #require(assets.first { $0.port == "json" })) == json)
        #expect(try lab.text(try #require(assets.first { $0.port == "text" })) == words)
        if path != "h" {
            let filled = try await lab.run("TextTemplate", ["template": .string("<{{\(path)}}>")], [("json", asset)])
            #expect(try lab.text(try #require(filled.first)) == "<\(words)>")
        }
    }

    @Test(
        arguments: [
            (
                "JSONQuery", ["path": "x.lodash.merge"], #"{"x":{"lodash.merge":1}}"#, "missingValue",
                #"x."lodash.merge""#
            ),
            (
                "TextTemplate", ["template": "{{x.lodash.merge}}"], #"{"x":{"lodash.merge":1}}"#, "missingValue",
                #"x."lodash.merge""#
            ),
            ("TextTemplate", ["template": "{{x}}"], #"{"x":"\ud800"}"#, "notText", #"\ud800"#),
            ("JSONQuery", ["path": "k"], #"{"k":1,"k":2}"#, "repeatedKey", "The key \"k\" is there twice"),
            ("JSONQuery", ["path": "k"], "{k", "badJSON", "is not JSON"),
        ] as [(String, JSON, String, String, String)])
    func aFailureNamesItsReason(kind: String, params: JSON, json: String, code: String, words: String) async throws {
        let asset = try lab.asset(json, .json, name: "k.json")
        let failure = await #expect(throws: Failure.self) { try await lab.run(kind, params, [("json", asset)]) }
        let said = (failure?.message ?? "") + (failure?.remedy ?? "")
        #expect(failure?.code.text == code && said.contains(words), "\(said)")
        #expect(code == "badJSON" || !said.contains("not JSON"))
    }
}
