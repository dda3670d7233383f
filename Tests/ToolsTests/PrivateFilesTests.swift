import CaseNames
@testable import Files
import Foundation
import JSON
import Testing
import Vocabulary

/// What a command does not see of the workspace.
@Suite(.process) struct PrivateFilesTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    /// To Unicode both are one name; to the file system they are two.
    @Test func twinsAreHiddenBoth() throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        for name in names {
            try lab.write("\(name)/.env", "TOKEN=1")
            try lab.write("\(name)/.ssh/id_rsa", "key")
            try lab.write("\(name).p12", "key")
        }
        let found = try PrivateFiles.below(lab.workspace, own: lab.own)
        func bytes(_ paths: [String]) -> Set<[UInt8]> { Set(paths.map { Array($0.utf8) }) }
        #expect(bytes(found.files) == bytes(names.flatMap { [lab.path("\($0)/.env"), lab.path("\($0).p12")] }))
        #expect(bytes(found.folders) == bytes(names.map { lab.path("\($0)/.ssh") }))
    }

    /// bubblewrap is given text: what has no name in text cannot be hidden, so no command sees the workspace.
    @Test(arguments: [
        ("'cl\\351.p12'", true), ("'\\351.env'", true), ("'song\\351.mp3'", false), ("'folder\\351/'", true),
        ("'hard\\351.txt'", true),
    ])
    func aNameThatIsNoTextHidesNoKey(name: String, isRefused: Bool) throws {
        try lab.write(".env", "TOKEN=1")
        let make =
            name.hasSuffix("/'") ? "mkdir \"$n\"" : name.hasPrefix("'hard") ? "ln .env \"$n\"" : "echo x > \"$n\""
        try Lab.program(["sh", "-ec", "n=$(printf \(name)); \(make)"], in: lab.workspace)
        do throws(Failure) {
            _ = try PrivateFiles.below(lab.workspace, own: lab.own)
            #expect(!isRefused)
        } catch {
            #expect(isRefused && error.code == "badName", "\(error)")
        }
    }

    /// What an engine that was killed had put aside, of whatever file.
    @Test func whatWasPutAsideIsHidden() throws {
        try lab.write(".assent-123-4.part", "old content")
        #expect(try PrivateFiles.below(lab.workspace, own: lab.own).files == [lab.path(".assent-123-4.part")])
    }

    @Test(
        arguments: [
            (".env~", true), (".env.bak", true), ("id_ed25519.bak", true), ("server.key.old", true), (".env.swp", true),
            ("..env.swp", true), (".netrc.orig~", true), ("ssh_host_rsa_key", true), ("shadow", true),
            ("ssh_host_rsa_key.pub", false),
            (".env.example~", false), ("notes.txt~", false), ("keyboard.old", false), ("shadow.css", false),
            ("~", false), (".bak", false),
            // Of editors.
            ("#id_rsa#", true), (".#id_rsa", true), ("id_rsa.~1~", true), (".id_rsa.un~", true), (".id_rsa.swx", true),
            ("#.env.example#", false),
            // Of file managers.
            (".env copy", true), (".env (1)", true), ("id_rsa (copy)", true), ("Copy of .env", true),
            ("credentials (1).json", true),
            ("x (1).tfvars.json", true), (".netrc (ana's conflicted copy 2026-01-01)", true),
            (".env.example (1)", false),
            ("report (1).pdf", false), ("environment (1)", false), ("copy.txt", false), ("old", false), ("(1)", false),
            // Of people.
            ("id_rsa.1", true), ("id_rsa_old", true), ("id_rsa-old", true), ("old-id_rsa", true), (".env-prod", true),
            (".env_prod", true),
            (".netrc.bak2", true), ("server.key.2026-01-01", true), ("secrets-old.yaml", true), ("shadow-", true),
            ("notes.1", false),
            (".env-example", false), (".env.sample", false), (".env.example.1", false), ("app.config.old", false),
            ("_old", false),
            // More kinds.
            ("id_ed25519_sk", true), ("id_ecdsa_sk", true), ("id_generator", false),
            ("credentials \u{2013} Kopie.json", true),
            ("ID_RSA.work", true), ("x.tfvars.json", true),
            ("x.p8", true), ("terraform.tfstate.1700000.backup", true), (".git-credentials.lock", true),
            (".Renviron", true),
            (".authinfo", true), ("_netrc", true), ("id_github.pub", false), ("id_rsa.pub.bak", false),
            ("id_rsa-cert.pub", false),
            ("id_mapping.csv", false), ("id_generator.swift", false), ("identity.py", false), ("id_ID", false),
            ("id_123", false),
            ("credentials.md", false), ("environment.txt", false), ("yarn.lock", false),
            ("3f786850e387550fdab836ed7e6dc881de23001b", false),
        ] as [(String, Bool)])
    func copiesOfKeysAreKeys(name: String, isPrivate: Bool) {
        #expect((SecretFiles.verdict(named: name) { [] } == .keys) == isPrivate)
    }

    /// As people have it who keep their settings in a repository.
    @Test func aFolderThatALinkMakesOneOfKeysIsHidden() throws {
        try lab.write("ssh/config", "Host x")
        symlink("ssh", lab.path(".ssh"))
        #expect(try PrivateFiles.below(lab.workspace, own: lab.own).folders == [lab.path("ssh")])
        try lab.write("kube/config", "token")
        try lab.write("kube/README.md", "words")
        symlink("kube", lab.path(".kube"))
        let found = try PrivateFiles.below(lab.workspace, own: lab.own)
        #expect(found.folders == [lab.path("ssh")] && found.files == [lab.path("kube/config")])
        #expect(Set(found.keys) == [lab.path("ssh"), lab.path("kube/config")])
    }

    /// Of folders in which programs keep keys beside other things, only those files that hold keys.
    @Test(
        arguments: [
            (".docker/config.json", true), (".docker/config.json.bak", true), (".docker/Dockerfile", false),
            (".docker/nginx.conf", false),
            (".docker/contexts/tls/a/key.bin", true), (".docker/machine/machines/x/settings", true),
            (".docker/app/config.yaml", false),
            (".docker/config.json.example", false), (".docker/server.p12", true), (".docker/.env", true),
            (".aws/credentials", true), (".aws/config", true), (".aws/config.tmpl", false), (".aws/config-prod", true),
            (".aws/sso/cache/1.json", true), (".aws/credentials.example", false), (".aws/rootkey.csv", true),
            (".aws/README.md", false),
            (".kube/config", true), (".kube/prod.yaml", true), (".kube/my-config", true),
            (".kube/cache/discovery/x.json", false),
            (".kube/README.md", false), (".KUBE/config", true), ("docker/config.json", false), ("aws/config", false),
            ("deep/.aws/config", true),
        ])
    func someFilesOfAFolderHoldKeys(path: String, isPrivate: Bool) throws {
        try lab.write(path, "words")
        #expect(SecretFiles.holds(lab.path(path)) == isPrivate)
        #expect(try PrivateFiles.below(lab.workspace, own: lab.own).keys == (isPrivate ? [lab.path(path)] : []))
    }

    /// A failure that quotes what it was given quotes what was read.
    @Test func aFailureAtKeysHasNoWordsOfTheirs() async throws {
        let secret = try lab.asset("{\"s3cr3t\" }", .json, name: "x.json")
        let assignment = try lab.assignment("JSONQuery", ["path": "a"], [("json", secret)])
        guard case .failed(let open) = await lab.run(assignment) else { throw Failure("test", "It did not fail.") }
        #expect(open.code == "badJSON")
        try lab.store.markPrivate([secret])
        guard case .failed(let hidden) = await lab.run(assignment) else { throw Failure("test", "It did not fail.") }
        #expect(hidden.code == "badJSON" && !"\(hidden)".contains("s3cr3t"), "\(hidden)")
    }
}
