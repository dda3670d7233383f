import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// What is bound into the workspace lies somewhere else, too: it is asked about, and no command sees it.
@Suite(.process) struct MountTests {
    let lab: Lab

    init() throws { lab = try Lab(isInMemory: Rehearsals.isInMemory) }

    /// Whether something can be bound here: it takes a root of its own.
    static let canBind: Bool = {
        guard geteuid() == 0, let scratch = try? ScratchFolder(),
            mount(scratch.path, scratch.path, nil, UInt(MS_BIND), nil) == 0
        else {
            return false
        }
        umount2(scratch.path, Int32(MNT_DETACH))
        return true
    }()

    private func bound(_ source: String, _ name: String, _ body: () throws -> Void) throws {
        try #require(mount(source, lab.path(name), nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(lab.path(name), Int32(MNT_DETACH)) }
        try body()
    }

    private func target(_ kind: String, _ params: JSON) throws -> Call.Target {
        try #require(try lab.toolbox.prepare(try lab.assignment(kind, params)).targets.first)
    }

    private func withKeys(_ body: (_ keys: String) throws -> Void) throws {
        let keys = "\(lab.root)/keys"
        try ScratchFolder.makeFolder(keys)
        try ScratchFolder.write(Array("SECRET".utf8), to: "\(keys)/id_rsa")
        try lab.write("plain.txt", "")
        try lab.write("m d/old.txt", "old")
        try body(keys)
    }

    @Test(.enabled(if: canBind, "nothing can be bound here: no root"))
    func whatIsBoundCountsAsOutside() throws {
        try withKeys { (keys) throws in
            try bound("\(keys)/id_rsa", "plain.txt") { () throws in
                #expect(try target("ReadFile", ["path": "plain.txt"]).hasOtherNames)
                #expect(try target("WriteFile", ["path": "plain.txt", "text": "x", "overwrite": true]).hasOtherNames)
                let status = try PersonFiles(workspace: lab.workspace).status(lab.path("plain.txt"))
                #expect(status?.st_nlink == 1, "it is no hard link")
            }
            try bound(keys, "m d") { () throws in
                #expect(try target("ReadFile", ["path": "m d/id_rsa"]).hasOtherNames)
                #expect(try target("ListFiles", ["path": "m d"]).hasOtherNames)
                #expect(try target("WriteFile", ["path": "m d/new.txt", "text": "x"]).hasOtherNames)
                #expect(try target("WriteFile", ["path": "m d/deep/new.txt", "text": "x"]).hasOtherNames)
            }
            for kind in ["ReadFile", "ListFiles"] {
                #expect(try !target(kind, ["path": kind == "ReadFile" ? "plain.txt" : "m d"]).hasOtherNames)
            }
        }
    }

    /// A size tells whether a guess is right.
    @Test(.enabled(if: canBind, "nothing can be bound here: no root"))
    func noSizeOfWhatIsBoundIsListed() async throws {
        let source = "\(lab.root)/elsewhere.txt"
        try ScratchFolder.write(Array("SECRET".utf8), to: source)
        try lab.write("plain.txt", "")
        try lab.write("words.txt", "words")
        try #require(mount(source, lab.path("plain.txt"), nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(lab.path("plain.txt"), Int32(MNT_DETACH)) }
        let text = try lab.text(try await lab.run("ListFiles", ["path": ".", "pattern": "*"])[0])
        #expect(text.contains("plain.txt") && text.contains("\"bytes\":5") && !text.contains("\"bytes\":6"), "\(text)")
    }

    /// What was bound after the yes is not what was asked about.
    @Test(.enabled(if: canBind, "nothing can be bound here: no root"))
    func whatIsBoundAfterTheYesIsNotRead() throws {
        try withKeys { (keys) throws in
            let asked = try target("ReadFile", ["path": "plain.txt"])
            try bound("\(keys)/id_rsa", "plain.txt") { () throws in
                let files = try PersonFiles(workspace: lab.workspace)
                #expect(throws: Failure.self) { _ = try files.reading(asked, lab.path("plain.txt")).status() }
            }
        }
    }

    @Test(.enabled(if: canBind, "nothing can be bound here: no root"))
    func aCommandSeesNothingThatIsBound() throws {
        try withKeys { (keys) throws in
            try bound("\(keys)/id_rsa", "plain.txt") { () throws in
                try bound(keys, "m d") { () throws in
                    let hidden = try MountPoints.below(lab.workspace)
                    #expect(hidden.files == [lab.path("plain.txt")] && hidden.folders == [lab.path("m d")])
                    let elsewhere = try PrivateFiles.below(lab.workspace, own: lab.own, isElsewhere: true)
                    #expect(elsewhere.holds(lab.path("plain.txt")) && elsewhere.holds(lab.path("m d/id_rsa")))
                    let forTool = try PrivateFiles.below(lab.workspace, of: lab.workspace, own: lab.own)
                    #expect(forTool.holds(lab.path("plain.txt")) && forTool.holds(lab.path("m d/id_rsa")))
                }
            }
            #expect(try MountPoints.below(lab.workspace).isEmpty)
        }
    }

    /// A workspace that is a mount itself is as any other.
    @Test(.enabled(if: canBind, "nothing can be bound here: no root"))
    func aWorkspaceMayBeAMount() throws {
        try lab.write("a/note.txt", "words")
        try bound(lab.workspace, "") { () throws in
            #expect(try !target("ReadFile", ["path": "a/note.txt"]).hasOtherNames)
            #expect(try !target("WriteFile", ["path": "a/new.txt", "text": "x"]).hasOtherNames)
            #expect(try MountPoints.below(lab.workspace).isEmpty)
        }
    }

    /// A mount says nothing about the rest of the workspace, and a target on it names it.
    @Test(.enabled(if: canBind, "nothing can be bound here: no root"))
    func onlyWhatLiesOnAMountIsAskedAbout() throws {
        try withKeys { (keys) throws in
            try ScratchFolder.makeFolder(lab.path("d"))
            try bound(keys, "m d") { () throws in
                let rows: [(path: String, mount: String?)] = [
                    ("new.txt", nil), ("d/new.txt", nil), ("m d/new.txt", "m d"), ("m d/a/b/new.txt", "m d"),
                ]
                for row in rows {
                    let call = try lab.toolbox.prepare(
                        try lab.assignment("WriteFile", ["path": .string(row.path), "text": "x"]))
                    let target = try #require(call.targets.first)
                    #expect(target.mount == row.mount.map(lab.path), "\(row)")
                    #expect(target.hasOtherNames == (row.mount != nil), "\(row)")
                }
            }
        }
    }

    /// A folder of the workspace that is mounted in it once more has both paths, as by a link.
    @Test(.enabled(if: canBind, "nothing can be bound here: no root"), arguments: ["conf", ""])
    func aFolderThatIsMountedInsideHasBothPaths(source: String) throws {
        try lab.write("conf/old.json", "old")
        try ScratchFolder.makeFolder(lab.path("again"))
        let folder = source.isEmpty ? lab.workspace : lab.path(source)
        try bound(folder, "again") { () throws in
            let target = try target("WriteFile", ["path": "conf/new.json", "text": "x"])
            #expect(!target.hasOtherNames)
            let other = lab.path(source.isEmpty ? "again/conf/new.json" : "again/new.json")
            #expect(target.otherPaths.contains(other), "\(target.otherPaths)")
        }
    }
}
