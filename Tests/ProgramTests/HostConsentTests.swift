import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Nothing leaves for a host that the person has not allowed. No address but 127.0.0.1 is spoken to here: a proxy of
/// ours hears of every connection that would be made.
@Suite(.process) struct HostConsentTests {
    private let model: ScriptedServer
    private let proxy: TunnelProxy

    init() throws {
        model = try ScriptedServer { _ in .stream(SSE.text("Hello", " there.")) }
        // What speaks no TLS ends the tunnel.
        proxy = try TunnelProxy(to: model.port)
    }

    private func lab(_ url: String, _ extra: [String: String] = [:]) throws -> ProgramLab {
        try ProgramLab(
            environment: [
                "ASSENT_MODEL_URL": url, "ASSENT_MODEL": "m", "ASSENT_API_KEY": ModelTests.key,
                "https_proxy": proxy.url,
                "http_proxy": model.url,
            ].merging(extra) { $1 })
    }

    private func failure(_ ending: ProgramEnding) -> JSON? { ending.lines(of: "error").first }

    @Test func aRemoteModelIsNotAskedUnlessItsHostIsAllowed() async throws {
        let lab = try lab("https://api.example.com/v1")
        try lab.write("secret", to: "config.txt")
        for words in [["--json"], ["--mode", "auto", "--on-ask", "inline"]] {
            let ending = try await lab.run(["ask", "hello"] + words)
            #expect(ending.exit == 4, "\(ending.output)\(ending.errors)")
            #expect((ending.output + ending.errors).contains("hostNotAllowed"), "\(ending.output)\(ending.errors)")
        }
        let refused = try await lab.run("ask", "hello", "--json")
        #expect(
            failure(refused)?["remedy"]?.string?.contains("assent hosts allow api.example.com --for model") == true,
            "\(refused.output)")
        expectEvents(refused, exit: 4)
        #expect(proxy.requests.isEmpty && model.requests.isEmpty)

        #expect(try await lab.run("hosts", "allow", "api.example.com", "--for", "jobs").exit == 0)
        #expect(try await lab.run("hosts", "allow", "api.example.com:8443").exit == 0)
        #expect(try await lab.run("ask", "hello").exit == 4)
        #expect(proxy.requests.isEmpty, "a yes is for one use and one port")

        #expect(try await lab.run("hosts", "allow", "API.Example.com").exit == 0)
        #expect(try await lab.run("ask", "hello").exit == 5)
        #expect(proxy.requests.contains { $0.hasPrefix("CONNECT api.example.com:443") }, "\(proxy.requests)")
        let count = proxy.requests.count
        let listed = try await lab.json("hosts")
        #expect(
            listed.count == 3
                && listed.contains { $0["host"] == "https://api.example.com:443" && $0["use"] == "model" }, "\(listed)")
        #expect(try await lab.run("hosts", "revoke", "api.example.com", "--for", "model").exit == 0)
        #expect(try await lab.run("ask", "hello").exit == 4)
        #expect(proxy.requests.count == count)
        #expect(try await lab.run("hosts", "revoke", "api.example.com", "--for", "model").exit == 2)
    }

    @Test(arguments: [
        "http://api.example.com/v1", "http://8.8.8.8/v1", "http://nas.local/v1", "http://127.0.0.1.example.com/v1",
        "http://172.32.0.1/v1",
    ])
    func inTheClearNoPublicHostIsSpokenTo(url: String) async throws {
        let lab = try lab(url)
        let ending = try await lab.run("ask", "hello", "--json")
        #expect(ending.exit == 4 && failure(ending)?["code"] == "insecureHost", "\(ending.output)")
        let host = url.dropLast(3)
        let allowed = try await lab.run("hosts", "allow", String(host), "--json")
        #expect(allowed.exit == 4 && allowed.output.contains("insecureHost"), "\(allowed.output)")
        #expect(model.requests.isEmpty && proxy.requests.isEmpty)
    }

    /// Only at a terminal, by its name; and then it is kept.
    @Test(arguments: [
        ("http://10.1.2.3:8080", "10.1.2.3"), ("http://[fd12::1]:8080", "[fd12::1]"),
        ("http://3232235777:8080", "192.168.1.1"),
    ])
    func inTheClearAPrivateHostIsAskedForLouder(url: String, word: String) async throws {
        let lab = try lab(url + "/v1")
        #expect(try await lab.run("ask", "hello").exit == 4)
        #expect(try await lab.run("hosts", "allow", url).exit == 4)
        let refused = try lab.terminal(["ask", "hello"])
        #expect(await refused.seeQuestion("NOT ENCRYPTED"), "\(refused.screen.text)")
        refused.send("y\r")
        #expect(await refused.see("is none of them"), "\(refused.screen.text)")
        refused.send("no\r")
        #expect(await refused.exitStatus() == 4, "\(refused.screen.text)")
        #expect(model.requests.isEmpty)

        let pty = try lab.terminal(["ask", "hello"])
        #expect(await pty.seeQuestion("NOT ENCRYPTED"), "\(pty.screen.text)")
        pty.send("\(word)\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(pty.screen.text.contains("Hello there."), "\(pty.screen.text)")
        #expect(model.requests.count == 1 && proxy.requests.isEmpty)
        #expect(try await lab.run("ask", "hello").exit == 0)
        let doctor = try await lab.run("doctor", "--json").lines.first { $0["name"] == "model" }
        #expect(
            doctor?["ok"] == true && doctor?["words"]?.string?.contains("NOT ENCRYPTED") == true,
            "\(String(describing: doctor))")
    }

    @Test(arguments: [
        "http://169.254.169.254/latest", "http://metadata.google.internal/v1", "https://[fd00:ec2::254]/v1",
        "http://0xa9fea9fe/v1",
    ])
    func theMetadataServiceIsCalledWhatItIs(url: String) async throws {
        let lab = try lab(url)
        let pty = try lab.terminal(["ask", "hello"])
        #expect(await pty.seeQuestion("metadata service of this machine"), "\(pty.screen.text)")
        pty.send("\u{1B}")
        #expect(await pty.exitStatus() == 4, "\(pty.screen.text)")
        #expect(model.requests.isEmpty && proxy.requests.isEmpty)
    }

    @Test(arguments: ["127.0.0.1", "127.1", "localhost", "[::ffff:127.0.0.1]", "a.localhost"])
    func thisMachineNeedsNoYes(host: String) async throws {
        let lab = try lab("http://\(host):\(model.port)/v1")
        let ending = try await lab.run("ask", "hello", "--json")
        #expect(ending.exit != 4 && !ending.output.contains("hostNotAllowed"), "\(ending.output)")
        #expect(proxy.requests.isEmpty)
        let doctor = try await lab.json("doctor").first { $0["name"] == "model" }
        #expect(
            doctor?["ok"] == true && doctor?["words"]?.string?.contains("on this machine") == true,
            "\(String(describing: doctor))")
    }

    /// `consent.md` guarantee 3: what was typed before the question was there is none of its answers.
    @Test(arguments: ["\r", "\u{1B}", "\u{4}", "n", "\u{3}"]) func onlyAYesIsOne(keys: String) async throws {
        let lab = try lab("https://api.example.com/v1")
        let pty = try await lab.terminal(typedBefore: "y\ry\r", ["ask", "hello"])
        #expect(await pty.seeQuestion("api.example.com"), "\(pty.screen.text)")
        #expect(proxy.requests.isEmpty)
        let calm = pty.screen.styleOfLastRow
        pty.send(keys)
        if keys == "\r" {
            #expect(await pty.see { $0.styleOfLastRow != calm }, "\(pty.screen.text)")
            pty.send("n")
        }
        let exit = await pty.exitStatus()
        #expect(exit == 4 || exit == 130, "\(String(describing: exit)) \(pty.screen.text)")
        #expect(proxy.requests.isEmpty)
        #expect(try await lab.json("hosts").isEmpty)
    }

    @Test func inTheChatItIsAskedOnce() async throws {
        let lab = try lab("https://api.example.com/v1")
        let pty = try lab.terminal()
        #expect(await pty.see("›"), "\(pty.screen.text)")
        pty.send("hello\r")
        #expect(await pty.seeQuestion("api.example.com"), "\(pty.screen.text)")
        pty.send("n")
        #expect(await pty.see("/hosts allow api.example.com --for model"), "\(pty.screen.text)")
        #expect(proxy.requests.isEmpty)
        pty.send("/hosts allow api.example.com\r")
        #expect(await pty.see("for a model"), "\(pty.screen.text)")
        pty.send("again\r")
        #expect(await pty.see("cannot be reached"), "\(pty.screen.text)")
        #expect(!proxy.requests.isEmpty)
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }

    /// A file that cannot be believed allows nothing, and says so.
    @Test(arguments: [
        "", "{", "[]", #"{"v":2,"hosts":[]}"#, #"{"v":1,"hosts":[{"host":"https://api.example.com:443"}]}"#, "writable",
        "link",
    ])
    func aBrokenFileAllowsNothing(content: String) async throws {
        let lab = try lab("https://api.example.com/v1")
        #expect(try await lab.run("hosts", "allow", "api.example.com").exit == 0)
        let path = "\(lab.home)/config/hosts.json"
        switch content {
        case "writable": chmod(path, 0o666)
        case "link":
            unlink(path)
            symlink("/nowhere", path)
        default: try ScratchFolder.write(content, to: path)
        }
        let ending = try await lab.run("ask", "hello", "--json")
        #expect(ending.exit == 2 && failure(ending)?["code"] == "badSettings", "\(ending.output)")
        #expect(failure(ending)?["message"]?.string?.contains("/config/hosts.json") == true, "\(ending.output)")
        #expect(proxy.requests.isEmpty)
        #expect(try await lab.run("hosts", "allow", "api.example.com").exit == 2)
        #expect(try await lab.run("doctor").output.contains("hosts.json"))
    }

    @Test func theFileIsThePersonsAlone() async throws {
        let lab = try lab("https://api.example.com/v1")
        #expect(
            try await lab.run("hosts", "allow", "https://api.example.com/v1/models", "http://127.0.0.1:9").exit == 0)
        var status = stat()
        #expect(stat("\(lab.home)/config/hosts.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try await lab.json("hosts").count == 1, "this machine needs none")
    }

    /// Which it needs no yes to be spoken to; jobs there pass without a question for each where the person has said so.
    @Test func jobsAtThisMachineAreAllowedLikeOthers() async throws {
        let lab = try lab("https://api.example.com/v1")
        try await lab.succeeds("hosts", "allow", "http://127.0.0.1:8188", "--for", "jobs")
        let allowed = try await lab.json("hosts")
        #expect(allowed.count == 1 && allowed[0]["use"] == "jobs", "\(allowed)")
        #expect(allowed[0]["host"]?.string?.contains("127.0.0.1:8188") == true, "\(allowed)")
        try await lab.succeeds("hosts", "revoke", "http://127.0.0.1:8188")
        #expect(try await lab.json("hosts").isEmpty)
    }

    @Test(arguments: [
        "*.example.com", "user:pw@example.com", "ftp://example.com", "", "a b", "*.com", "http://", "http://*.10.0.0.1",
    ])
    func whatIsNoHostIsNoneToAllow(host: String) async throws {
        #expect(try await lab("https://api.example.com/v1").run("hosts", "allow", host).exit == 2)
    }

    // MARK: Jobs

    private func jobLab() throws -> ProgramLab {
        let lab = try lab("https://api.example.com/v1")
        for (folder, text) in [("providers", Self.provider), ("tools", Self.tool)] {
            try ScratchFolder.makeFolder("\(lab.home)/config/\(folder)")
            try ScratchFolder.write(text, to: "\(lab.home)/config/\(folder)/far.yaml")
        }
        try lab.write(workflow("job", [node("j", "FarJob")]), to: "plan.json")
        return lab
    }

    @Test func noJobIsSubmittedBeforeItsHostIsAllowed() async throws {
        let lab = try jobLab()
        let ending = try await lab.run("run", "plan.json", "--mode", "auto", "--json")
        #expect(ending.exit == 4 && failure(ending)?["code"] == "hostNotAllowed", "\(ending.output)")
        #expect(
            failure(ending)?["remedy"]?.string?.contains(
                "'assent hosts allow jobs.example \"*.jobs.example\" --for jobs'")
                == true)
        #expect(try await lab.run("hosts", "allow", "jobs.example", "*.jobs.example", "--for", "model").exit == 2)
        #expect(try await lab.run("hosts", "allow", "jobs.example", "--for", "model").exit == 0)
        #expect(try await lab.run("run", "plan.json", "--mode", "auto").exit == 4)
        #expect(try await lab.run("run", "plan.json", "--mode", "auto", "--detach").exit == 4)
        #expect(proxy.requests.isEmpty)
        #expect(try await lab.json("list").isEmpty)
    }

    /// Whoever started it, and whenever: a yes that was taken back holds for no later submission.
    @Test func aYesThatWasTakenBackSubmitsNothing() async throws {
        let lab = try jobLab()
        #expect(try await lab.run("hosts", "allow", "jobs.example", "*.jobs.example", "--for", "jobs").exit == 0)
        // At a host that is allowed adaptive mode would not ask.
        #expect(try await lab.run("run", "plan.json", "--mode", "always-ask", "--on-ask", "park").exit == 3)
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        #expect(try await lab.run("hosts", "revoke", "jobs.example").exit == 0)
        #expect(try await lab.run("approve", "1", "--digest", digest).exit == 4)
        let step = try await lab.json("show", "w1").first?["steps"]?.array?.first
        #expect(step?["failure"]?["code"] == "hostNotAllowed", "\(String(describing: step))")
        #expect(proxy.requests.isEmpty)
    }

    @Test func anAllowedJobIsSubmitted() async throws {
        let lab = try jobLab()
        #expect(try await lab.run("hosts", "allow", "jobs.example", "*.jobs.example", "--for", "jobs").exit == 0)
        let process = try lab.start(["run", "plan.json", "--mode", "auto"])
        #expect(try await eventually { proxy.requests.contains { $0.hasPrefix("CONNECT jobs.example:443") } })
        process.signal(SIGTERM)
        _ = try await onOwnThread { process.wait() }
    }

    @Test func atTheTerminalAJobsHostIsAskedFor() async throws {
        let lab = try jobLab()
        let pty = try lab.terminal(["run", "plan.json", "--mode", "auto"])
        #expect(await pty.seeQuestion("*.jobs.example"), "\(pty.screen.text)")
        pty.send("n")
        #expect(await pty.exitStatus() == 4, "\(pty.screen.text)")
        #expect(proxy.requests.isEmpty)
        #expect(try await lab.json("hosts").isEmpty)
    }

    private static let provider = """
        kind: jobs.http/v1
        id: far
        title: The far server
        hosts: ["jobs.example", "*.jobs.example", "127.0.0.1:9"]
        auth: {type: bearer, secret: FAR_KEY, optional: true}
        inputs: []
        limits: {concurrent: 2, pollEvery: 1s}
        idempotency: {mode: none, ambiguous: ask}
        requests:
          submit: {method: POST, url: "https://jobs.example/jobs", json: {kind: x}, capture: {jobId: $.id}}
          status: {url: "https://jobs.example/jobs/{jobId}"}
        states:
          - {when: {path: $.status, in: [running]}, to: runningRemote}
          - {when: {path: $.status, in: [done]}, to: downloading}
          - {when: {path: $.status, in: [failed]}, to: failed}
        outputs: [{port: json, type: json, from: status, path: $.value, as: json}]
        errors: {message: $.error}
        """

    private static let tool = """
        tool: assent.tool/v1
        kind: FarJob
        title: Far job
        outputs: {json: json}
        effects: [sends]
        class: remote
        idempotent: false
        run: {job: {provider: far}}
        """
}
