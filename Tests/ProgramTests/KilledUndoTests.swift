import CaseNames
import Harness
import JSON
import Testing

/// `kill -9` in random workflows and in their undo: the folder is as it was before.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct KilledUndoTests {
    private static let runs = 30
    /// More than an undo of one step makes.
    private static let mostChanges = 80

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

    /// The numbers of the changes before which a run and its undo are killed; `nil` leaves one alone.
    private struct Kills {
        let run: Int?
        let undo: Int
    }

    /// Runs a workflow and undoes it, both killed, and returns how that ended.
    private static func play(
        _ steps: [JSON], kills: Kills, library: String, _ comment: String
    ) async throws -> String {
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        // What the first start changes, such as the database, is there before anything is killed.
        try ScratchFolder.write(
            workflow("first", [node("s", "Text", ["text": "x"])]).text, to: "\(lab.temporary)/first.json")
        try await lab.succeeds("run", "\(lab.temporary)/first.json", "--mode", "auto")
        for number in steps.indices {
            try lab.write("old \(number)", to: "f\(number).txt")
            try lab.write("gone \(number)", to: "g\(number)")
        }
        let text = workflow("some", steps).text
        try ScratchFolder.write(text, to: "\(lab.temporary)/some.json")
        let before = try await picture(lab)
        func stop(_ number: Int?) -> [String: String] {
            guard let number else { return [:] }
            return ["LD_PRELOAD": library, "ASSENT_STOP_AT": "\(number)", "ASSENT_STOP_LINKS": "1"]
        }
        let killed = try await lab.run(
            "run", "\(lab.temporary)/some.json", "--mode", "auto", "--on-ask", "park", environment: stop(kills.run))
        _ = try await lab.run("work", "--until-idle")
        guard try await lab.run("list", "--json").lines.count == 2 else { return "not begun" }
        let cut = try await lab.run("undo", "w2", environment: stop(kills.undo))
        var last = cut
        for _ in 0..<3 where last.exit != 0 && !last.errors.contains("nothingToUndo") {
            last = try await lab.run("undo", "w2")
        }
        #expect(last.exit == 0 || last.errors.contains("nothingToUndo"), "\(comment): \(last.said)")
        let after = try await picture(lab)
        #expect(
            after == before, "\(comment): \(text)\n\(after)\n\(before)\n\(killed.said)\n\(cut.said)\n\(last.said)")
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

    /// A change of a time alone looks as if it had been made and as if it had not.
    @Test func anUndoOfTimesIsKilledBeforeEachOfItsChanges() async throws {
        let scratch = try ScratchFolder()
        let library = try await Self.library(in: scratch)
        let steps = [node("s0", "Shell", ["command": "touch -d @5 f0.txt g0; chmod 600 f0.txt"])]
        var (number, kills) = (1, 0)
        while number < Self.mostChanges {
            let ending = try await Self.play(
                steps, kills: Kills(run: nil, undo: number), library: library, "change \(number)")
            guard ending.contains("undo killed") else { break }
            (number, kills) = (number + 1, kills + 1)
        }
        print("Killed undo of times: \(kills) changes")
        #expect(0 < kills && number < Self.mostChanges)
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
            var random = Seeded(first &+ number)
            let steps = (0..<Int.random(in: 1...4, using: &random)).map { Self.step($0, &random) }
            let kills = Kills(run: .random(in: 1...45, using: &random), undo: .random(in: 1...40, using: &random))
            let ending = try await Self.play(steps, kills: kills, library: library, "seed \(first &+ number)")
            counts[ending, default: 0] += 1
            if ending.contains("killed") { killed += 1 }
            number += 1
        }
        #expect(killed == Self.runs)
        print("Killed undo: \(counts)")
    }
}
