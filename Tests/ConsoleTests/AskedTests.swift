import CaseNames
import JSON
import Terminal
import Testing
import Vocabulary

@testable import Console

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

    /// As Workflows finds them.
    private let faults: @Sendable (ToolManifest, JSON.Object) -> [Problem] = { tool, params in
        params.members.filter { $0.key == "width" && !(1...100).contains($0.value.int ?? 0) }.map {
            Problem("badParam", at: $0.key, "width is wrong.")
        }
    }

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
            (said { () throws(Failure) in try asked.params(JSON.Object(), faults: faults) } == "badUsage")
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
        // Without a terminal this is all that a person sees of it.
        #expect(
            FocusView.request(all, 80).map(\.plain).contains { $0.contains("choices  again, look, found=ID or fail") })
    }

    @Test func aGateIsPassedWithWhatWasChanged() throws {
        let gate = asked(.confirmParams, AwaitRequest(params: object(["width": 50, "format": "jpg"])))
        #expect(try gate.params(JSON.Object(), faults: faults) == .completion(.agreed(edits: nil)))
        #expect(
            try gate.params(object(["width": 80]), faults: faults) == .completion(.agreed(edits: object(["width": 80])))
        )
        for wrong: JSON in [["width": 0], ["height": 5], ["key": "hunter2"], ["width": 80, "depth": 1]] {
            #expect(
                said { () throws(Failure) in try gate.params(object(wrong), faults: faults) } == "badAnswer",
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
        #expect(try step.params(JSON.Object(), faults: faults) == .content(.json(.object(values)), Port("json", .json)))
        var changed = values
        (changed["cfg"], changed["seed"]) = (5, 81)
        #expect(
            try step.params(object(["cfg": 5, "seed": 81]), faults: faults)
                == .content(.json(.object(changed)), Port("json", .json)))
        for wrong: JSON in [["steps": "many"], ["style": 3], ["tiled": 1], ["other": 1]] {
            #expect(
                said { () throws(Failure) in try step.params(object(wrong), faults: faults) } == "badAnswer",
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

/// The commands of the mask editor.
struct MaskCommandTests {
    private func changed(_ lines: [String]) throws(Failure) -> MaskDrawing {
        var drawing = MaskDrawing(width: 100, height: 80)
        for line in lines { try drawing.change(Words.split(line)) }
        return drawing
    }

    @Test func shapesFeatherInversionAndUndo() throws {
        let drawing = try changed([
            "rect 1 2 30 40", "ellipse -5 0 10 10", "erase 2 2 1 1", "undo", "feather 8", "invert",
        ])
        #expect(
            drawing.shapes == [
                .rectangle(x: 1, y: 2, width: 30, height: 40), .ellipse(x: -5, y: 0, width: 10, height: 10),
            ])
        #expect(drawing.feather == 8 && drawing.isInverted)
        #expect(try changed(["rect 1 2 3 4", "invert", "feather 2", "reset"]) == MaskDrawing(width: 100, height: 80))
        #expect(try changed(["invert", "invert"]) == MaskDrawing(width: 100, height: 80))
    }

    @Test(arguments: [
        "rect", "rect 1 2 3", "rect 1 2 3 x", "rect 1 2 0 4", "rect 1 2 3 -4", "rect 1 2 3 4 5", "rect 1.5 2 3 4",
        "feather", "feather -1",
        "feather 501", "feather x", "undo", "undo 2", "circle 1 2 3 4", "rect 99999999999 0 1 1", "invert now",
    ])
    func whatIsNoCommandChangesNothing(line: String) {
        var drawing = MaskDrawing(width: 100, height: 80)
        let failure = #expect(throws: Failure.self) { try drawing.change(Words.split(line)) }
        #expect(failure?.code == "badAnswer" && drawing == MaskDrawing(width: 100, height: 80))
    }
}
