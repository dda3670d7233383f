import CaseNames
import Glibc
import Harness
import JSON
import Testing

extension CommandTests {
    @Test func aRetryIsOfTheParametersAsTheyWere() async throws {
        let lab = try ProgramLab()
        func tool(_ value: String) -> String {
            """
            tool: assent.tool/v1
            kind: Picky
            title: Picky
            outputs: {file: file}
            params: {word: {type: text, default: \(value)}}
            run:
              program: [[sh, -c, "touch $1; test $0 = good", "{word}", "{out.file}"]]
              files: {file: out.txt}
            """
        }
        #expect(makeFolder("\(lab.home)/config") && makeFolder("\(lab.home)/config/tools"))
        try ScratchFolder.write(tool("bad"), to: "\(lab.home)/config/tools/picky.yaml")
        try lab.write(workflow("picky", [node("it", "Picky")]), to: ".picky.json")
        #expect(try await lab.run("run", ".picky.json").exit == 1)
        try ScratchFolder.write(tool("good"), to: "\(lab.home)/config/tools/picky.yaml")
        #expect(try await lab.run("retry", "w1").exit == 1)
        #expect(try await lab.states() == ["failed"])
        try await lab.succeeds("run", ".picky.json")
    }

    /// A tool, a template, the prompt: a file of the person's own stands in place of the shipped one of its name.
    @Test func thePersonsOwnFilesReplaceTheShippedOnes() async throws {
        let server = try ScriptedServer([.stream(SSE.text("Yes."))])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        for folder in ["config", "config/tools", "config/prompts", "config/templates"] {
            #expect(makeFolder("\(lab.home)/\(folder)"))
        }
        try ScratchFolder.write("Only say yes.", to: "\(lab.home)/config/prompts/planner.md")
        _ = try await lab.run("ask", "hello")
        #expect(server.requests.first?.json?["messages"]?.array?.first?["content"]?.string == "Only say yes.")
        let shipped = try await lab.json("tools").first { $0["kind"]?.string == "Grayscale" }
        #expect(shipped?["title"]?.string == "Grayscale")
        try ScratchFolder.write(
            "tool: assent.tool/v1\nkind: Grayscale\ntitle: My grey\ninputs: {image: image}\noutputs: {image: image}\nrun: {program: [[cp, x, y]], files: {image: out.jpg}}\n",
            to: "\(lab.home)/config/tools/grey.yaml")
        let mine = try await lab.json("tools").filter { $0["kind"]?.string == "Grayscale" }
        #expect(mine.map { $0["title"]?.string } == ["My grey"])
    }

    @Test func aRequestThatMayHaveBeenHeardIsNotSentTwice() async throws {
        let server = try ScriptedServer { _ in .hanging }
        let lab = try ProgramLab()
        try lab.write(
            workflow("post", [node("post", "HTTPFetch", ["url": .string(server.url + "/x"), "method": "POST"])]),
            to: ".post.json")
        let running = try lab.start(["run", ".post.json", "--mode", "auto", "--json"])
        #expect(try await eventually { !server.requests.isEmpty })
        _ = try await onOwnThread { running.end(with: SIGKILL) }
        #expect(server.requests.map(\.method) == ["POST"])
        #expect(try await lab.run("work", "--until-idle").exit == 1)
        #expect(try await lab.states() == ["failed"] && server.requests.count == 1)
        #expect(try await lab.run("why", "w1").output.contains("processLost"))
    }

    @Test func aDetachedWorkflowGoesOnByItself() async throws {
        let lab = try ProgramLab()
        try lab.write(Self.note, to: ".note.json")
        let ending = try await lab.run("run", ".note.json", "--detach", "--json")
        #expect(ending.exit == 0 && ending.lines.first?["workflow"]?.string == "w1", "\(ending.output)")
        #expect(try await eventually { try await lab.json("list").first?["state"]?.string == "succeeded" })
        #expect(lab.text("note.txt") == "hello")
    }

    @Test func theModeIsKept() async throws {
        let lab = try ProgramLab()
        #expect(try await lab.json("mode").first?["mode"]?.string == "adaptive")
        try await lab.succeeds("mode", "always-ask", "--always")
        #expect(try await lab.json("mode").first?["mode"]?.string == "always-ask")
        try lab.write("x y z", to: "notes.txt")
        #expect(try await lab.run("ask", "count the words in notes.txt", "--json").exit == 3)
    }

    @Test func historyListsSearchesAndShows() async throws {
        let lab = try ProgramLab()
        try lab.write("one two three", to: "notes.txt")
        try await lab.succeeds("ask", "count the words in notes.txt")
        try await lab.succeeds("ask", "what did I do yesterday?")
        #expect(try await lab.json("history").compactMap { $0["session"]?.string } == ["s2", "s1"])
        #expect(
            try await lab.run("history", "--search", "words", "--json").lines.compactMap { $0["session"]?.string } == [
                "s1"
            ])
        let messages = try await lab.json("history", "s1")
        #expect(
            messages.first?["role"]?.string == "user"
                && messages.first?["text"]?.string == "count the words in notes.txt")
        #expect(messages.contains { $0["calls"] != nil } && messages.contains { $0["answers"] != nil })
        #expect(try await lab.run("history", "s1").output.contains("count the words in notes.txt"))
    }

    @Test func retryGoesOnAfterTheCauseIsGone() async throws {
        let lab = try ProgramLab()
        let plan = workflow(
            "count",
            [
                node("read", "ReadFile", ["path": "notes.txt"]), node("count", "CountWords"),
                node("write", "WriteFile", ["path": "n.txt"]),
            ],
            [edge("read.text", "count.text"), edge("count.text", "write.text")])
        try lab.write(plan, to: ".count.json")
        let failed = try await lab.run("run", ".count.json", "--json")
        expectEvents(failed, exit: 1)
        #expect(failed.lines(of: "workflow.finished").first?["outcome"]?.string == "failed")
        let plain = try await lab.run("show", "w1")
        #expect(plain.output.contains("notes.txt"), "\(plain.output)")
        try lab.write("one two three", to: "notes.txt")
        try await lab.succeeds("retry", "w1")
        try await lab.succeeds("work", "--until-idle")
        #expect(try await lab.states() == ["succeeded", "succeeded", "succeeded"])
        #expect(lab.text("n.txt")?.contains("3") == true)
        #expect(try await lab.run("retry", "w1").exit == 2, "nothing is left to retry")
    }

    @Test("finding 11: a tool that is not there is said before anything is stored") func aToolThatIsNotThereIsSaid()
        async throws
    {
        let lab = try ProgramLab()
        try lab.write(workflow("strange", [node("odd", "Frobnicate"), node("other", "Frobnicate")]), to: ".odd.json")
        for detached in [[], ["--detach"]] {
            let ending = try await lab.run(["run", ".odd.json", "--json"] + detached)
            expectEvents(ending, exit: 2)
            #expect(ending.lines(of: "error").map { $0["code"]?.string } == ["toolNotInstalled"], "\(ending.output)")
            #expect(
                ending.lines(of: "error").first?["remedy"]?.string?.contains("assent tools") == true, "\(ending.output)"
            )
        }
        let checked = try await lab.json("check", ".odd.json")
        #expect(
            checked.first?["ok"] == false && checked.first?["problems"]?[0]?["place"] == "odd", "\(checked.map(\.text))"
        )
        let plain = try await lab.run("run", ".odd.json")
        let words = ["\"Frobnicate\"", "(toolNotInstalled)", "2 steps", "assent tools"]
        #expect(plain.exit == 2 && words.allSatisfy(plain.output.contains), "\(plain.output)\(plain.errors)")
        #expect(try await lab.json("list").isEmpty)
    }

    @Test func theChatDoesWhatAPipeSaysAndLeaves() async throws {
        let lab = try ProgramLab()
        try lab.write("one two three", to: "notes.txt")
        let ending = try await lab.run([], input: "count the words in notes.txt\n/list\n")
        #expect(ending.exit == 0 && ending.output.contains("w1"), "\(ending.output)\(ending.errors)")
        #expect(try await lab.states() == ["succeeded", "succeeded"])
    }
}
