import CaseNames
@testable import Files
import Foundation
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// Assent's settings and rules are its own wherever links in its folders lead: a person may keep them among other
/// dotfiles.
@Suite(.process) struct OwnPathsTests {
    private let lab: Lab

    init() throws { lab = try Lab(isInMemory: Rehearsals.isInMemory) }

    /// Links by their path below the lab, what they say, and what then is Assent's, below the workspace.
    static let ways: [Named<(links: [(String, String)], own: String)>] = [
        Named("settings", ([("config/settings.yaml", "../work/assent/settings.yaml")], "assent/settings.yaml")),
        Named("policy", ([("config/policy.yaml", "../work/policy.yaml")], "policy.yaml")),
        Named("hosts", ([("config/hosts.json", "../work/h.json")], "h.json")),
        Named("a folder of keys", ([("config/keys", "../work/keys")], "keys/assent")),
        Named("one key", ([("config/keys/assent", "../../work/key")], "key")),
        Named("a tool", ([("config/tools/mine.yaml", "../../work/mine.yaml")], "mine.yaml")),
        Named(
            "a tool in a linked folder", ([("config/tools", "../tools"), ("tools/a.yaml", "../work/a.yaml")], "a.yaml")),
        Named("a template", ([("config/templates/a.json", "../../work/a.json")], "a.json")),
        Named(
            "a link to a link",
            ([("config/policy.yaml", "../work/one"), ("work/one", "dot/two"), ("work/dot/two", "../three")], "three")),
        Named("the link between", ([("config/policy.yaml", "../work/one"), ("work/one", "two")], "one")),
        Named(
            "a folder on the way",
            ([("config/policy.yaml", "../work/dot/policy.yaml"), ("work/dot", "real")], "real/policy.yaml")),
        Named("rules of the workspace", ([("work/.assent", "conf")], "conf/policy.yaml")),
        Named("rules through two", ([("work/.assent", "a"), ("work/a", "b")], "b/policy.yaml")),
        Named("rules as a file", ([("work/.assent/policy.yaml", "../rules.yaml")], "rules.yaml")),
        Named("the data folder's", ([("data/own-writes", "../work/writes")], "writes")),
    ]

    private func link(_ links: [(String, String)]) throws {
        for (path, target) in links {
            try ScratchFolder.makeFolder((lab.root + "/" + path as NSString).deletingLastPathComponent)
            #expect(symlink(target, "\(lab.root)/\(path)") == 0, "\(path)")
        }
    }

    private func code(_ kind: String, _ params: JSON) -> String? {
        do { _ = try lab.toolbox.prepare(try lab.assignment(kind, params)) } catch {
            return (error as? Failure)?.code.text
        }
        return nil
    }

    @Test(arguments: ways) func noToolWritesThere(named: Named<(links: [(String, String)], own: String)>) throws {
        let (links, own) = named.value
        try link(links)
        let path = JSON.string(own)
        #expect(code("WriteFile", ["path": "other.txt", "text": "x"]) == nil)
        // Through a link that leads nowhere nothing is written at all.
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: lab.path(own))) != nil
        #expect(code("WriteFile", ["path": path, "text": "x"]) == (isLink ? "badPath" : "ownFolder"))
        guard !isLink else {
            #expect(code("DeleteFile", ["path": path]) == "ownFolder")
            return
        }
        try lab.write("note.txt", "x")
        #expect(code("MoveFile", ["from": "note.txt", "to": path]) == "ownFolder")
        try lab.write(own, "mine")
        #expect(code("WriteFile", ["path": path, "text": "x", "overwrite": true]) == "ownFolder")
        #expect(code("DeleteFile", ["path": path]) == "ownFolder")
        #expect(try lab.toolbox.prepare(try lab.assignment("ReadFile", ["path": path])).reach == .outside)
    }

    @Test(.enabled(if: Rehearsals.areHere), arguments: ways)
    func noCommandWritesThere(named: Named<(links: [(String, String)], own: String)>) async throws {
        let (links, own) = named.value
        try link(links)
        let folder = (own as NSString).deletingLastPathComponent
        let make = folder.isEmpty ? "" : "mkdir -p \(folder); "
        let ending = await lab.run(
            try lab.assignment("Shell", ["command": .string("\(make)rm -f \(own); echo evil > \(own)")]))
        #expect(ending.assets == nil && lab.read(own) != "evil\n", "\(ending)")
    }

    /// What is there is not seen, either.
    @Test(.enabled(if: Rehearsals.areHere)) func noCommandReadsThem() async throws {
        try link([("config/settings.yaml", "../work/assent/settings.yaml"), ("work/.assent", "conf")])
        for name in ["assent/settings.yaml", "conf/policy.yaml", "notes.txt"] {
            try lab.write(name, "words of \(name)\n")
        }
        let said = try await lab.run("Shell", ["command": "cat assent/* conf/* .assent/* notes.txt 2>/dev/null; true"])
        #expect(try lab.text(try #require(said.first)) == "words of notes.txt\n")
        #expect(lab.read("assent/settings.yaml") == "words of assent/settings.yaml\n")
    }

    /// A link in place of a folder on the way would lead to another file.
    @Test(
        .enabled(if: Rehearsals.areHere),
        arguments: [
            "mkdir x; echo evil > x/settings.yaml; ln -s x assent", "mkdir x; echo evil > x/settings.yaml; mv x assent",
        ])
    func noFolderOnTheWayIsMadeALink(command: String) async throws {
        try link([("config/settings.yaml", "../work/assent/settings.yaml")])
        let ending = await lab.run(try lab.assignment("Shell", ["command": .string(command)]))
        #expect(ending.failure?.code == "rehearsalRefused" && !lab.exists("assent"), "\(ending)")
    }

    @Test func noToolMovesALinkOntoTheWay() throws {
        try link([("config/settings.yaml", "../work/assent/settings.yaml"), ("work/other", "x")])
        #expect(code("MoveFile", ["from": "other", "to": "assent"]) == "ownFolder")
    }

    /// The rules of a folder further down, for sessions that begin there.
    @Test(.enabled(if: Rehearsals.areHere)) func rulesOfOtherFoldersBehindALinkAreOwnToo() async throws {
        try lab.write("sub/x", "x")
        try link([("work/sub/.assent", "../conf")])
        #expect(code("WriteFile", ["path": "conf/policy.yaml", "text": "x"]) == "ownFolder")
        let ending = await lab.run(try lab.assignment("Shell", ["command": "mkdir conf; echo evil > conf/policy.yaml"]))
        #expect(ending.failure?.code == "rehearsalRefused" && !lab.exists("conf"), "\(ending)")
    }

    /// A workspace of somebody else may have any number of links in its `.assent`.
    @Test func whereTheyAreTooManyNothingIsWritten() throws {
        for index in 0...Limits.ownPaths { try link([("work/.assent/\(index)", "../real\(index)")]) }
        #expect(code("WriteFile", ["path": "other.txt", "text": "x"]) == "tooManyFiles")
        try lab.write("real7", "x")
        #expect(code("DeleteFile", ["path": "real7"]) == "tooManyFiles")
    }
}
