import CProcess
import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Synchronization
import Testing
@testable import Tools
import Vocabulary

/// What was asked about is what is touched, whatever others do to the folders above it meanwhile.
@Suite struct PersonFilesTests {
    private let lab: Lab
    private let outside: String

    init() throws {
        lab = try Lab()
        outside = lab.root + "/outside"
        for folder in [outside, lab.root + "/elsewhere/d"] { try ScratchFolder.makeFolder(folder) }
        try lab.write("d/f.txt", "inside")
        try lab.write("note.txt", "note")
        try ScratchFolder.write("outside", to: outside + "/f.txt")
        try ScratchFolder.write("elsewhere", to: lab.root + "/elsewhere/d/f.txt")
    }

    private func putLink(_ folder: String) throws {
        try #require(rename(folder, folder + ".was") == 0 && symlink(outside, folder) == 0)
    }

    /// Acts on a call as it was prepared, without the second look that comes before.
    private func act(_ assignment: Assignment, _ call: Call) async -> Failure? {
        let toolbox = lab.toolbox
        return await onThread {
            do throws(Failure) {
                guard case .builtin(let name) = assignment.manifest.action, let builtin = Builtin(rawValue: name) else {
                    return nil
                }
                var bench = try toolbox.workbench(assignment, cancel: Cancellation())
                _ = try builtin.run(Builtin.Context(assignment: assignment, call: call, toolbox: toolbox), on: &bench)
                return nil
            } catch {
                return error
            }
        }
    }

    private func outsideNow() -> [String] {
        ScratchFolder.files(under: outside).map { "\($0): \(ScratchFolder.text($0) ?? "")" }.sorted()
    }

    @Test(
        arguments: [
            ("ReadFile", ["path": "d/f.txt"]), ("FileLoader", ["path": "d/f.txt"]), ("ListFiles", ["path": "d"]),
            ("WriteFile", ["path": "d/new.txt", "text": "x"]), ("WriteFile", ["path": "d/a/b/new.txt", "text": "x"]),
            ("WriteFile", ["path": "d/f.txt", "text": "x"]),
            ("WriteFile", ["path": "d/f.txt", "text": "x", "overwrite": true]),
            ("SaveFile", ["path": "d/"]), ("SaveFile", ["path": "d/f.txt", "overwrite": true]),
            ("MoveFile", ["from": "d/f.txt", "to": "here.txt"]),
            ("MoveFile", ["from": "note.txt", "to": "d/note.txt"]),
            ("DeleteFile", ["path": "d/f.txt"]),
        ] as [(String, JSON)])
    func aLinkInPlaceOfAFolderIsNotFollowed(kind: String, params: JSON) async throws {
        let assignment = try lab.assignment(
            kind, params, kind == "SaveFile" ? [("file", try lab.asset("x", .file, name: "f.txt"))] : [])
        let call = try lab.toolbox.prepare(assignment)
        let before = outsideNow()
        try putLink(lab.path("d"))
        #expect(await act(assignment, call)?.code == "targetChanged")
        #expect(outsideNow() == before && lab.read("note.txt") == "note" && !lab.exists("here.txt"))
        // With the second look the call is another, and asked about anew.
        let toolbox = lab.toolbox
        #expect(
            await onThread { toolbox.run(assignment, call: call, cancel: Cancellation()) }.failure?.code
                == "targetChanged")
        #expect(outsideNow() == before)
    }

    /// After a yes; the way there is the one that was shown.
    @Test(arguments: ["ReadFile", "DeleteFile", "WriteFile"]) func neitherOutsideOfTheWorkspace(kind: String)
        async throws
    {
        let folder = lab.root + "/elsewhere/d"
        let params: JSON = ["path": .string(folder + "/f.txt"), "text": "x", "overwrite": true]
        let assignment = try lab.assignment(kind, params)
        let call = try lab.toolbox.prepare(assignment)
        #expect(call.targets.first?.reach == .outside)
        try putLink(folder)
        #expect(await act(assignment, call)?.code == "targetChanged")
        #expect(ScratchFolder.text(outside + "/f.txt") == "outside")
    }

    @Test func linksThatLeadInsideAreResolvedBeforeTheyAreAskedAbout() async throws {
        symlink("d", lab.path("inner"))
        symlink(lab.path("d/f.txt"), lab.path("inner.txt"))
        #expect(try lab.text(try #require(try await lab.run("ReadFile", ["path": "inner/f.txt"]).first)) == "inside")
        _ = try await lab.run("WriteFile", ["path": "inner.txt", "text": "new", "overwrite": true])
        #expect(lab.read("d/f.txt") == "new" && linkTarget(lab.path("inner.txt")) == lab.path("d/f.txt"))
    }

    /// A listing says of a link what lies behind it only where that is in the workspace.
    @Test func aListingDoesNotLookBehindLinksThatLeadOut() async throws {
        symlink("d", lab.path("inner"))
        symlink(outside, lab.path("outer"))
        let assets = try await lab.run("ListFiles", [:])
        let text = try lab.text(try #require(assets.first { $0.port == "text" }))
        #expect(text == "d/\ninner/\nnote.txt\nouter")
    }

    @Test func anActThatALinkOnlyPretendsIsNotTakenForDone() async throws {
        let assignment = try lab.assignment("WriteFile", ["path": "d/new.txt", "text": "x"])
        _ = await lab.run(assignment)
        ScratchFolder.remove(assignment.runFolder + ".result")
        try #require(rename(lab.path("d/new.txt"), outside + "/new.txt") == 0)
        try putLink(lab.path("d"))
        #expect(lab.toolbox.adopt(assignment) == .gone)
    }

    /// A name with a mark behind the slash is a name, not a part of the folder's.
    @Test func aSlashBeforeACombiningMarkIsASlash() async throws {
        let assignment = try lab.assignment("WriteFile", ["path": "d/\u{301}x", "text": "x"])
        let call = try lab.toolbox.prepare(assignment)
        try putLink(lab.path("d"))
        #expect(await act(assignment, call)?.code == "targetChanged")
        #expect(outsideNow().count == 1)
        #expect(SecretFiles.holds("/w/.ssh/\u{301}x"))
    }

    /// Two names that are one to Unicode are two folders: what was decided for one is not done in the other.
    @Test(arguments: ["WriteFile", "ReadFile", "DeleteFile"]) func aLinkBetweenTwinFoldersIsSeen(kind: String)
        async throws
    {
        let (decided, twin) = ("caf\u{E9}", "cafe\u{301}")
        // One file with one name, as `mv` of a folder gives it.
        try lab.write("\(decided)/old.txt", "old")
        symlink(decided, lab.path("link"))
        let path = kind == "WriteFile" ? "link/new.txt" : "link/old.txt"
        let assignment = try lab.assignment(kind, ["path": .string(path), "text": "x"])
        let call = try lab.toolbox.prepare(assignment)
        try #require(rename(lab.path(decided), lab.path(twin)) == 0 && mkdir(lab.path(decided), 0o700) == 0)
        unlink(lab.path("link"))
        symlink(twin, lab.path("link"))
        let toolbox = lab.toolbox
        #expect(
            await onThread { toolbox.run(assignment, call: call, cancel: Cancellation()) }.failure?.code
                == "targetChanged")
        #expect(lab.names(twin) == ["old.txt"] && lab.names(decided).isEmpty)
    }

    // MARK: The race

    /// Exchanges a folder with a link to a folder outside, in bursts: as fast as it can, and with pauses in which
    /// something may be done.
    private final class Swapper: Sendable {
        private let isOver = Atomic(false)
        private let count = Atomic(0)
        private let hasEnded = Mutex(false)
        private let folder: String

        init(_ folder: String) { self.folder = folder }

        var swaps: Int { count.load(ordering: .relaxed) }

        func start() {
            inBackground { [self] in
                var random = Seeded(17)
                while !isOver.load(ordering: .relaxed) {
                    _ = cfiles_exchange(AT_FDCWD, folder, AT_FDCWD, folder + ".link")
                    count.add(1, ordering: .relaxed)
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0: usleep(5000)
                    case 1...3: usleep(UInt32.random(in: 0...300, using: &random))
                    default: break
                    }
                }
                hasEnded.withLock { $0 = true }
            }
        }

        func end() async throws {
            isOver.store(true, ordering: .relaxed)
            try await eventually("the swaps are over") { hasEnded.withLock { $0 } }
        }
    }

    /// A thousand runs. A call that says it goes outside would ask, and is not run.
    ///
    /// - Returns: the texts of those that went well, and the failures by code.
    private func race(_ kind: String, _ params: @escaping @Sendable (Int) -> JSON) async throws -> (
        texts: [String], codes: [String: Int]
    ) {
        symlink(outside, lab.path("d.link"))
        let swapper = Swapper(lab.path("d"))
        swapper.start()
        let lab = lab
        let result = await onThread { () -> ([String], [String: Int]) in
            var (texts, codes): ([String], [String: Int]) = ([], [:])
            var (number, runs) = (0, 0)
            // Only a fault lets the larger number run out.
            while runs < 1000 || texts.isEmpty, number < 1_000_000 {
                number += 1
                guard let assignment = try? lab.assignment(kind, params(number), attempt: number) else { break }
                do throws(Failure) {
                    let call = try lab.toolbox.prepare(assignment)
                    guard call.targets.allSatisfy({ $0.reach == .workspace }) else {
                        codes["asks", default: 0] += 1
                        continue
                    }
                    runs += 1
                    switch lab.toolbox.run(assignment, call: call, cancel: Cancellation()) {
                    case .succeeded(let assets): texts.append(assets.first.flatMap { try? lab.text($0) } ?? "")
                    case .failed(let failure): throw failure
                    default: codes["other", default: 0] += 1
                    }
                } catch { codes[error.code.text, default: 0] += 1 }
            }
            return (texts, codes)
        }
        try await swapper.end()
        #expect(swapper.swaps > 1000)
        return result
    }

    @Test func noneOfAThousandReadsLeavesTheWorkspace() async throws {
        let (texts, codes) = try await race("ReadFile") { _ in ["path": "d/f.txt"] }
        #expect(!texts.isEmpty && texts.allSatisfy { $0 == "inside" }, "\(texts.count) \(codes)")
        #expect(Set(codes.keys).isSubset(of: ["asks", "targetChanged", "fileNotFound"]), "\(codes)")
    }

    @Test func noneOfAThousandWritesLeavesTheWorkspace() async throws {
        let (texts, codes) = try await race("WriteFile") { ["path": .string("d/\($0).txt"), "text": .string("\($0)")] }
        #expect(outsideNow().count == 1, "\(codes)")
        let real = linkTarget(lab.path("d")) == nil ? "d" : "d.link"
        #expect(!texts.isEmpty && lab.names(real).count >= texts.count, "\(codes)")
        #expect(Set(codes.keys).isSubset(of: ["asks", "targetChanged", "fileNotFound"]), "\(codes)")
    }
}
