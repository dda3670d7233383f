import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// What a file with keys holds, through a person's hands, and what is told of it elsewhere.
@Suite(.process) struct PrivateContentTests {
    private let model: ScriptedServer
    private let lab: ProgramLab

    init() throws {
        model = try ScriptedServer { request in
            let hasAsked = request.json?["messages"]?.array?.contains { $0["role"]?.string == "tool" } ?? false
            return .stream(hasAsked ? SSE.text("So it is.") : SSE.call("read_inbox", [:]))
        }
        lab = try ProgramLab(environment: ModelTests.environment(model), isInMemory: Rehearsals.isInMemory)
    }

    private func exported(_ lab: ProgramLab, _ workflow: String, as name: String) async throws -> String {
        try await lab.succeeds("export", workflow, name, "--json")
        return String(decoding: try #require(lab.bytes(name)), as: UTF8.self)
    }

    /// What the model is told of the inbox.
    private func inboxOfTheModel() async throws -> String {
        _ = try await lab.run("ask", "what waits?", "--on-ask", "deny")
        let messages = try #require(model.requests.last?.json?["messages"]?.array)
        return try #require(messages.last { $0["role"]?.string == "tool" }?["content"]?.string)
    }

    private func hash(_ file: String) async throws -> String {
        String(try await lab.tool("sha256sum", lab.path(file)).output.prefix(64))
    }

    /// Elsewhere it is a workflow like any other, and goes out as it came.
    private func travels(_ bundle: String) async throws {
        let there = try ProgramLab(folder: "elsewhere")
        try there.write(try #require(lab.bytes(bundle)), to: "b.zip")
        try await there.succeeds("import", "b.zip")
        #expect(
            try await exported(there, "w1", as: "again.zip")
                == String(decoding: try #require(lab.bytes(bundle)), as: UTF8.self))
        for entry in try await there.json("inbox") where entry["kind"] == "confirmCall" {
            // Its digest is that of the call as it stands there.
            let said = try await there.run(
                "approve", "\(entry["number"]?.int ?? 0)", "--digest", entry["digest"]?.string ?? "", "--json")
            #expect(said.lines(of: "error").first?["code"]?.string == "workflowHeld", "\(said.output)")
        }
    }

    @Test func keysArePrivateAfterAPersonHadThem() async throws {
        try lab.write(
            #"{"prod": {"token": "hush-0123456789", "hint": "a size that nothing else has"}}"#, to: "secrets.json")
        let plan = workflow(
            "launder",
            [
                node("read", "ReadFile", ["path": "secrets.json"]), node("query", "JSONQuery", ["path": "prod"]),
                asking("confirm", "ParamConfirm"), node("fill", "TextTemplate", ["template": "{{token}}"]),
                node("write", "WriteFile", ["path": "open.txt"]),
            ],
            [
                edge("read.text", "query.json"), edge("query.json", "confirm.json"), edge("confirm.json", "fill.json"),
                edge("fill.text", "write.text"),
            ])
        try lab.write(plan, to: ".plan.json")
        #expect(try await lab.run("run", ".plan.json", "--mode", "adaptive", "--on-ask", "park").exit == 3)
        var told = try await inboxOfTheModel()
        #expect(told.contains("confirmParams") && !told.contains("sha256") && !told.contains("bytes"), "\(told)")
        #expect(try await lab.run("complete", "1", "--params", "token=hush-changed-by-a-person").exit == 3)
        #expect(!lab.exists("open.txt"))
        let question = try #require(try await lab.json("inbox").first)
        #expect(
            question["title"] == "create a file" && question["call"]?["targets"]?[0]?["private"] == true,
            "\(question.text)")
        told = try await inboxOfTheModel()
        #expect(told.contains("open.txt") && !told.contains("hush") && !told.contains("digest"), "\(told)")
        let text = try await exported(lab, "w1", as: "w1.zip")
        let assets = try #require(try await lab.shown()["assets"]?.array)
        #expect(assets.count >= 4)
        for asset in assets {
            let (hash, bytes) = (try #require(asset["sha256"]?.string), try #require(asset["bytes"]?.int))
            #expect(
                !told.contains(hash) && !text.contains(hash) && !text.contains(#""bytes":\#(bytes),"#), "\(asset.text)")
        }
        #expect(!text.contains(try #require(question["digest"]?.string)) && !text.contains("hush"))
        try await travels("w1.zip")
    }

    /// It was never read: the call alone has its hash.
    @Test func theHashOfWhatIsMovedStaysHere() async throws {
        try lab.write("KEY=hush", to: ".env")
        try lab.write(workflow("move", [node("m", "MoveFile", ["from": ".env", "to": "plain.txt"])]), to: ".plan.json")
        #expect(try await lab.run("run", ".plan.json", "--mode", "auto", "--on-ask", "park").exit == 3)
        let (hash, told) = (try await hash(".env"), try await inboxOfTheModel())
        #expect(try await lab.json("inbox").first?.text.contains(hash) == true, "a person is told")
        #expect(told.contains("plain.txt") && !told.contains(hash), "\(told)")
        let text = try await exported(lab, "w1", as: "w1.zip")
        #expect(!text.contains(hash) && !text.contains(#""bytes":8"#) && !text.contains(#""size":8"#))
        try await travels("w1.zip")
    }

    /// Which file its other name is nobody knows.
    @Test func theHashOfAFileWithAnotherNameStaysHere() async throws {
        try lab.write("KEY=hush", to: "id_rsa")
        try #require(link(lab.path("id_rsa"), lab.path("notes.txt")) == 0)
        let plan = workflow("over", [node("w", "WriteFile", ["path": "notes.txt", "text": "new", "overwrite": true])])
        try lab.write(plan, to: ".plan.json")
        #expect(try await lab.run("run", ".plan.json", "--on-ask", "park").exit == 3)
        let (hash, told) = (try await hash("id_rsa"), try await inboxOfTheModel())
        #expect(told.contains("notes.txt") && !told.contains(hash) && !told.contains(#""size":8"#), "\(told)")
    }

    @Test(.enabled(if: Rehearsals.areHere)) func theHashOfWhatACommandMadeOfKeysStaysHere() async throws {
        try lab.write("KEY=hush", to: ".env")
        let command = node(
            "c", "Shell", ["command": "cat .env .env > copy.txt; cat .env .env .env", "reads": [".env"]])
        try lab.write(workflow("copy", [command]), to: ".plan.json")
        #expect(try await lab.run("run", ".plan.json", "--mode", "auto", "--on-ask", "park").exit == 3)
        let first = try #require(try await lab.json("inbox").first)
        let (number, digest) = (first["number"]?.int ?? 0, first["digest"]?.string ?? "")
        #expect(try await lab.run("approve", "\(number)", "--digest", digest).exit == 3)
        let question = try #require(try await lab.json("inbox").first)
        let made = try #require(question["call"]?["targets"]?[0]?["change"]?["sha256"]?.string, "\(question.text)")
        let said = try #require(question["call"]?["rehearsal"]?["output"]?.string)
        let told = try await inboxOfTheModel()
        let text = try await exported(lab, "w1", as: "w1.zip")
        for hash in [made, said] { #expect(!told.contains(hash) && !text.contains(hash)) }
        for size in [16, 24] { #expect(!told.contains(#""bytes":\#(size)"#) && !text.contains(#""bytes":\#(size)"#)) }
        try await travels("w1.zip")
    }
}
