import CaseNames
import Foundation
import Harness
import JSON
import Testing

/// The whole program against those who mean ill: each test is an attack.
@Suite(.process) struct SafetyTests {
    private let lab: Attack

    init() throws { lab = try Attack() }

    /// `consent.md` guarantee 1 and guarantee 4: the rules are those of the workflow's own workspace, as they are when
    /// the call starts.
    @Test func anEngineStartedElsewhereGoesByTheRulesOfTheWorkspace() async throws {
        try lab.write("work/notes.txt", "mine")
        let asked = try await lab.run(
            ["run", try lab.template("MoveFile", ["from": "notes.txt", "to": "-old.txt"]), "--on-ask", "park"],
            in: "work")
        #expect(asked.status == 3)
        try lab.write(
            "work/.assent/policy.yaml",
            "policy: assent.policy/v1\nrules:\n  - {tool: MoveFile, decide: deny, reason: not here}\n")
        let digest = try #require(
            try await lab.run(["inbox", "--json"], in: "elsewhere").json.first?["digest"]?.string)
        try await lab.run(["approve", "1", "--digest", digest], in: "elsewhere")
        try await lab.run(["work", "--until-idle"], in: "elsewhere")
        #expect(lab.exists("work/notes.txt"))
    }

    @Test func aYesGivenElsewhereHoldsUnderTheWorkspacesRules() async throws {
        try lab.write("work/notes.txt", "mine")
        try lab.write(
            "work/.assent/policy.yaml",
            "policy: assent.policy/v1\nrules:\n  - {tool: Shell, decide: deny, reason: not here}\n")
        try await lab.run(
            ["run", try lab.template("MoveFile", ["from": "notes.txt", "to": "-old.txt"]), "--on-ask", "park"],
            in: "work")
        let digest = try #require(
            try await lab.run(["inbox", "--json"], in: "elsewhere").json.first?["digest"]?.string)
        try await lab.run(["approve", "1", "--digest", digest], in: "elsewhere")
        try await lab.run(["work", "--until-idle"], in: "work")
        #expect(lab.exists("work/-old.txt"))
    }

    /// `consent.md` guarantee 4: also for tools without an effect, which need no question.
    @Test(arguments: ["adaptive", "auto"]) func aDenyHoldsForToolsWithoutAnEffect(mode: String) async throws {
        try lab.write(
            "work/.assent/policy.yaml",
            "policy: assent.policy/v1\nrules:\n  - {tool: Text, decide: deny, reason: not here}\n")
        #expect(
            try await lab.run(["run", try lab.template("Text", ["text": "x"]), "--mode", mode], in: "work").status == 4)
    }

    /// `consent.md` guarantee 5, for what is there and is no file.
    @Test(arguments: ["nowhere", "/proc/kmsg", "/proc/self/status"])
    func aPolicyThatCannotBeReadRefusesEffects(target: String) async throws {
        try lab.write("work/.assent/x", "")
        symlink(target, lab.root + "/work/.assent/policy.yaml")
        #expect(
            try await lab.run(["run", try lab.template("WriteFile", ["path": "a.txt", "text": "x"])], in: "work").status
                == 4)
        #expect(!lab.exists("work/a.txt"))
    }

    @Test(arguments: ["deny", "park", "inline"]) func aBareCommandIsNeverRunWithoutAPerson(onAsk: String) async throws {
        let template = try lab.template("Shell", ["command": "touch pwned", "bare": true])
        #expect(try await lab.run(["run", template, "--mode", "auto", "--on-ask", onAsk], in: "work").status == 4)
        #expect(!lab.exists("work/pwned"))
    }

    /// `consent.md`, "Effects": `.env`, keys and the like never go.
    @Test func aModelNeverSeesWhatComesOfKeys() async throws {
        let server = try ScriptedServer([
            .stream(SSE.proposal(Attack.workflow("ReadFile", ["path": ".env"]))),
            .stream(SSE.proposal(Attack.workflow("WriteFile", ["path": "copy.txt", "text": "harmless"]))),
            .stream(SSE.text("Done.")),
        ])
        defer { server.stop() }
        try lab.write("work/.env", "TOKEN=hunter2")
        let environment = ["ASSENT_MODEL_URL": server.url + "/v1", "ASSENT_MODEL": "m", "ASSENT_API_KEY": "key"]
        try await lab.run(["ask", "read it", "--mode", "auto", "--json"], in: "work", environment)
        #expect(server.requests.count == 3)
        #expect(server.requests.contains { $0.text.contains("may hold keys") })
        #expect(!server.requests.contains { $0.text.contains("hunter2") })
        #expect(server.requests.contains { $0.text.contains("harmless") })
    }

    /// `consent.md` guarantee 14, and no mode lifts it: as the file is, or as what was made of it.
    @Test(arguments: [[], ["ReplaceText"]]) func whatMayHoldKeysIsSentNowhere(between: [String]) async throws {
        let server = try ScriptedServer { _ in .text("thanks") }
        defer { server.stop() }
        try lab.write("work/.env", "TOKEN=hunter2")
        let kinds = ["ReadFile"] + between + ["HTTPFetch"]
        let params: [String: JSON] = [
            "ReadFile": ["path": ".env"], "ReplaceText": ["find": "TOKEN", "replacement": "T"],
            "HTTPFetch": ["url": .string(server.url + "/"), "method": "POST"],
        ]
        let edges = kinds.indices.dropLast().map {
            edge("n\($0).text", "n\($0 + 1).\(kinds[$0 + 1] == "HTTPFetch" ? "body" : "text")")
        }
        let plan = workflow("send", kinds.enumerated().map { node("n\($0)", $1, params[$1] ?? [:]) }, edges)
        try lab.write("work/plan.json", plan.text)
        let ran = try await lab.run(["run", "plan.json", "--mode", "auto", "--json"], in: "work")
        #expect(ran.status == 1 && ran.json.contains { $0.text.contains("may hold keys and is not sent") }, "\(ran)")
        #expect(server.requests.isEmpty)
    }

    /// `consent.md` guarantee 14.
    @Test func aSecretParameterIsToldNowhere() async throws {
        try lab.write(
            "home/config/tools/login.yaml",
            """
            tool: assent.tool/v1
            kind: Login
            title: Log in
            outputs: {text: text}
            params:
              token: {type: text, secret: true, summary: The key}
              count: {type: integer, secret: true, max: 10, summary: A number}
            run:
              program:
                - [sh, -c, "echo done > out-text.txt"]
              files: {text: login.txt}
            """)
        let ran = try await lab.run(
            ["run", try lab.template("Login", ["token": "hunter2"]), "--json", "--mode", "auto"], in: "work")
        #expect(ran.status == 0)
        let shown = try await lab.run(["show", "w1", "1", "--json"], in: "work")
        #expect(shown.status == 0 && !shown.json.isEmpty)
        let history = try await lab.run(["why", "w1", "1", "--json"], in: "work")
        let bad = try await lab.run(["check", try lab.template("Login", ["count": 424_242]), "--json"], in: "work")
        #expect(bad.status == 2)
        for json in ran.json + shown.json + history.json + bad.json {
            #expect(!json.text.contains("hunter2") && !json.text.contains("424242"))
        }
    }

    /// `consent.md` guarantee 14.
    @Test func aPasswordInTheModelsAddressIsShownNowhere() async throws {
        let environment = ["ASSENT_MODEL_URL": "http://me:hunter2@127.0.0.1:9/v1"]
        let ran = try await lab.run(["ask", "hello", "--json"], in: "work", environment)
        #expect(ran.status != 0)
        #expect(!ran.json.contains { $0.text.contains("hunter2") })
        #expect(
            try await !lab.run(["doctor", "--json"], in: "work", environment).json.contains {
                $0.text.contains("hunter2")
            })
    }
}

/// Folders of one test, and the built program in them.
final class Attack: Sendable {
    private let scratch: ScratchFolder
    var root: String { scratch.path }

    init() throws {
        scratch = try ScratchFolder()
        for folder in ["work", "elsewhere"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
    }

    deinit { scratch.endProcesses() }

    struct Ran {
        var status: Int32
        var json: [JSON]
    }

    static func workflow(_ kind: String, _ params: JSON) -> JSON {
        [
            "schema": "app.workflow/v2", "name": "x", "nodes": [["id": "a", "kind": .string(kind), "params": params]],
            "edges": [],
        ]
    }

    func template(_ kind: String, _ params: JSON) throws -> String {
        try write("\(kind).json", Self.workflow(kind, params).text)
        return "\(root)/\(kind).json"
    }

    func write(_ name: String, _ text: String) throws {
        let path = "\(root)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(name)") }

    @discardableResult func run(_ words: [String], in folder: String, _ environment: [String: String] = [:])
        async throws -> Ran
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try self.runAndWait(words, in: folder, environment) })
            }
        }
    }

    private func runAndWait(_ words: [String], in folder: String, _ environment: [String: String]) throws -> Ran {
        let process = Process()
        process.executableURL = Bundle(for: Attack.self).bundleURL.appendingPathComponent("assent")
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: "\(root)/\(folder)")
        let own = ["ASSENT_HOME": "\(root)/home", "HOME": root, "PATH": "/usr/bin:/bin"]
        process.environment = own.merging(environment) { $1 }
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Ran(
            status: process.terminationStatus,
            json: text.split(separator: "\n").compactMap { try? JSONReader.read(Array($0.utf8)) })
    }
}
