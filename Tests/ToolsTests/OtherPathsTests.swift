import CaseNames
@testable import Files
import Foundation
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// A file has other names by links, and what obeys it finds it under any of them.
@Suite(.process) struct OtherPathsTests {
    private let lab: Lab

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        for name in ["conf/tasks.json", "scripts/check.sh", "real/x.txt"] { try lab.write(name, "old\n") }
        try ScratchFolder.makeFolder(lab.path(".git/hooks"))
        symlink("conf", lab.path(".vscode"))
        symlink("../../scripts/check.sh", lab.path(".git/hooks/pre-commit"))
        symlink("../../scripts/later.sh", lab.path(".git/hooks/post-merge"))
        symlink("real", lab.path("docs"))
        symlink("docs", lab.path("papers"))
        symlink(".", lab.path("here"))
    }

    /// Paths below the workspace.
    private func others(_ target: Call.Target?) -> [String] {
        (target?.otherPaths ?? []).map { $0.path(below: lab.workspace) ?? $0 }.filter { !$0.hasPrefix("here/") }
    }

    @Test(
        arguments: [
            ("WriteFile", "conf/tasks.json", [".vscode/tasks.json"]),
            ("WriteFile", ".vscode/new.json", [".vscode/new.json"]),
            ("WriteFile", ".git/hooks/pre-commit", [".git/hooks/pre-commit"]),
            ("WriteFile", "scripts/later.sh", [".git/hooks/post-merge"]),
            ("WriteFile", "papers/x.txt", ["docs/x.txt", "papers/x.txt"]), ("WriteFile", "plain.txt", []),
            ("DeleteFile", "docs/x.txt", ["docs/x.txt", "papers/x.txt"]), ("DeleteFile", ".git/hooks/pre-commit", []),
            ("ReadFile", "papers/x.txt", ["docs/x.txt", "papers/x.txt"]), ("ReadFile", "real/x.txt", []),
            ("ReadFile", "conf/../real//x.txt", []),
        ] as [(String, String, [String])])
    func aToolSaysThem(kind: String, path: String, expected: [String]) throws {
        let call = try lab.toolbox.prepare(
            try lab.assignment(
                kind, ["path": .string(path), "text": kind == "WriteFile" ? "new" : .null, "overwrite": true]))
        #expect(others(call.targets.first) == expected)
        #expect(try Call(json: call.json) == call)
    }

    /// Whatever number it gets: a link may lead to what is not there yet.
    @Test(
        arguments: [
            ("conf/tasks.json", [".vscode/tasks-1.json"]), (".vscode/tasks.json", [".vscode/tasks-1.json"]),
            ("scripts/check.sh", [".envrc"]), ("real/x.txt", ["docs/x-1.txt", "papers/x-1.txt"]), ("plain.txt", []),
        ] as [(String, [String])])
    func aNewNameSaysThem(path: String, expected: [String]) throws {
        try lab.write("plain.txt", "old")
        for (link, target) in [
            (".envrc", "scripts/check-7.sh"), (".profile", "scripts/check-x.sh"), ("other", "plain-1.md"),
        ] {
            symlink(target, lab.path(link))
        }
        let call = try lab.toolbox.prepare(try lab.assignment("WriteFile", ["path": .string(path), "text": "new"]))
        #expect(others(call.targets.first) == expected)
        #expect(try Call(json: call.json) == call)
    }

    @Test func whatIsSavedWithoutAPathSaysThem() throws {
        symlink("note-3.txt", lab.path(".envrc"))
        let call = try lab.toolbox.prepare(try lab.assignment("SaveFile", [:], [("file", lab.asset("x"))]))
        #expect(others(call.targets.first) == [".envrc"])
    }

    /// Assent's own is not written by a number, either.
    @Test func aNewNameIsNoneOfOurOwn() throws {
        try ScratchFolder.makeFolder(lab.path(".assent"))
        symlink("../plain-2.txt", lab.path(".assent/policy.yaml"))
        try lab.write("plain.txt", "old")
        let failure = #expect(throws: Failure.self) {
            try lab.toolbox.prepare(try lab.assignment("WriteFile", ["path": "plain.txt", "text": "new"]))
        }
        #expect(failure?.code == "ownFolder")
    }

    /// What keeps the links of a workspace from being seen makes a file one that may have any name: that asks.
    @Test(arguments: ["a name", "a link's name", "a folder that can be entered", "deep folders"])
    func linksThatCannotBeSeenAreSaid(
        what: String
    ) throws {
        // What lies that deep has no path by which others could remove it.
        defer { _ = try? Lab.program(["sh", "-c", "rm -rf 0*"], in: lab.workspace) }
        switch what {
        case "a name":
            let folder: [CChar] = Array(lab.path("p").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
            try #require(mkdir(folder, 0o700) == 0)
        case "a link's name":
            try Lab.program(
                ["bash", "-c", "ln -s conf $'\\xff'; rm .vscode; ln -s $'\\xff' .vscode"], in: lab.workspace)
        case "a folder that can be entered":
            // Root lists it all the same.
            guard geteuid() != 0 else { return }
            try Lab.program(["sh", "-c", "mkdir shut; chmod 111 shut"], in: lab.workspace)
        default:
            try Lab.program(
                ["sh", "-c", "for i in $(seq 20); do n=$(printf '%0250d' $i); mkdir $n; cd -P $n; done"],
                in: lab.workspace)
        }
        let call = try lab.toolbox.prepare(try lab.assignment("WriteFile", ["path": "conf/new.json", "text": "new"]))
        #expect(call.targets.first?.hasOtherNames == true)
    }

    /// Whatever lies there that we did not put there.
    @Test func linksBesideOurStateAreSeen() throws {
        try ScratchFolder.makeFolder(lab.path(".assent/state/a"))
        symlink("../../../real/x.txt", lab.path(".assent/state/a/tasks.json"))
        let own = OwnPaths(lab.own, workspace: lab.workspace)
        let found = try WorkspaceLinks(of: lab.workspace, but: own, isPartial: true).otherPaths(
            of: lab.path("real/x.txt"))
        #expect(found.contains(lab.path(".assent/state/a/tasks.json")))
    }

    @Test func ourOwnByALinkThatNobodyCanReadIsAnything() throws {
        try Lab.program(["bash", "-c", "ln -s conf $'\\xff'; ln -s $'\\xff' .assent"], in: lab.workspace)
        let failure = #expect(throws: Failure.self) {
            try lab.toolbox.prepare(try lab.assignment("WriteFile", ["path": "conf/policy.yaml", "text": "new"]))
        }
        #expect(failure?.code == "tooManyFiles")
    }

    @Test func linksThatLeadTooFarAreSaid() throws {
        let own = OwnPaths(lab.own, workspace: lab.workspace)
        #expect(try WorkspaceLinks(of: lab.workspace, but: own, isPartial: true).isWhole)
        #expect(try !WorkspaceLinks(of: lab.workspace, but: own, isPartial: true, names: 3).isWhole)
        #expect(throws: Failure.self) { try WorkspaceLinks(of: lab.workspace, but: own, names: 3) }
    }

    /// A link that came with the workspace makes nothing of it unseen.
    @Test func linksBehindOneOfOurOwnAreSeen() throws {
        try lab.write("proj/sub/x", "x")
        symlink("../../conf", lab.path("proj/sub/.vscode"))
        try ScratchFolder.makeFolder(lab.path(".assent"))
        symlink("../proj", lab.path(".assent/l"))
        let own = OwnPaths(lab.own, workspace: lab.workspace)
        let found = try WorkspaceLinks(of: lab.workspace, but: own, isPartial: true).otherPaths(
            of: lab.path("conf/new.json"))
        #expect(found.contains(lab.path("proj/sub/.vscode/new.json")))
        // It is found below `.assent` as well, and so left alone.
        let failure = #expect(throws: Failure.self) {
            try lab.toolbox.prepare(try lab.assignment("WriteFile", ["path": "conf/new.json", "text": "new"]))
        }
        #expect(failure?.code == "ownFolder")
    }

    @Test func aMoveSaysThoseOfBothEnds() throws {
        let call = try lab.toolbox.prepare(try lab.assignment("MoveFile", ["from": "docs/x.txt", "to": ".vscode/"]))
        #expect(call.targets.map(others) == [["docs/x.txt", "papers/x.txt"], [".vscode/x.txt"]])
    }

    @Test(
        .enabled(if: Rehearsals.areHere),
        arguments: [
            ("echo new > .vscode/settings.json", [".vscode/settings.json"]),
            ("echo new > conf/tasks.json", [".vscode/tasks.json"]),
            ("echo new >> scripts/check.sh", [".git/hooks/pre-commit"]),
            ("echo new > scripts/later.sh", [".git/hooks/post-merge"]),
            ("rm real/x.txt", ["docs/x.txt", "papers/x.txt"]), ("echo new > plain.txt", []),
        ] as [(String, [String])])
    func aCommandSaysThem(command: String, expected: [String]) throws {
        let call = try lab.toolbox.rehearse(
            try lab.assignment("Shell", ["command": .string(command)]), cancel: Cancellation())
        #expect(call.targets.count == 1 && others(call.targets.first) == expected)
        #expect(try lab.toolbox.prepare(try lab.assignment("Shell", ["command": .string(command)])) == call)
    }

    @Test func circlesEndAndThereAreNeverMoreThanTheLimit() throws {
        for name in 0..<40 { symlink("real", lab.path("link\(name)")) }
        symlink("loop", lab.path("loop"))
        symlink("..", lab.path("real/up"))
        let own = OwnPaths(lab.own, workspace: lab.workspace)
        let found = try WorkspaceLinks(of: lab.workspace, but: own).otherPaths(of: lab.path("real/x.txt"))
        #expect(found.count == Limits.otherPaths && Set(found).count == found.count)
    }

    @Test(
        arguments: [
            ("/a/b", "/a/b", []), ("/docs/x", "/real/x", ["/docs/x"]),
            ("/papers/x", "/real/x", ["/papers/x", "/docs/x"]),
            ("/nowhere/x", "/nowhere/x", []), ("/papers/../x", "/x", ["/docs/../x"]), ("/loop", "/loop", []),
        ] as [(String, String, [String])])
    func theWayOfAPathIsTheKernels(path: String, end: String, names: [String]) throws {
        symlink("loop", lab.path("loop"))
        let way = LinkWay(lab.workspace + path)
        #expect(way.end == lab.workspace + end)
        if path.contains("..") { return }
        #expect(way.names.filter { $0 != way.end } == names.map { lab.workspace + $0 })
    }

    /// A chain of links with long ways, each through the next: what all of them together would be walked for grows with
    /// their square.
    @Test func manyLinksAreEachFollowedOnce() throws {
        let count = 60
        for index in 0..<count {
            let next = index == count - 1 ? "real/x.txt" : "chain\(index + 1)"
            symlink(String(repeating: "docs/../", count: 20) + next, lab.path("chain\(index)"))
        }
        // Of each target forty names and its last; of those that they lead through, one.
        var ends = LinkEnds(names: count * 42 + 10)
        for index in 0..<count { #expect(try ends.end(of: lab.path("chain\(index)")) == lab.path("real/x.txt")) }
        var fewer = LinkEnds(names: count * 20)
        let failure = #expect(throws: Failure.self) { try fewer.end(of: lab.path("chain0")) }
        #expect(failure?.code == "tooManyFiles")
    }

    @Test func circlesOfLinksEnd() throws {
        for (name, target) in [("one", "two/x"), ("two", "three/../one"), ("three", "two"), ("self", "self/self")] {
            symlink(target, lab.path(name))
        }
        var ends = LinkEnds()
        for name in ["one", "two", "three", "self"] {
            #expect(try ends.end(of: lab.path(name)).hasPrefix(lab.workspace))
        }
    }
}
