import CaseNames
@testable import Files
import Glibc
import Harness
import Testing
import Vocabulary

/// Which files count as files of keys, by the names in the documentation of the programs that write them.
@Suite struct KeyFileNameTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// Put together here, so that no scanner of this repository takes it for somebody's.
    private static let key =
        "-----BEGIN " + "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n"
    private static let certificate =
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----\n"
    private static let password = "password: " + "hunter2horse9\n"

    /// The names that were read unasked once.
    private static let names: [(name: String, text: String)] = [
        ("service-account.json", "{}"), ("gcp-key.json", "{}"), ("application_default_credentials.json", "{}"),
        ("firebase-adminsdk.json", "{}"), ("token.json", "{\"refresh_token\": \"1//0gabcdefghij\"}"),
        ("auth.json", "{\"access_token\": \"abcdefghij0123456789\"}"), (".secrets", "x"), ("secrets/a", "x"),
        ("passwords.txt", "x"), (".vault_pass", "x"), ("vault.yml", "x"), ("wp-config.php", "x"),
        ("config/database.yml", "production:\n  " + password),
        ("application.properties", "spring.datasource.password=hunter2x\n"),
        ("keystore.properties", "x"), (".m2/settings.xml", "x"), (".gradle/gradle.properties", "x"),
        (".yarnrc.yml", "npmAuthToken: \"abcdefgh01234567\"\n"), (".flaskenv", "x"), (".envs/.production/.django", "x"),
        ("a.ovpn", "x"), ("wg0.conf", "x"), ("private.asc", "x"), ("deploy_key", "x"), (".age-key", "x"),
        ("kube.config", "x"), ("admin.conf", "x"), (".terraformrc", "x"), ("rclone.conf", "x"), (".databrickscfg", "x"),
        (".bash_history", "x"),
    ]

    /// From the documentation of the programs that are named by them or stand behind them.
    private static let documented: [(name: String, text: String)] = [
        (".cargo/credentials.toml", "x"), (".gem/credentials", "x"), (".hex/hex.config", "x"), (".bundle/config", "x"),
        ("composer/auth.json", "x"), ("pypoetry/auth.toml", "x"),
        (".condarc", "channels: [https://ana:geheim12@x.example/c]\n"),
        ("pip.conf", "index-url = https://ana:geheim12@pypi.example/simple\n"),
        ("NuGet.Config", "<add key=\"ClearTextPassword\" value=\"hunter2horse\" />\n"), ("signing.properties", "x"),
        ("gcloud/credentials.db", "x"), ("gcloud/access_tokens.db", "x"), ("client_secret_1234.apps.json", "x"),
        (".azure/accessTokens.json", "x"), (".azure/msal_token_cache.json", "x"), (".oci/config", "x"),
        (".aliyun/config.json", "x"), ("doctl/config.yaml", "x"), ("hcloud/cli.toml", "x"), (".fly/config.yml", "x"),
        (".netlify/config.json", "x"), ("com.vercel.cli/auth.json", "x"), ("kaggle.json", "x"),
        (".huggingface/token", "x"), (".codex/auth.json", "x"), ("opencode/auth.json", "x"), ("ngrok.yml", "x"),
        (".circleci/cli.yml", "x"), (".travis/config.yml", "x"), (".sentryclirc", "x"), (".wakatime.cfg", "x"),
        ("configstore/snyk.json", "x"), (".passwd-s3fs", "x"), (".smbcredentials", "x"), (".mylogin.cnf", "x"),
        (".pg_service.conf", "x"), ("cqlshrc", "x"), (".msmtprc", "x"), (".fetchmailrc", "x"), (".mbsyncrc", "x"),
        ("sasl_passwd", "x"), ("chap-secrets", "x"), ("wpa_supplicant.conf", "x"), ("Home.nmconnection", "x"),
        ("ipsec.secrets", "x"), ("rndc.key", "x"), ("krb5.keytab", "x"), (".erlang.cookie", "x"),
        ("credentials.tfrc.json", "x"), (".pulumi/credentials.json", "x"), (".vault-token", "x"),
        ("sops/age/keys.txt", "x"),
        ("kubeconfig-prod.yaml", "x"), ("k3s.yaml", "x"), ("containers/auth.json", "x"), ("Bank.kdbx", "x"),
        ("login.keyring", "x"), ("logins.json", "x"), ("bitwarden_export_2026.json", "x"), ("wallet.dat", "x"),
        (".subversion/auth/svn.simple/ab12", "x"), ("sitemanager.xml", "x"), (".vnc/passwd", "x"),
        ("appsettings.Production.json", "{\"ConnectionStrings\": {\"Password\": \"hunter2horse9\"}}"),
        ("privkey1.pem", "x"), ("server.pem", certificate + key), ("token.txt", "token: " + "abcdef0123456789abcd\n"),
    ]

    /// Names that are like those, of files without keys.
    private static let twins: [(name: String, text: String)] = [
        ("cacert.pem", certificate), ("fullchain.pem", certificate),
        ("dhparam.pem", "-----BEGIN DH PARAMETERS-----\nAB\n"),
        ("id_rsa.pub", "ssh-rsa AAAA"), ("token.json", "{\"type\": \"keyword\", \"value\": \"if\"}"),
        ("tokens.json", "{\"color\": {\"primary\": \"#fff\"}}"), ("gradle.properties", "org.gradle.jvmargs=-Xmx2g\n"),
        ("messages.properties", "title=Hello\nlabel.password=Password\n"),
        ("database.yml", "development:\n  adapter: sqlite3\n"),
        ("auth.json", "{\"routes\": [\"login\", \"logout\"]}"), (".yarnrc.yml", "nodeLinker: node-modules\n"),
        ("settings.xml", "<settings><tab>4</tab></settings>"), ("secrets.py", "import os\n"),
        ("secrets/store.go", "package secrets\n"),
        ("secrets/README.md", "Secrets\n"), ("private_key_test.go", "package x\n"), ("credentials_test.py", "x = 1\n"),
        ("vault_pass.md", "x"), ("wp-config-sample.php", "<?php\n"), (".env.example", "KEY=\n"),
        (".env.template", "KEY=\n"), ("service-account.md", "x"), ("service_account.py", "x"),
        ("kubeconfig_test.go", "x"),
        ("keys.json", "{\"up\": \"w\"}"), ("keys.txt", "up w\n"), ("history.txt", "x"), ("history.md", "x"),
        ("passwords.py", "x"), ("rclone.md", "x"), ("wallet.py", "x"), ("mnemonic.go", "x"),
        ("pip.conf", "[global]\ntimeout = 60\n"),
        ("web.config", "<configuration></configuration>"), ("appsettings.json", "{\"Logging\": {}}"),
        ("my.cnf", "[mysqld]\nport=3306\n"), ("smb.conf", "[global]\n"),
        ("release.asc", "-----BEGIN PGP SIGNATURE-----\n"),
        ("google-services.json", "{\"project\": \"x\"}"), (".gitconfig", "[user]\n name = Ana\n"), ("wgrib.md", "x"),
        ("monkey.txt", "x"), ("package.json", "{\"name\": \"x\"}"), ("config.yaml", "a: 1\n"),
    ]

    private func verdicts(_ rows: [(name: String, text: String)], in folder: String) throws -> [String] {
        try rows.filter { name, text in
            let path = "\(scratch.path)/\(folder)/\(name)"
            try ScratchFolder.makeFolder(String(path[..<path.lastIndex(of: "/")!]))
            try ScratchFolder.write(text, to: path)
            return SecretFiles.holds(path)
        }.map(\.name)
    }

    @Test func namesThatWereReadUnaskedArePrivate() throws {
        let found = Set(try verdicts(Self.names, in: "a"))
        #expect(Self.names.map(\.name).filter { !found.contains($0) } == [])
    }

    @Test func namesOfDocumentedFilesArePrivate() throws {
        #expect(Self.documented.count >= 60)
        let found = Set(try verdicts(Self.documented, in: "b"))
        #expect(Self.documented.map(\.name).filter { !found.contains($0) } == [])
    }

    @Test func theirHarmlessTwinsAreNot() throws {
        #expect(Self.twins.count >= 40)
        #expect(try verdicts(Self.twins, in: "c") == [])
    }

    /// A walk finds the same files, and what is in a link's or a folder's name is no content.
    @Test func aWalkHidesTheSame() throws {
        _ = try verdicts(Self.documented + Self.twins, in: "d")
        let own = OwnFolders(config: "/nowhere/c", data: "\(scratch.path)/data", cache: "/nowhere/k")
        let hidden = try PrivateFiles.below("\(scratch.path)/d", own: own)
        let expected = Self.documented.map { "\(scratch.path)/d/\($0.name)" }.filter { path in
            SecretFiles.holds(path)
        }
        #expect(expected.filter { !hidden.holds($0) } == [])
        let harmless = Self.twins.map { "\(scratch.path)/d/\($0.name)" }.filter { !SecretFiles.holds($0) }
        #expect(harmless.filter(hidden.holds) == [])
    }

    /// The verdict follows the content, also behind 64 KB, and is asked for again when the file changes.
    @Test func aCommonNameIsJudgedByItsContent() throws {
        let path = "\(scratch.path)/chain.pem"
        try ScratchFolder.write(Self.certificate, to: path)
        #expect(!SecretFiles.holds(path))
        try ScratchFolder.write(Self.certificate + Self.key, to: path)
        #expect(SecretFiles.holds(path))
        let many = String(repeating: Self.certificate, count: 3000)
        try ScratchFolder.write(many, to: path)
        #expect(!SecretFiles.holds(path))
        try ScratchFolder.write(many + Self.key, to: path)
        #expect(SecretFiles.holds(path))
        #expect(!SecretFiles.holds("\(scratch.path)/none/chain.pem"))
    }

    /// So many files with common names are not all read.
    @Test func tooManyCommonNamesArePrivate() throws {
        let folder = "\(scratch.path)/many"
        try ScratchFolder.makeFolder(folder)
        for number in 0..<2010 { try ScratchFolder.write("a=\(number)\n", to: "\(folder)/\(number).properties") }
        let own = OwnFolders(config: "/nowhere/c", data: "\(scratch.path)/data", cache: "/nowhere/k")
        // All beyond the limit would be hidden, and those are too many for a command only above the limit of mounts.
        let hidden = try PrivateFiles.below(folder, own: own)
        #expect(hidden.keys.count == 10)
        // They are remembered, so that another walk gets further.
        #expect(try PrivateFiles.below(folder, own: own).keys.isEmpty)
    }
}
