import CaseNames
import Harness
import JSON
import Testing

/// `kill -9` in random workflows and in their undo: the folder is as it was before.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct KilledUndoTests {
    private static let runs = 30

    /// A step that has the files with its number for itself.
    private static func step(_ number: Int, _ random: inout Seeded) -> JSON {
        let (file, id) = ("f\(number).txt", "s\(number)")
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: node(id, "WriteFile", ["path": .string(file), "text": "new", "overwrite": true])
        case 1: node(id, "WriteFile", ["path": .string("made\(number)/in/new.txt"), "text": "new"])
        case 2: node(id, "MoveFile", ["from": .string(file), "to": .string("moved\(number)/\(file)")])
        case 3: node(id, "DeleteFile", ["path": .string(file)])
        case 4: node(id, "Shell", ["command": .string("touch -d @5 \(file) g\(number); chmod 600 \(file)")])
        default:
            node(
                id, "Shell",
                [
                    "command": .string(
                        "echo more >> \(file); chmod 444 \(file); mkdir c\(number); echo x > c\(number)/x; rm g\(number)"
                    )
                ])
        }
    }

    private static func picture(_ lab: ProgramLab) async throws -> String {
        let line =
            "find . -path ./.assent -prune -o -type f -printf '%P %m %T@ ' -exec sha256sum {} ';' -o -printf '%P %y %m %l\\n' | sort"
        return try await lab.tool("sh", "-c", line).output
    }

    private static func play(_ seed: UInt64, _ library: String) async throws -> String {
        var random = Seeded(seed)
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        let count = Int.random(in: 1...4, using: &random)
        for number in 0..<count {
            try lab.write("old \(number)", to: "f\(number).txt")
            try lab.write("gone \(number)", to: "g\(number)")
        }
        let steps = (0..<count).map { step($0, &random) }
        try ScratchFolder.write(workflow("some", steps).text, to: "\(lab.temporary)/some.json")
        let before = try await picture(lab)
        func stop(_ least: Int, _ most: Int) -> [String: String] {
            [
                "LD_PRELOAD": library, "ASSENT_STOP_AT": "\(Int.random(in: least...most, using: &random))",
                "ASSENT_STOP_LINKS": "1",
            ]
        }
        let killed = try await lab.run(
            "run", "\(lab.temporary)/some.json", "--mode", "auto", "--on-ask", "park", environment: stop(14, 60))
        _ = try await lab.run("work", "--until-idle")
        guard try await !lab.run("list", "--json").lines.isEmpty else { return "not begun" }
        let cut = try await lab.run("undo", "w1", environment: stop(6, 40))
        var last = cut
        for _ in 0..<3 where last.exit != 0 && !last.errors.contains("nothingToUndo") {
            last = try await lab.run("undo", "w1")
        }
        #expect(last.exit == 0 || last.errors.contains("nothingToUndo"), "seed \(seed): \(last.said)")
        let after = try await picture(lab)
        #expect(
            after == before,
            "seed \(seed): \(workflow("some", steps).text)\n\(after)\n\(before)\n\(killed.said)\n\(cut.said)\n\(last.said)"
        )
        return [killed.wasKilled ? "killed" : "ran", cut.wasKilled ? "undo killed" : "undone"].joined(separator: ", ")
    }

    /// Builds what kills the program at a number of its changes.
    private static func library(in scratch: ScratchFolder) async throws -> String {
        let library = "\(scratch.path)/stop.so"
        let source = #filePath.replacing("/ProgramTests/KilledUndoTests.swift", with: "/Harness/Peer/stop.c")
        let built = try await ProgramLab().tool("cc", "-shared", "-fPIC", "-o", library, source)
        try #require(built.exit == 0, "\(built.errors)")
        return library
    }

    /// Seeds that once found a fault.
    @Test(arguments: [13_385_873_684_292_416_279]) func aSeedThatFailedHolds(seed: UInt64) async throws {
        let scratch = try ScratchFolder()
        _ = try await Self.play(seed, Self.library(in: scratch))
    }

    @Test func theFolderIsAsItWas() async throws {
        let scratch = try ScratchFolder()
        let library = try await Self.library(in: scratch)
        let first = UInt64.random(in: 0 ... .max)
        print("Killed undo: \(Self.runs) kills from seed \(first)")
        var counts: [String: Int] = [:]
        // Runs in which nothing was killed do not count.
        var (number, killed) = (UInt64(0), 0)
        while killed < Self.runs, number < 3 * UInt64(Self.runs) {
            let ending = try await Self.play(first &+ number, library)
            counts[ending, default: 0] += 1
            if ending.contains("killed") { killed += 1 }
            number += 1
        }
        #expect(killed == Self.runs)
        print("Killed undo: \(counts)")
    }
}
