import CaseNames
import Glibc
import Harness
import JSON
import Services
import Testing

/// An engine whose store fails ends, says so, and leaves its workflows to others; nothing hangs, and nothing counts as
/// alive for ever.
@Suite(.process) struct EngineLifeTests {
    /// Data on a file system of 4 MB.
    private struct SmallDisk {
        let lab: ProgramLab
        var data: String { "\(lab.home)/data" }

        init() throws {
            lab = try ProgramLab()
            let isMounted =
                mkdir("\(lab.home)/data", 0o700) == 0 && mount("tmpfs", "\(lab.home)/data", "tmpfs", 0, "size=4m") == 0
            try #require(isMounted)
        }

        func fill() { _ = try? ScratchFolder.write([UInt8](repeating: 0, count: 8 << 20), to: "\(data)/filler") }
        func free() { unlink("\(data)/filler") }
        func end() { umount2(data, Int32(MNT_DETACH)) }
    }

    /// A step that goes on when the test says so, and more behind it than fits into the room that the log of the
    /// database has already.
    private static func plan(from url: String) -> JSON {
        let steps = 300
        let passes: [JSON] = (1...steps).map { number in
            ["id": .string("p\(number)"), "kind": "Pass", "inputs": ["in": "text"], "outputs": ["out": "text"]]
        }
        let edges = (1...steps).map { edge($0 == 1 ? "wait.text" : "p\($0 - 1).out", "p\($0).in") }
        return workflow("slow", [node("wait", "HTTPFetch", ["url": .string(url)])] + passes, edges)
    }

    /// `run --detach` starts the first of these where nobody sees it.
    @Test(
        .enabled(if: Mounts.canMount, "a tmpfs cannot be mounted here: no root"), .timeLimit(.minutes(10)),
        arguments: [["work", "--until-idle"], ["work", "--until-idle", "--json"], ["work"], ["work", "--json"]])
    func aWorkerWhoseDiskFillsUpSaysSoAndEnds(arguments: [String]) async throws {
        let disk = try SmallDisk()
        defer { disk.end() }
        let (lab, gate) = (disk.lab, ScriptGate())
        let server = try ScriptedServer { _ in .text("new").behind(gate) }
        try lab.write(Self.plan(from: server.url), to: "plan.json")
        let first = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await eventually { server.requests.count == 1 }, "\(first.output)")
        first.end(with: SIGKILL)
        let worker = try lab.start(arguments)
        #expect(try await eventually { server.requests.count == 2 }, "\(worker.output)\(worker.errors)")
        disk.fill()
        gate.open()
        let ending = try await onOwnThread { worker.wait() }
        disk.free()
        #expect(ending.exit == 6, "\(ending.output)\(ending.errors)")
        #expect((ending.output + ending.errors).contains("disk is full"), "\(ending.output)\(ending.errors)")
        if arguments.contains("--json") { #expect(ending.lines(of: "error").count == 1, "\(ending.output)") }
        try await lab.succeeds("work", "--until-idle")
        #expect(try await lab.shown()["workflow"]?["outcome"]?.string == "succeeded")
        #expect(ScratchFolder.names(in: "\(disk.data)/engines").isEmpty, "who ends in order leaves nothing behind")
    }

    /// The chat says it, others may take over at once, and with room again it goes on by itself.
    @Test(
        .enabled(if: Mounts.canMount, "a tmpfs cannot be mounted here: no root"), .timeLimit(.minutes(10)))
    func aChatWhoseDiskWasFullGoesOn() async throws {
        let disk = try SmallDisk()
        defer { disk.end() }
        let (lab, gate) = (disk.lab, ScriptGate())
        let server = try ScriptedServer { _ in .text("new").behind(gate) }
        try lab.write(Self.plan(from: server.url), to: "plan.json")
        let pty = try lab.terminal(["--plain", "--mode", "auto"])
        #expect(await pty.see { $0.text.contains("assent 0.1.0") && $0.text.contains("›") }, "\(pty.screen.text)")
        pty.send("/run plan.json\r")
        #expect(await pty.see { _ in server.requests.count == 1 }, "\(pty.screen.text)")
        disk.fill()
        gate.open()
        #expect(await pty.see("Workflows stand still here"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("disk is full"), "\(pty.screen.text)")
        #expect(
            try await eventually { !EngineLock.anyEngineLives(in: "\(disk.data)/engines") },
            "nobody waits for a dead engine")
        disk.free()
        #expect(await pty.see("Workflows go on."), "\(pty.screen.text)")
        #expect(await pty.see("✓ w1 \""), "\(pty.screen.text)")
        // As long as it lasted it was tried again, without a word.
        #expect(pty.screen.text.components("Workflows stand still here") == 1, "\(pty.screen.text)")
        pty.send("/run plan.json\r")
        #expect(await pty.see { $0.text.contains("w2  ✓") }, "\(pty.screen.text)")
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
        #expect(try await lab.hasEngine(worker.pid))
        worker.end(with: SIGKILL)
        #expect(ScratchFolder.names(in: engines).count == 1)
        try await lab.succeeds("work", "--until-idle")
        #expect(ScratchFolder.names(in: engines).isEmpty)
    }
}
