import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// Which exit codes are a success, and what is kept of a command however it ended (`semantics.md` 190).
@Suite struct CommandEndTests {
    @Test func aListSaysWhichCodesAreASuccess() {
        let rows: [(exits: JSON?, good: [Int], bad: [Int])] = [
            (nil, [0], [1, 2, 125, 126, 127, 128, 130, 137, 255]),
            ([], [0], [1, 126, 127, 137]),
            ([0], [0], [1, 2, 255]),
            ([0, 1], [0, 1], [2, 126, 127, 129]),
            ([1], [1], [0, 2]),
            (["any"], [0, 1, 2, 125, 128, 200, 255], [126, 127, 129, 130, 134, 137, 139, 143, 192]),
            ([0, "any"], [0, 3, 255], [126, 127, 137]),
            // What a list cannot turn into a success.
            ([0, 126, 127, 137], [0], [126, 127, 137, 1]),
        ]
        expectNoFaults(in: rows) { row in
            let rule = ExitRule(JSON.of(["exits": row.exits]).object!)
            return row.good.filter { !rule.isSuccess($0) }.map { "\(row.exits?.text ?? "none"): \($0) fails" }
                + row.bad.filter(rule.isSuccess).map { "\(row.exits?.text ?? "none"): \($0) succeeds" }
        }
    }

    @Test(.process, .enabled(if: Rehearsals.areHere)) func bothStreamsAndTheCodeAreKeptHoweverACommandEnds()
        async throws
    {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        let any: JSON = ["any"]
        let rows: [(command: String, exits: JSON?, failure: String?, code: Int, text: String, errors: String)] = [
            ("echo out; echo err >&2", nil, nil, 0, "out\n", "err\n"),
            ("echo out; echo err >&2; exit 3", nil, "processFailed", 3, "out\n", "err\n"),
            ("echo out; echo err >&2; exit 3", any, nil, 3, "out\n", "err\n"),
            ("echo out; exit 1", [0, 1], nil, 1, "out\n", ""),
            ("echo out; exit 2", [0, 1], "processFailed", 2, "out\n", ""),
            ("grep nothing /dev/null", any, nil, 1, "", ""),
            ("echo out; no-such-program-here 2>/dev/null", any, "processFailed", 127, "out\n", ""),
            ("echo out; /etc/passwd 2>/dev/null", any, "processFailed", 126, "out\n", ""),
            ("echo out; kill -TERM $$", any, "processFailed", 143, "out\n", ""),
            ("exit 255", any, nil, 255, "", ""),
        ]
        for (number, row) in rows.enumerated() {
            let params = JSON.of(["command": .string(row.command), "exits": row.exits])
            let ending = await lab.run(try lab.assignment("Shell", params, attempt: number + 1))
            let assets = ending.assets ?? ending.failure?.left ?? []
            #expect(ending.failure?.code == row.failure, "\(row.command): \(ending)")
            #expect(
                assets.map(\.port) == ["text", "errors"] && assets.allSatisfy { $0.exitCode == row.code },
                "\(row.command): \(assets)")
            #expect(try assets.map(lab.text) == [row.text, row.errors], "\(row.command)")
        }
    }

    /// A program that computes longer than it may is ended by the kernel, however long it might run.
    @Test(
        .process,
        arguments: [
            ("while :; do :; done", .timedOut, "sh computed for longer than 1 s and was ended."),
            ("trap '' XCPU; while :; do :; done", .processKilled, "sh was ended by signal 9."),
        ] as [(String, Code, String)]) func whoComputesTooLongIsEnded(words: String, code: Code, said: String) throws
    {
        let lab = try Lab()
        let folder = RunFolder("\(lab.root)/busy")
        try makeFolders(folder.path)
        var command = ProgramCommand(["sh", "-c", words], in: folder.path)
        command.processorSeconds = 1
        let child = try Child.start(command, sandbox: lab.sandbox, in: folder)
        let ending = child.wait(cancel: Cancellation())
        let failure = child.traces.failure(
            for: ending, of: "sh", seconds: 600, processorSeconds: command.processorSeconds,
            isSandboxed: lab.sandbox.writesRecord(for: command))
        #expect(failure?.code == code && failure?.message == said, "\(ending)")
    }

    /// A second engine reads what the first one wrote down of the attempt.
    @Test(.process, .enabled(if: Rehearsals.areHere)) func whatAFailedCommandPrintedIsTakenUpAfterACrash() async throws
    {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        let assignment = try lab.assignment("Shell", ["command": "echo out; exit 3"])
        let ending = await lab.run(assignment)
        guard case .finished(.failed(let failure)) = lab.toolbox.adopt(assignment) else {
            Issue.record("not adopted")
            return
        }
        #expect(failure.left == ending.failure?.left && !failure.left.isEmpty, "\(failure)")
    }

    /// Applied and failed: what a half-built tree left behind is real, in a rehearsal as anywhere.
    @Test(.process, .enabled(if: Rehearsals.areHere)) func theChangesOfACommandThatEndsWithAnotherCodeAreKept()
        async throws
    {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        for (exits, isFine) in [(nil, false), (["any"], true)] as [(JSON?, Bool)] {
            let params = JSON.of(["command": .string("echo hi > new\(isFine); exit 2"), "exits": exits])
            let assignment = try lab.assignment("Shell", params, attempt: isFine ? 1 : 2)
            let toolbox = lab.toolbox
            let call = try await onThread { Result { try toolbox.rehearse(assignment, cancel: Cancellation()) } }.get()
            guard case .done(let played) = call.rehearsal else {
                Issue.record("not rehearsed")
                return
            }
            #expect(played.exitCode == 2 && call.targets.count == 1 && lab.read("new\(isFine)") == nil)
            let ending = await onThread { toolbox.run(assignment, call: call, cancel: Cancellation()) }
            #expect((ending.assets != nil) == isFine && lab.read("new\(isFine)") == "hi\n", "\(ending)")
        }
    }

    /// The code and what was printed are in the call that is hashed: another standard error is another call.
    @Test(.process, .enabled(if: Rehearsals.areHere)) func theCallNamesBothStreamsAndTheCode() async throws {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        let assignment = try lab.assignment(
            "Shell", ["command": "echo hi > new; echo oh >&2; exit 2", "exits": ["any"]])
        let toolbox = lab.toolbox
        let call = try await onThread { Result { try toolbox.rehearse(assignment, cancel: Cancellation()) } }.get()
        #expect(call.params["exits"] == ["any"] && call.json["rehearsal"]?["exit"] == 2)
        #expect(call.json["rehearsal"]?["errors"]?.string == ContentHash.of("oh\n").hex)
        #expect(try Call(json: call.json).json.canonical == call.json.canonical)
    }

    /// What floods its output is ended, and its beginning is kept. The reason is the limit, whatever the permissions of
    /// the workspace are.
    @Test(.process, .enabled(if: Rehearsals.areHere), arguments: [0o755, 0o700]) func whatAnEndedCommandPrintedIsKept(
        permissions: UInt32
    ) async throws {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        try #require(chmod(lab.workspace, permissions) == 0)
        let assignment = try lab.assignment("Shell", ["command": "echo first; touch new; yes", "exits": ["any"]])
        let ending = await lab.run(assignment)
        let text = try #require(ending.failure?.left.first, "\(ending)")
        #expect(ending.failure?.code == "outputLimit" && text.meta["ended"] == "outputLimit" && text.exitCode == nil)
        #expect(try lab.text(text).hasPrefix("first\ny\ny\n") && lab.read("new") == nil)
        let words = ending.failure?.description ?? ""
        #expect(words.contains("64 MiB") && words.contains("Nothing that it changed is applied"), "\(words)")
        #expect(text.commandSeconds != nil)
        // The same after a crash that came before the end was stored.
        guard case .finished(.failed(let again)) = lab.toolbox.adopt(assignment) else {
            Issue.record("not adopted")
            return
        }
        #expect(again.code == .outputLimit && again.left == ending.failure?.left)
    }

    /// Whoever has ended a command removes what it wrote: none of its processes writes any more then.
    @Test(.process, .enabled(if: Rehearsals.areHere)) func nothingOfACancelledCommandRunsOn() async throws {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        let writers = "for i in $(seq 60); do (while :; do echo x > f$i; done) & done; wait"
        let assignment = try lab.assignment("Shell", ["command": .string(writers)])
        let (toolbox, root) = (lab.toolbox, lab.root)
        for _ in 0..<3 {
            let cancel = Cancellation()
            async let left = onThread {
                let call = Result { try toolbox.rehearse(assignment, cancel: cancel) }
                return (call, ProcessTable.ids(with: root))
            }
            try await eventually("it does not begin") { ProcessTable.ids(with: root).count > 60 }
            cancel.cancel()
            let (call, ids) = await left
            #expect(throws: Failure.self) { try call.get() }
            #expect(ids.isEmpty)
        }
    }

    /// Signals of a command to its own group do not end the process that waits for all of it: what it leaves behind
    /// would write while its changes are looked at.
    @Test(
        .process, .enabled(if: Rehearsals.areHere),
        arguments: [("kill 0", 143), ("kill -INT 0", 130), ("kill -HUP 0", 129), ("kill -KILL 0", 137), ("exit 3", 3)]
            as [(String, Int)])
    func aCommandThatEndsItsOwnGroupHasEnded(words: String, exit: Int) async throws {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        let writers = "for i in $(seq 40); do setsid sh -c 'while :; do echo x > late; done' & done; "
        let assignment = try lab.assignment(
            "Shell", ["command": .string("\(writers)\(words); wait"), "exits": ["any"]])
        let (toolbox, root) = (lab.toolbox, lab.root)
        let (call, ids) = await onThread {
            (Result { try toolbox.rehearse(assignment, cancel: Cancellation()) }, ProcessTable.ids(with: root))
        }
        #expect(ids.isEmpty)
        #expect((try? call.get())?.json["rehearsal"]?["exit"]?.int == exit, "\(call)")
    }

    /// Each limit has a code of its own and is named, and no cure takes the sandbox away.
    @Test(
        arguments: [
            (.timedOut, .timeLimit, "10 min"), (.wroteTooMuch, .outputLimit, "64 MiB"),
            (.filledDisk, .diskLimit, "4 GiB"),
            (.startedTooMany, .processLimit, "1024 processes"),
        ] as [(Child.Ending, Code, String)])
    func everyLimitSaysWhatItIs(ending: Child.Ending, code: Code, limit: String) throws {
        let stop = try #require(ending.stop(seconds: Limits.programSeconds, logBytes: Limits.readFileBytes))
        #expect(stop.code == code && stop.message.contains(limit), "\(stop)")
        #expect(!stop.description.contains("bare") && !stop.isTransient && stop.remedy ?? code.remedy != nil)
        for other in [Child.Ending.exited(1), .cancelled, .unknown] {
            #expect(other.stop(seconds: 1, logBytes: 1) == nil)
        }
    }

    /// The time that is told is that of the command, and not that in which its changes were applied.
    @Test(.process, .enabled(if: Rehearsals.areHere)) func theTimeIsThatOfTheCommand() async throws {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        let made = try await lab.run("Shell", ["command": "sleep 1; touch new"])
        #expect(made.allSatisfy { $0.commandSeconds ?? 0 >= 1 }, "\(made)")
    }

    @Test(.process) func aCommandOnTheBareMachineKeepsBothStreams() async throws {
        let lab = try Lab()
        for (exits, isFine) in [([0], false), (["any"], true)] as [(JSON, Bool)] {
            let params: JSON = ["command": "echo out; echo err >&2; exit 3", "bare": true, "exits": exits]
            let ending = await lab.run(try lab.assignment("Shell", params, attempt: isFine ? 1 : 2))
            let assets = ending.assets ?? ending.failure?.left ?? []
            #expect((ending.failure == nil) == isFine && assets.first?.exitCode == 3, "\(ending)")
            #expect(try assets.map(lab.text) == ["out\n", "err\n"])
        }
    }

    /// What is said of keys stays where it is, also when the command fails.
    @Test(.process, .enabled(if: Rehearsals.areHere)) func whatAFailedCommandReadOfKeysIsPrivate() async throws {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        try lab.write(".env", "KEY=hush")
        let assignment = try lab.assignment("Shell", ["command": "cat .env >&2; cat .env; exit 1", "reads": [".env"]])
        let ending = await lab.run(assignment)
        let left = try #require(ending.failure?.left, "\(ending)")
        #expect(left.count == 2 && left.allSatisfy { lab.store.isPrivate($0.hash) }, "\(left)")
    }
}
