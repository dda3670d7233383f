import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

@testable import Services

/// What is read of providers and keys from the person's folders.
@Suite struct ProviderShelfTests {
    let scratch: ScratchFolder
    let folders: Folders

    init() throws {
        scratch = try ScratchFolder()
        folders = Folders(
            config: "\(scratch.path)/config", data: "\(scratch.path)/data", cache: "\(scratch.path)/cache")
        for folder in ["config", "config/providers", "config/tools", "config/keys", "data"] {
            mkdir("\(scratch.path)/\(folder)", 0o700)
        }
    }

    private func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
        try FileSystem.replace("\(folders.config)/\(name)", with: Array(text.utf8))
        chmod("\(folders.config)/\(name)", mode)
    }

    private var shelves: Shelves { Shelves(folders: folders, workspace: scratch.path) }

    private var catalogue: (Catalogue, [Problem]) {
        shelves.tools(
            Toolbox(
                store: AssetStore(folder: "\(folders.data)/assets"),
                own: OwnFolders(config: folders.config, data: folders.data, cache: folders.cache)))
    }

    @Test(.process) func theShippedProvidersAreThere() {
        let (catalogue, problems) = catalogue
        #expect(problems.isEmpty, "\(problems)")
        #expect(catalogue.providers.count >= 10)
        #expect(catalogue.tools.values.allSatisfy { catalogue.unavailable[$0.kind]?.code != "providerNotInstalled" })
    }

    /// Whether the manifests are parsed or only looked through, the same keys are cut from what is shown.
    @Test func theNamesOfKeysAreThoseOfTheManifests() throws {
        let shipped = Set(shelves.providers().found.values.compactMap { $0.auth?.secret })
        #expect(shipped.count >= 5 && shelves.providerKeyNames { [:] } == shipped)
        try write("providers/mine.yaml", Self.manifest)
        let all = shelves.providers().found
        #expect(shelves.providerKeyNames { all } == Set(all.values.compactMap { $0.auth?.secret }))
    }

    @Test func aPersonsProviderWins() throws {
        let own = try #require(shelves.providers().0["generic"])
        try write("providers/mine.yaml", Self.manifest.replacing("id: mine", with: "id: generic"))
        let (providers, problems) = shelves.providers()
        #expect(problems.isEmpty && providers["generic"]?.title == "Mine" && own.title != "Mine")
    }

    @Test(.process) func faultsOfAPersonsProviderAreTold() throws {
        try write("providers/bad.yaml", Self.manifest.replacing("hosts: [", with: "host: ["))
        try write(
            "providers/wrong.yaml",
            Self.manifest
                + "fixtures: [{name: odd, exchange: [{request: status, body: {s: done}}], expect: {state: failed}}]\n")
        let (providers, problems) = shelves.providers()
        #expect(Set(problems.map(\.code)) == ["unknownKey", "missingField", "fixtureFailed"])
        #expect(problems.allSatisfy { $0.place.contains("/config/providers/") })
        // A wrong expectation is told; the rules themselves can be used.
        #expect(providers["mine"] != nil)
        #expect(catalogue.1.map(\.code).contains("fixtureFailed"))
    }

    @Test func whatIsSetBreaksNoFixture() throws {
        try write("settings.yaml", "providers: {mine: {host: \"127.0.0.1:7777\"}}\n")
        let text = Self.manifest.replacing(
            "hosts: [api.example.com]", with: "variables: {host: \"127.0.0.1:1\"}\nhosts: [\"{host}\"]"
        )
        .replacing(
            "https://api.example.com", with: "http://{host}")
        try write(
            "providers/mine.yaml",
            text
                + "fixtures: [{name: a, exchange: [{request: submit, sends: {url: \"http://127.0.0.1:1/jobs\"}, body: {id: a}}], expect: {answer: accepted}}]\n"
        )
        let (providers, problems) = shelves.providers()
        #expect(problems.isEmpty, "\(problems)")
        #expect(providers["mine"]?.hosts.map(\.description) == ["127.0.0.1:7777"])
    }

    @Test func settingsSayWhereAProviderIs() throws {
        try write("settings.yaml", "providers: {generic: {host: \"127.0.0.1:7777\", path: /api/jobs}}\n")
        let provider = try #require(shelves.providers().0["generic"])
        #expect(provider.hosts == [HostGlob("127.0.0.1:7777")])
        #expect(provider.variables["path"]?.string == "/api/jobs")
    }

    @Test(.process, arguments: [("nowhere", "providerNotInstalled"), ("mine", "providerMismatch")])
    func aToolWhoseProviderDoesNotFitIsUnavailable(provider: String, code: String) throws {
        try write("providers/mine.yaml", Self.manifest)
        try write(
            "tools/t.yaml",
            """
            tool: assent.tool/v1
            kind: MineJob
            title: Mine
            outputs: {json: json}
            effects: [sends, spends]
            class: remote
            run: {job: {provider: \(provider), with: {odd: 1}}}
            """)
        let (catalogue, _) = catalogue
        #expect(catalogue.unavailable["MineJob"]?.code == code)
    }

    private static let manifest = """
        kind: jobs.http/v1
        id: mine
        title: Mine
        hosts: [api.example.com]
        inputs: ["input?"]
        requests:
          submit: {method: POST, url: "https://api.example.com/jobs", json: "{input?}", capture: {jobId: $.id}}
          status: {url: "https://api.example.com/jobs/{jobId}"}
        states:
          - {when: {path: $.s, in: [done]}, to: downloading}
          - {when: {path: $.s, in: [bad]}, to: failed}
        outputs: [{port: json, type: json, from: status, path: $.out, as: json}]

        """

    // MARK: Keys

    private func secrets(_ words: [String] = []) -> Secrets { Secrets(config: folders.config, keyCommand: words) }

    /// What is not kept in a file is asked of `secret-tool`.
    @Test(.process) func aKeyIsReadFromAFileThatOnlyThePersonCanRead() throws {
        try write("keys/MINE_KEY", "abc\nmore\n")
        try write("keys/OPEN_KEY", "abc", mode: 0o644)
        #expect(secrets().key("MINE_KEY") == "abc")
        #expect(
            secrets().key("OPEN_KEY") == nil && secrets().fault(of: "OPEN_KEY") != nil
                && secrets().fault(of: "MINE_KEY") == nil)
        #expect(secrets().key("NO_SUCH_KEY") == nil)
    }

    @Test(arguments: ["../settings.yaml", "", "a/b", "a b", "é"]) func whatIsNoNameOfAKeyIsNotLookedFor(name: String)
        throws
    {
        try write("settings.yaml", "secret")
        #expect(secrets(["echo", "{name}"]).key(name) == nil)
    }

    @Test(.process) func aCommandIsRunWithoutAShell() throws {
        #expect(secrets(["printf", "%s\\nrest\\n", "$(id);{name}"]).key("MINE_KEY") == "$(id);MINE_KEY")
        #expect(secrets(["false"]).key("MINE_KEY") == nil)
        #expect(secrets(["no-such-program-anywhere"]).key("MINE_KEY") == nil)
        // What it says before it fails does not count.
        #expect(secrets(["sh", "-c", "echo no; exit 1"]).key("MINE_KEY") == nil)
        #expect(secrets(["sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x"]).key("MINE_KEY") == nil)
    }

    @Test(.process) func theEnvironmentComesFirstThenTheCommandThenTheFile() throws {
        try write("keys/MINE_KEY", "file")
        #expect(secrets(["echo", "command"]).key("MINE_KEY") == "command")
        #expect(secrets(["false"]).key("MINE_KEY") == "file")
        setenv("ASSENT_TEST_KEY_OF_ENVIRONMENT", "environment", 1)
        #expect(secrets(["echo", "command"]).key("ASSENT_TEST_KEY_OF_ENVIRONMENT") == "environment")
    }

    @Test(arguments: [
        ("key_command: [pass, show, \"assent/{name}\"]", ["pass", "show", "assent/{name}"]),
        ("key_command: pass show x", ["pass", "show", "x"]), ("mode: auto", []),
    ])
    func settingsSayTheCommand(text: String, words: [String]) throws {
        try write("settings.yaml", text + "\n")
        #expect(Settings(folder: folders.config).keyCommand == words)
    }
}
