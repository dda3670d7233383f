import Glibc
import Harness
import JSON
import Testing

@testable import assent

/// An engine whose store fails ends, says so, and leaves its workflows to others; nothing hangs, and nothing counts as alive for ever.
@Suite(.serialized) struct EngineLifeTests {
    /// Data on a file system of 4 MB.
    private struct SmallDisk {
        let lab: ProgramLab
        var data: String { "\(lab.home)/data" }

        init() throws {
            lab = try ProgramLab()
            let isMounted = mkdir("\(lab.home)/data", 0o700) == 0 && mount("tmpfs", "\(lab.home)/data", "tmpfs", 0, "size=4m") == 0
            try #require(isMounted)
        }

        func fill() { _ = try? ScratchFolder.write([UInt8](repeating: 0, count: 8 << 20), to: "\(data)/filler") }
        func free() { unlink("\(data)/filler") }
        func end() { umount2(data, Int32(MNT_DETACH)) }
    }

    /// What comes after the wait takes more than the room that the log of the database has already.
    private static func plan(seconds: Int, steps: Int = 300) -> JSON {
        let delay: JSON = [
            "id": "wait", "kind": "Delay", "params": ["seconds": .int(seconds)], "inputs": ["in": "text"], "outputs": ["out": "text"],
        ]
        let passes: [JSON] = (1...steps).map { number in
            ["id": .string("p\(number)"), "kind": "Pass", "inputs": ["in": "text"], "outputs": ["out": "text"]]
        }
        let edges = (1...steps).map { edge($0 == 1 ? "wait.out" : "p\($0 - 1).out", "p\($0).in") }
        return workflow("slow", [node("text", "Text", ["text": "new"]), delay] + passes, [edge("text.text", "wait.in")] + edges)
    }

    /// `run --detach` starts the first of these where nobody sees it.
    @Test(
        .enabled(if: StorageFailureTests.canMount, "a tmpfs cannot be mounted here: no root"), .timeLimit(.minutes(5)),
        arguments: [["work", "--until-idle"], ["work", "--until-idle", "--json"], ["work"], ["work", "--json"]])
    func aWorkerWhoseDiskFillsUpSaysSoAndEnds(arguments: [String]) async throws {
        // A busy machine may need longer than the wait to come to the point where the disk is filled.
        for seconds in [5, 15, 45] { if try await fillsUp(under: arguments, seconds) { return } }
        Issue.record("It was always too late.")
    }

    /// - Returns: whether the disk was full in time.
    private func fillsUp(under arguments: [String], _ seconds: Int) async throws -> Bool {
        let disk = try SmallDisk()
        defer { disk.end() }
        let lab = disk.lab
        try lab.write(Self.plan(seconds: seconds), to: "plan.json")
        let first = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { first.wait(forOutput: "runningLocal") })
        first.end(with: SIGKILL)
        let worker = try lab.start(arguments)
        try await Task.sleep(for: .seconds(1))
        disk.fill()
        let ending = try await onOwnThread { worker.wait(seconds: Double(seconds) + 40) }
        disk.free()
        if try await lab.shown()["workflow"]?["outcome"]?.string == "succeeded" { return false }
        #expect(ending.exit == 6, "\(ending.output)\(ending.errors)")
        #expect((ending.output + ending.errors).contains("disk is full"), "\(ending.output)\(ending.errors)")
        if arguments.contains("--json") { #expect(ending.lines(of: "error").count == 1, "\(ending.output)") }
        #expect(try await lab.run("work", "--until-idle").exit == 0)
        #expect(try await lab.shown()["workflow"]?["outcome"]?.string == "succeeded")
        #expect(ScratchFolder.names(in: "\(disk.data)/engines").isEmpty, "who ends in order leaves nothing behind")
        return true
    }

    /// The chat says it, others may take over at once, and with room again it goes on by itself.
    @Test(.enabled(if: StorageFailureTests.canMount, "a tmpfs cannot be mounted here: no root"), .timeLimit(.minutes(3)))
    func aChatWhoseDiskWasFullGoesOn() async throws {
        let disk = try SmallDisk()
        defer { disk.end() }
        let lab = disk.lab
        try lab.write(Self.plan(seconds: 3), to: "plan.json")
        try lab.write(Self.plan(seconds: 0), to: "next.json")
        let pty = try lab.terminal(["--plain"])
        #expect(await pty.see { $0.text.contains("assent 0.1.0") && $0.text.contains("›") }, "\(pty.screen.text)")
        pty.send("/run plan.json\r")
        #expect(await pty.see("Delay"), "\(pty.screen.text)")
        disk.fill()
        #expect(await pty.see("Workflows stand still here"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("disk is full"), "\(pty.screen.text)")
        // As long as it lasts it is tried again, without a word.
        try await Task.sleep(for: .seconds(4))
        #expect(pty.screen.text.components("Workflows stand still here") == 1, "\(pty.screen.text)")
        #expect(!EngineLock.anyEngineLives(in: "\(disk.data)/engines"), "nobody waits for a dead engine")
        disk.free()
        #expect(await pty.see("Workflows go on."), "\(pty.screen.text)")
        #expect(await pty.see("w1 succeeded"), "\(pty.screen.text)")
        pty.send("/run next.json\r")
        #expect(await pty.see { $0.text.contains("✓ w2") || $0.text.contains("w2 succeeded") }, "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
        let listed = try await lab.json("list")
        #expect(listed.count == 2 && listed.allSatisfy { $0["outcome"]?.string == "succeeded" }, "\(listed)")
    }

    /// What signals leave behind is taken away by the next, also of engines that owned nothing.
    @Test func filesOfTheDeadAreTakenAway() async throws {
        let lab = try ProgramLab()
        let worker = try lab.start(["work"])
        let engines = "\(lab.home)/data/engines"
        for _ in 0..<200 where ScratchFolder.names(in: engines).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        worker.end(with: SIGKILL)
        #expect(ScratchFolder.names(in: engines).count == 1)
        #expect(try await lab.run("work", "--until-idle").exit == 0)
        #expect(ScratchFolder.names(in: engines).isEmpty)
    }
}
