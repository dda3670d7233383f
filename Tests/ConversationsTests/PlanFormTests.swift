import CaseNames
import Conversations
import Embedded
import JSON
import Testing
import Vocabulary
import Workflows

@testable import Conversations

/// What a model is told of a plan's form, and what is taken.
struct PlanFormTests {
    let form = PlanForm(catalogue: catalogue)

    /// A value that obeys a schema, by chance.
    struct Generator {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(bound, 1)
        }

        mutating func value(_ schema: JSON) -> JSON {
            if let known = schema["enum"]?.array { return known[next(known.count)] }
            switch schema["type"]?.string {
            case "object":
                var object = JSON.Object()
                let required = (schema["required"]?.array ?? []).compactMap(\.string)
                for member in schema["properties"]?.object?.members ?? []
                where required.contains(member.key) || next(2) == 0 {
                    object[member.key] = value(member.value)
                }
                // Where the schema says no more, anything goes.
                if schema["properties"] == nil {
                    for number in 0..<next(4) { object["p\(number)"] = [1, "two", .null][next(3)] }
                }
                return .object(object)
            case "array":
                let least = schema["minItems"]?.int ?? 0
                let count = least + next(min(schema["maxItems"]?.int ?? 6, 6) - least + 1)
                return .array((0..<count).map { _ in value(schema["items"] ?? [:]) })
            case "string" where schema["pattern"] != nil:
                let letters = Array("abcXYZ_09")
                let name = (0..<next(60)).map { _ in String(letters[next(letters.count)]) }.joined()
                return .string("n" + name)
            case "string":
                return .string(
                    (0..<next(schema["maxLength"]?.int ?? 20)).map { _ in ["a", "é", "\n", "\"", "世"][next(5)] }
                        .joined())
            default: return .null
            }
        }
    }

    @Test func aPlanThatObeysTheSchemaIsNeverRefusedByTheReader() {
        expectNoFaults(in: Array(0..<300)) { seed in
            var generator = Generator(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
            let plan = generator.value(form.schema)
            let (template, problems) = TemplateReader.read(form.normalised(plan))
            let isRead = problems.isEmpty && template.map { nameProblems(in: $0) } == []
            return isRead ? [] : ["seed \(seed): \(problems) in \(plan.text.prefix(400))"]
        }
    }

    @Test func theSchemaNamesEachKindThatIsThere() {
        let kinds =
            form.schema["properties"]?["nodes"]?["items"]?["properties"]?["kind"]?["enum"]?.array?.compactMap(\.string)
            ?? []
        #expect(kinds == catalogue.sorted.map(\.kind).filter { catalogue.unavailable[$0] == nil })
    }

    static func plan(_ nodes: JSON, _ edges: JSON) -> JSON { ["name": "x", "nodes": nodes, "edges": edges] }

    @Test func whatIsRequiredIsEnough() throws {
        let plan: JSON = ["name": "x", "nodes": [["id": "l", "kind": "ListFiles"]]]
        let (template, problems) = TemplateReader.read(form.normalised(plan))
        #expect(problems.isEmpty && template?.nodes.count == 1)
        let isRead = try PlannerTools.read(
            ChatCall(id: "1", name: "propose_workflow", arguments: plan), catalogue: catalogue)
        #expect(isRead == .workflow(form.normalised(plan)))
    }

    @Test func aPortThatTakesSeveralIsNumbered() {
        let plan = Self.plan(
            [["id": "a", "kind": "FileLoader"], ["id": "b", "kind": "FileLoader"], ["id": "z", "kind": "Zip"]],
            [
                ["from": ["a", "file"], "to": ["z", "files"]], ["from": ["b", "file"], "to": ["z", "files.1"]],
                ["from": ["b", "file"], "to": ["z", "files"]],
            ])
        let ends = form.normalised(plan)["edges"]?.array?.compactMap { $0["to"]?[1]?.string } ?? []
        #expect(ends == ["files.2", "files.1", "files.3"])
    }

    @Test(arguments: [
        ("JSONQuery", "json", "ReadFile"), ("ReplaceText", "text", "ReadFile"), ("Zip", "files", "FileLoader"),
    ])
    func aFileThatFeedsATextIsReadAsOne(kind: String, port: String, loader: String) throws {
        let plan = Self.plan(
            [["id": "a", "kind": "FileLoader", "params": ["path": "a.json"]], ["id": "q", "kind": .string(kind)]],
            [["from": ["a", "file"], "to": ["q", .string(port)]]])
        let made = form.normalised(plan)
        #expect(made["nodes"]?[0]?["kind"]?.string == loader)
        let (template, _) = TemplateReader.read(made)
        let problems = Workflows.check(try #require(template), against: catalogue).1
        #expect(!problems.contains { $0.code == "portTypeMismatch" || $0.code == "unknownPort" }, "\(problems)")
    }

    @Test(arguments: [
        "[]", "{}", #"{"nodes":1}"#, #"{"nodes":[1],"edges":[[]]}"#, #"{"edges":[{"from":[1,2],"to":"x"}]}"#,
    ])
    func whatIsNoPlanIsLeftToTheReader(text: String) throws {
        _ = TemplateReader.read(form.normalised(try JSONReader.read(text)))
    }
}
