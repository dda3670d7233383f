import CaseNames
@testable import Files
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// What comes out of a job, into the asset store.
@Suite struct JobCollectTests {
    private static let gif = JobClientTests.gif

    private func served(_ result: JSON, _ files: [String: ScriptAnswer] = [:]) throws -> ScriptedServer {
        try ScriptedServer { request in
            request.path == "/jobs/j1/result" ? .json(result) : files[request.path] ?? .text("nothing", status: 404)
        }
    }

    private func images(_ server: ScriptedServer, _ names: [String]) -> JSON {
        ["images": .array(names.map { ["url": .string("\(server.url)/\($0)")] })]
    }

    @Test func aPictureIsFetchedAndLookedAt() async throws {
        let server = try ScriptedServer { request in
            request.path.hasSuffix("/result")
                ? .json(["images": [["url": .string("http://\(request.headers["host"]!)/out/cat?sig=1")]]])
                : .text(Self.gif)
        }
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        let asset = try #require(try await lab.ask(.collect).assets.first)
        #expect(
            asset.port == "image" && asset.type == .image && asset.name == "cat.gif"
                && asset.bytes == Self.gif.utf8.count)
        #expect(asset.meta["width"] == 2 && asset.meta["height"] == 3)
        #expect(try lab.lab.store.read(asset) == Array(Self.gif.utf8))
    }

    @Test func aDataURLIsTakenAsItIs() async throws {
        let server = try served(["images": [["url": "data:image/gif;base64,R0lGODlhAgADAHAAAA=="]]])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        let asset = try #require(try await lab.ask(.collect).assets.first)
        #expect(try lab.lab.store.read(asset) == Array(Self.gif.utf8))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [("<html>sorry</html>", "wrongType"), ("", "wrongType")]) func whatIsNoPictureIsSpoiled(
        body: String, code: String
    )
        async throws
    {
        let server = try ScriptedServer { request in
            request.path.hasSuffix("/result")
                ? .json(["images": [["url": .string("http://\(request.headers["host"]!)/a.png")]]])
                : .text(body, headers: ["content-type": "image/png"])
        }
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        let answer = try await lab.ask(.collect)
        #expect(answer.name == "spoiled" && answer.failure?.code == code)
    }

    /// The first to the port and to `image.1`, the next to `image.2`; for what has no port nothing is fetched, and the
    /// first says so.
    @Test func severalItemsGoToThePortsThatTheNodeHas() async throws {
        let server = try ScriptedServer { request in
            let host = request.headers["host"]!
            return request.path.hasSuffix("/result")
                ? .json(["images": .array((1...3).map { ["url": .string("http://\(host)/\($0).gif")] })])
                : .text(Self.gif + request.path)
        }
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        let ports = [Vocabulary.Port("image", .image), Vocabulary.Port("image.2", .image)]
        let assets = try await lab.ask(.collect, lab.assignment(outputs: ports)).assets
        #expect(assets.map(\.port) == ["image", "image.2"])
        #expect(assets.map(\.name) == ["1.gif", "2.gif"])
        #expect(assets.first?.meta["items"] == 3)
        #expect(server.requests.map(\.path) == ["/jobs/j1/result", "/1.gif", "/2.gif"])
    }

    @Test(
        arguments: [
            (JSON.object(JSON.Object()), "spoiled", "outputMissing"),
            (["images": .array([])], "spoiled", "outputMissing"),
            (["images": [["url": 7]]], "spoiled", "outputMissing"),
        ] as [(JSON, String, String)])
    func aJobThatBringsNothingHasNotSucceeded(result: JSON, expected: String, code: String) async throws {
        let server = try served(result)
        defer { server.stop() }
        let answer = try await JobLab(port: server.port).ask(.collect)
        #expect(answer.name == expected && answer.failure?.code == code)
    }

    @Test(
        arguments: [
            (404, "strike"), (503, "unreachable"), (500, "unreachable"), (401, "unreachable"), (400, "spoiled"),
        ] as [(Int, String)])
    func aResultThatIsNotGiven(status: Int, expected: String) async throws {
        let server = try ScriptedServer([.json(["error": "no"], status: status)])
        defer { server.stop() }
        #expect(try await JobLab(port: server.port).ask(.collect).name == expected)
    }

    @Test func aDownloadThatIsCutIsTriedAgain() async throws {
        let server = try ScriptedServer { request in
            request.path.hasSuffix("/result")
                ? .json(["images": [["url": .string("http://\(request.headers["host"]!)/a.gif")]]])
                : .text(Self.gif + String(repeating: "x", count: 9000)).cut(afterBytes: 4000)
        }
        defer { server.stop() }
        #expect(try await JobLab(port: server.port).ask(.collect).name == "unreachable")
    }

    @Test func valuesAndWordsAreAssets() async throws {
        let server = try served(["value": ["a": 1], "words": ["Hel", "lo"], "images": .array([])])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        let tool = JobLab.tool(outputs: [
            Port("json", .json), Port("text", .text), Port("image", .image, isOptional: true),
        ])
        let assets = try await lab.ask(.collect, lab.assignment(tool)).assets
        #expect(
            try assets.map { String(decoding: try lab.lab.store.read($0), as: UTF8.self) } == [#"{"a":1}"#, "Hello"])
        #expect(server.requests.count == 1)
    }

    @Test func aPortThatTheProviderDoesNotKnowIsSaid() async throws {
        let server = try served([:])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        let answer = try await lab.ask(.collect, lab.assignment(JobLab.tool(outputs: [Port("mask", .mask)])))
        #expect(answer.name == "spoiled" && answer.failure?.code == "unknownPort" && server.requests.isEmpty)
    }

    @Test func aToolMayCallAnOutputDifferently() async throws {
        let server = try served(["images": [["url": "data:image/gif;base64,R0lGODlhAgADAHAAAA=="]]])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        var tool = JobLab.tool(outputs: [Port("mask", .mask)])
        tool.action = .job(.init(provider: "test", outputs: ["mask": "image"]))
        #expect(try await lab.ask(.collect, lab.assignment(tool)).assets.map(\.port) == ["mask"])
    }

    // MARK: Inputs

    @Test func inputsGoAsTheToolSays() async throws {
        let server = try ScriptedServer([.json(["id": "j7"])])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        let with = object([
            "input": [
                "image": "{image.dataUrl}", "mask": "{mask.base64?}", "text": "{note.text}", "json": "{data.json}",
                "n": "{count}",
                "who": "{words?}", "line": "n={count}, {note.name}",
            ]
        ])
        var tool = JobLab.tool(
            with,
            inputs: [
                Port("image", .image), Port("mask", .mask, isOptional: true), Port("note", .text), Port("data", .json),
            ])
        tool.params.append(.init(name: "count", kind: .integer, defaultValue: 4))
        let inputs = [
            ("image", try lab.lab.asset(Array(Self.gif.utf8), .image, name: "a.gif")),
            ("note", try lab.lab.asset("words")),
            ("data", try lab.lab.asset("[1,{\"a\":null}]", .json, name: "d.json")),
        ]
        _ = try await lab.ask(.submit, lab.assignment(tool, .object(JSON.Object()), inputs))
        #expect(
            server.requests.first?.json?["input"] == [
                "image": "data:image/gif;base64,R0lGODlhAgADAHAAAA==", "text": "words", "json": [1, ["a": .null]],
                "n": 4,
                "line": "n=4, note.txt",
            ])
    }

    @Test func aFileGoesInAForm() async throws {
        let server = try ScriptedServer([.json(["id": "j7"])])
        defer { server.stop() }
        let lab = try JobLab(
            port: server.port,
            [
                #"json: {id: "{jobKey}", input: "{input?}"}"#:
                    #"multipart: {id: "{jobKey}", photo: "{photo}", size: "{size?}"}"#,
                #"inputs: ["input?"]"#: #"inputs: [photo, "size?"]"#,
            ])
        let tool = JobLab.tool(object(["photo": "{image.file}"]), inputs: [Port("image", .image)])
        let image = try lab.lab.asset(Array(Self.gif.utf8), .image, name: "a\"\r\nb.gif")
        _ = try await lab.ask(.submit, lab.assignment(tool, .object(JSON.Object()), [("image", image)]))
        let request = try #require(server.requests.first)
        let boundary = try #require(request.headers["content-type"]?.split(separator: "=").last)
        #expect(request.headers["content-type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(
            request.text == """
                --\(boundary)\r\ncontent-disposition: form-data; name="id"\r\n\r\nassent-t-w3-2-1\r\n--\(boundary)\r\ncontent-disposition: form-data; \
                name="photo"; filename="a___b.gif"\r\ncontent-type: image/gif\r\n\r\n\(Self.gif)\r\n--\(boundary)--\r\n
                """)
    }

    @Test(.process) func aSecretFileIsNotSent() async throws {
        let server = try ScriptedServer([.json(["id": "j7"])])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        try lab.lab.write(".env", "KEY=1")
        let loaded = try await lab.lab.run("ReadFile", ["path": ".env"])
        let tool = JobLab.tool(object(["input": "{note.text}"]), inputs: [Port("note", .text)])
        let assignment = try lab.assignment(tool, .object(JSON.Object()), [("note", try #require(loaded.first))])
        let answer = try await lab.ask(.submit, assignment)
        #expect(answer.name == "notTaken" && answer.failure?.code == "secretFile" && server.requests.isEmpty)
        let provider = lab.provider
        let toolbox = Toolbox(store: lab.lab.store, own: lab.lab.own, provider: { _ in provider })
        #expect(throws: Failure.self) { try toolbox.prepare(assignment) }
    }

    // MARK: What is asked for

    @Test(.process) func aJobSendsToItsProviderAndSpends() throws {
        let lab = try JobLab(port: 4711)
        let provider = lab.provider
        let call = try Toolbox(store: lab.lab.store, own: lab.lab.own, provider: { _ in provider }).prepare(
            lab.assignment())
        #expect(
            call.targets == [
                Call.Target(.sends, .host("127.0.0.1:4711"), reach: .remote),
                Call.Target(.spends, .host("127.0.0.1:4711"), reach: .remote),
            ])
        #expect(call.effects == [.sends, .spends])
    }

    /// Whatever its manifest forgets to say.
    @Test(.process) func aJobAlwaysSends() throws {
        let lab = try JobLab(port: 4711)
        let provider = lab.provider
        var tool = JobLab.tool()
        tool.effects = []
        let call = try Toolbox(store: lab.lab.store, own: lab.lab.own, provider: { _ in provider }).prepare(
            lab.assignment(tool))
        #expect(call.effects == [.sends] && call.targets.count == 1)
    }

    @Test func aKeptAnswerIsCollectedOnce() async throws {
        let server = try ScriptedServer([
            .json(["id": "j1", "state": "done", "images": [["url": "data:image/gif;base64,R0lGODlhAgADAHAAAA=="]]])
        ])
        defer { server.stop() }
        let lab = try JobLab(
            port: server.port,
            [
                "statusUrl: \"$.statusUrl?\"}}": "statusUrl: \"$.statusUrl?\"}, keep: true}",
                "from: result, path: \"$.images[*].url\"": "from: kept, path: \"$.images[*].url\"",
            ])
        #expect(try await lab.ask(.submit).status?.state == .succeeded)
        #expect(try await lab.ask(.collect).assets.count == 1)
        #expect(server.requests.count == 1)
    }
}
