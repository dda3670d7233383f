import CaseNames
@testable import Files
import Foundation
import Glibc
import Harness
import JSON
import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// SearchFiles, by ripgrep, in folders of every kind.
@Suite(.process) struct SearchFilesTests {
    let lab: Lab

    init() throws { lab = try Lab(keys: Lab.shippedKeys) }

    private func search(_ params: JSON) async throws -> String {
        try lab.text(try #require(try await lab.run("SearchFiles", params).first))
    }

    private func failure(_ params: JSON) async -> Failure? {
        await #expect(throws: Failure.self, "\(params.text)") { try await search(params) }
    }

    private func writeTree() throws {
        try lab.write("a.txt", "one\r\ntwo TODO\r\nthree")
        try lab.write("b/c.md", "TODO first\n\nx.*y TODO\n")
        try lab.write("b/d/e.txt", "todo\n")
        try lab.write("z.swift", "let a = 1\n// TODO later\nlet b = 2\n")
    }

    /// A match in the middle of a key is no line of the result.
    @Test func noPartOfAKeyIsFound() async throws {
        let block = String(repeating: "ABCDabcd0123", count: 5)
        let begin = "-----BEGIN OPENSSH " + "PRIVATE KEY-----"
        try lab.write(
            "notes.txt", "one\n\(begin)\n\(block)\n\(block)one\n\(begin.replacing("BEGIN", with: "END"))\nthe one\n")
        let text = try await search(["text": "one"])
        #expect(!text.contains("ABCDabcd"), "\(text)")
        #expect(text.contains("notes.txt:1:one") && text.contains(":6:the one"), "\(text)")
        #expect(try await !search(["regex": "^[A-Za-z0-9+/=]{40,}$"]).contains("ABCDabcd"))
        // In a long file only the lines around a match are looked at.
        let many = String(repeating: "a line of a log without any match\n", count: 30_000)
        try lab.write("long.log", many + (lab.read("notes.txt") ?? "") + many + "the one at the end\n")
        let found = try await search(["text": "one", "path": "long.log"])
        #expect(
            !found.contains("ABCDabcd") && found.contains(":30001:one") && found.contains(":60007:the one"), "\(found)")
    }

    /// A file with a second name may lie elsewhere, where a look asks. It is found by its own path only.
    @Test func aFileWithASecondNameIsLeftOutAndCounted() async throws {
        try ScratchFolder.write("the private note\n", to: "\(lab.root)/outside")
        link("\(lab.root)/outside", lab.path("inside.txt"))
        try lab.write("plain.txt", "a private matter\n")
        let text = try await search(["text": "private"])
        #expect(!text.contains("the private note") && text.contains("plain.txt:1:a private matter"), "\(text)")
        #expect(text.contains("1 with a second name"))
    }

    @Test func linesAreShownByFileAndInOrder() async throws {
        try writeTree()
        let rows: [(params: JSON, text: String)] = [
            (
                ["text": "TODO"],
                "4 matches in 3 of 4 files\na.txt:2:two TODO\nb/c.md:1:TODO first\nb/c.md:3:x.*y TODO\nz.swift:2:// TODO later\n"
            ),
            (["text": "TODO", "glob": "*.md"], "2 matches in 1 of 1 file\nb/c.md:1:TODO first\nb/c.md:3:x.*y TODO\n"),
            (["text": ".*"], "1 match in 1 of 4 files\nb/c.md:3:x.*y TODO\n"),
            (["regex": "^let [ab] ="], "2 matches in 1 of 4 files\nz.swift:1:let a = 1\nz.swift:3:let b = 2\n"),
            (
                ["text": "todo", "ignoreCase": true, "path": "b"],
                "3 matches in 2 of 2 files\nb/c.md:1:TODO first\nb/c.md:3:x.*y TODO\nb/d/e.txt:1:todo\n"
            ),
            (["text": "todo", "path": "b/d/"], "1 match in 1 of 1 file\nb/d/e.txt:1:todo\n"),
            (["text": "TODO", "path": "a.txt"], "1 match in 1 of 1 file\na.txt:2:two TODO\n"),
            (["text": "nowhere"], "no match in 4 files\n"),
            (["text": "--files"], "no match in 4 files\n"), (["regex": "-e"], "no match in 4 files\n"),
            (
                ["text": "TODO", "path": "z.swift", "context": 1],
                "1 match in 1 of 1 file\nz.swift-1-let a = 1\nz.swift:2:// TODO later\nz.swift-3-let b = 2\n"
            ),
            (
                ["text": "TODO", "max": 1],
                "4 matches in 3 of 4 files\na.txt:2:two TODO\n… 3 more matches: narrow with path or glob\n"
            ),
            (
                ["text": "TODO", "max": 2, "path": "b"],
                "2 matches in 1 of 2 files\nb/c.md:1:TODO first\nb/c.md:3:x.*y TODO\n"
            ),
            (
                ["text": "TODO", "glob": "*.md, *.swift", "max": 1],
                "3 matches in 2 of 2 files\nb/c.md:1:TODO first\n… 2 more matches: narrow with path or glob\n"
            ),
            (
                ["text": "TODO", "glob": "!*.md"],
                "2 matches in 2 of 3 files\na.txt:2:two TODO\nz.swift:2:// TODO later\n"
            ),
            (["text": "todo", "glob": "b/**/*.{txt,md}"], "1 match in 1 of 2 files\nb/d/e.txt:1:todo\n"),
            (["text": "todo", "glob": "d/*.txt", "path": "b"], "1 match in 1 of 1 file\nb/d/e.txt:1:todo\n"),
        ]
        var seen: [(row: (params: JSON, text: String), text: String)] = []
        for row in rows { seen.append((row, try await search(row.params))) }
        expectNoFaults(in: seen) { row, text in
            text == row.text ? [] : ["\(row.params.text): \(text.debugDescription)"]
        }
    }

    @Test func whatIsLeftOutIsCounted() async throws {
        for name in [
            ".env", "id_rsa", "server.p12", ".ssh/config", ".hidden/a.txt", ".editorconfig", "sub/.env.local",
            "open.txt", "build/x.txt", "build/y/z.txt", "debug.log", ".assent/policy.yaml",
        ] {
            try lab.write(name, "needle\n")
        }
        try lab.write(".gitignore", "build/*\n*.log\n")
        try lab.write("a.bin", Array("needle\0".utf8))
        try lab.write("open2.txt", "needle\n")
        try #require(link(lab.path("id_rsa"), lab.path("copy.txt")) == 0)
        try #require(symlink("open.txt", lab.path("link.txt")) == 0)
        mkfifo(lab.path("pipe.txt"), 0o600)
        let text = try await search(["text": "needle"])
        #expect(
            text == """
                2 matches in 2 of 2 files
                open.txt:1:needle
                open2.txt:1:needle
                left out: 3 hidden, 3 ignored by git, 6 that may hold keys, 1 binary, 1 link

                """)
        // What is ignored or hidden is searched where it is named.
        #expect(
            try await search(["text": "needle", "path": "build"]).hasPrefix(
                "2 matches in 2 of 2 files\nbuild/x.txt:1:needle\n"))
        #expect(
            try await search(["text": "needle", "path": "debug.log"]) == "1 match in 1 of 1 file\ndebug.log:1:needle\n")
        #expect(
            try await search(["text": "needle", "path": ".hidden"])
                == "1 match in 1 of 1 file\n.hidden/a.txt:1:needle\n")
        // A glob does not bring them back.
        #expect(try await search(["text": "needle", "glob": "*"]).hasPrefix("2 matches in 2 of 2 files\n"))
        #expect(
            try await search(["text": "needle", "glob": "*.log"])
                == "no match in 0 files\nleft out: 1 hidden, 1 ignored by git, 6 that may hold keys, 1 link\n")
        for path in [".env", "id_rsa", ".ssh", ".ssh/config", "copy.txt"] {
            #expect(await failure(["text": "needle", "path": .string(path)])?.code == "secretFile", "\(path)")
        }
    }

    @Test func aBinaryFileThatIsNamedIsCounted() async throws {
        try lab.write("a.bin", Array("needle\0needle\n".utf8))
        #expect(try await search(["text": "needle", "path": "a.bin"]).hasPrefix("no match in "))
    }

    @Test func aFaultInAPatternIsSaidInOneSentence() async throws {
        try writeTree()
        let rows: [(params: JSON, code: String, words: String)] = [
            (["regex": "foo("], "badParam", "ripgrep refuses this regex: unclosed group."),
            (["regex": "(?=x)"], "badParam", "look-around"), (["regex": "a{5,2}"], "badParam", "repetition"),
            (["regex": "a{1000}{1000}{10}"], "badParam", "size limit"), (["text": ""], "badParam", "empty"),
            (["regex": "a\\nb"], "badParam", "not allowed"),
            (["text": "a\nb"], "badParam", "line break"), ([:], "badParam", "either"),
            (["text": "a", "regex": "b"], "badParam", "either"),
            (["text": "a", "glob": " "], "badParam", "no pattern"),
            (["text": "a", "path": "gone"], "fileNotFound", "gone"),
            (["text": "a", "path": ".."], "otherWorkspace", "below this folder"),
            (["text": "a", "path": "/etc/passwd"], "otherWorkspace", "below this folder"),
        ]
        for row in rows {
            let failure = await failure(row.params)
            #expect(
                failure?.code.text == row.code && failure?.message.contains(row.words) == true
                    && failure?.message.contains("\n") == false, "\(row.params.text): \(failure?.description ?? "")")
        }
    }

    @Test func namesCannotLookLikeLines() async throws {
        try lab.write("a\nb.txt", "needle \u{1B}[31m\n")
        try lab.write("x.py:3:import os", "needle\n")
        try lab.write("y-3-z.txt", "needle\n")
        try lab.write("-e", "needle\n")
        try lab.write("2 matches in 9 of 9 files", "needle\n")
        let odd = Array((lab.workspace + "/caf").utf8) + [0xE9, 0x2E, 0x74, 0x78, 0x74, 0]
        let descriptor = odd.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_WRONLY | O_CREAT, 0o600) }
        }
        try #require(descriptor >= 0 && Glibc.write(descriptor, "needle\n", 7) == 7)
        close(descriptor)
        let text = try await search(["text": "needle"])
        #expect(
            text == """
                5 matches in 5 of 5 files
                -e:1:needle
                2 matches in 9 of 9 files:1:needle
                "a\\nb.txt":1:needle \u{1B}[31m
                "x.py:3:import os":1:needle
                "y-3-z.txt":1:needle
                left out: 1 whose name is no text in UTF-8

                """)
    }

    @Test func limitsOfLinesAndOfTheText() async throws {
        try lab.write("long.txt", "needle" + String(repeating: "é", count: 3000) + "\n")
        let long = try await search(["text": "needle"])
        #expect(long.hasSuffix("é…\n") && long.split(separator: "\n")[1].count == "long.txt:1:".count + 501)
        try lab.write("many.txt", String(repeating: "needle \(String(repeating: "x", count: 100))\n", count: 100_000))
        let many = try await search(["text": "needle", "max": 500])
        #expect(many.utf8.count < 16 << 10 && many.hasPrefix("100,001 matches in 2 of 2 files\nlong.txt:1:"))
        let shown = many.split(separator: "\n").count - 2
        #expect(
            many.hasSuffix("… \((100_001 - shown).grouped) more matches: narrow with path or glob\n") && shown > 100)
        try lab.write("few.txt", "a\nneedle\nb\nc\nneedle\nd\n")
        #expect(
            try await search(["text": "needle", "path": "few.txt", "context": 1, "max": 1])
                == "2 matches in 1 of 1 file\nfew.txt-1-a\nfew.txt:2:needle\nfew.txt-3-b\n… 1 more match: narrow with path or glob\n"
        )
    }

    @Test func encodings() async throws {
        try lab.write("latin.txt", [0x63, 0x61, 0x66, 0xE9, 0x20] + Array("needle\n".utf8))
        try lab.write("mark.txt", [0xEF, 0xBB, 0xBF] + Array("needle\n".utf8))
        try lab.write("wide.txt", [0xFF, 0xFE] + "needle\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(
            try await search(["text": "needle"])
                == "3 matches in 3 of 3 files\nlatin.txt:1:café needle\nmark.txt:1:needle\nwide.txt:1:needle\n")
    }

    /// ripgrep opens each `.gitignore`, and would wait at a pipe for ever.
    @Test func pipesWithNamesOfIgnoreFilesAreNotOpened() async throws {
        try lab.write("a/b.txt", "needle\n")
        for name in [".gitignore", "a/.ignore", "a/pipe.txt", "a/.rgignore"] { mkfifo(lab.path(name), 0o600) }
        #expect(try await search(["text": "needle"]).hasPrefix("1 match in 1 of 1 file\na/b.txt:1:needle\n"))
    }

    @Test func anEndlessIgnoreFileIsAFailure() async throws {
        try lab.write("a.txt", "needle\n")
        try #require(symlink("/dev/zero", lab.path(".gitignore")) == 0)
        let failure = await failure(["text": "needle"])
        #expect(failure != nil && failure?.code != "secretFile", "\(failure?.description ?? "")")
    }

    /// In the sandbox not even root reads a file without the right to.
    @Test func filesThatCannotBeReadAreCounted() async throws {
        for name in ["a.txt", "b.txt", "c.txt"] { try lab.write(name, "needle\n") }
        try #require(chmod(lab.path("b.txt"), 0) == 0)
        #expect(
            try await search(["text": "needle"])
                == "2 matches in 2 of 2 files\na.txt:1:needle\nc.txt:1:needle\nleft out: 1 that cannot be read\n")
    }

    @Test func settingsOfRipgrepDoNotCount() async throws {
        try lab.write("a.txt", "needle\n")
        try lab.write(".ripgreprc", "--files-with-matches\n")
        try lab.write(".config/ripgrep/config", "--no-line-number\n")
        #expect(try await search(["text": "needle"]).hasPrefix("1 match in 1 of 1 file\na.txt:1:needle\n"))
    }

    @Test func linksLeadNowhere() async throws {
        try FileManager.default.createDirectory(atPath: lab.root + "/elsewhere", withIntermediateDirectories: true)
        try Data("needle\n".utf8).write(to: URL(fileURLWithPath: lab.root + "/elsewhere/out.txt"))
        try lab.write("inner/a.txt", "needle\n")
        for (name, end) in [("folder", "elsewhere"), ("file.txt", "elsewhere/out.txt")] {
            try #require(symlink("\(lab.root)/\(end)", lab.path(name)) == 0)
        }
        try #require(symlink("inner", lab.path("short")) == 0)
        #expect(
            try await search(["text": "needle"]) == "1 match in 1 of 1 file\ninner/a.txt:1:needle\nleft out: 3 links\n")
        #expect(
            try await search(["text": "needle", "path": "short"]).hasPrefix(
                "1 match in 1 of 1 file\ninner/a.txt:1:needle\n"))
        #expect(await failure(["text": "needle", "path": "folder"])?.code == "otherWorkspace")
    }

    @Test func aMissingProgramIsNamedWithItsPackage() {
        let manifest = Lab.catalogue["SearchFiles"]
        #expect(manifest?.needs == [.init(program: "rg", debianPackage: "ripgrep")])
        #expect(Lab.catalogue["ListTree"]?.needs == manifest?.needs)
    }

    /// Without bubblewrap ripgrep sees all files, and what it finds in files of keys is not shown.
    @Test func withoutASandboxKeysAreNotShown() async throws {
        let lab = try Lab(sandbox: Isolation.none("bubblewrap is not installed."))
        for name in [".env", "id_rsa", "keys/.ssh/a", "open.txt"] { try lab.write(name, "needle\n") }
        let text = try lab.text(try #require(try await lab.run("SearchFiles", ["text": "needle"]).first))
        #expect(text == "1 match in 1 of 1 file\nopen.txt:1:needle\nleft out: 3 that may hold keys\n")
    }
}

/// The globs of SearchFiles and ListTree.
@Suite struct PathGlobTests {
    @Test func patternsAndPaths() throws {
        let rows: [(glob: String, path: String, fits: Bool)] = [
            ("*.swift", "a.swift", true), ("*.swift", "b/a.swift", true), ("*.swift", "b/a.swift.txt", false),
            ("*.{ts,tsx}", "b/a.tsx", true), ("*.{ts,tsx}", "b/a.js", false), ("*.ts, *.js", "b/a.js", true),
            ("src/*.ts", "src/a.ts", true), ("src/*.ts", "src/b/a.ts", false), ("src/**/*.ts", "src/b/c/a.ts", true),
            ("src/**/*.ts", "src/a.ts", true), ("src/", "src/b/a.ts", true), ("src/**", "src2/a.ts", false),
            ("**/test/**", "a/test/b.ts", true), ("./a.ts", "a.ts", true), ("./a.ts", "b/a.ts", false),
            ("/a.ts", "a.ts", true), ("!*.md", "a.ts", true), ("!*.md", "b/a.md", false),
            ("*.ts,!*.test.ts", "a.test.ts", false), ("!node_modules", "a/node_modules/b.js", false),
            ("!a/b", "a/b/c.js", false), ("!a/b", "b/c.js", true), ("{a,b}{1,2}.txt", "b2.txt", true),
            ("{a,{b,c}}.txt", "c.txt", true), ("a{b.txt", "a{b.txt", true), ("[ab].txt", "b.txt", true),
            ("?.txt", "é.txt", true),
        ]
        try expectNoFaults(in: rows) { row in
            try PathGlob(row.glob).matches(row.path, orBelow: row.path) == row.fits ? [] : ["\(row)"]
        }
        for glob in [String(repeating: "{a,b}", count: 12), String(repeating: "{", count: 100_000)] {
            #expect(throws: Failure.self) { try PathGlob(glob) }
        }
        #expect(try PathGlob(String(repeating: "{", count: 900)).matches("a", orBelow: "a") == false)
        #expect(
            try PathGlob(String(repeating: "**/*", count: 200)).matches(
                String(repeating: "a/", count: 60), orBelow: "a") == false)
    }
}
