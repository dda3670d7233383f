import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The key of a provider of jobs: tried, then stored; asked for before a call that needs it.
@Suite(.process) struct ConnectProviderTests {
    private static let key = "jk-" + "typed-0123456789abcdef"

    /// A server of jobs that lists them for who has the key, and says a wrong one back.
    private static func server() throws -> ScriptedServer {
        try ScriptedServer { request in
            let given = request.headers["authorization"] ?? ""
            guard given == "Bearer \(key)" else {
                return .json(["error": ["message": .string("no: \(given)")]], status: 401)
            }
            return .json(["jobs": []])
        }
    }

    private static func manifest(_ server: ScriptedServer, probe: String = ", probe: list") -> String {
        """
        kind: jobs.http/v1
        id: mine
        title: My jobs
        hosts: ["127.0.0.1:\(server.port)"]
        auth: {type: bearer, secret: MINE_KEY\(probe)}
        requests:
          submit: {method: POST, url: "\(server.url)/jobs", json: {}, capture: {jobId: $.id}}
          status: {url: "\(server.url)/jobs/{jobId}"}
          list: {url: "\(server.url)/jobs"}
        states:
          - {when: {path: $.status, in: [done]}, to: downloading}
          - {when: {path: $.status, in: [failed]}, to: failed}
        outputs: [{port: json, type: json, from: status, path: $.value, as: json}]
        """
    }

    private func lab(_ server: ScriptedServer, probe: String = ", probe: list") throws -> ProgramLab {
        let lab = try ProgramLab()
        try ScratchFolder.makeFolder("\(lab.home)/config/providers")
        try ScratchFolder.write(Self.manifest(server, probe: probe), to: "\(lab.home)/config/providers/mine.yaml")
        return lab
    }

    private func stored(_ lab: ProgramLab) -> String? { ScratchFolder.text("\(lab.home)/config/keys/MINE_KEY") }

    @Test func aScriptConnectsWithAKeyThatIsAccepted() async throws {
        let server = try Self.server()
        let lab = try lab(server)
        let ending = try await lab.run("connect", "mine", "--key-stdin", "--json", input: Self.key + "\n")
        #expect(ending.exit == 0 && ending.lines.first?["tried"] == true, "\(ending.output)\(ending.errors)")
        #expect(stored(lab) == Self.key + "\n" && server.requests.count == 1 && server.requests[0].method == "GET")
        var status = stat()
        #expect(stat("\(lab.home)/config/keys/MINE_KEY", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(!(ending.output + ending.errors).contains(Self.key))
        // It is there now, and tried again.
        let again = try await lab.run("connect", "mine", "--json")
        #expect(again.exit == 0 && server.requests.count == 2, "\(again.output)\(again.errors)")
    }

    @Test func aRefusedKeyIsSaidAndNotStored() async throws {
        let server = try Self.server()
        let lab = try lab(server)
        let wrong = "jk-wrong-0123456789abcdef"
        let ending = try await lab.run("connect", "mine", "--key-stdin", "--json", input: wrong + "\n")
        let error = ending.lines(of: "error").first
        #expect(ending.exit == 1 && error?["code"] == "keyRefused", "\(ending.output)\(ending.errors)")
        #expect(error?["message"]?.string?.hasPrefix("My jobs does not accept the key (401)") == true)
        #expect(!(ending.output + ending.errors).contains(wrong) && stored(lab) == nil)
    }

    @Test func whatCannotBeTriedIsStoredAndSaidToBeUntried() async throws {
        let server = try Self.server()
        let lab = try lab(server, probe: "")
        let ending = try await lab.run("connect", "mine", "--key-stdin", input: Self.key + "\n")
        #expect(ending.exit == 0 && ending.output.contains("untried"), "\(ending.output)\(ending.errors)")
        #expect(stored(lab) == Self.key + "\n" && server.requests.isEmpty)
    }

    @Test func whatIsNoProviderWithAKeyIsRefused() async throws {
        let lab = try lab(try Self.server())
        for (arguments, code) in [
            (["nothing-like-it"], "unknownConnection"), (["cog"], "badUsage"), (["mine", "--model", "m"], "badUsage"),
            (["mine"], "keyMissing"),
            (["replicate"], "hostNotAllowed"),
        ] {
            let ending = try await lab.run(["connect"] + arguments + ["--json"])
            #expect(
                ending.exit != 0 && ending.lines(of: "error").first?["code"]?.string == code,
                "\(arguments): \(ending.output)")
        }
    }

    @Test func aPersonTypesTheKeyHiddenAndChoosesWhereItIsKept() async throws {
        let server = try Self.server()
        let lab = try lab(server)
        let pty = try lab.terminal()
        #expect(await pty.see("›"))
        pty.send("/connect mine\r")
        #expect(await pty.see("the key of My jobs"), "\(pty.screen.text)")
        #expect(await pty.see("^T shows it"))
        pty.send("jk-wrong-0123456789\r")
        #expect(await pty.see("does not accept the key"), "\(pty.screen.text)")
        #expect(await pty.see("^T shows it"))
        pty.send("\u{1B}[200~\(Self.key)\u{1B}[201~")
        #expect(await pty.see("••••"))
        pty.send("\r")
        #expect(await pty.see("where is the key kept"), "\(pty.screen.text)")
        #expect(await pty.see("press n"))
        pty.send("f\r")
        #expect(await pty.see("accepts the key MINE_KEY"), "\(pty.screen.text)")
        #expect(!pty.screen.text.contains(Self.key))
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
        #expect(stored(lab) == Self.key + "\n")
        for name in ScratchFolder.names(in: "\(lab.home)/data") {
            let bytes = ScratchFolder.bytes("\(lab.home)/data/\(name)") ?? []
            #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.key), "\(name)")
        }
    }

    @Test func aKeyIsAskedForBeforeTheCallThatNeedsIt() async throws {
        let jobs = try JobLab(["jobs": [["life": ["value": 1]]]])
        try jobs.rewrite("put", ["secret: JOB_KEY, optional: true": "secret: JOB_KEY"])
        try jobs.lab.write(jobs.plan([("j", "put", "ok")]), to: "plan.json")
        #expect(try await jobs.lab.run("run", "plan.json", "--on-ask", "park", "--json").exit == 3)
        let first = try await jobs.lab.json("inbox")
        #expect(first.count == 1 && first[0]["kind"] == "connect", "\(first)")
        #expect(try await jobs.lab.run("open", "1").output.contains("assent connect put"))
        // Not before it is there.
        #expect(try await jobs.lab.run("complete", "1", "--choice", "done").exit != 0)
        let connected = try await jobs.lab.run("connect", "put", "--key-stdin", input: Self.key + "\n")
        #expect(connected.exit == 0, "\(connected.output)\(connected.errors)")
        #expect(try await jobs.lab.run("complete", "1", "--choice", "done").exit == 3)
        let second = try await jobs.lab.json("inbox")
        #expect(second.count == 1 && second[0]["kind"] == "confirmCall", "\(second)")
        #expect(try await jobs.harness.books().bought == 0)
        try await jobs.lab.succeeds("approve", "2", "--digest", try #require(second[0]["digest"]?.string))
        #expect(try await jobs.workUntilIdle().exit == 0)
        #expect(try await jobs.step()["state"] == "succeeded")
    }
}
