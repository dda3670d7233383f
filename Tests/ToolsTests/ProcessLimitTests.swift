import CaseNames
import Glibc
import Harness
import JSON
@testable import Sandbox
import Testing
import Vocabulary

/// No command in the sandbox gets more processes than it may have, as root neither; and nothing of it is left. Each of
/// these ends by itself after a few thousand processes or a minute, whatever becomes of it.
@Suite(.process, .serialized, .enabled(if: Rehearsals.areHere)) struct ProcessLimitTests {
    private let lab: Lab

    init() throws { lab = try Lab(isInMemory: Rehearsals.isInMemory) }

    /// As they are written in a shell: side by side, each starting two, each in a session of its own, and none waiting
    /// for another.
    private static let bombs = [
        "for i in $(seq 3000); do sleep 60 & done; wait",
        "b() { [ $1 -lt 1 ] || { b $(($1 - 1)) & b $(($1 - 1)) & wait; }; sleep 60; }; b 12",
        "for i in $(seq 3000); do setsid sleep 60 & done; sleep 60",
        "python3 -c 'import os, time\nfor i in range(13): os.fork()\ntime.sleep(60)'",
    ]

    @Test(arguments: bombs) func aForkBombIsEnded(bomb: String) async throws {
        let ending = await lab.run(try lab.assignment("Shell", ["command": .string(bomb)]))
        #expect(ending.failure?.code == "processLimit", "\(ending)")
        #expect(try await eventually { ProcessTable.ids(with: lab.root).isEmpty })
        // Neither we nor the machine have had enough of it.
        #expect(try lab.text(try #require(try await lab.run("Shell", ["command": "echo well"]).first)) == "well\n")
    }

    /// What another engine could take over has a supervisor, and no namespace of ours around it.
    @Test(arguments: [bombs[0], bombs[2]]) func aForkBombOfAToolIsEnded(bomb: String) async throws {
        let manifest = ToolManifest(
            kind: "Other", title: "Other",
            action: .program(
                .init(
                    commands: [.init(words: ["sh", "-c", bomb])], files: [:], timeoutSeconds: 60,
                    memoryBytesLimit: 4 << 30)))
        let ending = await lab.run(try lab.assignment(manifest))
        #expect(ending.failure?.code == "tooManyProcesses", "\(ending)")
        #expect(try await eventually { ProcessTable.ids(with: lab.root).isEmpty })
    }

    /// Below the limit nobody is disturbed.
    @Test func manyProcessesAreNotTooMany() async throws {
        let command = "for i in $(seq 900); do sleep 0.2 & done; wait; echo done"
        #expect(try lab.text(try #require(try await lab.run("Shell", ["command": .string(command)]).first)) == "done\n")
    }

    /// Threads are not counted by us: the kernel has numbers for so many. Before Linux 6.14 it binds all but root.
    @Test(.enabled(if: geteuid() != 0 || kernelBindsRoot)) func theKernelHasNumbersForSoManyThreads() async throws {
        let command = """
            python3 -c '
            import threading
            threading.stack_size(65536)
            end, count = threading.Event(), 0
            try:
                for i in range(3000):
                    threading.Thread(target=end.wait, daemon=True).start()
                    count += 1
            except RuntimeError: pass
            print(count, flush=True)
            end.set()'
            """
        let said = try lab.text(try #require(try await lab.run("Shell", ["command": .string(command)]).first))
        let count = try #require(Int(said.trimming))
        #expect(count > 1000 && count < Limits.commandTasks)
    }
}

/// Whether a namespace of processes has a bound of its own.
private let kernelBindsRoot: Bool = {
    let release = ScratchFolder.text("/proc/sys/kernel/osrelease") ?? ""
    let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    return numbers.count == 2 && (numbers[0], numbers[1]) >= (6, 14)
}()

extension String {
    fileprivate var trimming: String { String(drop { $0.isWhitespace }.prefix { !$0.isWhitespace }) }
}
