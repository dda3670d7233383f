import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The same sentence with a model on the other side of real HTTP.
@Suite(.process) struct ModelTests {
    static let key = "sk-test-0123456789abcdef"

    static let plan = workflow(
        "cat.jpg: resize, grayscale, compress",
        [
            node("load", "ImageLoader", ["path": "cat.jpg"]), node("resize", "Resize", ["width": 800]),
            node("grayscale", "Grayscale"),
            node("compress", "CompressLocal", ["targetKB": 60]), node("save", "SaveFile"),
        ],
        [
            edge("load.image", "resize.image"), edge("resize.image", "grayscale.image"),
            edge("grayscale.image", "compress.image"),
            edge("compress.file", "save.file"),
        ])

    /// Small and quick, for many programs: writes one file.
    static let note = workflow(
        "a note", [node("text", "Text", ["text": "hello"]), node("write", "WriteFile", ["path": "note.txt"])],
        [edge("text.text", "write.text")])

    static func environment(_ server: ScriptedServer) -> [String: String] {
        ["ASSENT_MODEL_URL": server.url + "/v1", "ASSENT_MODEL": "scripted-1", "ASSENT_API_KEY": key]
    }

    @Test func aPlanThatComesInPiecesYieldsThePicture() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", Self.plan, saying: "Here is a plan.", pieceLength: 7)),
            .stream(SSE.text("Done: ", "**cat-1.jpg** is there.")),
        ])
        let lab = try ProgramLab(environment: Self.environment(server))
        try await lab.photograph("cat.jpg")
        let original = lab.bytes("cat.jpg")
        let ending = try await lab.run("ask", FirstSentenceTests.sentence, "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        try await FirstSentenceTests.expectPicture(in: lab, original: original)
        let text = ending.lines(of: "message.delta").compactMap { $0["text"]?.string }.joined()
        #expect(text == "Here is a plan.Done: **cat-1.jpg** is there.")
        // The second request carries the result of the call, under its id.
        #expect(server.requests.count == 2)
        let messages = try #require(server.requests.last?.json?["messages"]?.array)
        #expect(messages.last?["role"]?.string == "tool" && messages.last?["tool_call_id"]?.string == "call_1")
        #expect(messages.last?["content"]?.string?.contains("cat-1.jpg") == true)
        #expect(
            server.requests.allSatisfy { $0.json?["model"]?.string == "scripted-1" && $0.json?["stream"]?.bool == true }
        )
    }

    /// A model as most people have it: behind TLS, over HTTP/2, with an authority of their own.
    @Test func aPlanThatComesOverTLSYieldsTheFile() async throws {
        let peer = try TLSPeer(replies: [
            SSE.call("propose_workflow", Self.note, pieceLength: 7), SSE.text("Do", "ne."),
        ])
        let lab = try ProgramLab(environment: [
            "ASSENT_MODEL_URL": peer.url + "/v1", "ASSENT_MODEL": "scripted-1", "ASSENT_API_KEY": Self.key,
        ])
        let refused = try await lab.run("ask", "write hello to note.txt", "--mode", "auto", "--json")
        #expect(refused.exit != 0 && !lab.exists("note.txt"))
        #expect(refused.output.contains("No secure connection could be made"))
        let ending = try await lab.run(
            "ask", "write hello to note.txt", "--mode", "auto", "--json",
            environment: ["SSL_CERT_FILE": peer.certificateFile])
        expectEvents(ending, exit: 0)
        #expect(lab.text("note.txt") == "hello")
        #expect(ending.lines(of: "message.delta").compactMap { $0["text"]?.string }.joined() == "Done.")
    }

    @Test func theKeyGoesToTheServerAsAHeaderAndNowhereElse() async throws {
        let server = try ScriptedServer([.stream(SSE.call("propose_workflow", Self.note)), .stream(SSE.text("Done."))])
        let lab = try ProgramLab(environment: Self.environment(server))
        let ending = try await lab.run("ask", "write hello to note.txt", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(lab.text("note.txt") == "hello")
        #expect(server.requests.count == 2)
        for request in server.requests {
            #expect(request.headers["authorization"] == "Bearer \(Self.key)")
            #expect(!request.text.contains(Self.key) && !request.path.contains(Self.key))
            #expect(request.headers.count { $0.value.contains(Self.key) } == 1)
        }
        #expect(!ending.output.contains(Self.key) && !ending.errors.contains(Self.key))
        let files = ScratchFolder.files(under: lab.home) + ScratchFolder.files(under: lab.folder)
        #expect(files.contains { $0.hasSuffix("assent.db") })
        let needle = Array(Self.key.utf8)[...]
        for file in files { #expect(!holds(ScratchFolder.bytes(file) ?? [], needle), "\(file) holds the key") }
        for verb in [["list"], ["show", "w1"], ["why", "w1"], ["history", "s1"], ["doctor"]] {
            #expect(try await !lab.run(verb).output.contains(Self.key), "\(verb)")
        }
    }

    private func holds(_ bytes: [UInt8], _ needle: ArraySlice<UInt8>) -> Bool {
        bytes.indices.contains { bytes[$0] == needle.first && bytes[$0...].starts(with: needle) }
    }

    /// 40 places from the first byte to the last before the finish reason, more of them towards the end.
    @Test func aStreamThatIsCutBeforeItsFinishReasonRunsNothing() async throws {
        let body = SSE.call("propose_workflow", Self.note, saying: "Here is a plan.", pieceLength: 20)
        let bytes = body.flatMap { $0 }
        let text = String(decoding: bytes, as: UTF8.self)
        let reason = try #require(text.firstRange(of: #""finish_reason":"tool_calls""#))
        let end = text.utf8.distance(from: text.startIndex, to: reason.upperBound)
        let even = (0..<20).map { $0 * end / 20 }
        let last = (0..<16).map { end - 1 - $0 }
        let places = Array(Set(even + last + [end - 40, end - 100, end - 200, end - 300])).sorted()
        #expect(places.count >= 38)
        let ways: [ScriptAnswer.Step?] = [nil, .cut]
        // Three programs at a time: each place once with a clean end, once with a broken connection.
        let tasks = places.flatMap { place in ways.map { (place, $0) } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, (place, way)) in tasks.enumerated() {
                if number >= 3 { try await group.next() }
                group.addTask { try await Self.expectNothing(of: Array(bytes[..<place]), at: place, way) }
            }
            try await group.waitForAll()
        }
    }

    private static func expectNothing(of bytes: [UInt8], at place: Int, _ way: ScriptAnswer.Step?) async throws {
        var answer = ScriptAnswer.stream([bytes].filter { !$0.isEmpty })
        if let way { answer = answer.ending(with: way) }
        let cut = answer
        let server = try ScriptedServer { _ in cut }
        let lab = try ProgramLab(environment: environment(server))
        let ending = try await lab.run("ask", "write hello to note.txt", "--mode", "auto", "--json")
        #expect(ending.exit == 1 || ending.exit == 5, "cut at \(place): exit \(ending.exit)\n\(ending.output)")
        expectEvents(ending, exit: ending.exit)
        #expect(!ending.types.contains("workflow.created"), "cut at \(place)")
        #expect(lab.names() == [], "cut at \(place)")
        #expect(try await lab.json("list").isEmpty, "cut at \(place)")
    }

    @Test(arguments: [0, 1, 2]) func aStreamThatEndsAfterItsFinishReasonRuns(missing: Int) async throws {
        // Without [DONE]; without the blank line and [DONE]… the event itself must be whole.
        let body = SSE.call("propose_workflow", Self.note)
        let cut = missing == 0 ? body : Array(body.dropLast())
        var answer = ScriptAnswer.stream(cut)
        if missing == 2 { answer.framing = .untilClose }
        let server = try ScriptedServer([answer, .stream(SSE.text("Done."))])
        let lab = try ProgramLab(environment: Self.environment(server))
        let ending = try await lab.run("ask", "write hello to note.txt", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(lab.text("note.txt") == "hello")
    }

    @Test func problemsOfAPlanGoBackToTheModelAndTheMendedPlanRuns() async throws {
        let bad = workflow(
            "a note", [node("text", "Txet", ["text": "hello"]), node("write", "WriteFile", ["path": "note.txt"])])
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", bad)), .stream(SSE.call("propose_workflow", Self.note, id: "call_2")),
            .stream(SSE.text("Done.")),
        ])
        let lab = try ProgramLab(environment: Self.environment(server))
        let ending = try await lab.run("ask", "write hello to note.txt", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(lab.text("note.txt") == "hello")
        #expect(ending.types.count { $0 == "workflow.created" } == 1)
        let answer = try #require(server.requests[1].json?["messages"]?.array?.last)
        #expect(answer["content"]?.string?.contains("Txet") == true, "\(answer.text)")
    }

    @Test func aModelThatOnlyMakesBadPlansIsStoppedAfterThreeRounds() async throws {
        let bad = workflow("a note", [node("text", "Txet", ["text": "hello"])])
        let server = try ScriptedServer { _ in .stream(SSE.call("propose_workflow", bad)) }
        let lab = try ProgramLab(environment: Self.environment(server))
        let ending = try await lab.run("ask", "write hello to note.txt", "--mode", "auto", "--json")
        expectEvents(ending, exit: 1)
        #expect((2...4).contains(server.requests.count), "\(server.requests.count) requests")
        #expect(!ending.types.contains("workflow.created"))
        #expect(ending.lines(of: "error").first?["message"]?.string?.isEmpty == false)
    }

    @Test func aModelThatIsNotThereExits5() async throws {
        let port = try ScriptedRefusingPort()
        let lab = try ProgramLab(environment: [
            "ASSENT_MODEL_URL": "http://127.0.0.1:\(port.port)/v1", "ASSENT_MODEL": "m",
        ])
        let ending = try await lab.run("ask", "convert cat.jpg to webp", "--json")
        expectEvents(ending, exit: 5)
        #expect(ending.lines(of: "error").first?["code"]?.string == "modelUnreachable")
        let plain = try await lab.run("ask", "convert cat.jpg to webp")
        #expect(plain.exit == 5 && plain.output.contains("127.0.0.1"), "\(plain.output)")
    }

    @Test func aRefusedKeyIsSaidInClearWords() async throws {
        let server = try ScriptedServer { _ in
            .json(
                [
                    "error": [
                        "message": "Incorrect API key provided: sk-test-…", "type": "invalid_request_error",
                        "code": "invalid_api_key",
                    ]
                ], status: 401)
        }
        let lab = try ProgramLab(environment: Self.environment(server))
        let ending = try await lab.run("ask", "convert cat.jpg to webp", "--json")
        expectEvents(ending, exit: ending.exit)
        #expect(ending.exit == 1 || ending.exit == 5)
        #expect(server.requests.count == 1, "a refused key is not tried again")
        let error = try #require(ending.lines(of: "error").first)
        let words = (error["message"]?.string ?? "") + (error["remedy"]?.string ?? "")
        #expect(words.contains("key") || words.contains("401"), "\(error.text)")
    }

    @Test func noEscapeOfAModelReachesTheOutputRaw() async throws {
        let hostile = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{202E}evil\u{9B}31m file \u{1B}[31mred\u{1B}[0m.txt"
        let plan = workflow(
            hostile,
            [node("text", "Text", ["text": "hello"]), node("write", "WriteFile", ["path": "a\u{1B}[31mb.txt"])],
            [edge("text.text", "write.text")])
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", plan, saying: hostile)), .stream(SSE.text(hostile)),
        ])
        let lab = try ProgramLab(environment: Self.environment(server))
        let ending = try await lab.run("ask", "write hello", "--mode", "auto", "--plain")
        var outputs = [ending.output]
        for verb in [
            ["list"], ["show", "w1"], ["show", "w1", "2"], ["why", "w1"], ["history"], ["history", "s1"],
            ["inbox", "--all"],
        ] {
            outputs.append(try await lab.run(verb).output)
        }
        for output in outputs {
            #expect(!output.isEmpty)
            #expect(
                !output.unicodeScalars.contains {
                    $0.value == 0x1B || $0.value == 0x9B || $0.value == 7 || $0.value == 0x202E
                },
                "\(output.debugDescription)")
        }
    }
}
