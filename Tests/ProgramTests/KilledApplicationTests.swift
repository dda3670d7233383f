import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// `kill -9` at every step of bringing about what was rehearsed.
@Suite(.process, .enabled(if: access("/usr/bin/bwrap", X_OK) == 0)) struct KilledApplicationTests {
    private static let line = """
        echo hi > new; echo more >> notes.txt; rm old.c; mkdir -p a/b; echo x > a/b/c; chmod 444 a/b/c; ln -s a link; \
        mv src/main.c src/prog.c; chmod 600 keep.txt; touch -d @5 keep.txt old.txt; chmod 700 src
        """
    /// Every path with kind, permissions and content, and the time of what the command touches.
    private static let look =
        "stat -c '%n %Y' keep.txt old.txt | grep ' 5$'; find . -printf '%P %y %m %l\\n' | sort; find . -type f -exec sha256sum {} + | sort"

    private static func fill(_ lab: ProgramLab) throws {
        #expect(makeFolder(lab.path("src")))
        for (name, text) in [
            ("notes.txt", "buy milk\n"), ("old.c", "gone soon\n"), ("src/main.c", "int main;\n"),
            ("keep.txt", "kept\n"),
            ("old.txt", "old\n"),
        ] { try lab.write(text, to: name) }
        try lab.write(workflow("command", [node("run", "Shell", ["command": .string(line)])]), to: ".command.json")
    }

    private static func sh(_ lab: ProgramLab, _ line: String) async throws -> String {
        let process = try lab.start(program: "/bin/sh", ["-c", line])
        return try await onOwnThread { process.wait() }.output
    }

    /// What became of a kill before the call with this number.
    private enum Aftermath: Equatable { case notKilled, nothing, all, between }

    private static func kill(at number: Int, with library: String, before: String, after: String) async throws
        -> Aftermath
    {
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        try fill(lab)
        #expect(try await lab.run("run", ".command.json", "--on-ask", "park").exit == 3)
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        try await lab.stores("approve", "1", "--digest", digest)
        let killed = try await lab.run(
            "work", "--until-idle", environment: ["LD_PRELOAD": library, "ASSENT_STOP_AT": "\(number)"])
        guard killed.wasKilled else {
            #expect(try await sh(lab, look) == after, "\(killed.output)\(killed.errors)")
            return .notKilled
        }
        let between = try await sh(lab, look)
        if between != before, between != after {
            // Never half without a record.
            #expect(
                ScratchFolder.files(under: "\(lab.home)/data/rehearsals/w1").contains { $0.hasSuffix("/plan") },
                "killed before \(number)")
        }
        let exit = try await lab.run("work", "--until-idle").exit
        let (now, step) = (try await sh(lab, look), try await lab.shown()["steps"]?[0])
        let hasSucceeded = step?["state"]?.string == "succeeded"
        #expect(exit == (hasSucceeded ? 0 : 1), "killed before \(number)")
        if hasSucceeded {
            #expect(now == after, "killed before \(number): \(now)")
        } else {
            // It had not begun, says so, and is rehearsed and asked about anew.
            #expect(step?["failure"]?["code"]?.string == "notApplied", "killed before \(number): \(step?.text ?? "")")
            #expect(between == before && now == before, "killed before \(number): \(now)")
            #expect(try await lab.run("retry", "w1").exit == 3)
            #expect(try await lab.json("inbox").first?["number"]?.int == 2)
        }
        return between == before ? .nothing : between == after ? .all : .between
    }

    @Test func whatWasBegunIsGoneOnWithAndNothingIsHalf() async throws {
        let scratch = try ScratchFolder()
        let library = "\(scratch.path)/stop.so"
        let source = #filePath.replacing("/ProgramTests/KilledApplicationTests.swift", with: "/Harness/Peer/stop.c")
        let bare = try ProgramLab()
        let built = try await bare.tool("cc", "-shared", "-fPIC", "-o", library, source)
        try #require(built.exit == 0, "\(built.errors)")
        try Self.fill(bare)
        let before = try await Self.sh(bare, Self.look)
        _ = try await Self.sh(bare, Self.line)
        let after = try await Self.sh(bare, Self.look)
        #expect(before != after)
        var seen: [Aftermath] = []
        var number = 1
        while seen.last != .notKilled, number < 200 {
            let batch = number..<number + 4
            seen += try await withThrowingTaskGroup(of: (Int, Aftermath).self) { group in
                for each in batch {
                    group.addTask { (each, try await Self.kill(at: each, with: library, before: before, after: after)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
            number += 4
        }
        print(
            "killed before each of \(seen.count { $0 != .notKilled }) calls: \(seen.count { $0 == .between }) times in the middle"
        )
        // Each of its eight steps.
        #expect(seen.count { $0 == .between } >= 6 && seen.contains(.nothing) && seen.contains(.all))
    }
}
