import CaseNames
@testable import Files
import Foundation
import Glibc
import JSON
import Testing
@testable import Tools
import Vocabulary

/// ReadLines with files of every kind.
@Suite struct ReadLinesTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private func read(_ path: String, _ more: JSON = [:]) async throws -> String {
        var params = more.object ?? JSON.Object()
        params["path"] = .string(path)
        return try lab.text(try #require(try await lab.run("ReadLines", .object(params)).first))
    }

    private func failure(_ path: String, _ more: JSON = [:]) async -> Failure? {
        await #expect(throws: Failure.self, "\(path)") { try await read(path, more) }
    }

    @Test func linesOfAFile() async throws {
        try lab.write("src/main.py", (1...212).map { "line \($0)\n" }.joined())
        let page = try await read("src/main.py", ["from": 40, "lines": 2])
        #expect(page == "src/main.py · lines 40 to 41 of 212\n  40\tline 40\n  41\tline 41\n")
        let whole = lab.path("src/main.py")
        #expect(try await read(whole, ["from": 212]) == "\(whole) · line 212 of 212\n 212\tline 212\n")
        let behind = await failure("src/main.py", ["from": 213])
        #expect(behind?.code == "badParam" && behind?.message == "src/main.py has 212 lines, so it has no line 213.")
        #expect(behind?.remedy == "Read from a line between 1 and 212.")
    }

    @Test func millionsOfLines() async throws {
        let count = 1_000_000
        var bytes: [UInt8] = []
        for number in 1...count { bytes += Array("\(number)\n".utf8) }
        try lab.write("large.txt", bytes)
        #expect(
            try await read("large.txt", ["from": .int(count), "lines": 5])
                == "large.txt · line \(count) of \(count)\n\(count)\t\(count)\n")
        #expect(try await read("large.txt", ["from": 524_288, "lines": 1]).hasSuffix("\n524288\t524288\n"))
    }

    @Test func aPictureIsDescribed() async throws {
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        png += [0, 0, 2, 0x80, 0, 0, 1, 0xE0, 8, 2, 0, 0, 0, 0, 0, 0, 0]
        try lab.write("chart.png", png + [UInt8](repeating: 0, count: 12_000))
        #expect(try await read("chart.png") == "chart.png · PNG picture · 640×480 · 12 KB\n")
    }

    @Test func filesOfKeysAreNeverRead() async throws {
        for name in [".env", "id_rsa", ".ssh/known", "server.p12", "notes.txt"] {
            try lab.write(name, "secret needle\n")
        }
        try #require(symlink(".env", lab.path("link.txt")) == 0)
        try #require(link(lab.path("id_rsa"), lab.path("hard.txt")) == 0)
        try #require(symlink("notes.txt", lab.path(".netrc")) == 0)
        for name in [".env", "id_rsa", ".ssh/known", "server.p12", "link.txt", "hard.txt", ".netrc", "notes.txt"] {
            let failure = await failure(name)
            #expect(failure?.code == "secretFile" && failure?.message.contains("needle") == false, "\(name)")
        }
        try Data("needle".utf8).write(to: URL(fileURLWithPath: lab.own.config + "/mykey"))
        try FileManager.default.createDirectory(atPath: lab.own.config + "/keys", withIntermediateDirectories: true)
        try Data("needle".utf8).write(to: URL(fileURLWithPath: lab.own.config + "/keys/MY_SERVICE"))
        #expect(await failure(lab.own.config + "/keys/MY_SERVICE")?.code == "secretFile")
    }

    @Test func whatResultsFromKeysIsMarkedPrivate() async throws {
        try lab.write("copy.txt", "secret\n")
        try lab.store.markPrivate(try lab.store.add("secret\n").hash)
        try lab.write("noted.txt", "a result\n")
        try PrivateNotes.note([lab.path("noted.txt")], lab.own)
        try lab.write("open.txt", "open\n")
        for (name, isPrivate) in [("copy.txt", true), ("noted.txt", true), ("open.txt", false)] {
            let assets = try await lab.run("ReadLines", ["path": .string(name)])
            #expect(lab.store.holdsPrivate(assets) == isPrivate, "\(name)")
        }
    }

    @Test func whatIsNoFileIsRefusedWithoutAWait() async throws {
        try lab.write("src/a.txt", "a\n")
        mkfifo(lab.path("pipe"), 0o600)
        try #require(symlink("/dev/zero", lab.path("zero")) == 0)
        let folder = await failure("src")
        #expect(folder?.code == "isFolder" && folder?.remedy == "Use list to see what is in it.")
        #expect(await failure("pipe")?.code == "notAFile")
        #expect(await failure("zero")?.code == "notAFile")
        #expect(await failure("gone.txt")?.code == "fileNotFound")
        try lab.write("a.bin", [0, 1, 2])
        let binary = await failure("a.bin")
        #expect(binary?.code == "notText" && binary?.remedy?.contains("run") == true)
    }

    @Test func filesOfTheKernelAreReadToTheirEnd() async throws {
        let page = try await read("/proc/self/status")
        #expect(page.hasPrefix("/proc/self/status · lines 1 to ") && page.contains("\n   1\tName:"))
    }

    /// The status of a file can say more bytes than there are when it is read.
    @Test func aFileThatShrinksIsReadAsFarAsItGoes() async throws {
        try lab.write("log.txt", String(repeating: "line\n", count: 200_000))
        let file = try OpenFile(lab.path("log.txt"), O_RDONLY)
        var page = LinePage(of: "log.txt", from: 3, lines: 1)
        page.pieceBytes = 100
        #expect(truncate(lab.path("log.txt"), 16) == 0)
        #expect(try page.text(of: file) == "log.txt · line 3 of 4\n   3\tline\n")
        #expect(truncate(lab.path("log.txt"), 0) == 0)
        #expect(try page.text(of: file) == "log.txt · empty\n")
        #expect(throws: Failure.self) {
            let cancel = Cancellation()
            cancel.cancel()
            try lab.write("log.txt", "line\n")
            _ = try page.text(of: file, cancel: cancel)
        }
    }

    @Test func anIgnoredFileIsReadByItsName() async throws {
        try lab.write(".gitignore", "build\n")
        try lab.write("build/out.txt", "made\n")
        #expect(try await read("build/out.txt") == "build/out.txt · line 1 of 1\n   1\tmade\n")
    }

    @Test func aPathOutsideIsATargetOutside() throws {
        try Data("out\n".utf8).write(to: URL(fileURLWithPath: lab.root + "/out.txt"))
        try #require(symlink(lab.root + "/out.txt", lab.path("link.txt")) == 0)
        for path in ["../out.txt", "link.txt"] {
            let call = try lab.toolbox.prepare(lab.assignment("ReadLines", ["path": .string(path)]))
            #expect(call.targets.count == 1 && call.targets[0].reach == .outside, "\(path)")
            #expect(call.targets[0].path?.hasSuffix("/out.txt") == true && call.effects == [.reads])
        }
    }

    @Test func largeTextsInUTF16AreRefused() async throws {
        let size = Limits.searchedFileBytes + 2
        try lab.write("wide.txt", [0xFF, 0xFE] + [UInt8](repeating: 0x61, count: size - 2))
        let failure = await failure("wide.txt")
        #expect(failure?.code == "tooLarge" && failure?.remedy?.contains("iconv") == true)
    }
}
