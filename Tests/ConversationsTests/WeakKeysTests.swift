import CaseNames
import JSON
import Testing
import Vocabulary

/// What may be a key by what stands around it: only a model does not hear it.
@Suite struct WeakKeysTests {
    @Test(
        arguments: [
            ("API_KEY=abcdefgh12", "API_KEY=⟨cut: the value of a key, 10 characters⟩"),
            ("SECRET=hunter2hunter2\nNAME=ana", "SECRET=⟨cut: the value of a key, 14 characters⟩\nNAME=ana"),
            ("export DB_PASSWORD='two words'; ls", "export DB_PASSWORD='⟨cut: the value of a key, 9 characters⟩'; ls"),
            ("GITHUB_TOKEN=\"abcdefgh\"", "GITHUB_TOKEN=\"⟨cut: the value of a key, 8 characters⟩\""),
            ("host=db password=correcthorse port=1", "host=db password=⟨cut: the value of a key, 12 characters⟩ port=1"),
            ("https://ana:tok3n@example.org/x.git", "https://ana:⟨cut: a password in an address, 5 characters⟩@example.org/x.git"),
            ("origin\tssh://u:p@ss@h:22 (fetch)", "origin\tssh://u:⟨cut: a password in an address, 4 characters⟩@h:22 (fetch)"),
            ("a=1&b postgres://u:pw@h/db?x=1", "a=1&b postgres://u:⟨cut: a password in an address, 2 characters⟩@h/db?x=1"),
            ("https://:only@h", "https://:⟨cut: a password in an address, 4 characters⟩@h"),
        ])
    func isCut(text: String, expected: String) { #expect(WeakKeys.cut(text) == expected) }

    /// Short ones, names of other things, and what a program fills in.
    @Test(
        arguments: [
            "KEY=", "KEY=short", "TOKEN=1234567", "sorted(x, key=operator.itemgetter(1))", "key=abcdefgh12", "for token=next() do",
            "PASSWORD=$PASSWORD_OF_ENV", "API_KEY=${API_KEY_OF_CI}", "TOKEN=<your token here>", "password=getpass.getpass()", "a == b",
            "MONKEY_BUSINESS=long enough", "https://example.org:8080/x@y", "https://ana@example.org", "git@github.com:a/b.git",
            "https://ana:${TOKEN}@example.org", "me: you@example.org", "12:30 ana@x", "http://h/a:b@c", "KEYS=abcdefghij", "",
        ])
    func staysAsItIs(text: String) { #expect(WeakKeys.cut(text) == text) }

    @Test func everyTextOfAResultIsCut() {
        let json: JSON = ["content": "TOKEN=abcdefgh1", "outputs": [["a": "x://u:p@h"]], "n": 1]
        #expect(!WeakKeys.cut(json).text.contains("abcdefgh1") && !WeakKeys.cut(json).text.contains(":p@"))
        #expect(KeyFilter.isMarked(WeakKeys.cut(json)))
    }

    /// A key of one letter made messages unreadable: local servers take any key.
    @Test(
        arguments: [
            ("k", "Incorrect API key provided: sk-x. 8192 tokens"), ("none", "none of these"), ("1234567", "id 1234567"), (nil, "a key"),
            ("", "a key"),
        ] as [(String?, String)])
    func aShortKeyIsNotCutFromMessages(key: String?, text: String) { #expect(text.without(key: key) == text) }

    @Test func aLongKeyIsCutFromMessages() {
        #expect("bad: sk-abcdef12, sk-abcdef12".without(key: "sk-abcdef12") == "bad: (the key), (the key)")
    }
}
