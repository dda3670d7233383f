import CaseNames
@testable import Files
import Foundation
import Glibc
import JSON
import Testing
@testable import Tools
import Vocabulary

/// FindText in folders of every kind.
@Suite struct FindToolTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private func find(_ text: String, _ more: JSON = [:]) async throws -> (text: String, json: JSON, partial: [LeftOut])
    {
        var params = more.object ?? JSON.Object()
        params["text"] = .string(text)
        let assets = try await lab.run("FindText", .object(params))
        let found = try #require(assets.first { $0.port == "text" })
        return (
            try lab.text(found), try JSONReader.read(lab.store.read(try #require(assets.first { $0.port == "json" }))),
            found.partial
        )
    }

    private func writeTree() throws {
        try lab.write("a.txt", "one\r\ntwo TODO\nthree")
        try lab.write("b/c.md", "TODO first\n\nx.*y TODO")
        try lab.write("b/d/e.txt", "todo\n")
        try lab.write("photo.jpg", [0xFF, 0xD8, 0xFF] + Array("TODO".utf8))
        try lab.write("nul.txt", Array("TODO\0".utf8))
    }

    @Test func linesAreToldWithTheirFileAndNumber() async throws {
        try writeTree()
        let rows: [(text: String, params: JSON, found: String)] = [
            ("TODO", [:], "a.txt:2: two TODO\nb/c.md:1: TODO first\nb/c.md:3: x.*y TODO\n"),
            ("TODO", ["pattern": "*.md"], "b/c.md:1: TODO first\nb/c.md:3: x.*y TODO\n"),
            (
                "todo", ["ignoreCase": true, "path": "b"],
                "b/c.md:1: TODO first\nb/c.md:3: x.*y TODO\nb/d/e.txt:1: todo\n"
            ),
            ("todo", ["path": "b/d/"], "b/d/e.txt:1: todo\n"), (".*", [:], "b/c.md:3: x.*y TODO\n"),
            ("one", [:], "a.txt:1: one\n"),
            ("three", [:], "a.txt:3: three\n"), ("nowhere", [:], ""), ("JFIF", ["pattern": "*.jpg"], ""),
        ]
        var seen: [(row: (text: String, params: JSON, found: String), text: String)] = []
        for row in rows { seen.append((row, try await find(row.text, row.params).text)) }
        expectNoFaults(in: seen) { row, text in
            text == row.found ? [] : ["\(row.text) \(row.params.text): \(text.debugDescription)"]
        }
        let (_, json, partial) = try await find("TODO")
        #expect(
            json["matches"]?.array?.count == 3 && json["files"] == 3 && json["skipped"]?["binary"] == 2
                && partial.isEmpty)
        #expect(
            json["matches"]?[0]?["file"] == "a.txt" && json["matches"]?[0]?["line"] == 2
                && json["matches"]?[0]?["text"] == "two TODO")
    }

    @Test func filesThatMayHoldKeysAndHiddenOnesAreLeftOut() async throws {
        for name in [
            ".env", "id_rsa", "server.p12", ".ssh/config", ".hidden/a.txt", ".git/config", "sub/.env.local", "open.txt",
        ] {
            try lab.write(name, "needle\n")
        }
        try #require(link(lab.path("id_rsa"), lab.path("copy.txt")) == 0)
        #expect(try await find("needle").text == "open.txt:1: needle\n")
        #expect(try await find("needle", ["pattern": ".*"]).text == "")
        #expect(try await find("needle", ["path": ".ssh"]).text == "")
        #expect(try await find("needle", ["path": ".hidden"]).text == ".hidden/a.txt:1: needle\n")
    }

    @Test func linksAreNotFollowedAndWhatWasNotSearchedIsSaid() async throws {
        try FileManager.default.createDirectory(atPath: lab.root + "/elsewhere", withIntermediateDirectories: true)
        #expect(
            FileManager.default.createFile(atPath: lab.root + "/elsewhere/out.txt", contents: Data("needle\n".utf8)))
        try #require(symlink(lab.root + "/elsewhere", lab.path("folder")) == 0)
        try #require(symlink(lab.root + "/elsewhere/out.txt", lab.path("link.txt")) == 0)
        try #require(symlink(".", lab.path("circle")) == 0)
        mkfifo(lab.path("pipe.txt"), 0o600)
        try #require(link(lab.root + "/elsewhere/out.txt", lab.path("hard.txt")) == 0)
        let (text, json, partial) = try await find("needle")
        #expect(text == "" && json["skipped"]?["linked"] == 1)
        #expect(partial == [LeftOut(.linked, 1)])
    }

    @Test func limitsEndASearchAndAreSaid() async throws {
        try lab.write("many.txt", String(repeating: "needle\n", count: Limits.foundLines + 1))
        let many = try await find("needle")
        #expect(many.text.utf8.count(where: { $0 == 0x0A }) == Limits.foundLines && many.json["complete"] == false)
        #expect(many.partial == [LeftOut(.rest, why: "there are more than \(Limits.foundLines) matches")])
        try lab.write("many.txt", [UInt8](repeating: 0x61, count: Limits.searchedFileBytes + 1))
        try lab.write("long.txt", "needle" + String(repeating: "é", count: Limits.foundLineCharacters * 3))
        let long = try await find("needle")
        #expect(long.text.hasSuffix("é…\n") && long.text.count < Limits.foundLineCharacters + 30)
        #expect(long.partial == [LeftOut(.large, 1)])
        var deep = "deep"
        for _ in 0..<Limits.searchedDepth { deep += "/d" }
        try lab.write(deep + "/x.txt", "needle here\n")
        #expect(try await find("needle h").partial == [LeftOut(.large, 1), LeftOut(.deep, 1)])
    }

    @Test func hostileNamesAndFaultsOfParameters() async throws {
        try lab.write("a\nb.txt", "needle \u{1B}[31m\n")
        #expect(try await find("needle").text == "\"a\\nb.txt\":1: needle \u{1B}[31m\n")
        let rows: [(params: JSON, code: String)] = [
            (["text": ""], "badParam"), (["text": "a\nb"], "badParam"),
            (["text": "x", "path": "gone"], "fileNotFound"),
            (["text": "x", "path": "a\nb.txt"], "notAFolder"), ([:], "badParam"),
        ]
        for row in rows {
            let failure = await #expect(throws: Failure.self) { try await lab.run("FindText", row.params) }
            #expect(failure?.code == row.code, "\(row.params.text)")
        }
    }
}
