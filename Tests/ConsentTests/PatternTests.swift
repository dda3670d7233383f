import CaseNames
import Consent
import JSON
import Testing
import Vocabulary

/// What a person writes in a pattern either does what it says, or is refused.
struct PatternTests {
    private func read(_ rule: String) throws -> (policy: Policy, problems: [Problem]) {
        let json = try JSONReader.read(
            #"{"policy": "assent.policy/v1", "rules": [{\#(rule), "decide": "deny", "reason": "x"}]}"#)
        return Policy.read(json: json, source: "policy.yaml", origin: .user, lines: Policy.Lines(rules: [3]))
    }

    private func isDenied(_ policy: Policy, _ target: Call.Target) -> Bool {
        policy.decide(call("WriteFile", [.creates], [target]), mode: .auto, in: surroundings, at: noon).name == "deny"
    }

    @Test(
        arguments: [
            ("**/id_*", "a/b/id_rsa", true), ("**/id_*", "id_rsa", true), ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/b", true),
            ("a/**/b", "a/x/y/b", true), ("a/**/b", "c/a/x/b", true), ("a/**/b", "ab", false),
            ("a/**/b", "a/x/c", false),
            ("a/**/b", "b", false), ("a/**/b/**/c", "a/1/b/2/3/c", true), ("a/**/b/**/c", "b/a/c", false),
            ("a/**/b/**/c", "a/b/c", true), ("a/b/**/b/c", "a/b/c", false), ("a/b/**/b/c", "a/b/b/c", true),
            ("a/**", "a/x", true),
            ("a/**", "a/x/y", true), ("a/**", "a", false), ("**/a/**", "b/a/c/d", true), ("**/a/**", "b/c", false),
            ("**", "any", true),
            ("a/**/**/b", "a/b", true), ("**/*.key", "x/a.key", true), ("a/*/b", "a/x/y/b", false),
            ("a/**/*.pem", "a/x/y/k.pem", true),
        ] as [(String, String, Bool)])
    func anyNumberOfFoldersStandsAnywhere(pattern: String, path: String, expected: Bool) throws {
        let (policy, problems) = try read(#""names": "\#(pattern)""#)
        #expect(problems.isEmpty)
        let target = Call.Target(.creates, .path("/home/ana/photos/\(path)"), reach: .workspace, before: .absent)
        #expect(isDenied(policy, target) == expected)
    }

    /// A name that gets a number is judged in its folders, too.
    @Test(arguments: [
        ("keys/**/id-*", "keys/old", "id", true), ("keys/**/id-7", "keys", "id", true),
        ("keys/**/id-x", "keys", "id", false),
        ("keys/**", "keys/old", "id", true), ("keys/**", "others", "id", false), ("**/id-1*", "any", "id", true),
    ])
    func aNewNameIsFoundBelowAnyNumberOfFolders(pattern: String, folder: String, stem: String, expected: Bool) throws {
        let policy = try read(#""names": "\#(pattern)""#).policy
        let place = Call.Place.newName(folder: "/home/ana/photos/\(folder)", stem: stem, suffix: "")
        #expect(isDenied(policy, Call.Target(.creates, place, reach: .workspace)) == expected)
    }

    /// A link in place of a folder puts there whatever it leads to.
    @Test(arguments: [("a/**/b", "a/x", true), ("a/**/b", "c/x", false), ("a/**/b", "a", true), ("a/*/b", "a", true)])
    func aLinkMayBeOneOfTheFolders(pattern: String, path: String, expected: Bool) throws {
        let policy = try read(#""names": "\#(pattern)""#).policy
        let link = Call.Change(kind: .link, leadsTo: "elsewhere")
        let target = Call.Target(
            .creates, .path("/home/ana/photos/\(path)"), reach: .workspace, before: .absent, change: link)
        #expect(isDenied(policy, target) == expected)
    }

    @Test(
        arguments: [
            (#""names": "id_??a""#, "write *"), (#""names": "*.[ch]""#, "write *"), (#""names": "{a,b}""#, "write *"),
            (#""names": ["Makefile", "a]"]"#, "write *"), (#""names": "secret**""#, "write *"),
            (#""names": "a/**b/c""#, "write *"),
            (#""names": "a\\b""#, "write *"), (#""names": "!a""#, "!"),
            (#""names": "hooks/""#, "hooks/\" of names ends with /"),
            (#""names": "/etc/passwd""#, "write path"), (#""names": "~/a""#, "write path"),
            (#""names": "a//b""#, "leave it out"),
            (#""names": "../a""#, "leave it out"), (#""names": "/""#, "write path"),
            (#""tool": "Read?ile""#, "write *"), (#""tool": "{ReadFile,WriteFile}""#, "write *"),
            (#""tool": "**""#, "write *"),
            (#""path": "src/*""#, "the folder above"), (#""path": ["ok", "src/**"]"#, "the folder above"),
            (#""path": "{a,b}""#, "the folder above"),
            (#""host": "{a,b}.org""#, "write *"), (#""host": "**.org""#, "write *"),
            (#""host": "https://a.org""#, "its name alone"),
            (#""host": "a.org:*""#, "leave it out"), (#""host": "a.org:https""#, "leave it out"),
            (#""params": {"a": {"matches": "rm -?f"}}"#, "write *"),
            (#""params": {"a": {"matches": "src/**/x"}}"#, "write *"),
            (#""params": {"a": {"under": "src/*"}}"#, "the folder above"),
        ].map { Named($0.0, $0) })
    func whatMeansNothingIsRefused(named: Named<(String, String)>) throws {
        let (policy, problems) = try read(named.value.0)
        #expect(problems.map(\.code) == ["badRule"] && problems.first?.place == "policy.yaml:3")
        #expect(problems.first?.message.contains(named.value.1) == true, "\(problems)")
        #expect(policy.unreadable != nil, "and nothing has effects until it is mended")
    }

    @Test(arguments: [
        #""names": ["a/*", "**/a", "Package@swift-*.swift"]"#, #""host": ["[::1]:8080", "*.example.org:443", "::1"]"#,
        #""tool": "*""#,
        #""path": ["~/a", "/a b", "."]"#, #""params": {"a": {"matches": "https://*"}}"#,
    ])
    func whatSaysWhatItDoesIsTaken(rule: String) throws { #expect(try read(rule).problems.isEmpty) }

    /// Many patterns of many folders, against many deep paths that nearly fit: each is looked at once, from its end.
    @Test func manyPatternsOfAnyFoldersTakeNoTime() throws {
        let folders = Array(repeating: "a", count: 40).joined(separator: "/")
        let pattern = Array(repeating: "**/a", count: 20).joined(separator: "/")
        let patterns = (0..<300).map { "\"b\($0)/\(pattern)/*a*a*a*\"" }.joined(separator: ",")
        let policy = try read(#""names": [\#(patterns)]"#).policy
        let targets = (0..<100).map { number in
            Call.Target(
                .creates, .path("/home/ana/photos/\(folders)/aaaa\(number)"), reach: .workspace, before: .absent)
        }
        let decision = policy.decide(call("WriteFile", [.creates], targets), mode: .auto, in: surroundings, at: noon)
        #expect(decision.name == "allow")
    }
}
