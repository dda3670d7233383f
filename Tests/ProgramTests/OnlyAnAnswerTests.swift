import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Only an answer answers, at every question and picker of the chat; and a key that is typed where a line is said stays
/// with the person.
@Suite(.process) struct OnlyAnAnswerTests {
    private static let key = "sk-" + "proj-0123456789abcdefghij"

    private static func server() throws -> ScriptedServer {
        try ScriptedServer { request in
            if request.path.hasSuffix("/models") {
                return .json(["data": [["id": "m-large"], ["id": "m-small"], ["id": "m-tiny"]]])
            }
            return .stream(SSE.text("Hello."))
        }
    }

    /// A chat whose model is one of three.
    private func chat(_ server: ScriptedServer, _ arguments: [String] = []) async throws -> (lab: ProgramLab, pty: Pty)
    {
        let lab = try ProgramLab()
        #expect(makeFolder("\(lab.home)/config"))
        try ScratchFolder.write(
            "default: local\nconnections: {local: {url: \"\(server.url)/v1\", model: m-large}}\n",
            to: "\(lab.home)/config/connections.yaml"
        )
        chmod("\(lab.home)/config/connections.yaml", 0o600)
        let pty = try lab.terminal(arguments)
        #expect(await pty.see("›"))
        return (lab, pty)
    }

    /// As a person types.
    private func type(_ keys: String, to pty: Pty) async throws {
        for key in keys {
            pty.send(String(key))
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func leave(_ pty: Pty) async {
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }

    @Test func aVerbThatIsTypedAtAHostAllowsNothing() async throws {
        let (lab, pty) = try await chat(try Self.server())
        pty.send("/connect https://models.example.com/v1\r")
        #expect(await pty.seeQuestion("speak to a host"), "\(pty.screen.text)")
        try await type("/why w1", to: pty)
        #expect(try await lab.run("hosts", "list", "--json").lines.isEmpty)
        pty.send("\r")
        #expect(await pty.seeQuestion { $0.text.ranges(of: "speak to a host").count == 2 }, "\(pty.screen.text)")
        // Nor does Enter alone.
        pty.send("\r")
        #expect(await pty.see { $0.styleOfLastRow == "33" }, "\(pty.screen.text)")
        pty.send("no\r")
        #expect(await pty.see("hostNotAllowed"), "\(pty.screen.text)")
        #expect(try await lab.run("hosts", "list", "--json").lines.isEmpty)
        await leave(pty)
    }

    @Test func aVerbThatIsTypedAtAModeLoosensNothing() async throws {
        let (_, pty) = try await chat(try Self.server())
        pty.send("/mode auto\r")
        #expect(await pty.seeQuestion("be asked less"), "\(pty.screen.text)")
        try await type("/history\r", to: pty)
        #expect(await pty.seeQuestion { $0.text.ranges(of: "be asked less").count == 2 }, "\(pty.screen.text)")
        pty.send("no\r")
        #expect(await pty.see("It stays at adaptive"), "\(pty.screen.text)")
        pty.send("/mode auto\r")
        #expect(await pty.seeQuestion { $0.text.ranges(of: "be asked less").count == 3 }, "\(pty.screen.text)")
        pty.send("yes\r")
        #expect(await pty.see("▸ auto (now)"), "\(pty.screen.text)")
        await leave(pty)
    }

    @Test func thePickerOfModelsTakesOnlyWhatItOffers() async throws {
        let server = try Self.server()
        let (_, pty) = try await chat(server)
        pty.send("/model\r")
        #expect(await pty.seeQuestion("models of the server that is used"), "\(pty.screen.text)")
        #expect(
            pty.screen.text.contains("m-tiny") && pty.screen.lines.contains { $0.contains("Esc leaves") },
            "\(pty.screen.text)")
        try await type("/usage\r", to: pty)
        #expect(await pty.seeQuestion { $0.text.ranges(of: "which model is asked").count == 2 }, "\(pty.screen.text)")
        for wrong in ["nosuch", "99", "list"] {
            pty.send(wrong + "\r")
            #expect(await pty.seeQuestion { $0.lines.contains { $0.hasSuffix("› \(wrong)") } }, "\(pty.screen.text)")
        }
        // A part of a name shows those that have it.
        pty.send("sma\r")
        #expect(await pty.seeQuestion { !$0.lines.suffix(8).joined().contains("m-tiny") }, "\(pty.screen.text)")
        pty.send("3\r")
        #expect(await pty.see("From the next request on: m-small"), "\(pty.screen.text)")
        pty.send("/model nosuch\r")
        #expect(await pty.see("unknownModel"), "\(pty.screen.text)")
        pty.send("hello\r")
        #expect(await pty.see("Hello."), "\(pty.screen.text)")
        #expect(server.requests.last?.json?["model"] == "m-small")
        await leave(pty)
    }

    @Test func thePickerOfServersAndOfConversationsSayHowToLeave() async throws {
        let server = try Self.server()
        let (_, pty) = try await chat(server)
        pty.send("hello\r")
        #expect(await pty.see("Hello."), "\(pty.screen.text)")
        #expect(!server.requests.isEmpty)
        pty.send("/resume\r")
        #expect(await pty.seeQuestion("In which do you go on"), "\(pty.screen.text)")
        for wrong in ["s99", "s"] {
            pty.send(wrong + "\r")
            #expect(await pty.seeQuestion("\"\(wrong)\" is none of them"), "\(pty.screen.text)")
        }
        #expect(pty.screen.lines.contains { $0.contains("Esc leaves") }, "\(pty.screen.text)")
        pty.send("\u{1B}")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        pty.send("/connect\r")
        #expect(await pty.seeQuestion("or address"), "\(pty.screen.text)")
        for (wrong, said) in [("99", "Numbers go from 1"), ("nosuch", "unknownConnection")] {
            pty.send(wrong + "\r")
            #expect(await pty.seeQuestion(said), "\(pty.screen.text)")
        }
        pty.send("\r")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        await leave(pty)
    }

    /// Not sent, in no title, no history of lines, no message, no request; the screen shows where it was.
    @Test(arguments: [[], ["--plain"]]) func aKeyAtThePromptIsNotSent(flags: [String]) async throws {
        let server = try Self.server()
        let (lab, pty) = try await chat(server, flags)
        pty.send("my key is \(Self.key) please\r")
        #expect(await pty.see("keyInLine"), "\(pty.screen.text)")
        #expect(await pty.see("/connect"), "\(pty.screen.text)")
        pty.send("/history search \(Self.key)\r")
        #expect(await pty.see { $0.text.ranges(of: "keyInLine").count == 2 }, "\(pty.screen.text)")
        pty.send("hello\r")
        #expect(await pty.see("Hello."), "\(pty.screen.text)")
        await leave(pty)
        #expect(server.requests.allSatisfy { !$0.text.contains("proj-0123") })
        let sessions = try await lab.json("history")
        #expect(sessions.count == 1 && sessions.first?["title"] == "hello", "\(sessions)")
        let lines = ScratchFolder.text("\(lab.home)/data/lines") ?? ""
        #expect(!lines.contains("my key is"), "\(lines)")
        if flags.isEmpty { #expect(!pty.screen.text.contains(Self.key), "\(pty.screen.text)") }
    }

    @Test func aKeyInAnAskedLineIsRefused() async throws {
        let server = try Self.server()
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let ending = try await lab.run("ask", "use", Self.key, "--json")
        #expect(
            ending.exit == 2 && ending.lines(of: "error").first?["code"] == "keyInLine",
            "\(ending.output)\(ending.errors)")
        #expect(!(ending.output + ending.errors).contains(Self.key) && server.requests.isEmpty)
        #expect(try await lab.json("history").isEmpty)
    }

    /// What is typed while a question comes goes on as a line: it answers nothing, and is not sent by itself.
    @Test func whoTypesWhileAQuestionComesAnswersNothing() async throws {
        let (lab, pty) = try await chat(try Self.server())
        try lab.write("mine", to: "notes.txt")
        try lab.write(
            workflow(
                "notes", [node("write", "WriteFile", ["path": "notes.txt", "text": "theirs", "overwrite": true])]),
            to: ".plan.json")
        pty.send("/run .plan.json\r")
        #expect(await pty.see("? overwrite a file"), "\(pty.screen.text)")
        pty.send("why do you think they say yes\r")
        // The question may have counted before that came.
        #expect(
            await pty.see { _ in ["pause to answer", "none of them"].contains { pty.output.contains($0) } },
            "\(pty.screen.text)")
        #expect(
            await pty.seeQuestion { screen in
                ["press n d /", "y n d / and Enter"].contains { screen.text.contains($0) }
            },
            "\(pty.screen.text)")
        // On a busy machine the question may count already, and then it refuses the line.
        let isRefused = pty.screen.text.contains("none of them")
        #expect(lab.text("notes.txt") == "mine")
        pty.send("no\r")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.see("⊘ w1 "), "\(pty.screen.text)")
        let line = isRefused ? "›" : "› why do you think they say yes"
        #expect(await pty.see { $0.lines.last { !$0.isEmpty }?.hasSuffix(line) == true }, "\(pty.screen.text)")
        #expect(lab.text("notes.txt") == "mine")
        if !isRefused { pty.send("\u{3}") }
        #expect(await pty.see { $0.lines.last { !$0.isEmpty }?.hasSuffix("›") == true }, "\(pty.screen.text)")
        await leave(pty)
    }

    /// A paste that began before the question counted answers nothing, though the person pauses within it. It goes on
    /// in the line.
    @Test(arguments: [[], ["--plain"]]) func aPasteThatIsOpenAnswersNothing(flags: [String]) async throws {
        let (lab, pty) = try await chat(try Self.server(), flags)
        try lab.write("mine", to: "notes.txt")
        try lab.write(
            workflow(
                "notes", [node("write", "WriteFile", ["path": "notes.txt", "text": "theirs", "overwrite": true])]),
            to: ".plan.json")
        pty.send("/run .plan.json\r")
        #expect(await pty.see("? overwrite a file"), "\(pty.screen.text)")
        pty.send("\u{1B}[200~is it ok? ")
        #expect(await pty.see("has not ended"), "\(pty.screen.text)")
        for keys in ["y", "y\r", "yes\r"] {
            let told = pty.output.ranges(of: "has not ended").count
            pty.send(keys)
            #expect(await pty.see { _ in pty.output.ranges(of: "has not ended").count > told }, "\(pty.screen.text)")
        }
        // On a busy machine the question may count already when the paste begins, and then it drops the paste.
        let output = pty.output
        let counted = output.firstRange(of: "press n d /")?.lowerBound ?? output.endIndex
        let goesOn = output.firstRange(of: "has not ended").map { $0.lowerBound < counted } ?? false
        #expect(lab.text("notes.txt") == "mine")
        pty.send("\u{1B}[201~")
        // The line about the paste ends as the question does, and an earlier one stands above it.
        #expect(
            await pty.seeQuestion { $0.lines.last { !$0.isEmpty }?.contains("press n d /") == true },
            "\(pty.screen.text)")
        pty.send("no\r")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("\r")
        let begun = flags.isEmpty ? "is it ok? yy\nyes" : "is it ok? yy yes"
        if goesOn { #expect(await pty.see(begun), "\(pty.screen.text)") }
        #expect(lab.text("notes.txt") == "mine")
        // It stands on the line that is edited, which Ctrl-C drops.
        #expect(await pty.see("⊘ w1 "), "\(pty.screen.text)")
        if flags.isEmpty { pty.send("\u{3}") }
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        await leave(pty)
    }

    /// Ctrl-C: below what has come of the answer; that something goes on is said only if something was started.
    @Test func aStopIsToldBelowWhatHasCome() async throws {
        let server = try ScriptedServer { request in
            request.path.hasSuffix("/models")
                ? .json(["data": [["id": "m-large"]]])
                : .stream([SSE.delta(["content": "half an answer"])]).ending(with: .hang)
        }
        let (_, pty) = try await chat(server)
        pty.send("talk\r")
        #expect(await pty.see("half an answer"), "\(pty.screen.text)")
        pty.send("\u{3}")
        #expect(await pty.see("Stopped."), "\(pty.screen.text)")
        let rows = pty.screen.lines.filter { !$0.isEmpty }
        let (half, stopped) = (rows.firstIndex { $0.contains("half an answer") }, rows.firstIndex(of: "Stopped."))
        #expect(half != nil && stopped != nil && half! < stopped!, "\(pty.screen.text)")
        await leave(pty)
    }
}
