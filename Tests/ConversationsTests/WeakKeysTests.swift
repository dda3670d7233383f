import CaseNames
import JSON
import Testing
import Vocabulary

/// Parts of texts that may be keys by what stands around them: only a model does not hear them.
@Suite struct WeakKeysTests {
    private static let value = "zqxjkvbwpmfhgyd7731"

    @Test(
        arguments: [
            ("API_KEY=abcdefgh12", "API_KEY=⟨cut: the value of a key, 10 characters⟩"),
            ("SECRET=hunter2hunter2\nNAME=ana", "SECRET=⟨cut: the value of a key, 14 characters⟩\nNAME=ana"),
            ("export DB_PASSWORD='two words'; ls", "export DB_PASSWORD='⟨cut: the value of a key, 9 characters⟩'; ls"),
            ("GITHUB_TOKEN=\"abcdefgh\"", "GITHUB_TOKEN=\"⟨cut: the value of a key, 8 characters⟩\""),
            (
                "host=db password=correcthorse port=1",
                "host=db password=⟨cut: the value of a key, 12 characters⟩ port=1"
            ),
            (
                "https://ana:tok3n@example.org/x.git",
                "https://ana:⟨cut: a password in an address, 5 characters⟩@example.org/x.git"
            ),
            (
                "origin\tssh://u:p@ss@h:22 (fetch)",
                "origin\tssh://u:⟨cut: a password in an address, 4 characters⟩@h:22 (fetch)"
            ),
            (
                "a=1&b postgres://u:pw@h/db?x=1",
                "a=1&b postgres://u:⟨cut: a password in an address, 2 characters⟩@h/db?x=1"
            ),
            ("https://:only@h", "https://:⟨cut: a password in an address, 4 characters⟩@h"),
            (
                "{\"password\":\"a\\\"b c d1\",\"b\":1}",
                "{\"password\":\"⟨cut: the value of a key, 9 characters⟩\",\"b\":1}"
            ),
            ("u:x?token=abcdefgh1&page=2", "u:x?token=⟨cut: the value of a key, 9 characters⟩&page=2"),
        ])
    func isCut(text: String, expected: String) { #expect(WeakKeys.cut(text) == expected) }

    /// `%s` stands for the value. Nothing of it is left, and cutting again changes nothing.
    private static let forms = [
        // Addresses.
        "https://ana:%s@example.org/x", "HTTPS://U:%s@H", "//u:%s@h/x", "see (//u:%s@h)", "https:\\/\\/u:%s@h",
        "https:\\\\/\\\\/u:%s@h",
        "https://u%3A%s@h", "https://u%3a%s%40h", "https%3A%2F%2Fu%3A%s%40h",
        "https%253A%252F%252Fu%253A%s%2540h%252Fx",
        "?next=https%3A%2F%2Fu%3A%s%40h%2Fx&a=1", "https://u:%s%40x@h", "https://u:a@%s@h", "https://u:%s@[::1]:80/",
        "redis://:%s@h:6379",
        "mongodb+srv://u:%s@c.net", "smb://dom;u:%s@h", "https://u:%s\\u0040h", "\"https:\\u002f\\u002fu:%s@h\"",
        "https://%s0123@h",
        "url = https://oauth2:%s@gitlab.com/a.git",
        // Queries.
        "https://h/?token=%s", "https://h/?a=1&access_token=%s&b=2", "https://h/?a=1&amp;api_key=%s",
        "https://h/#access_token=%s",
        "https://h/?key=%s", "?a=1\\u0026token=%s", "x%3Ftoken%3D%s%26y%3D1", "h/?X-Amz-Signature=%s",
        "h/?private_token=%s",
        // Variables.
        "PASSWORD=%s", "DB_PASS=%s", "PASS=%s", "PGPASSWORD=%s", "SECRET_KEY=%s", "export FOO_TOKEN='%s'",
        "API_KEY = %s",
        "A=b\\nTOKEN=%s\\n",
        "MYSQL_ROOT_PASSWORD: %s", "- API_KEY: %s\n", "set TOKEN=%s", "$env:API_KEY = \"%s\"", "API_KEY := \"%s\"",
        // Files of settings and code.
        "password=%s", "client_secret=%s", "client-secret = %s", "clientSecret=%s", "db_pass=%s", "dbPass=%s",
        "Pwd=%s;", "AccountKey=%s;",
        "passwd=%s", "_authToken=%s", "aws_secret_access_key = %s", "secret = \"%s\"", "password: %s",
        "  password: '%s'", "apiKey: %s",
        "api_key='%s'", "password = b'%s'", "config['password'] = '%s'", ":password => \"%s\"",
        "\"password\": \"%s\"", "'password': '%s'", "{\\\"password\\\": \\\"%s\\\"}", "\"clientSecret\":\"%s\"",
        "\"token\": \"%s\"",
        "\"private_key\" : \"%s\"", "<password>%s</password>", "<apiKey>%s</apiKey>",
        // Headers and options.
        "X-Api-Key: %s", "x-api-key:%s", "curl -H 'X-Auth-Token: %s' h", "PRIVATE-TOKEN: %s", "Authorization: Basic %s",
        "authorization: Token %s", "\"Authorization\": \"Basic %s\"", "Proxy-Authorization: Basic %s", "--password %s",
        "--password=%s",
        "--api-key %s", "--token %s", "--token=%s",
    ]

    @Test func everyFormIsCutWherever() {
        let around = [
            ("", ""), ("a text\n", "\nand more"), ("« ", " »"), (String(repeating: "x", count: 5_000) + "\n", ""),
        ]
        expectNoFaults(in: Self.forms) { form in
            around.flatMap { before, after -> [String] in
                let cut = WeakKeys.cut(before + form.replacing("%s", with: Self.value) + after)
                var faults: [String] = []
                if cut.contains(Self.value) || !cut.contains("⟨cut: ") {
                    faults.append("\(form) is heard: \(cut.suffix(200))")
                }
                if !cut.hasPrefix(before) || !cut.hasSuffix(after) {
                    faults.append("\(form): more is cut: \(cut.suffix(200))")
                }
                if WeakKeys.cut(cut) != cut { faults.append("\(form) is cut twice: \(WeakKeys.cut(cut).suffix(200))") }
                return faults
            }
        }
    }

    /// A value that is longer than any key is cut whole.
    @Test func nothingIsLeftOfALongValue() {
        let long = String(repeating: "zq7", count: 3_000)
        for form in ["PASSWORD=%s", "\"password\": \"%s\"", "https://h/?token=%s", "password: %s"] {
            let cut = WeakKeys.cut("a \(form.replacing("%s", with: long)) b")
            #expect(!cut.contains("zq7zq7") && cut.hasSuffix(" b"), "\(form): \(cut.suffix(100))")
        }
    }

    /// Short values, names of other things, code, and what another program fills in.
    private static let unchanged = [
        "KEY=", "KEY=short", "TOKEN=1234567", "sorted(x, key=operator.itemgetter(1))", "key=abcdefgh12",
        "for token=next() do",
        "PASSWORD=$PASSWORD_OF_ENV", "API_KEY=${API_KEY_OF_CI}", "TOKEN=<your token here>",
        "password=getpass.getpass()", "a == b",
        "MONKEY_BUSINESS=long enough", "https://example.org:8080/x@y", "https://ana@example.org",
        "git@github.com:a/b.git",
        "https://ana:${TOKEN}@example.org", "me: you@example.org", "12:30 ana@x", "http://h/a:b@c", "KEYS=abcdefghij",
        "",
        // Code.
        "password = input()", "token = next()", "password = input('Your password 1: ')",
        "let token = lexer.nextToken()",
        "token = tokens[index0123]", "api_key = os.environ[\"API_KEY\"]", "api_key=os.getenv('API_KEY_1')",
        "api_key: process.env.API_KEY_2",
        "password=self.password", "password = self._password", "password: userPassword", "password=user_password",
        "client_secret=args.client_secret",
        "connect(user=user, password=password)", "const password = req.body.password;", "password: string;",
        "password: Optional[str] = None",
        "password: SecretString", "if password == other.password1 {", "self.password = password",
        "secret = secrets.token_hex(16)",
        "API_KEY=get_key()", "max_tokens=1234567890", "num_tokens: 1234567890", "next_page_token=abcdefgh1234567890",
        "private_key=load_key('a')",
        "password => $password1234", "for (token = first; token; token = token.next) {", "f(key=lambda x: x[1234567])",
        "compass=northnorth1",
        "hasher = sha256(password)", "print(f\"token={token}\")", "PASSWORD=\"$(cat file1234)\"", "x.token=abcdefgh1",
        // JSON and YAML that hold none.
        "\"password\": {\"type\": \"string\", \"minLength\": 8}", "\"password\": null", "\"password\": \"\"",
        "\"password\": \"Enter your password\"",
        "\"password\": \"Password\"", "\"password\": \"********\"", "\"api_key\": \"OPENAI_API_KEY\"",
        "key: OPENAI_API_KEY",
        "\"tokens\": \"12345678\"",
        "\"token\": \"identifier\"", "\"key\": \"a1b2c3d4e5f6a7b8c9\"", "\"nextPageToken\": \"a1b2c3d4e5f6a7b8c9\"",
        "password: ${{ secrets.PASSWORD }}",
        "password: \"{{ vault_password }}\"", "password: <your password 1>", "secretName: my-secret-1",
        "<input type=\"password\">Password 123",
        "type: password", "required: [password, token]",
        // Words.
        "The password: it must have 8 letters.", "Password: required", "Enter the password and press Return.",
        "the key is: abcdefgh",
        "passwords=12345678",
        "I lost my token: what now?", "a secret = something", "--password  the password of user1234",
        "--password PASSWORD",
        "--key file1234.pem",
        "Authorization: required for all calls", "bypass=everything1",
        // Addresses without a password, and what only looks like one.
        "http://localhost:8080", "http://127.0.0.1:8080/a?b=c@d", "https://h:443/?mail=ana%40example.org",
        "ssh://git@github.com:22/a/b.git",
        "https://medium.com/@ana:b", "//comment: ana@example.org", "// see ana:b@c", "https://h/?q=a%3Ab%40c",
        "ana@example.org, bob@example.org",
        "mailto:ana@example.org", "a://b c:d@e", "https://h?next=https%3A%2F%2Fh%3A80&mail=a%40b", "file:///home/ana/x",
        "https://h/?page=2&sort=name1234",
        "https://h/?key=short1", "https://h/?key=section-title", "s3://bucket/key=2024-01-01/part-0000.csv",
        "ssh://deploy-user-production-01@host",
        "PWD=/home/ana/projects", "OLDPWD=/home/ana/projects1", "npm install @types/node@20:1", "C:\\\\a:b@c",
    ]

    @Test func whatIsNoKeyStaysAsItIs() {
        expectNoFaults(in: Self.unchanged) { text in
            let cut = WeakKeys.cut("before \(text)\n")
            return cut == "before \(text)\n" ? [] : ["\(text): \(cut)"]
        }
    }

    /// What has no sign between its name and its value, and what is known by a mark within it. `%s` is the secret.
    @Test func passwordsAndKeysAreKnownByTheWordsAroundThem() {
        let azure = "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0a1B2c3D4" + "JQQJ99" + "AAAAACAAAAAAAAAAAAAASAZDO1aB"
        let rows: [(text: String, secret: String)] = [
            ("machine api.example.org login ana password %s", "horse7"),
            ("machine a\n  login b\n  password %s\n", "x1"), ("default login ana password %s", "horse"),
            ("curl -u ana:%s https://x.example", "horse7"), ("curl --user 'ana:%s' https://x.example", "horse7"),
            ("curl -uana:%s https://x.example", "horse7"), ("/usr/bin/curl -s -u ana:%s -O x", "horse7"),
            ("DB_PASSWORD=%s", "horse"), ("PASSWORD=%s", "abcd"), ("{\"password\": \"%s\"}", "horse7"),
            ("\"private_key\": \"%s\"", "MIIEvQIBADANBgkqhkiG9w0"), ("private_key = \"%s\"", "MIIEvQIBADANBgkqhkiG9w0"),
            ("client-key-data: %s", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo1"),
            ("<add key=\"ClearTextPassword\" value=\"%s\" />", "hunter2horse"),
            ("mistral: %s", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG"),
            ("# Mistral key\n# mistral %s", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG"),
            ("use %s there", azure), ("use %s there", "abc8Q~" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7"),
        ]
        expectNoFaults(in: rows) { row in
            let text = row.text.replacing("%s", with: row.secret)
            let cut = WeakKeys.cut(text)
            return cut.contains("⟨cut:") && !cut.contains(row.secret) && WeakKeys.cut(cut) == cut
                ? [] : ["\(text): \(cut)"]
        }
        let harmless = [
            "docker run -u 1000:1000 x", "curl -u ana https://x.example", "the login and password are there",
            "machine login and password", "the user changes a password now", "password=none", "PASSWORD=true",
            "\"password\": \"string\"", "chown -u ana:staff x", "mistral aB3dE6gH9jK2", "istral", "Q~ and 1Q~",
            "mistral 3f786850e387550fdab836ed7e6dc881", "<option name=\"color\" value=\"hunter2horse\" />",
        ]
        expectNoFaults(in: harmless) { text in WeakKeys.cut(text) == text ? [] : ["\(text): \(WeakKeys.cut(text))"] }
    }

    @Test func everyTextOfAResultIsCut() {
        let json: JSON = ["content": "TOKEN=abcdefgh1", "outputs": [["a": "x://u:p@h"]], "n": 1]
        #expect(!WeakKeys.cut(json).text.contains("abcdefgh1") && !WeakKeys.cut(json).text.contains(":p@"))
        #expect(KeyFilter.isMarked(WeakKeys.cut(json)))
    }

    /// The name stands in the member, and the value by itself.
    @Test func theValueOfAMemberWithTheNameOfAKeyIsCut() {
        let json: JSON = [
            "password": "correcthorse", "user": ["clientSecret": "a1b2c3d4e5"], "Authorization": "Basic dXNlcjpwYXNz",
            "DB_PASS": "correcthorse",
            "key": "a1b2c3d4e5f6", "type": "password", "secret": ["a", "b"], "api_key": "OPENAI_API_KEY",
            "token": "next",
        ]
        let expected: JSON = [
            "password": "⟨cut: the value of a key, 12 characters⟩",
            "user": ["clientSecret": "⟨cut: the value of a key, 10 characters⟩"],
            "Authorization": "⟨cut: the value of a key, 18 characters⟩",
            "DB_PASS": "⟨cut: the value of a key, 12 characters⟩",
            "key": "a1b2c3d4e5f6", "type": "password", "secret": ["a", "b"], "api_key": "OPENAI_API_KEY",
            "token": "next",
        ]
        #expect(WeakKeys.cut(json) == expected && WeakKeys.cut(expected) == expected)
    }

    @Test func aRequestIsHeardWithoutThemWhoeverWroteIt() {
        let line = "use https://ana:\(Self.value)@h and PASSWORD=\(Self.value)"
        let call = ChatCall(id: "c", name: "f", arguments: ["command": .string(line), "password": .string(Self.value)])
        let request = ChatRequest(
            messages: [
                ChatMessage(.system, line),
                ChatMessage(.user, line, aside: ChatMessage.Aside(words: line, whole: line)),
                ChatMessage(.assistant, line, calls: [call], reasoning: line), ChatMessage(.tool, line, callID: "c"),
            ], tools: [])
        let heard = request.withoutWeakKeys()
        #expect(!"\(heard)".contains(Self.value) && heard.messages.count == 4 && heard.withoutWeakKeys() == heard)
        let plain = ChatRequest(messages: [ChatMessage(.user, "password = input()")], tools: [])
        #expect(plain.withoutWeakKeys() == plain)
    }

    /// Whatever a text says, a byte is looked at a bounded number of times.
    @Test(arguments: [
        "password=", "//a:", "%2F", "\\/", "\\", "password=x[", "X-Key:a", "--password ", "password: a.", "%25",
        "\"password\": \"", "=",
        ":", "<a>",
    ])
    func aHostileTextEnds(piece: String) {
        let cut = WeakKeys.cut(String(repeating: piece, count: 20_000))
        #expect(!cut.isEmpty)
    }

    /// A key of one letter made messages unreadable: local servers take any key.
    @Test(
        arguments: [
            ("k", "Incorrect API key provided: sk-x. 8192 tokens"), ("none", "none of these"),
            ("1234567", "id 1234567"), (nil, "a key"),
            ("", "a key"),
        ] as [(String?, String)])
    func aShortKeyIsNotCutFromMessages(key: String?, text: String) { #expect(text.without(key: key) == text) }

    @Test func aLongKeyIsCutFromMessages() {
        #expect("bad: sk-abcdef12, sk-abcdef12".without(key: "sk-abcdef12") == "bad: (the key), (the key)")
    }
}
