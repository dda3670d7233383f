import CaseNames
@testable import Files
import Foundation
import Glibc
import JSON
import Testing
@testable import Tools
import Vocabulary

/// ListTree with folders of every kind.
@Suite(.process) struct ListTreeTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private func list(_ params: JSON = [:]) async throws -> String {
        try lab.text(try #require(try await lab.run("ListTree", params).first))
    }

    private func writeTree() throws {
        for name in ["src/a.swift", "src/Tools/b.swift", "src/Tools/c/d.swift", "docs/x.md"] {
            try lab.write(name, String(repeating: "x", count: 1200))
        }
        try lab.write("Makefile", "all:\n")
        for number in 1...30 { try lab.write("node_modules/m\(number)/index.js", "x") }
        try lab.write("build/out.o", "x")
        try lab.write("debug.log", "x")
        try lab.write(".gitignore", "node_modules\nbuild/*\n*.log\n")
        try lab.write(".env", "KEY=1\n")
        try lab.write("src/id_rsa", "key\n")
        try lab.write(".git/config", "[core]\n")
        try FileManager.default.createDirectory(atPath: lab.path("empty/inner"), withIntermediateDirectories: true)
    }

    @Test func foldersAreCountedAndFilesHaveSizes() async throws {
        try writeTree()
        #expect(
            try await list() == """
                . · 5 files
                docs/ · 1 file
                  x.md · 1.2 KB
                empty/ · no file
                  inner/ · no file
                src/ · 3 files
                  Tools/ · 2 files
                  a.swift · 1.2 KB
                Makefile · 5 bytes
                left out: 2 hidden, 32 ignored by git (node_modules, build), 2 that may hold keys

                """)
        #expect(
            try await list(["depth": 1, "glob": "*.swift"]) == """
                . · 3 files
                src/ · 3 files
                left out: 1 hidden, 2 that may hold keys

                """)
        #expect(
            try await list(["path": "src", "depth": 6]) == """
                src · 3 files
                Tools/ · 2 files
                  c/ · 1 file
                    d.swift · 1.2 KB
                  b.swift · 1.2 KB
                a.swift · 1.2 KB
                left out: 1 that may hold keys

                """)
        #expect(try await list(["path": "build"]) == "build · 1 file\nout.o · 1 byte\n")
        #expect(
            try await list(["path": "node_modules", "depth": 1]).hasPrefix("node_modules · 30 files\nm1/ · 1 file\n"))
        #expect(try await list(["path": "empty/inner"]) == "empty/inner · no file\n")
    }

    @Test func aTreeThatDoesNotFitLosesLevelsFirst() async throws {
        for folder in 1...20 { for file in 1...40 { try lab.write("f\(folder)/file-\(file).txt", "x") } }
        let text = try await list(["depth": 3])
        #expect(text.utf8.count <= 4096 && text.hasPrefix(". · 800 files\nf1/ · 40 files\nf10/ · 40 files\n"))
        #expect(text.hasSuffix("f9/ · 40 files\n… deeper folders do not fit: list one of them with path\n"))
        let flat = (1...1000).map { "name-\($0).txt" }
        for name in flat { try lab.write("flat/\(name)", "x") }
        for folder in 1...3 { try lab.write("flat/d\(folder)/x", "x") }
        let cut = try await list(["path": "flat"])
        let shown = cut.split(separator: "\n").count - 5
        #expect(cut.utf8.count <= 4096 && cut.utf8.count > 3900 && cut.hasPrefix("flat · 1,003 files\nd1/ · 1 file\n"))
        #expect(cut.hasSuffix("… \(1000 - shown) files do not fit: narrow with path or glob\n"))
    }

    @Test func namesAndLinks() async throws {
        try lab.write("a\nb.txt", "x")
        try lab.write("c · 9 files", "x")
        try lab.write("hard", "x")
        try #require(link(lab.path("hard"), lab.path("other")) == 0)
        try #require(symlink("hard", lab.path("link")) == 0)
        mkfifo(lab.path("pipe"), 0o600)
        #expect(
            try await list() == """
                . · 4 files
                "a\\nb.txt" · 1 byte
                "c · 9 files" · 1 byte
                hard
                other
                left out: 1 link

                """)
    }

    @Test func faultsOfPaths() async throws {
        try lab.write("a.txt", "x")
        try lab.write(".ssh/id_rsa", "x")
        let rows: [(path: String, code: String)] = [
            ("a.txt", "notAFolder"), ("..", "otherWorkspace"), ("/etc", "otherWorkspace"), ("gone", "fileNotFound"),
            (".ssh", "secretFile"),
        ]
        for row in rows {
            let failure = await #expect(throws: Failure.self) { try await list(["path": .string(row.path)]) }
            #expect(failure?.code.text == row.code, "\(row.path)")
        }
    }

    /// Among a hundred thousand names, folders are found and counted.
    @Test func aHundredThousandNames() async throws {
        for folder in 0..<100 {
            try FileManager.default.createDirectory(atPath: lab.path("d\(folder)"), withIntermediateDirectories: true)
            for file in 0..<1000 { close(open(lab.path("d\(folder)/f\(file)"), O_CREAT | O_WRONLY, 0o600)) }
        }
        let text = try await list()
        #expect(text.hasPrefix(". · 100,000 files\nd0/ · 1,000 files\n") && text.utf8.count <= 4096)
        let found = try await lab.run("SearchFiles", ["text": "needle"])
        #expect(try lab.text(found[0]) == "no match in 100,000 files\n")
    }
}
