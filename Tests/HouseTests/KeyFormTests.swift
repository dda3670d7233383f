import CaseNames
import Embedded
import JSON
import Manifests
import Testing
import Vocabulary

/// What is cut out of texts, by the forms that ship (`consent.md` guarantee 14).
@Suite struct KeyFormTests {
    private let filter: KeyFilter

    init() throws {
        let (forms, problems) = readKeyForms(
            PlacedJSON(try #require(Embedded.text(at: "Config/keys.yaml"))), file: "keys.yaml")
        #expect(problems.isEmpty && forms.count >= 12)
        filter = KeyFilter(forms: forms, values: [("MY_KEY", "correct horse battery"), ("SHORT", "pw")])
    }

    /// Put together here, so that no scanner of this repository takes them for somebody's.
    private static let letters = "a1B2c3D4e5F6g7H8i9J0"
    private static let hex = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
    static let keys: [(String, String)] = [
        ("an OpenAI-like key", "sk-" + letters), ("an OpenAI-like key", "sk-proj-" + letters + letters),
        ("a Stripe key", "sk_" + "live_" + letters), ("a GitHub token", "ghp_" + letters + letters),
        ("a GitHub token", "github_" + "pat_" + letters + "_" + letters), ("a GitLab token", "glpat-" + letters),
        ("an AWS key", "AKIA" + "ABCDEFGHIJKLMNOP"), ("a Slack token", "xoxb-" + "123456-" + letters),
        ("a Google key", "AIza" + letters + letters), ("a Hugging Face token", "hf_" + letters + letters),
        ("a signed token", "eyJ" + letters + "." + letters + "." + letters + letters),
        ("a Groq key", "gsk_" + letters + letters), ("an xAI key", "xai-" + letters + letters + letters),
        ("a Perplexity key", "pplx-" + letters + letters),
        ("an NVIDIA key", "nvapi-" + letters + "-_" + letters + letters),
        ("a Cerebras key", "csk-" + letters + letters), ("a Fireworks key", "fw_" + letters + "Ab3c"),
        ("a Together key", "tgp_" + "v1_" + letters + letters),
        ("a SendGrid key", "SG." + letters + "x." + letters + letters),
        ("a DigitalOcean token", "dop_" + "v1_" + hex + hex), ("a Databricks token", "dapi" + hex),
        ("a Google OAuth secret", "GOCSPX-" + letters),
        ("a Docker token", "dckr_" + "pat_" + letters), ("a Shopify token", "shpat_" + hex),
        ("a Grafana token", "glsa_" + letters + letters),
        ("a Vault token", "hvs." + letters + letters + letters), ("a Linear key", "lin_" + "api_" + letters + letters),
        ("the key MY_KEY", "correct horse battery"),
        (
            "a private key",
            "-----BEGIN RSA " + "PRIVATE KEY-----\n" + letters + "\n" + letters + "=\n-----END RSA PRIVATE KEY-----"
        ),
        ("a private key", "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + letters + letters),
    ]

    @Test(arguments: keys) func isCutVisiblyAndTold(name: String, key: String) {
        #expect(filter.cut(key) == "⟨cut: \(name), \(key.utf8.count) characters⟩")
        for (before, after) in [("use ", " now"), ("key=", ","), ("\"", "\""), ("(", ")")] {
            // A block without an end goes on to the end of the text.
            if name == "a private key", !key.hasSuffix("-----") { continue }
            #expect(filter.cut(before + key + after) == "\(before)⟨cut: \(name), \(key.utf8.count) characters⟩\(after)")
        }
        let cut = filter.cut("a \(key) b")
        #expect(filter.cut(cut) == cut, "what was cut stays as it is")
        #expect(KeyFilter.isMarked(["x": [.string(cut)]]) && !KeyFilter.isMarked(["x": [.string(key)]]))
    }

    /// What stands between the lines of a key and is none of it is seen; also where newlines are spelled.
    @Test func aBlockOfAKeyHidesNothingElse() {
        let (begin, end) = ("-----BEGIN " + "PRIVATE KEY-----", "-----END PRIVATE KEY-----")
        for words in ["touch PWNED; rm -r ~", "all:", "\treboot", "curl evil | sh"] {
            #expect(filter.cut("\(begin)\n\(words)\n\(end)").contains(words))
            let cut = filter.cut("\(begin)\n\(Self.letters)\n\(words)\n\(Self.letters)\n\(end)")
            #expect(cut.contains(words) && !cut.contains("\(begin)\n\(Self.letters)"))
        }
        #expect(
            filter.cut("{\"key\": \"\(begin)\\n\(Self.letters)\\n\(end)\\n\"}")
                == "{\"key\": \"⟨cut: a private key, 76 characters⟩\\n\"}")
        #expect(filter.cut("\(begin) echo \(end)").contains("echo"))
        for words in ["reboot", "all:", "rm -r x"] {
            let cut = filter.cut("\(begin)\n\(Self.letters)\n\(words)\n: \(end)")
            #expect(cut.contains(words) && !cut.contains(Self.letters), "\(cut)")
        }
    }

    /// As people and programs show it: of the lines that say more, the words of the key go.
    @Test(
        arguments: [
            ("a PGP key", "%B\nVersion: GnuPG v2\nComment: of Ana\n\n%1\n%2\n=aBcD\n%E"),
            ("taken away", "-%B\n-%1\n-%2\n-%E"),
            ("come", "+%B\n+%1\n+%2\n+%E"), ("quoted", "> %B\n> %1\n> %2\n> %E"),
            ("numbered", "   1\t%B\n   2\t%1\n   3\t%2\n   4\t%E"),
            ("of a search", "a.pem:1:%B\na.pem:2:%1\na.pem:3:%2\na.pem:4:%E"),
            ("a text of Python", "\"%B\\n\"\n\"%1\\n\"\n\"%2\\n\"\n\"%E\\n\""),
            ("in one line", "KEY=\"%B %1 %2 %E\""), ("of YAML", "key: |\n    %B\n    %1\n    %2\n    %E"),
            ("without an end", "* %B\n* %1\n* %2"),
            ("in a frame", "│ %B │\n│ %1 │\n│ %2 │\n│ %E │"),
        ].map { Named($0.0, $0.1) })
    func aKeyInAnyDressIsCut(form: Named<String>) {
        let (one, two) = (String(repeating: Self.letters, count: 3), "zZ9y" + Self.letters)
        let text = form.value.replacing("%B", with: "-----BEGIN RSA " + "PRIVATE KEY-----").replacing("%1", with: one)
            .replacing("%2", with: two).replacing("%E", with: "-----END RSA " + "PRIVATE KEY-----")
        let cut = filter.cut("before\n\(text)\nafter")
        #expect(!cut.contains(Self.letters) && cut.contains("⟨cut: a private key"), "\(cut)")
        #expect(cut.hasPrefix("before\n") && cut.hasSuffix("\nafter"), "\(cut)")
    }

    /// A key begins where a word does; a sign of another language is none of its word.
    @Test(arguments: ["“", "„", "：", "　", "«", "「", "—", "é", "密钥"]) func aKeyBehindASignThatIsNotASCIIIsCut(
        sign: String
    ) {
        let key = "ghp_" + Self.letters
        #expect(filter.cut("\(sign)\(key)”") == "\(sign)⟨cut: a GitHub token, 24 characters⟩”")
        var stream = KeyStream(filter)
        #expect(stream.feed(sign) + stream.feed(key + " ") == "\(sign)⟨cut: a GitHub token, 24 characters⟩ ")
    }

    /// A server tells back the header that it got, a program shows the one that it made: base64 of the key with up to
    /// three bytes before it, in both alphabets, and hexadecimal.
    @Test(
        arguments: [
            ("a35+Pz4+fj9zZWNyZXQtNDIm", "⟨cut: the key MY_KEY, 22 characters⟩Im"),
            ("a35-Pz4-fj9zZWNyZXQtNDIm", "⟨cut: the key MY_KEY, 22 characters⟩Im"),
            ("dTprfn4/Pj5+P3NlY3JldC00MiY=", "dTp⟨cut: the key MY_KEY, 22 characters⟩iY="),
            ("dTprfn4_Pj5-P3NlY3JldC00MiY=", "dTp⟨cut: the key MY_KEY, 22 characters⟩iY="),
            ("bWU6a35+Pz4+fj9zZWNyZXQtNDIm", "bWU6⟨cut: the key MY_KEY, 22 characters⟩Im"),
            ("bWU6a35-Pz4-fj9zZWNyZXQtNDIm", "bWU6⟨cut: the key MY_KEY, 22 characters⟩Im"),
            ("YW5hOmt+fj8+Pn4/c2VjcmV0LTQyJg==", "YW5hOm⟨cut: the key MY_KEY, 22 characters⟩Jg=="),
            ("YW5hOmt-fj8-Pn4_c2VjcmV0LTQyJg==", "YW5hOm⟨cut: the key MY_KEY, 22 characters⟩Jg=="),
            ("006b7e7e3f3e3e7e3f7365637265742d34320a", "00⟨cut: the key MY_KEY, 34 characters⟩0a"),
            ("006B7E7E3F3E3E7E3F7365637265742D34320a", "00⟨cut: the key MY_KEY, 34 characters⟩0a"),
        ])
    func aKeyOfThePersonIsCutWhereItIsEncoded(text: String, shown: String) {
        let filter = KeyFilter(values: [("MY_KEY", "k~~?>>~?secret-42")])
        #expect(filter.cut("it was " + text) == "it was " + shown)
    }

    @Test func ofAHeaderOnlyTheTokenGoes() {
        let token = Self.letters + Self.letters
        for word in ["Bearer", "bearer", "BEARER"] {
            #expect(
                filter.cut("Authorization: \(word) \(token)")
                    == "Authorization: \(word) ⟨cut: a bearer token, 40 characters⟩")
        }
    }

    @Test(arguments: [
        "", "the task-force of sk-learn", "bearer of bad news and more", "risk-assessment-2024-final-version", "skip",
        "sk-", "eyJ", "AKIA",
        "AKIAABC", "pw", "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----", "ghp_short", "correct horse",
        "ma\u{308}dchen sk-é",
        "xoxb", "gsk_render_node_get_node_type_name", "xai-grok-4-fast-reasoning", "pplx-70b-online",
        "fw_update_the_device_of_2024",
        "fw_version1",
        "csk-one", "nvapi-key", "SG.UI", "dapi1", "hvs.x", "glc_x", "hf_hub_download", "npm_config_registry",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ])
    func whatIsNoKeyStays(text: String) { #expect(filter.cut(text) == text) }

    /// In pieces of every size it comes out as in one, and no piece shows more than is known.
    @Test(arguments: [1, 2, 3, 5, 7, 16, 64]) func aStreamIsCutAsTheWholeIs(size: Int) {
        let text = Self.keys.map { "say \($0.1) ü\n" }.joined() + "and sk-" + "learn, Bearer x"
        var stream = KeyStream(filter)
        var shown = ""
        let scalars = Array(text.unicodeScalars)
        for start in stride(from: 0, to: scalars.count, by: size) {
            shown += stream.feed(String(String.UnicodeScalarView(scalars[start..<min(start + size, scalars.count)])))
        }
        shown += stream.end()
        #expect(shown == filter.cut(text))
    }

    @Test func aStreamHoldsNoPlainWordBack() {
        var stream = KeyStream(filter)
        #expect(stream.feed("Hello, this is plain. ") == "Hello, this is plain. ")
        #expect(stream.feed("ask me") == "ask me")
        #expect(stream.feed(" gh") == " ")
        #expect(stream.feed("astly") == "ghastly")
    }

    @Test func namesAndValuesOfJSONAreCut() {
        let key = "ghp_" + Self.letters
        var object = JSON.Object()
        object["a"] = [["b": .string("x \(key)")], 1, true]
        object[key] = .null
        let json = JSON.object(object)
        #expect(!filter.cut(json).text.contains(key))
    }

    /// Whatever the text says, a byte is looked at a bounded number of times.
    @Test(
        arguments: [
            String(repeating: "sk-", count: 20_000), String(repeating: "-----BEGIN ", count: 6_000),
            String(repeating: "-----BEGIN " + "PRIVATE KEY-----\n- ", count: 2_000),
            String(repeating: "bearer ", count: 9_000),
            String(repeating: "eyJ-", count: 15_000), "sk-" + String(repeating: "x", count: 60_000),
        ].map { Repeated(text: $0) })
    func aHostileTextEnds(text: Repeated) { #expect(filter.cut(text.text) == text.text) }

    struct Repeated: CustomTestStringConvertible {
        let text: String
        var testDescription: String { "\(text.prefix(12))… of \(text.utf8.count) bytes" }
    }
}
