import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Actions

private let now = Moment(milliseconds: 1_795_000_000_000)
private let hash = ContentHash(hex: String(repeating: "0123456789abcdef", count: 4))

/// What can be given for an await, of each type (`assent complete`, and the editors).
struct AskedTests {
    private func asked(
        _ type: AwaitType, _ request: AwaitRequest = AwaitRequest(outputs: [Port("out", .any)], isPerson: true)
    ) -> Asked {
        let record = AwaitRecord(
            number: 3, step: StepID(WorkflowID(3), 2), type: type, title: "t", reason: "r", createdAt: now,
            question: request.json)
        return Asked(record, tool: Self.resize)
    }

    private static let resize = ToolManifest(
        kind: "Resize", title: "Resize",
        params: [
            .init(name: "width", kind: .integer, minimum: 1, maximum: 100),
            .init(name: "format", kind: .choice, choices: ["jpg", "png"]),
            .init(name: "key", kind: .text, isSecret: true),
        ], action: .builtin("resize"))

    private func said(_ body: () throws(Failure) -> Asked.Made) -> String {
        do throws(Failure) {
            switch try body() {
            case .completion(let completion): return "\(completion)"
            case .content(let content, let port): return "\(port.name): \(content)"
            case .outputs(let assets): return "\(assets)"
            case .back: return "back"
            }
        } catch {
            return error.code.text
        }
    }

    private func object(_ json: JSON) -> JSON.Object { json.object! }

    @Test(arguments: AwaitType.allCases) func eachOptionBelongsToItsTypes(type: AwaitType) {
        let asked = asked(type)
        let files: Set<AwaitType> = [.drawMask, .selectAsset, .capture]
        #expect((said { () throws(Failure) in try asked.asset("a.png") } == "badUsage") == !files.contains(type))
        #expect((said { () throws(Failure) in try asked.text("words") } == "badUsage") == (type != .text))
        let chosen: Set<AwaitType> = [.choose, .selectAsset, .submitUnknown, .connect]
        #expect((said { () throws(Failure) in try asked.choice("done") } == "badUsage") == !chosen.contains(type))
        #expect(
            (said { () throws(Failure) in try asked.params(JSON.Object()) } == "badUsage")
                == (type != .confirmParams))
        #expect(asked.howToAnswer.contains("assent") && asked.howToAnswer.contains("3"))
    }

    @Test(arguments: [
        ("red", "red"), ("2", "green"), ("7", "7"), ("4", "badAnswer"), ("0", "badAnswer"), ("", "badAnswer"),
        ("Red", "badAnswer"),
    ])
    func aChoiceIsMadeByNameOrNumber(word: String, chosen: String) {
        let params = object(["choices": ["red", "green", "7"]])
        let asked = asked(.choose, AwaitRequest(outputs: [Port("choice", .text)], params: params, isPerson: true))
        let made = said { () throws(Failure) in try asked.choice(word) }
        #expect(made == (chosen == "badAnswer" ? chosen : "choice: text(\"\(chosen)\")"))
    }

    @Test func aCandidateIsChosenByNameNumberOrPort() throws {
        let inputs = ["a.png", "b.png", "b.png"].enumerated().map {
            AwaitRequest.Input(
                port: "candidates.\($0.offset + 1)", type: .image, name: $0.element, hash: hash, bytes: 5)
        }
        let asked = asked(.selectAsset, AwaitRequest(inputs: inputs, outputs: [Port("asset", .any)], isPerson: true))
        #expect(try asked.choice("a.png") == .content(.candidate(inputs[0]), Port("asset", .any)))
        #expect(try asked.choice("3") == .content(.candidate(inputs[2]), Port("asset", .any)))
        #expect(try asked.choice("candidates.2") == .content(.candidate(inputs[1]), Port("asset", .any)))
        #expect(said { () throws(Failure) in try asked.choice("b.png") } == "badAnswer", "two have that name")
        #expect(said { () throws(Failure) in try asked.choice("4") } == "badAnswer")
    }

    @Test(arguments: [
        ("again", "submitAgain"), ("look", "lookAgain"), ("found=job-81", "submittedAs(id: \"job-81\")"),
        ("found=", "badAnswer"),
        ("found=a b", "badAnswer"), ("found=a\u{1B}[2J", "badAnswer"), ("yes", "badAnswer"),
        ("fail", "rejected(reason: \"It is given up.\")"),
    ])
    func whatBecameOfASubmission(word: String, made: String) {
        let record = AwaitRecord(
            number: 3, step: StepID(WorkflowID(3), 2), type: .submitUnknown, title: "t", reason: "r", createdAt: now,
            question: ["provider": "p", "key": "k", "since": "s"])
        #expect(said { () throws(Failure) in try Asked(record, tool: nil).choice(word) } == made)
    }

    /// What cannot be done is not offered, shown or taken (row 8).
    @Test func onlyWhatAProviderCanDoIsOffered() throws {
        var record = AwaitRecord(
            number: 3, step: StepID(WorkflowID(3), 2), type: .submitUnknown, title: "t", reason: "r", createdAt: now,
            question: ["provider": "p", "choices": ["again", "fail"]])
        for word in ["look", "found=job-81", "found"] {
            let failure = #expect(throws: Failure.self) { try Asked(record, tool: nil).choice(word) }
            #expect(failure?.code == "badAnswer" && failure?.message == "The choices here are again or fail.")
        }
        #expect(try Asked(record, tool: nil).choice("again") == .completion(.submitAgain))
        record.question = ["provider": "p", "choices": ["again", "look", "found", "fail"]]
        let all = Asked(record, tool: nil)
        #expect(all.howToAnswer.contains("again, look, found=ID or fail"))
    }

    @Test func aGateIsPassedWithWhatWasChanged() throws {
        let gate = asked(.confirmParams, AwaitRequest(params: object(["width": 50, "format": "jpg"])))
        #expect(try gate.params(JSON.Object()) == .completion(.agreed(edits: nil)))
        #expect(
            try gate.params(object(["width": 80])) == .completion(.agreed(edits: object(["width": 80])))
        )
        for wrong: JSON in [["width": 0], ["height": 5], ["key": "hunter2"], ["width": 80, "depth": 1]] {
            #expect(
                said { () throws(Failure) in try gate.params(object(wrong)) } == "badAnswer",
                "\(wrong.text)")
        }
        #expect(
            gate.value("80", for: "width") == 80 && gate.value("80", for: "format") == "80"
                && gate.value("x", for: "width") == "x")
    }

    /// A step whose parameters a person confirms gives all values, the changed ones changed; their kinds stay.
    @Test func confirmedValuesComeOutAsJSON() throws {
        let values = object(["steps": 30, "cfg": 4.5, "style": "oil", "seed": .null, "tiled": false])
        let step = asked(
            .confirmParams,
            AwaitRequest(outputs: [Port("json", .json)], params: object(["values": .object(values)]), isPerson: true))
        #expect(step.proposed == values)
        #expect(try step.params(JSON.Object()) == .content(.json(.object(values)), Port("json", .json)))
        var changed = values
        (changed["cfg"], changed["seed"]) = (5, 81)
        #expect(
            try step.params(object(["cfg": 5, "seed": 81]))
                == .content(.json(.object(changed)), Port("json", .json)))
        for wrong: JSON in [["steps": "many"], ["style": 3], ["tiled": 1], ["other": 1]] {
            #expect(
                said { () throws(Failure) in try step.params(object(wrong)) } == "badAnswer",
                "\(wrong.text)")
        }
        #expect(
            step.value("40", for: "steps") == 40 && step.value("40", for: "style") == "40"
                && step.value("true", for: "tiled") == true)
        let given = Asked(step.record, tool: nil, given: object(["a": 1]))
        #expect(given.proposed == object(["a": 1]), "what came in goes before what was written")
    }

    @Test(
        arguments: [
            (Named("a cat", "a cat"), "out: text(\"a cat\")"), (Named("blanks", " \n"), "badAnswer"),
            (Named("a byte too many", String(repeating: "x", count: 262_145)), "badAnswer"),
        ])
    func aTextIsNeitherEmptyNorEndless(text: Named<String>, made: String) {
        #expect(said { () throws(Failure) in try asked(.text).text(text.value) } == made)
    }

    @Test func aRequestSurvivesTheStore() {
        let request = AwaitRequest(
            inputs: [
                .init(
                    port: "image", type: .image, name: "cat.png", hash: hash, bytes: 5, meta: object(["width": 3]),
                    asset: "w1.1.1.image")
            ], outputs: [Port("mask", .mask)], params: object(["a": 1]), isPerson: true, canSkip: true)
        #expect(AwaitRequest(json: request.json) == request)
        #expect(AwaitRequest(json: ["call": [:]]) == nil && AwaitRequest(json: .null) == nil)
    }
}
