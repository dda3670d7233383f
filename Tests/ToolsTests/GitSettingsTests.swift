import CaseNames
@testable import Files
import Harness
import Testing
import Vocabulary

/// The configuration of a repository, read as git reads it.
@Suite(.process) struct GitSettingsTests {
    private func read(_ text: String) -> [String: [String]]? { GitSettings(text)?.values }

    @Test(
        arguments: [
            ("[core]\n\tbare = false\n", ["core.bare": ["false"]]), ("[a \"B\"]x=1 [a]y=2", ["a.B.x": ["1 [a]y=2"]]),
            ("[CORE]\nHooksPath=\"a b\" ; c\n", ["core.hookspath": ["a b"]]), ("[a]\nx\n", ["a.x": ["true"]]),
            ("[a \"q\\\"\\\\t\"]\nx = 1 # no\nx=2", ["a.q\"\\t.x": ["1", "2"]]), ("", [:]), ("# only\n;this\n", [:]),
            ("\u{FEFF}[a]\nx = y\r\n", ["a.x": ["y"]]), ("[a]\nx = a\\nb\\t\"c\"\n", ["a.x": ["a\nb\tc"]]),
            ("[a.Bc]\nx=1\n", ["a.bc.x": ["1"]]), ("[a]\nx = \\\n\t b c\n", ["a.x": ["b c"]]),
            ("[a]\nx = \"\" b\n", ["a.x": ["b"]]),
        ] as [(String, [String: [String]])])
    func settingsAreReadByKey(text: String, values: [String: [String]]) { #expect(read(text) == values) }

    @Test(arguments: [
        "x=1\n", "[a\nx=1", "[a]\n1x=1\n", "[a]\nx=\"y\n", "[a]\nx=a\\qb\n", "[a \"b]\n",
        "[a]\nx y\n", "[a]\nx = y\rz\n",
    ])
    func whatIsNotKnownForCertainIsUnreadable(text: String) { #expect(read(text) == nil) }

    /// Whatever of these pieces a file is made of, it is unreadable, or it has the values that git finds.
    @Test func itReadsWhatGitReads() throws {
        let scratch = try ScratchFolder()
        let pieces = [
            "[core]", "[a \"b\"]", "[Remote \"o.x\"]", "[x.Y]", "\n", "\n\t", " ", "name", "Url = ", "= ", "v1",
            "\"q q\"",
            "# c", "; d", "\\\"", "\\n", "\\", "\r\n", "\r", "\t", "[a", "]", "é", "x = 1\n",
        ]
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = Seeded(seed)
        var readable = 0
        for _ in 0..<300 {
            let text =
                "[core]\n\tbare = true\n"
                + (0..<Int.random(in: 1...9, using: &random)).map { _ in
                    pieces.randomElement(using: &random)!
                }.joined()
            guard let values = read(text) else { continue }
            readable += 1
            let path = "\(scratch.path)/config"
            try ScratchFolder.write(text, to: path)
            let said = try Lab.program(
                ["git", "config", "--file", path, "--list", "-z", "--no-includes"], in: scratch.path)
            var found: [String: [String]] = [:]
            for entry in said.split(separator: "\0") {
                let parts = entry.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                found[GitText.ascii(parts[0].utf8), default: []].append(
                    GitText.ascii((parts.count > 1 ? parts[1] : "true").utf8))
            }
            // Some versions of git make a space of a tab within a value.
            func spaced(_ values: [String: [String]]) -> [String: [String]] {
                values.mapValues { $0.map { $0.replacing("\t", with: " ") } }
            }
            #expect(spaced(values) == spaced(found), "\(text.debugDescription)")
        }
        #expect(readable > 50)
    }

    @Test(
        arguments: [
            ("user.name", "a", false), ("core.hookspath", "a", true), ("core.fsmonitor", "false", true),
            ("pull.rebase", "true", false), ("remote.o.url", "https://x/y", false), ("remote.o.url", "../x", false),
            ("remote.o.url", "ext::sh", true), ("remote.o.url", "--upload-pack=x", true),
            ("remote.o.uploadpack", "x", true), ("branch.m.remote", ".", false), ("branch.m.remote", "origin", true),
            ("branch.m.remote", "/tmp/x", true),
            ("alias.x", "y", true), ("unknown.key", "1", true), ("submodule.s.update", "!x", true),
            ("submodule.s.active", "true", false), ("diff.algorithm", "x", false), ("diff.external", "x", true),
        ] as [(String, String, Bool)])
    func onlyKnownKeysAreHarmless(key: String, value: String, isObeyed: Bool) throws {
        let parts = key.split(separator: ".").map(String.init)
        let section = parts.count == 3 ? "\(parts[0]) \"\(parts[1])\"" : parts[0]
        let settings = try #require(GitSettings("[\(section)]\n\(parts.last!) = \(value)\n"))
        #expect(settings.changedKeys(since: GitSettings()) == [key])
        #expect(settings.isObeyed(key, since: GitSettings()) == isObeyed)
    }

    @Test func anotherAddressOfARemoteIsObeyed() throws {
        let (old, new) = (
            try #require(GitSettings("[remote \"o\"]\nurl=a\n")), try #require(GitSettings("[remote \"o\"]\nurl=b\n"))
        )
        #expect(new.isObeyed("remote.o.url", since: old))
        #expect(new.changedKeys(since: new).isEmpty)
    }
}
