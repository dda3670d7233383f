import CaseNames
@testable import Files
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// What a command says of the files that it changed.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct ChangedFilesTests {
    private let lab: Lab

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        for name in ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt", "sub/x"] { try lab.write(name, "\(name)\n") }
    }

    @Test(
        arguments: [
            ("true", nil), ("sort a.txt > sorted.txt", "made sorted.txt"),
            ("mkdir -p n/m; echo x > n/m/o", "made n/m/o"),
            ("mkdir n", "made n/"), ("mkdir n; for i in $(seq 1500); do echo > n/$i; done", "made n/ with 1500 files"),
            ("for i in a b c; do echo >> $i.txt; done", "changed 3 files: a.txt, b.txt, c.txt"),
            (
                "for i in a b c d e f; do echo >> $i.txt; done",
                "changed 6 files: a.txt, b.txt, c.txt, d.txt, e.txt and 1 more"
            ),
            ("rm -r sub", "deleted sub/x"), ("mv a.txt z.txt", "moved a.txt to z.txt"),
            ("touch -d @5 a.txt", "set the time of a.txt"),
            ("touch -d @5 a.txt b.txt", "set the time of 2 files: a.txt, b.txt"),
            ("chmod 600 a.txt", "changed the permissions of a.txt"),
            ("chmod 700 sub", "changed the permissions of sub/"),
            (
                "echo > new; echo >> a.txt; rm b.txt; touch -d @5 c.txt; mv d.txt sub/d",
                "made new; changed a.txt; moved d.txt to sub/d; deleted b.txt; set the time of c.txt"
            ),
        ] as [(String, String?)])
    func aCommandSaysWhatItChanged(line: String, words: String?) async throws {
        let assets = try await lab.run("Shell", ["command": .string(line)])
        let text = try #require(assets.first { $0.port == "text" })
        #expect(text.changed?.words { $0 } == words)
        #expect(assets.first { $0.port == "errors" }?.changed == nil)
        #expect(ChangedFiles(json: text.changed?.json) == text.changed)
    }

    @Test func atMostTenNamesOfAKindAreKept() async throws {
        let assets = try await lab.run(
            "Shell", ["command": "for i in $(seq 30); do echo > n$i; done; exit 3", "exits": ["any"]])
        let json = try #require(assets.first?.changed?.json)
        #expect(json["created"]?.array?.count == 10 && json["counts"] == ["created": 30] && assets.first?.exitCode == 3)
    }

    @Test func aCrashLosesNothingOfWhatIsSaid() async throws {
        let assignment = try lab.assignment("Shell", ["command": "echo > new; rm a.txt"])
        let toolbox = lab.toolbox
        let call = try await onThread { Result { try toolbox.rehearse(assignment, cancel: Cancellation()) } }.get()
        #expect(call.targets.count == 2)
        _ = await onThread { toolbox.run(assignment, call: call, cancel: Cancellation()) }
        // Another engine finds the plan, and tells the same.
        guard case .succeeded(let assets)? = toolbox.resumeRehearsed(assignment) else {
            Issue.record("It is not resumed.")
            return
        }
        #expect(assets.first { $0.port == "text" }?.changed?.words { $0 } == "made new; deleted a.txt")
    }
}
