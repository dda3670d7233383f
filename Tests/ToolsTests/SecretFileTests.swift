import Foundation
import JSON
import Testing
import Tools
import Vocabulary

/// What came of a file that holds keys is known by its content, whatever it is called by then.
@Suite struct SecretFileTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    @Test(
        arguments: [
            (".env", true), (".env.local", true), (".env.example", false), ("keys/.ssh/config", true), ("id_ed25519", true),
            ("id_ed25519.pub", false), ("server.PEM", true), ("notes.txt", false), ("environment.txt", false),
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

    @Test func whatIsMadeOfItIsToo() async throws {
        try lab.write(".env", "TOKEN=1")
        let secret = try await lab.run("ReadFile", ["path": ".env"])[0]
        let turned = try await lab.run("ReplaceText", ["find": "TOKEN=", "replacement": ""], [("text", secret)])[0]
        #expect(lab.store.isPrivate(turned.hash))
        _ = try await lab.run("WriteFile", ["path": "copy.txt"], [("text", turned)])
        let read = try await lab.run("ReadFile", ["path": "copy.txt"])[0]
        #expect(lab.store.isPrivate(read.hash))
    }
}
