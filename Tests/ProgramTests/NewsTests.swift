import CaseNames
import Conversations
import Glibc
import Harness
import JSON
import Testing
import Vocabulary

/// What a model hears between its turns: what became of its workflows, of its questions, and what the person did.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct NewsTests {
    /// A conversation with a model whose replies are written down.
    private struct Talk {
        let lab: ProgramLab
        let server: ScriptedServer
        private let files: [String: String]

        init(_ replies: [ScriptAnswer], files: [String: String] = [:]) throws {
            server = try ScriptedServer(replies)
            lab = try ProgramLab(environment: ModelTests.environment(server))
            self.files = files
            for (name, text) in files { try lab.write(text, to: name) }
        }

        @discardableResult
        func ask(_ line: String, _ options: String...) async throws -> ProgramEnding {
            try await lab.run(["ask", line, "--mode", "auto"] + options)
        }

        /// The content of the last message of the newest request with a role.
        func last(_ role: String = "user") -> String {
            let messages = server.requests.last?.json?["messages"]?.array ?? []
            return messages.last { $0["role"]?.string == role }?["content"]?.string ?? ""
        }

        /// How much of each request is repeated by the next one, in messages: whether every earlier message is still
        /// there as it was.
        var isEachRequestAPrefix: Bool {
            let all = server.requests.map { ($0.json?["messages"]?.array ?? []).map(\.text) }
            return zip(all, all.dropFirst()).allSatisfy { Array($1.prefix($0.count)) == $0 }
        }
    }

    private static func call(_ name: String, _ arguments: JSON) -> ScriptAnswer { .stream(SSE.call(name, arguments)) }
    private static let done = ScriptAnswer.stream(SSE.text("Done."))

    @Test func anUndoAndARedoAreToldOnce() async throws {
        let edit = Self.call("edit", ["edits": [["path": "n.txt", "text": "new\n"]]])
        let talk = try Talk([edit, Self.done, Self.done, Self.done, Self.done])
        try await talk.ask("write it")
        #expect(talk.lab.text("n.txt") == "new\n")
        try await talk.lab.succeeds("undo", "w1")
        try await talk.ask("is it there?", "--continue")
        let news = talk.last()
        #expect(news.contains("- w1 (edit n.txt) was undone by the person (w2)]"), "\(news)")
        #expect(news.hasPrefix("[Not the person's words. What happened") && news.contains("\n\nis it there?"))
        try await talk.lab.succeeds("redo", "w2")
        try await talk.ask("and now?", "--continue")
        #expect(talk.last().contains("- w2 (undo w1) was redone by the person (w3)]"), "\(talk.last())")
        try await talk.ask("still?", "--continue")
        #expect(!talk.last().contains("undone") && !talk.last().contains("redone"), "\(talk.last())")
        #expect(talk.isEachRequestAPrefix)
    }

    @Test func anAnswerOfTomorrowIsTheResultOfTheCall() async throws {
        let question: JSON = ["question": "Which?", "choices": ["red", ["label": "blue", "leads_to": "a blue door"]]]
        let talk = try Talk([Self.call("ask_person", question), Self.done])
        #expect(try await talk.ask("paint it").exit == 3)
        let shown = try await talk.lab.run("inbox", "1").output
        #expect(shown.contains("2  blue – a blue door") && shown.contains("\"Which?\""), "\(shown)")
        try await talk.lab.succeeds("complete", "1", "--choice", "2")
        try await talk.ask("", "--continue")
        #expect(talk.last("tool") == #"{"result":{"chosen":["blue"]}}"#, "\(talk.last("tool"))")
        #expect(talk.isEachRequestAPrefix && talk.server.requests.count == 2)
    }

    /// The program was killed while the question stood.
    @Test func aQuestionOutlivesAKill() async throws {
        let question: JSON = ["question": "Which?", "choices": ["red", "blue"]]
        let talk = try Talk([Self.call("ask_person", question), Self.done])
        let pty = try talk.lab.terminal(["ask", "paint it"], columns: 100)
        #expect(await pty.seeQuestion("a number, or other words"), "\(pty.screen.text)")
        #expect(!pty.screen.text.contains("plan"), "\(pty.screen.text)")
        pty.signal(SIGKILL)
        _ = await pty.exitStatus()
        try await talk.lab.succeeds("complete", "1", "--choice", "red")
        try await talk.ask("", "--continue")
        #expect(talk.last("tool") == #"{"result":{"chosen":["red"]}}"#, "\(talk.last("tool"))")
        #expect(talk.isEachRequestAPrefix && talk.server.requests.count == 2)
    }

    /// Whoever says something else first gets an answer at once. What is answered later comes as news, and no old
    /// message changes.
    @Test func anAnswerAfterAnotherLineIsNews() async throws {
        let question: JSON = ["question": "Which?", "choices": ["red", "blue"], "several": true]
        let talk = try Talk([Self.call("ask_person", question), Self.done, Self.done, Self.done])
        #expect(try await talk.ask("paint it").exit == 3)
        try await talk.ask("wait with that", "--continue")
        #expect(talk.last("tool").contains("not answered yet"), "\(talk.last("tool"))")
        try await talk.lab.succeeds("complete", "1", "--text", "both, and a bit of green")
        try await talk.ask("go on", "--continue")
        let news = #"- w1 (Which?): the person answered “Which?”: {"chosen":[],"words":"both, and a bit of green"}]"#
        #expect(talk.last().contains(news), "\(talk.last())")
        try await talk.ask("more", "--continue")
        #expect(!talk.last().contains("green") && talk.isEachRequestAPrefix)
    }

    @Test(
        arguments: [
            ("1", #"{"chosen":["red"]}"#), ("BLUE", #"{"chosen":["blue"]}"#), ("1, 2", #"{"chosen":["red","blue"]}"#),
            ("neither", #"{"chosen":[],"words":"neither"}"#), ("red, please", #"{"chosen":[],"words":"red, please"}"#),
            ("3", nil), ("1,7", nil),
        ]) func numbersAreChoicesAndTheRestIsWords(typed: String, answer: String?) async throws
    {
        let question: JSON = ["question": "Which?", "choices": ["red", "blue"], "several": true]
        let talk = try Talk([Self.call("ask_person", question), Self.done])
        try await talk.ask("paint it")
        let ending = try await talk.lab.run("complete", "1", "--choice", typed)
        guard let answer else {
            #expect(ending.exit == 2 && ending.errors.contains("the choices 1 to 2"), "\(ending.errors)")
            return
        }
        #expect(ending.exit == 0, "\(ending.errors)")
        try await talk.ask("", "--continue")
        #expect(talk.last("tool") == "{\"result\":\(answer)}", "\(talk.last("tool"))")
    }

    /// The answer beside the call is shown after the yes of tomorrow, without another request.
    @Test(arguments: [true, false]) func aYesOfTomorrowShowsTheAnswerBesideTheCall(isApproved: Bool) async throws {
        let steps: JSON = [
            ["id": "a", "kind": "Text", "params": ["text": "hello"]],
            ["id": "ok", "kind": "Approve", "params": ["question": "Write it?"], "in": ["text": "a.text"]],
            ["id": "w", "kind": "WriteFile", "params": ["path": "b.txt"], "in": ["text": "ok.text"]],
        ]
        let call = Self.call("workflow", ["name": "n", "steps": steps, "then_say": "It is in b.txt."])
        let talk = try Talk([call, .stream(SSE.text("Then not."))])
        #expect(try await talk.ask("write it").exit == 3)
        if isApproved {
            let pty = try talk.lab.terminal(["approve", "1"], columns: 100)
            #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
            pty.send("y\r")
            #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        } else {
            try await talk.lab.succeeds("reject", "1")
        }
        let ending = try await talk.ask("", "--continue")
        #expect(ending.output.contains("It is in b.txt.") == isApproved, "\(ending.output)\(talk.last("tool"))")
        #expect(ending.output.contains("Then not.") != isApproved && talk.lab.exists("b.txt") == isApproved)
        #expect(talk.server.requests.count == (isApproved ? 1 : 2))
    }

    /// A command whose question was answered in the inbox, in part.
    @Test func aPartialYesInTheInboxIsTold() async throws {
        let run = Self.call("run", ["command": "for f in n o; do echo new > $f.txt; done"])
        let talk = try Talk([run, Self.done, Self.done], files: ["n.txt": "n\n", "o.txt": "o\n"])
        let first = try await talk.lab.run("ask", "change them", "--mode", "adaptive")
        #expect(first.exit == 3, "\(first.output)")
        #expect(talk.last("tool").contains("waits for the person"), "\(talk.last("tool"))")
        let pty = try talk.lab.terminal(["approve", "1"], columns: 100)
        #expect(await pty.seeQuestion("[s] a part"), "\(pty.screen.text)")
        pty.send("s\r")
        #expect(await pty.seeQuestion("numbers such as"), "\(pty.screen.text)")
        pty.send("1\r")
        // What is left is asked once more.
        #expect(await pty.exitStatus() == 3, "\(pty.screen.text)")
        let rest = try talk.lab.terminal(["approve", "2"], columns: 100)
        #expect(await rest.seeQuestion("[y] yes"), "\(rest.screen.text)")
        rest.send("y\r")
        #expect(await rest.exitStatus() == 0, "\(rest.screen.text)")
        try await talk.ask("well?", "--continue")
        let news = talk.last()
        #expect(news.contains("it has succeeded; changed: overwritten n.txt"), "\(news)")
        #expect(news.contains("refused by the person, not done: overwritten o.txt"), "\(news)")
    }

    @Test func aChangedModeIsTold() async throws {
        let talk = try Talk([Self.done, Self.done, Self.done])
        try await talk.ask("hello")
        #expect(talk.last().contains("[Not the person's words. Mode: auto."), "\(talk.last())")
        _ = try await talk.lab.run("ask", "again", "--continue", "--mode", "adaptive")
        #expect(talk.last().contains("Mode") && talk.last().contains("adaptive."), "\(talk.last())")
    }

    @Test func theRepositoryAndTheWishesOfTheFolderAreTold() async throws {
        let talk = try Talk(
            [Self.done, Self.done], files: ["AGENTS.md": "Use tabs.\nKEY=sk-abcdefghijklmnopqrstuvwxyz012345\n"])
        #expect(try await talk.lab.tool("git", "init", "-q", "-b", "trunk").exit == 0)
        try await talk.ask("hello")
        let told = talk.last()
        #expect(told.contains("Git: branch") && told.contains("trunk") && told.contains("1 untracked one"), "\(told)")
        #expect(told.contains("\n| Use tabs.\n") && !told.contains("abcdefghijklmnop"), "\(told)")
        try await talk.ask("again", "--continue")
        #expect(talk.isEachRequestAPrefix)
    }

    /// A gate in the middle of a workflow, which the mode auto does not answer, and results of an earlier workflow.
    @Test func aWorkflowWaitsForAYesAndUsesEarlierResults() async throws {
        let first: JSON = [
            "name": "first",
            "steps": [
                ["id": "a", "kind": "Shell", "params": ["command": "echo one"]],
                ["id": "ok", "kind": "Approve", "params": ["question": "Write it?"], "in": ["text": "a.text"]],
                ["id": "w", "kind": "WriteFile", "params": ["path": "o.txt"], "in": ["text": "ok.text"]],
            ],
        ]
        let second: JSON = [
            "name": "second", "keep_as": "second",
            "steps": [["id": "w", "kind": "WriteFile", "params": ["path": "p.txt"], "in": ["text": "w1.1.text"]]],
        ]
        let talk = try Talk([
            Self.call("workflow", first), Self.call("workflow", second), Self.done,
            Self.call("workflow", second.replacing("keep_as", with: nil)), Self.done,
        ])
        #expect(try await talk.ask("do it").exit == 3)
        #expect(!talk.lab.exists("o.txt"))
        let pty = try talk.lab.terminal(["approve", "1"], columns: 100)
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("┆ one") && pty.screen.text.contains("\"Write it?\""), "\(pty.screen.text)")
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(talk.lab.text("o.txt") == "one\n")
        try await talk.ask("and again", "--continue")
        #expect(talk.last("tool").contains("cannot be kept as a template"), "\(talk.last("tool"))")
        try await talk.ask("then without", "--continue")
        #expect(talk.lab.text("p.txt") == "one\n", "\(talk.last("tool"))")
    }

    /// The person sees each word that a yes lets through: long lines go on in the next row, and `d` shows all rows.
    @Test(arguments: ["a.text", "file:long.txt"]) func theWholeTextOfAnApprovalCanBeRead(input: String) async throws {
        let steps: JSON = [
            ["id": "a", "kind": "ReadFile", "params": ["path": "long.txt"]],
            ["id": "ok", "kind": "Approve", "params": ["question": "Send it?"], "in": ["text": .string(input)]],
        ]
        let long = String(repeating: "a word ", count: 30) + "end of it\n" + (1...60).map { "row \($0)\n" }.joined()
        let talk = try Talk(
            [Self.call("workflow", ["name": "n", "steps": steps]), Self.done], files: ["long.txt": long])
        try await talk.ask("send it")
        let pty = try talk.lab.terminal(["approve", "1"], columns: 60, rows: 100)
        #expect(await pty.seeQuestion("[d] more of the text"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("end of it") && pty.screen.text.contains("more rows"), "\(pty.screen.text)")
        #expect(!pty.screen.text.contains("row 40"))
        pty.send("d")
        let isWhole = await pty.seeQuestion { $0.text.contains("row 40") && $0.text.contains("row 60") }
        #expect(isWhole, "\(pty.screen.text)")
        pty.send("n\r")
        #expect(await pty.see("why not?"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.exitStatus() == 4, "\(pty.screen.text)")
    }

    @Test func aTemplateIsKeptOnlyIfThePersonAgrees() async throws {
        let steps: JSON = [["id": "a", "kind": "Shell", "params": ["command": "echo one"]]]
        let workflow = Self.call("workflow", ["name": "n", "keep_as": "My Echo!", "steps": steps])
        let talk = try Talk([workflow, Self.done, workflow, Self.done, workflow, Self.done])
        try await talk.ask("do it")
        #expect(talk.last("tool").contains(#""template":"not kept: the person did not agree""#), "\(talk.last("tool"))")
        let pty = try talk.lab.terminal(["ask", "do it", "--mode", "auto"], columns: 100)
        #expect(await pty.seeQuestion("[y] keep it"), "\(pty.screen.text)")
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(talk.last("tool").contains(#""template":"kept as the template my-echo: "#), "\(talk.last("tool"))")
        #expect(try await talk.lab.run("templates").output.contains("my-echo"))
        #expect(try await talk.lab.run("run", "my-echo").output.contains("one"))
        // None is replaced, so nobody is asked.
        try await talk.ask("do it")
        #expect(talk.last("tool").contains("targetExists"), "\(talk.last("tool"))")
    }

    @Test func aFailureNamesItsStepAndProblemsComeAllAtOnce() async throws {
        let failing: JSON = [
            "name": "n",
            "steps": [
                ["id": "a", "kind": "Shell", "params": ["command": "echo one"]],
                ["id": "b", "kind": "ReadFile", "params": ["path": "none.txt"]],
            ],
        ]
        let bad: JSON = [
            "name": "n",
            "steps": [
                ["id": "a", "kind": "Resise", "in": ["image": "file:a.png"]],
                ["id": "b", "kind": "Crop", "params": ["width": "wide", "height": 1], "in": ["image": "a.image"]],
                ["id": "c", "kind": "WriteFile", "params": ["pat": "c"], "in": ["text": "w9.1.text"]],
                ["id": "d", "kind": "DeleteFile", "params": ["paths": "x"]],
            ],
        ]
        let talk = try Talk([Self.call("workflow", failing), Self.call("workflow", bad), Self.done])
        try await talk.ask("do it")
        let tools = (talk.server.requests.last?.json?["messages"]?.array ?? []).filter { $0["role"]?.string == "tool" }
        let (failed, problems) = (tools[0]["content"]?.string ?? "", tools[1]["content"]?.string ?? "")
        #expect(failed.contains("Step 2 (b): "), "\(failed)")
        for part in [
            #"Write: {\"id\":\"a\",\"kind\":\"Resize\""#, "c.text: There is no workflow w9", "no parameter",
            "The kind: DeleteFile(",
        ] { #expect(problems.contains(part), "\(part) in \(problems)") }
        // What comes of the first problem alone is not told.
        #expect(!problems.contains("There is no node"), "\(problems)")
    }

    // MARK: Refused before

    @Test func theSameCallIsNotAskedAgainAndAnotherWayIsMarked() async throws {
        let remove = Self.call("run", ["command": "rm a.txt"])
        let edit = Self.call("edit", ["edits": [["path": "a.txt", "text": ""]]])
        let talk = try Talk([remove, remove, edit, Self.done], files: ["a.txt": "a\n"])
        let pty = try talk.lab.terminal(["ask", "clean up"], columns: 100)
        #expect(await pty.seeQuestion("[n] no"), "\(pty.screen.text)")
        pty.send("n")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("keep it\r")
        #expect(await pty.see("You refused a change of a.txt"), "\(pty.screen.text)")
        #expect(await pty.seeQuestion("[n] no") && talk.server.requests.count == 3, "\(pty.screen.text)")
        #expect(talk.last("tool").contains("so it was not asked again"), "\(talk.last("tool"))")
        pty.send("n")
        #expect(await pty.see { $0.text.count(of: "why not?") == 2 }, "\(pty.screen.text)")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("\r")
        _ = await pty.exitStatus()
        #expect(talk.lab.text("a.txt") == "a\n")
    }

    /// In the mode always-ask one yes covers the looks of a turn in this folder.
    @Test func oneYesCoversTheLooksOfATurn() async throws {
        let talk = try Talk(
            [
                Self.call("read", ["path": "a.txt"]), Self.call("search", ["text": "a"]), Self.done,
                Self.call("read", ["path": "a.txt"]), Self.done,
            ], files: ["a.txt": "a\n"])
        let pty = try talk.lab.terminal(["ask", "look", "--mode", "always-ask"], columns: 100)
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        #expect(talk.server.requests.count == 1)
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(pty.screen.text.count(of: "May the model") == 1 && talk.last("tool").contains("a.txt:1:a"))
        let next = try talk.lab.terminal(["ask", "look", "--mode", "always-ask", "--continue"], columns: 100)
        #expect(await next.seeQuestion("[y] yes"), "\(next.screen.text)")
        next.send("n")
        _ = await next.exitStatus()
        #expect(talk.last("tool").contains("declined"), "\(talk.last("tool"))")
    }
}

extension String {
    /// How often a text stands in this one.
    fileprivate func count(of part: String) -> Int {
        split(separator: part, omittingEmptySubsequences: false).count - 1
    }
}
