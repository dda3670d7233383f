import CaseNames
@testable import Files
import Foundation
import JSON
import Testing
@testable import Tools
import Vocabulary

/// What came of a file that holds keys is known by its content, whatever it is called by then.
@Suite struct SecretFileTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    @Test(
        arguments: [
            (".env", true), (".env.local", true), (".env.example", false), ("keys/.ssh/config", true),
            ("id_ed25519", true),
            ("id_ed25519.pub", false), ("server.P12", true), ("notes.txt", false), ("environment.txt", false),
            (".env (1)", true), ("id_rsa_old", true), ("credentials (1).json", true), ("x.tfvars.json", true),
            ("_netrc", true),
            (".Renviron", true), ("id_mapping.csv", false), ("notes.1", false),
        ])
    func isKnownByTheName(name: String, isSecret: Bool) async throws {
        try lab.write(name, "words of \(name)")
        let text = try await lab.run("ReadFile", ["path": .string(name)])[0]
        #expect(lab.store.isPrivate(text.hash) == isSecret)
    }

    @Test func aLinkWithAHarmlessNameHidesNothing() async throws {
        try lab.write(".env", "TOKEN=1")
        symlink(".env", lab.path("notes.txt"))
        let file = try await lab.run("FileLoader", ["path": "notes.txt"])[0]
        #expect(lab.store.isPrivate(file.hash))
    }

    /// The file is one of keys by a link that nobody named: of the workspace, or of a folder on the way.
    @Test(arguments: [
        ("kube/config", "kube", ".kube"), ("a/b/token", "b", "a/.ssh"), ("dev/settings", "dev/settings", ".env"),
        ("dev/r", "dev/r", ".Renviron"), ("conf/settings.txt", "../conf/settings.txt", "deploy/.env"),
        ("a/b/words", "../b", "a/c/.ssh"), ("conf/x", "../conf/x", "deploy/server.key"),
    ])
    func aLinkWithATellingNameMakesItOne(file: String, target: String, link: String) async throws {
        try lab.write(file, "words")
        try lab.write("a/other", "words of another")
        if let end = link.lastIndex(of: "/") { try lab.write(link[..<end] + "/beside", "x") }
        symlink(target, lab.path(link))
        for (name, isSecret) in [(file, true), ("a/other", false)] {
            let text = try await lab.run("ReadFile", ["path": .string(name)])[0]
            #expect(lab.store.isPrivate(text.hash) == isSecret)
        }
    }

    @Test func whatIsMadeOfItIsToo() async throws {
        try lab.write(".env", "TOKEN=1")
        let secret = try await lab.run("ReadFile", ["path": ".env"])[0]
        let turned = try await lab.run("ReplaceText", ["find": "TOKEN=", "replacement": ""], [("text", secret)])[0]
        #expect(lab.store.isPrivate(turned.hash))
        _ = try await lab.run("WriteFile", ["path": "copy.txt"], [("text", turned)])
        let read = try await lab.run("ReadFile", ["path": "copy.txt"])[0]
        #expect(lab.store.isPrivate(read.hash))
    }

    /// The name that is written counts: with its number it tells nothing.
    @Test func aCopyUnderAnotherNumberIsTold() async throws {
        try lab.write("credentials.json", "{}")
        let text = try await lab.run("ReadFile", ["path": "credentials.json"])[0]
        let file = try await lab.run("FileLoader", ["path": "credentials.json"])[0]
        for (kind, params, port, asset) in [
            ("WriteFile", ["path": "credentials.json"], "text", text), ("SaveFile", [:], "file", file),
        ] as [(String, JSON, String, Asset)] {
            let call = try lab.toolbox.prepare(try lab.assignment(kind, params, [(port, asset)]))
            #expect(call.targets.first?.isPrivate == !SecretFiles.holds("/credentials-1.json"), "\(kind)")
        }
    }

    @Test func oneOfKeysByALinkIsOneWhereverItGoes() async throws {
        try lab.write("config/app.txt", "TOKEN=1")
        symlink("config/app.txt", lab.path(".env"))
        let call = try lab.toolbox.prepare(
            try lab.assignment("MoveFile", ["from": "config/app.txt", "to": "config/b.txt"]))
        #expect(call.targets.map(\.isPrivate) == [true, true])
        let text = try lab.text(try await lab.run("ListFiles", ["path": ".", "pattern": "*"])[0])
        symlink(".env", lab.path("notes"))
        #expect(!text.contains("\"bytes\":7"))
        #expect(try !lab.text(await lab.run("ListFiles", ["path": ".", "pattern": "n*"])[0]).contains("\"bytes\":7"))
    }

    /// What is new there has no other name yet, whatever could not be looked at.
    @Test(.process) func whatIsWrittenInAFolderThatCannotBeLookedAtIsNoKey() async throws {
        try Lab.program(["bash", "-c", "mkdir $'p\\xff'"], in: lab.workspace)
        let written = try await lab.run("WriteFile", ["path": "a.txt", "text": "words of everybody"])[0]
        #expect(!lab.store.isPrivate(written.hash))
    }

    /// A size tells whether a guess is right.
    @Test func noSizeOfItIsListed() async throws {
        try lab.write(".env", "PIN=4711")
        try lab.write("notes.txt", "words")
        let list = try await lab.run("ListFiles", ["path": ".", "pattern": "*"])
        let text = try lab.text(list[0]) + lab.text(try await lab.run("ListFiles", ["path": ".", "pattern": ".*"])[0])
        #expect(text.contains("\"bytes\":5") && !text.contains("\"bytes\":8") && text.contains(".env"), "\(text)")
    }

    @Test func aNameWithANewlineIsOneLineOfAList() async throws {
        try lab.write("a\nb.txt", "words")
        let list = try await lab.run("ListFiles", ["path": ".", "pattern": "*"])
        let text = try lab.text(try #require(list.first { $0.port == "text" }))
        #expect(text.split(separator: "\n").filter { $0.contains("b.txt") } == [#""a\nb.txt""#], "\(text)")
    }

    /// From then on neither a command nor a reader knows it for what it is: that is told before it is written.
    @Test(arguments: ["copy.txt", "sub/.env.example", ".env.local", "server.p12"])
    func aCopyUnderAPlainNameIsTold(name: String) async throws {
        try lab.write(".env", "TOKEN=1")
        let isPlain = [".txt", ".example"].contains(where: name.hasSuffix)
        let text = try await lab.run("ReadFile", ["path": ".env"])[0]
        let file = try await lab.run("FileLoader", ["path": ".env"])[0]
        func areTold(_ kind: String, _ params: JSON, _ inputs: [(String, Asset)] = []) throws -> [Bool] {
            try lab.toolbox.prepare(try lab.assignment(kind, params, inputs)).targets.map(\.isPrivate)
        }
        #expect(try areTold("WriteFile", ["path": .string(name)], [("text", text)]) == [isPlain])
        #expect(try areTold("SaveFile", ["path": .string(name)], [("file", file)]) == [isPlain])
        #expect(try areTold("MoveFile", ["from": ".env", "to": .string(name)]) == [true, isPlain])
        try lab.write(name, "old")
        #expect(try areTold("WriteFile", ["path": .string(name), "overwrite": true], [("text", text)]) == [isPlain])
        #expect(try areTold("WriteFile", ["path": .string(name)], [("text", try lab.asset("plain"))]) == [false])
    }

    /// Found by its inode, wherever in the workspace it has its other name.
    @Test func anotherNameOfOneIsOne() async throws {
        try lab.write("deep/.env", "TOKEN=1")
        try lab.write("a.txt", "plain")
        try lab.write(".ssh/keys/config", "key")
        for (name, other) in [("deep/.env", "hard.txt"), (".ssh/keys/config", "config.txt"), ("a.txt", "b.txt")] {
            #expect(link(lab.path(name), lab.path(other)) == 0)
        }
        for (name, isSecret) in [("hard.txt", true), ("config.txt", true), ("b.txt", false)] {
            let text = try await lab.run("ReadFile", ["path": .string(name)])[0]
            #expect(lab.store.isPrivate(text.hash) == isSecret, "\(name)")
        }
    }
}
