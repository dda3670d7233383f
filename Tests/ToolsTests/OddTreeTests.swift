import CaseNames
@testable import Files
import Foundation
import Glibc
import Harness
import JSON
import Testing
import Vocabulary

/// What a tool was not told to change is as it was: of a folder of odd files everything is compared, after the tool and
/// after its undo.
@Suite(.process) struct OddTreeTests {
    let lab: Lab
    let before: [String: String]

    init() throws {
        lab = try Lab()
        try OddTree.make("tree", in: lab.workspace)
        before = try OddTree.picture("tree", in: lab.workspace)
    }

    @Test func theTreeIsOdd() throws {
        #expect(before.count > 55 && before.values.contains { $0.contains("sparse") })
        #expect(Set(before.values.map { $0.split(separator: " ")[1] }).count > 8)
        #expect(before.values.count { $0.contains("user.") } == 2)
        #expect(before.values.count { $0.contains("posix_acl") } == 3)
    }

    private func expectSame(
        _ now: [String: String], _ then: [String: String], _ location: SourceLocation = #_sourceLocation
    ) {
        let other = Set(now.keys).union(then.keys).filter { now[$0] != then[$0] }.sorted()
        #expect(
            other.isEmpty, "\(other.map { "\($0): \(then[$0] ?? "–") → \(now[$0] ?? "–")" }.joined(separator: "\n"))",
            sourceLocation: location)
    }

    private func undo() async throws {
        let ending = try await lab.undo()
        #expect(ending.failure == nil, "\(ending)")
    }

    @Test func aCopyOfAFolderIsTheSame() async throws {
        _ = try await lab.run("CopyFolder", ["from": "tree", "to": "new/copy"])
        expectSame(try OddTree.picture("new/copy", in: lab.workspace), before)
        expectSame(try OddTree.picture("tree", in: lab.workspace), before)
        try await undo()
        #expect(lab.names() == ["tree"])
        expectSame(try OddTree.picture("tree", in: lab.workspace), before)
    }

    @Test func aFolderIsCopiedIntoAFolderThatIsThere() async throws {
        try lab.write("there/x", "x")
        _ = try await lab.run("CopyFolder", ["from": "tree", "to": "there"])
        expectSame(try OddTree.picture("there/tree", in: lab.workspace), before)
        try await undo()
        #expect(lab.names("there") == ["x"])
    }

    @Test func aMovedFolderIsTheSame() async throws {
        _ = try await lab.run("MoveFile", ["from": "tree", "to": "other/place"])
        #expect(lab.names() == ["other"])
        expectSame(try OddTree.picture("other/place", in: lab.workspace), before)
        try await undo()
        #expect(lab.names() == ["tree"])
        expectSame(try OddTree.picture("tree", in: lab.workspace), before)
    }

    /// The same tree gives the same bytes, whatever was made of it before.
    @Test(arguments: [("Zip", OddTree.Depth.zip), ("Tar", .tar)]) func anArchiveHoldsTheTree(
        kind: String, depth: OddTree.Depth
    ) async throws {
        // A link to a folder would give its files names that the question does not show: it is not unpacked.
        try FileManager.default.removeItem(atPath: lab.path("tree/links/folder"))
        // GNU tar as root without its rights cannot write into a folder that was made read-only.
        if kind == "Tar", geteuid() == 0 { chmod(lab.path("tree/deep/1/2/3/4/5/6"), 0o755) }
        let before = try OddTree.picture("tree", in: lab.workspace)
        let made = try #require(await lab.run(kind, ["paths": ["tree"]]).first)
        #expect(try #require(await lab.run(kind, ["paths": ["tree"]]).first).hash == made.hash)
        #expect(made.partial.isEmpty && made.warning == nil, "\(made)")
        _ = try await lab.run("Unpack", ["folder": "out"], [("file", made)])
        expectSame(
            try OddTree.picture("out/tree", in: lab.workspace, depth),
            try OddTree.picture("tree", in: lab.workspace, depth))
        expectSame(try OddTree.picture("tree", in: lab.workspace), before)
    }

    /// Other programs read what we write.
    @Test func otherProgramsUnpackAZip() async throws {
        let made = try #require(await lab.run("Zip", ["paths": ["tree"]]).first)
        let told = try Lab.program(["unzip", "-q", "-d", "out", lab.store.path(made.hash)], in: lab.workspace)
        #expect(told.isEmpty)
        expectSame(
            try OddTree.picture("out/tree", in: lab.workspace, .zip),
            try OddTree.picture("tree", in: lab.workspace, .zip))
        let check = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip())"
        #expect(try Lab.program(["python3", "-c", check, lab.store.path(made.hash)], in: lab.root) == "None\n")
    }

    /// Each file is moved, deleted and overwritten, and comes back by undo.
    @Test func whatHappensToEachFileIsUndone() async throws {
        let files = before.filter { $0.value.hasPrefix("-") || $0.value.hasPrefix("l") }.keys.sorted()
        for (number, name) in files.enumerated() where !name.hasPrefix("deep/") {
            let path = JSON.string("tree/\(name)")
            switch number % 3 {
            case 0: _ = try await lab.run("DeleteFile", ["path": path])
            case 1: _ = try await lab.run("MoveFile", ["from": path, "to": .string("tree/moved-\(number)")])
            default:
                guard before[name]?.hasPrefix("-") == true else { continue }
                _ = try await lab.run("WriteFile", ["path": path, "text": "new", "overwrite": true])
            }
        }
        try await undo()
        let now = try OddTree.picture("tree", in: lab.workspace)
        // The time of a folder is not restored: it tells when a name in it came or went.
        let folders = before.filter { $0.value.hasPrefix("d") }.keys
        for path in Set(now.keys).union(before.keys).subtracting(folders) {
            #expect(now[path] == before[path], "\(path)")
        }
        #expect(Set(now.keys) == Set(before.keys))
    }
}
