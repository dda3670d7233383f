import CProcess
import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// An act that was cut between two calls of the system is finished or put back; nothing keeps a hidden name.
@Suite(.process) struct IntentTests {
    private let lab: Lab
    private let hidden = ".assent-1-2.part"

    init() throws {
        lab = try Lab()
        try lab.write("notes.txt", "old")
    }

    private func before(_ name: String) throws -> Call.Before { try files().look(at: lab.path(name)).before }
    private func files() throws -> PersonFiles { try PersonFiles(workspace: lab.workspace) }

    private func adopted(_ kind: String, _ params: JSON, _ intent: FileIntent) throws -> Adoption {
        let assignment = try lab.assignment(kind, params)
        try makeFolders(parent(of: assignment.runFolder))
        try RunFolder(assignment.runFolder).write(intent)
        return lab.toolbox.adopt(assignment)
    }

    private func move(_ from: String, _ to: String) { #expect(rename(lab.path(from), lab.path(to)) == 0) }

    /// - Parameter change: what somebody did: before the file was taken aside, and after the cut.
    @Test(
        .process,
        arguments: [
            ("", "", nil, []), ("", "echo theirs > notes.txt", "theirs\n", ["notes.txt"]),
            ("echo theirs >> notes.txt", "", "oldtheirs\n", ["notes.txt"]),
        ] as [(String, String, String?, [String])])
    func aDeletionThatWasCutIsFinishedOrPutBack(first: String, then: String, text: String?, names: [String]) throws {
        let intent = FileIntent.deleting(lab.path("notes.txt"), try before("notes.txt"), hidden: lab.path(hidden))
        try Lab.program(["sh", "-c", first], in: lab.workspace)
        move("notes.txt", hidden)
        try Lab.program(["sh", "-c", then], in: lab.workspace)
        let adoption = try adopted("DeleteFile", ["path": "notes.txt"], intent)
        #expect((adoption == .finished(.succeeded([]))) == first.isEmpty, "\(adoption)")
        #expect(lab.names() == names && lab.read("notes.txt") == text)
    }

    @Test func whatCannotBePutBackIsNamed() throws {
        let intent = FileIntent.deleting(lab.path("notes.txt"), try before("notes.txt"), hidden: lab.path(hidden))
        try lab.write("notes.txt", "one")
        move("notes.txt", hidden)
        try lab.write("notes.txt", "two")
        guard case .finished(.failed(let failure)) = try adopted("DeleteFile", ["path": "notes.txt"], intent) else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.code == "targetChanged" && failure.message.contains(hidden))
        #expect(lab.read("notes.txt") == "two" && lab.read(hidden) == "one")
    }

    /// The new file has the hidden name; or has changed places already.
    @Test(.process, arguments: [(false, false), (true, false), (true, true)])
    func aReplacementThatWasCutIsFinishedOrPutBack(isExchanged: Bool, isTheirs: Bool) throws {
        var intent = FileIntent(path: lab.path("notes.txt"), hidden: lab.path(hidden), before: try before("notes.txt"))
        let path = try lab.write(hidden, "new")
        var status = stat()
        #expect(stat(path, &status) == 0)
        (intent.device, intent.inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        if isTheirs { try Lab.program(["sh", "-c", "echo theirs >> notes.txt"], in: lab.workspace) }
        if isExchanged { #expect(cfiles_exchange(AT_FDCWD, path, AT_FDCWD, lab.path("notes.txt")) == 0) }
        let adoption = try adopted("WriteFile", ["path": "notes.txt", "text": "new", "overwrite": true], intent)
        let isDone = isExchanged && !isTheirs
        #expect((adoption != .gone) == isDone, "\(adoption)")
        #expect(
            lab.names() == ["notes.txt"] && lab.read("notes.txt") == (isTheirs ? "oldtheirs\n" : isDone ? "new" : "old")
        )
    }

    /// To another file system: a copy has its name, and the original is there or lies aside.
    @Test(arguments: [false, true]) func aMoveAcrossThatWasCutTakesTheOriginalAway(isAside: Bool) throws {
        var intent = FileIntent(
            path: lab.path("copy.txt"), hidden: lab.path(hidden), before: try before("notes.txt"),
            source: lab.path("notes.txt"))
        var status = stat()
        #expect(stat(try lab.write("copy.txt", "old"), &status) == 0)
        (intent.device, intent.inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        if isAside { move("notes.txt", hidden) }
        #expect(try adopted("MoveFile", ["from": "notes.txt", "to": "copy.txt"], intent) != .gone)
        #expect(lab.names() == ["copy.txt"])
    }

    @Test func aNoteReadsBackWhatItWrote() throws {
        let folder = RunFolder("\(lab.own.data)/runs/r")
        try makeFolders(parent(of: folder.path))
        let before = Call.Before.file(device: .max, inode: 3, size: 4, modifiedNanoseconds: -5, hash: nil)
        for intent in [
            FileIntent(path: "/a", device: 1, inode: 2), .deleting("/a", before, hidden: "/.b"),
            FileIntent(path: "/a", device: 1, inode: .max, hidden: "/.b", before: before, source: "/c"),
        ] {
            try folder.write(intent)
            #expect(folder.intent == intent)
        }
    }
}

/// What is noted of a file besides its content stays when it is replaced.
@Suite(.process) struct ReplacedFileTests {
    private let lab: Lab

    init() throws { lab = try Lab() }

    private func replace(_ name: String) async throws {
        _ = try await lab.run("WriteFile", ["path": .string(name), "text": "new", "overwrite": true])
        #expect(lab.read(name) == "new")
    }

    @Test(arguments: [0o600, 0o644, 0o755]) func permissionsAndAttributesStay(mode: Int) async throws {
        let path = try lab.write("a.txt", "old")
        do {
            let file = try OpenFile(path, O_RDONLY)
            #expect(
                cfiles_set_attribute(file.descriptor, "user.note", "kept", 4) == 0 && chmod(path, mode_t(mode)) == 0)
        }
        try await replace("a.txt")
        let file = try OpenFile(path, O_RDONLY)
        #expect(try file.status().permissions == mode)
        #expect(
            try file.attributes().filter { $0.name.hasPrefix("user.") } == [
                .init(name: "user.note", value: Array("kept".utf8))
            ])
    }

    @Test(.enabled(if: geteuid() == 0)) func theOwnerStays() async throws {
        let path = try lab.write("a.txt", "old")
        #expect(chown(path, 1000, 1001) == 0)
        try await replace("a.txt")
        let status = try OpenFile(path, O_RDONLY).status()
        #expect(status.st_uid == 1000 && status.st_gid == 1001)
    }
}
