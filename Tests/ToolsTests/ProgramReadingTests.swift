import CaseNames
@testable import Files
import Foundation
import Harness
import JSON
import Manifests
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// A person's own tool that reads what its parameters name: what may hold keys is not in a folder for it, and goes to
/// none that sends.
@Suite(.process, .enabled(if: Isolation.here.reasonForNone == nil)) struct ProgramReadingTests {
    private static func tool(_ effects: String) -> ToolManifest? {
        readTools(
            """
            tool: assent.tool/v1
            kind: Mine
            title: Mine
            inputs: {text: "text?"}
            params: {place: {type: path, required: true}, more: {type: path}}
            outputs: {text: text}
            effects: [\(effects)]
            run:
              program:
                - [sh, -c, "grep -rhs KEY \\"$@\\" > {out.text}; true", sh, "{place}", "{more?}", "{text?}"]
              files: {text: said.txt}
            """, file: "mine.yaml", isShipped: false
        ) { .of($0) }.tools.first
    }

    private let reader: ToolManifest
    private let sender: ToolManifest

    init() throws {
        reader = try #require(Self.tool("reads"))
        sender = try #require(Self.tool("reads, sends"))
    }

    /// Each file says its own name.
    private func lab(sandbox: Isolation = .here) throws -> Lab {
        let lab = try Lab(sandbox: sandbox)
        for name in [
            "plain.txt", ".env", "sub/.env.local", "sub/words.txt", "sub/.ssh/config", "server.p12",
            "deep/.aws/credentials",
        ] {
            try lab.write(name, "KEY of \(name)\n")
        }
        #expect(link(lab.path(".env"), lab.path("sub/another.txt")) == 0)
        return lab
    }

    /// - Returns: its lines, each once, in order: what is named and lies in a folder that is named is read twice.
    private func said(_ lab: Lab, _ tool: ToolManifest, _ params: JSON, _ inputs: [(String, Asset)] = []) async throws
        -> (String, Asset)
    {
        let ending = await lab.run(try lab.assignment(tool, params, inputs, attempt: Int.random(in: 1...1_000_000)))
        let asset = try #require(ending.assets?.first, "\(ending)")
        return (Set(try lab.text(asset).split(separator: "\n")).sorted().joined(separator: "\n"), asset)
    }

    private func failure(_ lab: Lab, _ tool: ToolManifest, _ params: JSON, _ inputs: [(String, Asset)] = []) throws
        -> String?
    {
        let assignment = try lab.assignment(tool, params, inputs)
        do throws(Failure) {
            _ = try lab.toolbox.prepare(assignment)
            return nil
        } catch {
            return error.code.text
        }
    }

    @Test func aFolderIsSeenWithoutWhatMayHoldKeys() async throws {
        let lab = try lab()
        for tool in [reader, sender] {
            let (text, asset) = try await said(lab, tool, ["place": "."])
            #expect(text == "KEY of plain.txt\nKEY of sub/words.txt" && !lab.store.isPrivate(asset.hash))
        }
        #expect(try lab.toolbox.prepare(lab.assignment(reader, ["place": "."])).targets.map(\.isPrivate) == [false])
    }

    /// Its telling name lies beside the folder.
    @Test func anotherNameOfOneOutsideTheFolderIsNotSeenEither() async throws {
        let lab = try lab()
        #expect(try await said(lab, sender, ["place": "sub"]).0 == "KEY of sub/words.txt")
    }

    /// It is asked about as such, and what comes of it is private.
    @Test(arguments: [".env", "server.p12", "sub/.ssh/config", "sub/another.txt", "link.txt"])
    func theVeryFileIsRead(name: String) async throws {
        let lab = try lab()
        #expect(symlink(".env", lab.path("link.txt")) == 0)
        #expect(
            try lab.toolbox.prepare(lab.assignment(reader, ["place": .string(name)])).targets.map(\.isPrivate) == [true]
        )
        let (text, asset) = try await said(lab, reader, ["place": .string(name)])
        #expect(text.hasPrefix("KEY of ") && lab.store.isPrivate(asset.hash))
        // Also where a folder that is read with it hides it.
        let (both, made) = try await said(lab, reader, ["place": ".", "more": .string(name)])
        #expect(both.split(separator: "\n").count == 3 && lab.store.isPrivate(made.hash), "\(both)")
    }

    @Test func plainFilesAreNotPrivate() async throws {
        let lab = try lab()
        let (text, asset) = try await said(
            lab, sender, ["place": "plain.txt"], [("text", try lab.asset("KEY of the input\n"))])
        #expect(text == "KEY of plain.txt\nKEY of the input" && !lab.store.isPrivate(asset.hash))
    }

    /// Neither by its name, nor by its content, in whatever mode: there is no call to be asked about.
    @Test func nothingOfItGoesToAToolThatSends() throws {
        let lab = try lab()
        for name in [".env", "server.p12", "sub/.ssh/config", "sub/another.txt"] {
            #expect(try failure(lab, sender, ["place": .string(name)]) == "secretFile", "\(name)")
            #expect(try failure(lab, sender, ["place": ".", "more": .string(name)]) == "secretFile", "\(name)")
        }
        let asset = try lab.asset("KEY that was read")
        #expect(try failure(lab, sender, ["place": "."], [("text", asset)]) == nil)
        try lab.store.markPrivate([asset])
        #expect(try failure(lab, sender, ["place": "."], [("text", asset)]) == "secretFile")
        #expect(try failure(lab, reader, ["place": "."], [("text", asset)]) == nil)
    }

    @Test(
        arguments: [
            ("sub/.ssh", "secretFile"), ("../config", "ownFolder"), ("../data", "ownFolder"),
            (".assent", "ownFolder"), ("/", "badPath"), ("/proc/self/environ", "badPath"), ("/dev/null", "badPath"),
            ("sub", nil),
        ] as [(String, String?)])
    func somePlacesAreForNoTool(place: String, code: String?) throws {
        let lab = try lab()
        try lab.write(".assent/policy.yaml", "KEY of the rules")
        for tool in [reader, sender] { #expect(try failure(lab, tool, ["place": .string(place)]) == code) }
    }

    /// A home with everything in it: its keys are not seen, and yet the tool has its inputs and its own folder.
    @Test func aFolderAboveAssentsOwnIsSeenWithoutThem() async throws {
        let lab = try lab()
        try ScratchFolder.makeFolder("\(lab.own.config)/keys")
        try ScratchFolder.write("KEY of a model", to: "\(lab.own.config)/keys/MODEL")
        let (text, _) = try await said(lab, reader, ["place": ".."], [("text", try lab.asset("KEY of the input\n"))])
        #expect(text == "KEY of plain.txt\nKEY of sub/words.txt\nKEY of the input")
    }

    /// Nothing is hidden there: the folder is as one of the files in it.
    @Test func withoutASandboxAFolderWithKeysIsPrivateAsAWhole() throws {
        let lab = try lab(sandbox: .none("test"))
        try lab.write("tidy/words.txt", "KEY of words")
        for (place, isPrivate) in [(".", true), ("sub", true), ("tidy", false)] {
            #expect(
                try lab.toolbox.prepare(lab.assignment(reader, ["place": .string(place)])).targets.map(\.isPrivate) == [
                    isPrivate
                ])
            #expect(try failure(lab, sender, ["place": .string(place)]) == (isPrivate ? "secretFile" : nil))
        }
    }

    /// Of a program that outlived its engine.
    @Test(arguments: [(".env", true), ("plain.txt", false)]) func whatIsAdoptedIsPrivateToo(
        name: String, isPrivate: Bool
    ) throws {
        let lab = try lab()
        let assignment = try lab.assignment(reader, ["place": .string(name)])
        try ScratchFolder.makeFolder(assignment.runFolder)
        try ScratchFolder.write("KEY of it", to: "\(assignment.runFolder)/out-text.txt")
        for trace in ["stdout", "stderr"] { try ScratchFolder.write("", to: "\(assignment.runFolder).\(trace)") }
        let record = JSON.of(["pid": 999_999_999, "start": "1", "boot": "another", "deadline": 0, "logBytes": 1000])
        try ScratchFolder.write(record.text + "\n{ \"exit-code\": 0 }\n", to: "\(assignment.runFolder).record")
        guard case .finished(let ending) = lab.toolbox.adopt(assignment) else {
            Issue.record("It is not taken.")
            return
        }
        let asset = try #require(ending.assets?.first, "\(ending)")
        #expect(lab.store.isPrivate(asset.hash) == isPrivate)
    }
}
