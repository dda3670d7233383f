import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Which key goes where: what was given for one address goes to no other, and no key is lost to another.
@Suite(.process) struct ConnectKeyTests {
    private static func key(_ name: String) -> String { "sk-" + "\(name)-0123456789abcdef" }

    /// Two servers behind one port: each answers only to its own key.
    private let server: ScriptedServer
    private let lab: ProgramLab

    init() throws {
        server = try ScriptedServer { request in
            let name = String(request.path.split(separator: "/").first ?? "")
            guard request.headers["authorization"] == "Bearer \(Self.key(name))" else {
                return .json(["error": ["message": "Incorrect API key provided"]], status: 401)
            }
            guard request.path.hasSuffix("/models") else { return .stream(SSE.text("From \(name).")) }
            return .json(["data": [["id": "m"]]])
        }
        lab = try ProgramLab()
    }

    private var keys: [String] { ScratchFolder.names(in: "\(lab.home)/config/keys") }

    private func config(_ text: String, as name: String) throws {
        let folder = "\(lab.home)/config"
        for path in [folder, "\(folder)/keys"] where !ScratchFolder.exists(path) { #expect(makeFolder(path)) }
        try ScratchFolder.write(text, to: "\(folder)/\(name)")
        chmod("\(folder)/\(name)", 0o600)
    }

    @Test func twoAddressesOfOneHostHaveTwoKeys() async throws {
        for name in ["one", "two"] {
            let ending = try await lab.run(
                "connect", "\(server.url)/\(name)/v1", "--name", name, "--key-stdin", input: Self.key(name) + "\n")
            #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        }
        #expect(keys.count == 2)
        for name in ["one", "two"] {
            let ending = try await lab.run("ask", "hello", "--model", name)
            #expect(ending.output.contains("From \(name)."), "\(ending.output)\(ending.errors)")
        }
        // A new key for the same address takes the place of the old one.
        let again = try await lab.run(
            "connect", "\(server.url)/one/v1", "--name", "one", "--key-stdin", input: Self.key("one") + "\n")
        #expect(again.exit == 0 && keys.count == 2)
    }

    @Test func aKeyStaysAtHomeWhereItsConnectionIsMadeToLeadElsewhere() async throws {
        _ = try await lab.run(
            "connect", "\(server.url)/one/v1", "--name", "one", "--key-stdin", input: Self.key("one") + "\n")
        let path = "\(lab.home)/config/connections.yaml"
        let other = try ScriptedServer { _ in .stream(SSE.text("stolen")) }
        let text = try #require(ScratchFolder.text(path))
        try config(text.replacing(server.url, with: other.url), as: "connections.yaml")
        let ending = try await lab.run("ask", "hello", "--json")
        #expect(
            ending.exit != 0 && ending.lines(of: "error").first?["code"] == "keyMissing",
            "\(ending.output)\(ending.errors)")
        #expect(other.requests.isEmpty)
    }

    @Test func aKeyOfAProfileIsNotReplacedUnasked() async throws {
        try config(
            "models: assent.models/v1\nprofiles:\n  lab: {title: Lab, url: \"\(server.url)/one/v1\", key: LAB_KEY}\n",
            as: "models.yaml")
        try config("an-older-key-0123456789\n", as: "keys/LAB_KEY")
        let ending = try await lab.run("connect", "lab", "--key-stdin", "--json", input: Self.key("one") + "\n")
        #expect(
            ending.lines.contains { $0["code"] == "keyExists" } && ending.exit == 2, "\(ending.output)\(ending.errors)")
        #expect(ScratchFolder.text("\(lab.home)/config/keys/LAB_KEY") == "an-older-key-0123456789\n")
        #expect(!ScratchFolder.exists("\(lab.home)/config/connections.yaml"))
        ScratchFolder.remove("\(lab.home)/config/keys/LAB_KEY")
        #expect(try await lab.run("connect", "lab", "--key-stdin", input: Self.key("one") + "\n").exit == 0)
        #expect(keys == ["LAB_KEY"])
    }

    @Test func aProgramThatIsAskedForAKeyIsNotHandedTheOthers() async throws {
        try config(
            """
            default: one
            connections:
              one: {url: "\(server.url)/one/v1", model: m, key: WANTED_KEY}
              two: {url: "\(server.url)/two/v1", model: m, key: MY_OTHER}
            """, as: "connections.yaml")
        try config(
            "key_command: [sh, -c, \"env > \(lab.folder)/seen; echo \(Self.key("one"))\", \"{name}\"]\n",
            as: "settings.yaml")
        let keys = ["ASSENT_API_KEY", "OPENAI_API_KEY", "REPLICATE_API_TOKEN", "FAL_KEY", "MY_OTHER", "SOME_API_KEY"]
        var environment = ["GNUPGHOME": "/gnupg", "PASSWORD_STORE_DIR": "/pass"]
        for name in keys { environment[name] = Self.key("hidden") }
        let ending = try await lab.run(["ask", "hello"], environment: environment)
        #expect(ending.output.contains("From one."), "\(ending.output)\(ending.errors)")
        let seen = try #require(lab.text("seen"))
        #expect(!seen.contains("hidden"))
        #expect(["GNUPGHOME=/gnupg", "PASSWORD_STORE_DIR=", "PATH="].allSatisfy { seen.contains($0) })
    }

    /// As it was kept before names told addresses apart.
    @Test func anOldNameGoesOnBeingRead() async throws {
        try config(
            "connections: {one: {url: \"\(server.url)/one/v1\", model: m, key: 127_0_0_1_\(server.port)_KEY}}\n",
            as: "connections.yaml")
        try config(Self.key("one") + "\n", as: "keys/127_0_0_1_\(server.port)_KEY")
        #expect(try await lab.run("ask", "hello").output.contains("From one."))
    }
}
