import CaseNames
import Glibc
import Harness
import JSON
import Pictures
import Testing
import Vocabulary

@testable import Files

/// What a file is besides its content: permissions, access list, attributes and time (`consent.md`, "What a file is").
@Suite(.process) struct FilesStayTests {
    /// An access list that gives user 1 everything and the group of the file nothing: the mask is in the mode, so that
    /// the mode alone would give the group everything.
    private static let list: [UInt8] = [
        2, 0, 0, 0, 0x01, 0, 6, 0, 255, 255, 255, 255, 0x02, 0, 7, 0, 1, 0, 0, 0, 0x04, 0, 0, 0, 255, 255, 255, 255,
        0x10, 0, 7, 0, 255, 255, 255, 255, 0x20, 0, 0, 0, 255, 255, 255, 255,
    ]
    private static let (year, listName) = (Int64(1_400_000_000_000_000_000), "system.posix_acl_access")

    private func lab(_ name: String = "a.txt", mode: mode_t = 0o640) throws -> VerbLab {
        let lab = try VerbLab()
        if name.hasSuffix(".png") {
            var picture = MaskDrawing(width: 64, height: 48)
            picture.shapes = [.rectangle(x: 1, y: 1, width: 9, height: 9)]
            try lab.write(picture.png(), to: name)
        } else {
            try lab.write("b\na\n", to: name)
        }
        #expect(chmod(lab.path(name), mode) == 0)
        let times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: Int(Self.year / 1_000_000_000), tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, lab.path(name), times, 0) == 0)
        return lab
    }

    private func mode(_ lab: VerbLab, _ name: String) -> mode_t {
        var status = stat()
        guard lstat(lab.path(name), &status) == 0 else { return 0 }
        return status.st_mode & 0o7777
    }

    private func seconds(_ lab: VerbLab, _ name: String) -> Int {
        var status = stat()
        return lstat(lab.path(name), &status) == 0 ? status.st_mtim.tv_sec : 0
    }

    private func attribute(_ lab: VerbLab, _ name: String, _ attribute: String) -> [UInt8]? {
        let all = try? OpenFile(lab.path(name), O_RDONLY).attributes()
        return all?.first { $0.name == attribute }?.value
    }

    /// Sets an attribute. The result is false where the file system has none.
    private func set(_ lab: VerbLab, _ name: String, _ attribute: String, _ value: [UInt8]) -> Bool {
        (try? OpenFile(lab.path(name), O_RDONLY).set(attribute, value)) ?? false
    }

    private func overwrite(_ lab: VerbLab) async throws {
        let plan = workflow("w", [node("w", "WriteFile", ["path": "a.txt", "text": "z", "overwrite": true])])
        try lab.write(plan, to: ".w.json")
        try await lab.succeeds("run", lab.path(".w.json"), "--mode", "auto")
        #expect(lab.text("a.txt") == "z")
    }

    /// Kind 60: copies and results of a private file were readable by all.
    @Test(arguments: [
        ("a.txt", "copy a.txt to b.txt", "b.txt", mode_t(0o600), mode_t(0o600)),
        ("a.txt", "sort a.txt and save it as b.txt", "b.txt", 0o600, 0o600),
        ("a.sh", "copy a.sh to b.sh", "b.sh", 0o755, 0o755),
        ("cat.png", "resize cat.png to 20 px wide", "cat-1.png", 0o600, 0o600),
        ("a.txt", "copy a.txt to b.txt", "b.txt", 0o644, 0o644),
    ])
    func aResultIsNoMoreOpenThanItsSource(
        source: String, sentence: String, result: String, mode: mode_t, wanted: mode_t
    ) async throws {
        let lab = try lab(source, mode: mode)
        let ending = try await lab.run("ask", sentence, "--mode", "auto")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        #expect(self.mode(lab, result) == wanted, "\(lab.names())")
        let isCopy = sentence.hasPrefix("copy")
        #expect((seconds(lab, result) == Int(Self.year / 1_000_000_000)) == isCopy, "a copy has the time of its file")
        #expect(self.mode(lab, source) == mode)
        // Neither a model nor a script sees it.
        let shown = try await lab.shown()
        #expect(shown["assets"]?.array?.isEmpty == false && !shown.text.contains("traits"), "\(shown.text)")
    }

    @Test func ofSeveralSourcesTheStrictestCounts() async throws {
        let lab = try lab("a.txt", mode: 0o644)
        try lab.write("c\n", to: "c.txt")
        #expect(chmod(lab.path("c.txt"), 0o600) == 0)
        let ending = try await lab.run("ask", "join a.txt and c.txt and save it as all.txt", "--mode", "auto")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        #expect(mode(lab, "all.txt") == 0o600)
    }

    /// U1: without its list, the mask becomes the right of the group.
    @Test(arguments: [true, false])
    func undoBringsBackTheAccessListAndTheAttributes(isDeleted: Bool) async throws {
        let lab = try lab()
        guard set(lab, "a.txt", Self.listName, Self.list), set(lab, "a.txt", "user.note", [1, 2]) else { return }
        let before = mode(lab, "a.txt")
        if isDeleted {
            try await lab.succeeds("ask", "delete a.txt", "--mode", "auto")
        } else {
            try await overwrite(lab)
        }
        try await lab.succeeds("undo", "w1", "--yes")
        #expect(lab.text("a.txt") == "b\na\n" && mode(lab, "a.txt") == before)
        #expect(attribute(lab, "a.txt", Self.listName) == Self.list)
        #expect(attribute(lab, "a.txt", "user.note") == [1, 2])
        #expect(seconds(lab, "a.txt") == Int(Self.year / 1_000_000_000))
    }

    @Test func aCopyHasTheAccessListAndTheAttributes() async throws {
        let lab = try lab()
        guard set(lab, "a.txt", Self.listName, Self.list), set(lab, "a.txt", "user.note", [1, 2]) else { return }
        let ending = try await lab.run("ask", "copy a.txt to b.txt", "--mode", "auto")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        #expect(attribute(lab, "b.txt", Self.listName) == Self.list && attribute(lab, "b.txt", "user.note") == [1, 2])
    }

    /// N1: an empty folder into which an archive is unpacked stays what it was, and its files have their modes and times.
    @Test(arguments: [mode_t(0o700), 0o2770, 0o755]) func aFolderThatIsUnpackedIntoStaysWhatItWas(mode: mode_t)
        async throws
    {
        let lab = try lab()
        try await lab.succeeds("ask", "zip a.txt as z.zip", "--mode", "auto")
        #expect(mkdir(lab.path("in"), 0o700) == 0 && chmod(lab.path("in"), mode) == 0)
        let plan = workflow(
            "u", [node("l", "FileLoader", ["path": "z.zip"]), node("u", "Unpack", ["folder": "in"])],
            [edge("l.file", "u.file")])
        try lab.write(plan, to: ".u.json")
        try await lab.succeeds("run", lab.path(".u.json"), "--mode", "auto")
        #expect(self.mode(lab, "in") == mode)
        #expect(self.mode(lab, "in/a.txt") == 0o640 && lab.text("in/a.txt") == "b\na\n")
        #expect(seconds(lab, "in/a.txt") == Int(Self.year / 1_000_000_000))
    }

    /// Another right that somebody gave afterwards is work of somebody.
    @Test func anAccessListThatChangedSinceIsAChange() async throws {
        let lab = try lab()
        try await overwrite(lab)
        guard set(lab, "a.txt", "user.note", [9]) else { return }
        let undo = try await lab.run("undo", "w1", "--yes")
        #expect(undo.exit != 0 && undo.errors.contains("was changed since"), "\(undo.output)\(undo.errors)")
        #expect(attribute(lab, "a.txt", "user.note") == [9])
    }

    /// U2 and m1: a path behind a link is left, and an undo that can do nothing says so.
    @Test func aPathBehindALinkIsLeft() async throws {
        let lab = try lab()
        let plan = workflow("d", [node("w", "WriteFile", ["path": "d/a.txt", "text": "1"])])
        try lab.write(plan, to: ".d.json")
        try await lab.succeeds("run", lab.path(".d.json"), "--mode", "auto")
        #expect(rename(lab.path("d"), lab.path("d_")) == 0 && symlink("d_", lab.path("d")) == 0)
        let undo = try await lab.run("undo", "w1", "--yes", "--partial")
        #expect(undo.exit != 0, "\(undo.output)\(undo.errors)")
        let words = (undo.output + undo.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("lies behind a link now"), "\(words)")
        #expect(unlink(lab.path("d")) == 0 && rename(lab.path("d_"), lab.path("d")) == 0)
        try await lab.succeeds("undo", "w1", "--yes")
        #expect(!lab.exists("d/a.txt") && !lab.exists("d"))
    }

    /// U3: the folder of a change is on a disk that is not here.
    @Test func whatLayOnAnotherDiskIsLeft() async throws {
        let lab = try lab()
        let ending = try await lab.run("ask", "delete a.txt", "--mode", "auto")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        let file = try #require(
            ScratchFolder.files(under: "\(lab.home)/data/undo").first { $0.hasSuffix(".json") && $0.contains("w1/") })
        let record = "\(lab.home)/data/undo/\(file)"
        let text = try #require(ScratchFolder.text(ScratchFolder.exists(record) ? record : file))
        let device = try #require(text.firstMatch(of: /"folder":\["[0-9]+","[0-9]+"\]/))
        let other = text.replacing(device.output, with: "\"folder\":[\"4242\",\"4242\"]")
        try ScratchFolder.write(other, to: ScratchFolder.exists(record) ? record : file)
        let undo = try await lab.run("undo", "w1", "--yes")
        #expect(undo.exit != 0 && undo.errors.contains("lies on a disk that is not here"), "\(undo.errors)")
        #expect(!lab.exists("a.txt"))
    }

    /// What a step made in a folder that is gone was not removed by the undo.
    @Test func whatLayInAFolderThatIsGoneIsLeft() async throws {
        let lab = try lab()
        #expect(mkdir(lab.path("d"), 0o755) == 0)
        try lab.write(
            workflow("d", [node("w", "WriteFile", ["path": "d/a.txt", "text": "1"])]), to: ".d.json")
        try await lab.succeeds("run", lab.path(".d.json"), "--mode", "auto")
        #expect(unlink(lab.path("d/a.txt")) == 0 && rmdir(lab.path("d")) == 0)
        let undo = try await lab.run("undo", "w1", "--yes")
        #expect(undo.exit != 0 && undo.errors.contains("has no folder any more"), "\(undo.output)\(undo.errors)")
    }

    /// U8: the folder of a session was renamed.
    @Test func anUndoWorksInAFolderThatWasMoved() async throws {
        let lab = try lab()
        try await overwrite(lab)
        let (here, other) = (parent(of: lab.path("a.txt")), parent(of: lab.path("a.txt")) + "-moved")
        #expect(rename(here, other) == 0)
        defer { rename(other, here) }
        let refused = try await lab.run("undo", "w1", "--yes")
        #expect(refused.exit == 2 && "\(refused)".contains("is not there any more"), "\(refused)")
        #expect("\(refused)".contains("undo w1 --in FOLDER"), "\(refused)")
        let wrong = try await lab.run("undo", "w1", "--yes", "--in", "/nonexistent")
        #expect(wrong.exit == 2, "\(wrong)")
        let dry = try await lab.run("undo", "w1", "--dry-run", "--in", other)
        #expect(dry.exit == 0 && ScratchFolder.text("\(other)/a.txt") == "z", "\(dry)")
        let done = try await lab.run("undo", "w1", "--yes", "--in", other)
        #expect(done.exit == 0 && ScratchFolder.text("\(other)/a.txt") == "b\na\n", "\(done)")
        let redone = try await lab.run("redo", "w2", "--yes")
        #expect(redone.exit == 0 && ScratchFolder.text("\(other)/a.txt") == "z", "\(redone)")
    }

    @Test func aFolderThatIsThereWasNotMoved() async throws {
        let lab = try lab()
        try await overwrite(lab)
        let ending = try await lab.run("undo", "w1", "--yes", "--in", "/tmp")
        #expect(ending.exit == 2 && lab.text("a.txt") == "z", "\(ending)")
    }
}
