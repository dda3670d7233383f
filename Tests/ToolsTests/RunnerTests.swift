import CaseNames
@testable import Files
import Foundation
import Harness
import JSON
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// Programs under the runner: limits, cancellation, the sandbox, adoption.
@Suite(.process) struct RunnerTests {
    private func tool(
        _ commands: [[String]], files: [String: String] = ["out": "out.txt"], seconds: Double = 3600,
        memory: Int = 1 << 30,
        effects: Set<Effect> = []
    ) -> ToolManifest {
        ToolManifest(
            kind: "Probe", title: "Probe", outputs: files.keys.sorted().map { Vocabulary.Port($0, .text) },
            params: [.init(name: "word", kind: .text)], effects: effects,
            action: .program(
                .init(
                    commands: commands.map { .init(words: $0) }, files: files, timeoutSeconds: seconds,
                    memoryBytesLimit: memory)))
    }

    private func script(
        _ text: String, files: [String: String] = ["out": "out.txt"], seconds: Double = 3600, memory: Int = 1 << 30,
        effects: Set<Effect> = []
    ) -> ToolManifest {
        tool([["sh", "-c", text]], files: files, seconds: seconds, memory: memory, effects: effects)
    }

    @Test func bubblewrapWorksHere() {
        #expect(Isolation.here.reasonForNone == nil)
    }

    private static let sandboxes: [Isolation] = [.here, .none("test")]

    @Test(arguments: sandboxes) func aProgramLeavesItsFileAsAnAsset(sandbox: Isolation) async throws {
        let lab = try Lab(sandbox: sandbox)
        let ending = await lab.run(try lab.assignment(script("echo hello > out-out.txt")))
        let asset = try #require(ending.assets?.first)
        #expect(try lab.text(asset) == "hello\n")
        #expect(asset.name == "out.txt" && asset.port == "out")
    }

    @Test(arguments: sandboxes) func aFailureHasItsCodeAndTheLastWords(sandbox: Isolation) async throws {
        let lab = try Lab(sandbox: sandbox)
        let failure = await lab.run(
            try lab.assignment(script("echo first >&2; printf 'no \\033[31mgood\\n' >&2; exit 7"))
        ).failure
        #expect(failure?.code == "processFailed")
        #expect(failure?.message == "sh failed with exit code 7: no ␛[31mgood")
    }

    @Test("finding 9: a program that was killed is told from one that failed", arguments: sandboxes)
    func aProgramThatWasKilledSaysSo(sandbox: Isolation) async throws {
        let lab = try Lab(sandbox: sandbox)
        for (signal, code) in [("KILL", "processKilled"), ("TERM", "processFailed")] {
            let failure = await lab.run(try lab.assignment(script("kill -\(signal) $$"))).failure
            #expect(
                failure?.code == code && failure?.message.contains("was ended by signal") == true,
                "\(failure?.message ?? "")")
        }
    }

    @Test(arguments: sandboxes) func aProgramThatTakesTooLongIsEnded(sandbox: Isolation) async throws {
        let lab = try Lab(sandbox: sandbox)
        let failure = await lab.run(try lab.assignment(script("trap '' TERM; sleep 3594; sleep 3594", seconds: 0.5)))
            .failure
        #expect(failure?.code == "timedOut")
        try await eventually("the children are gone") { ProcessTable.ids(saying: lab.root).isEmpty }
    }

    @Test(arguments: sandboxes) func memoryHasALimit(sandbox: Isolation) async throws {
        let lab = try Lab(sandbox: sandbox)
        let small = script(
            "head -c 300000000 /dev/zero | tail -c 300000000 | wc -c > out-out.txt; test $(cat out-out.txt) = 300000000",
            memory: 64 << 20)
        #expect(await lab.run(try lab.assignment(small)).failure?.code == "processFailed")
        let large = script(
            "head -c 300000000 /dev/zero | tail -c 300000000 | wc -c > out-out.txt; test $(cat out-out.txt) = 300000000",
            memory: 2 << 30)
        #expect(await lab.run(try lab.assignment(large)).failure == nil)
    }

    @Test(arguments: sandboxes) func aFloodOnStandardOutputIsEnded(sandbox: Isolation) async throws {
        let lab = try Lab(sandbox: sandbox)
        #expect(await lab.run(try lab.assignment(script("yes"))).failure?.code == "outputLimit")
        #expect(
            await lab.run(try lab.assignment(script("head -c 2000000 /dev/zero >&2"))).failure?.code == "outputLimit")
    }

    @Test(arguments: sandboxes) func cancellingEndsTheWholeGroup(sandbox: Isolation) async throws {
        let lab = try Lab(sandbox: sandbox)
        let cancel = Cancellation()
        let marker = "97\(Int.random(in: 100_000 ... 999_999))"
        let assignment = try lab.assignment(
            script("sh -c 'trap \"\" TERM; sleep \(marker); sleep \(marker)' & sleep \(marker)"))
        async let ending = lab.run(assignment, cancel: cancel)
        try await eventually("the grandchild runs") { ProcessTable.ids(saying: "sleep \(marker)").count >= 2 }
        cancel.cancel()
        #expect(await ending == .cancelled)
        try await eventually("the grandchildren are gone") { ProcessTable.ids(saying: marker).isEmpty }
    }

    @Test func aSandboxedProgramSeesNeitherHomeNorNetworkNorEnvironment() async throws {
        let lab = try Lab()
        setenv("ASSENT_TEST_KEY", "sk-secret", 1)
        let text = """
            ( ls -a /root /home "\(lab.workspace)" "\(lab.own.data)" /etc/passwd /etc/shadow 2>/dev/null; echo; env; echo; cat /proc/net/dev; ls /proc/self/fd; id ) > out-out.txt
            cat "\(lab.path("secret"))" >> out-out.txt 2>/dev/null
            echo x > /usr/x && echo WROTE >> out-out.txt
            echo x > "\(lab.path("made"))" && echo WROTE >> out-out.txt
            echo x > ../beside 2>/dev/null
            exit 0
            """
        try lab.write("secret", "private words")
        let ending = await lab.run(try lab.assignment(script(text, files: ["out": "out.txt"])))
        let seen = try lab.text(try #require(ending.assets?.first))
        #expect(
            !seen.contains("private words") && !seen.contains("sk-secret") && !seen.contains("WROTE")
                && !seen.contains("shadow"))
        #expect(seen.contains("lo:") && !seen.contains("eth0"))
        // Standard streams and the listing itself: no descriptor of ours, not that of the record either.
        #expect(seen.contains("\n0\n1\n2\n3\nuid="))
        #expect(!lab.exists("made") && !FileManager.default.fileExists(atPath: "\(lab.own.data)/runs/w3/beside"))
    }

    @Test func aSandboxedProgramCannotReachTheNetworkUnlessItsManifestSaysSo() async throws {
        let lab = try Lab()
        let text = "cat /proc/net/dev | tail -n +3 | wc -l > out-out.txt"
        func interfaces(_ effects: Set<Effect>) async throws -> Int {
            let ending = await lab.run(try lab.assignment(script(text, effects: effects)))
            return Int(try lab.text(try #require(ending.assets?.first)).trimmingCharacters(in: .whitespacesAndNewlines))
                ?? -1
        }
        #expect(try await interfaces([]) == 1)
        #expect(try await interfaces([.sends]) >= 1)
    }

    /// A sandbox writes its own lines to the record, piece by piece: ours in the middle of one would make both
    /// unreadable.
    @Test func wordOfAProgramIsLeftBeforeItBegins() async throws {
        let lab = try Lab(sandbox: .none("test"))
        for _ in 0..<20 {
            let ending = await lab.run(
                try lab.assignment(script("cat \"../$(basename \"$PWD\").record\" > out-out.txt")))
            let record = try lab.text(try #require(ending.assets?.first))
            #expect(try JSONReader.read(record)["pid"]?.int != nil, "\(record)")
        }
    }

    @Test func aLinkInPlaceOfAnOutputIsNotFollowed() async throws {
        let lab = try Lab()
        let secret = try lab.write("secret", "private words")
        let ending = await lab.run(try lab.assignment(script("ln -s \(secret) out-out.txt")))
        #expect(ending.failure?.code == "outputMissing")
    }

    @Test(arguments: [("-rf", "badParam"), ("--help", "badParam"), ("-5", nil), ("plain", nil)] as [(String, String?)])
    func aValueIsNeverTakenForAnOption(value: String, code: String?) async throws {
        let lab = try Lab()
        let manifest = tool([["touch", "out-out.txt"], ["echo", "{word}"]])
        #expect(await lab.run(try lab.assignment(manifest, ["word": .string(value)])).failure?.code == code)
    }

    @Test func valuesAreWordsAndPlaceholdersAreNotReadTwice() async throws {
        let lab = try Lab()
        let manifest = tool([
            ["sh", "-c", "printf '%s|' \"$@\" > out-out.txt", "sh", "{{x}}", "a {word} b", "{nothing?}"]
        ])
        let ending = await lab.run(try lab.assignment(manifest, ["word": "{out.out} $(id); `id`\n*"]))
        #expect(try lab.text(try #require(ending.assets?.first)) == "{x}|a {out.out} $(id); `id`\n* b||")
    }

    // Commands that nobody could take over: all but the last.

    @Test(arguments: sandboxes) func aFloodOfAnEarlierCommandIsEnded(sandbox: Isolation) async throws {
        let lab = try Lab(sandbox: sandbox)
        for flood in ["yes", "yes >&2", "head -c 1048577 /dev/zero"] {
            let manifest = tool([["sh", "-c", flood], ["touch", "out-out.txt"]])
            #expect(await lab.run(try lab.assignment(manifest)).failure?.code == "outputLimit", "\(flood)")
        }
        let full = tool([
            ["sh", "-c", "head -c 1048576 /dev/zero; exec >&- 2>&-; sleep 0.3"], ["touch", "out-out.txt"],
        ])
        #expect(await lab.run(try lab.assignment(full)).assets?.count == 1)
    }

    @Test(arguments: sandboxes) func anEarlierCommandIsEndedWithItsGroupAndItsLastWordsAreTold(sandbox: Isolation)
        async throws
    {
        let lab = try Lab(sandbox: sandbox)
        let marker = "96\(Int.random(in: 100_000 ... 999_999))"
        let manifest = tool([["sh", "-c", "sleep \(marker) & echo so it goes >&2; exit 9"], ["touch", "out-out.txt"]])
        let failure = await lab.run(try lab.assignment(manifest)).failure
        #expect(failure?.message == "sh failed with exit code 9: so it goes")
        try await eventually("the grandchild is gone") { ProcessTable.ids(saying: marker).isEmpty }
        let slow = tool([["sleep", "60"], ["touch", "out-out.txt"]], seconds: 0.5)
        #expect(await lab.run(try lab.assignment(slow)).failure?.code == "timedOut")
    }

    @Test func aProgramThatIsNotThereIsSaidInASandboxToo() async throws {
        let lab = try Lab()
        #expect(
            await lab.run(try lab.assignment(tool([["sh", "-c", "exit 3"]]))).failure?.message
                == "sh failed with exit code 3.")
        #expect(await lab.run(try lab.assignment(tool([["no-such-program"]]))).failure?.code == "toolNotInstalled")
    }

    // Run folders are handed on.

    @Test(arguments: [("true", true), ("chmod 755 .", false)]) func aFolderIsHandedOnOnlyIfItIsLikeNew(
        change: String, isHandedOn: Bool
    )
        async throws
    {
        let lab = try Lab()
        let toolbox = lab.toolbox
        let litter = """
            echo x > out-out.txt; mkdir -p a/b/c; echo x > a/b/c/d; touch .hidden "$(printf 'not\\377utf8')"; ln -s / root
            mkdir shut; touch shut/in; chmod 500 shut; \(change)
            """
        let first = try lab.assignment(script(litter))
        let second = try lab.assignment(script("ls -A > list; mv list out-out.txt"), attempt: 2)
        #expect(await onThread { toolbox.run(first, call: nil, cancel: Cancellation()) }.assets?.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: first.runFolder).isEmpty)
        let inode = try FileManager.default.attributesOfItem(atPath: first.runFolder)[.systemFileNumber] as? Int
        let ending = await onThread { toolbox.run(second, call: nil, cancel: Cancellation()) }
        #expect(try lab.text(try #require(ending.assets?.first)) == "list\n")
        #expect(FileManager.default.fileExists(atPath: first.runFolder) != isHandedOn)
        let next = try FileManager.default.attributesOfItem(atPath: second.runFolder)[.systemFileNumber] as? Int
        #expect((inode == next) == isHandedOn)
    }

    // Adoption.

    /// Leaves a run folder as an engine leaves it that was killed while the program ran.
    private func abandoned(_ lab: Lab, _ manifest: ToolManifest) async throws -> (Assignment, Task<RunEnding, Never>) {
        let assignment = try lab.assignment(manifest)
        let task = Task { await lab.run(assignment) }
        let record = assignment.runFolder + ".record"
        try await eventually("it runs") {
            (try? String(contentsOfFile: record, encoding: .utf8))?.contains("\"start\"") ?? false
        }
        return (assignment, task)
    }

    /// A process as an engine leaves it that was killed: not a child of ours, with its records in the run folder.
    private func orphan(_ lab: Lab, _ text: String, deadlineSeconds: Double = 3600) async throws -> (Assignment, Int32)
    {
        let assignment = try lab.assignment(script("true"))
        let folder = assignment.runFolder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["stdout", "stderr"] {
            try "".write(toFile: "\(folder).\(name)", atomically: true, encoding: .utf8)
        }
        // popen: Foundation's Process waits for all who inherited its descriptors.
        // It may be refused a process while others start hundreds.
        var opened: UnsafeMutablePointer<FILE>?
        try await eventually("there is a process for it") {
            opened = popen("cd '\(folder)' && setsid sh -c '\(text)' </dev/null >/dev/null 2>&1 & echo $!", "r")
            return opened != nil
        }
        let pipe = try #require(opened)
        var line = [CChar](repeating: 0, count: 32)
        fgets(&line, 32, pipe)
        pclose(pipe)
        let pid = Int32(atoi(line))
        try await eventually("it has a session of its own") { getsid(pid) == pid }
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let ticks = stat[stat.lastIndex(of: ")")!...].split(separator: " ")[20]
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let record = JSON.of([
            "pid": .int(Int(pid)), "start": .string(String(ticks)), "boot": .string(boot),
            "deadline": .int(Int((Date().timeIntervalSince1970 + deadlineSeconds) * 1000)), "logBytes": 1000,
        ])
        try (record.text + "\n").write(toFile: folder + ".record", atomically: true, encoding: .utf8)
        return (assignment, pid)
    }

    private func go(_ assignment: Assignment) {
        #expect(FileManager.default.createFile(atPath: assignment.runFolder + "/go", contents: nil))
    }

    @Test func aLivingChildIsAdoptedAndItsOutputTaken() async throws {
        let lab = try Lab()
        let text =
            #"until test -e go; do sleep 0.05; done; echo late > out-out.txt; echo "{ \"exit-code\": 0 }" >> ../2-1.record"#
        let (assignment, pid) = try await orphan(lab, text)
        #expect(lab.toolbox.adopt(assignment) == .alive(pid: pid))
        go(assignment)
        let ending = await onThread { lab.toolbox.resume(assignment, cancel: Cancellation()) }
        #expect(try lab.text(try #require(ending.assets?.first)) == "late\n")
        #expect(lab.toolbox.adopt(assignment) == .finished(ending))
    }

    @Test func anAdoptedChildKeepsItsTimeLimit() async throws {
        let lab = try Lab()
        let (assignment, _) = try await orphan(lab, "sleep 3598", deadlineSeconds: 0.5)
        let ending = await onThread { lab.toolbox.resume(assignment, cancel: Cancellation()) }
        #expect(ending.failure?.code == "timedOut")
    }

    @Test func anAdoptedChildCanBeCancelled() async throws {
        let lab = try Lab()
        let (assignment, pid) = try await orphan(lab, "sleep 3595 & sleep 3595")
        let cancel = Cancellation()
        cancel.cancel()
        #expect(await onThread { lab.toolbox.resume(assignment, cancel: cancel) } == .cancelled)
        try await eventually("the orphan is gone") { kill(-pid, 0) != 0 || lab.toolbox.adopt(assignment) == .gone }
    }

    @Test func anAdoptedChildThatLeavesNoRecordIsLost() async throws {
        let lab = try Lab()
        let (assignment, _) = try await orphan(lab, "until test -e go; do sleep 0.05; done")
        go(assignment)
        #expect(await onThread { lab.toolbox.resume(assignment, cancel: Cancellation()) } == .lost)
    }

    @Test(arguments: sandboxes) func anExitRecordIsTakenAfterACrash(sandbox: Isolation) async throws {
        let lab = try Lab(sandbox: sandbox)
        // As after a crash between the child's end and the engine's note of it: the records are there, the result is
        // not.
        for (text, code) in [("echo done > out-out.txt", nil), ("exit 3", "processFailed")] as [(String, String?)] {
            let assignment = try lab.assignment(script(text))
            try FileManager.default.createDirectory(atPath: assignment.runFolder, withIntermediateDirectories: true)
            _ = await lab.run(assignment)
            try FileManager.default.removeItem(atPath: assignment.runFolder + ".result")
            if code == nil {
                try FileManager.default.createDirectory(atPath: assignment.runFolder, withIntermediateDirectories: true)
                try "done\n".write(toFile: assignment.runFolder + "/out-out.txt", atomically: true, encoding: .utf8)
            }
            guard case .finished(let ending) = lab.toolbox.adopt(assignment) else {
                Issue.record("not finished: \(lab.toolbox.adopt(assignment))")
                continue
            }
            #expect(ending.failure?.code == code)
            try FileManager.default.removeItem(atPath: assignment.runFolder)
        }
    }

    @Test func anEndingThatWasWrittenDownIsTakenAgain() async throws {
        let lab = try Lab()
        let assignment = try lab.assignment("Text", ["text": "hello"])
        let ending = await lab.run(assignment)
        #expect(lab.toolbox.adopt(assignment) == .finished(ending))
        let failing = try lab.assignment("JSONQuery", ["path": "a"], [("json", try lab.asset("{}", .json))], attempt: 2)
        let failure = await lab.run(failing)
        #expect(failure.failure?.code == "missingValue")
        #expect(lab.toolbox.adopt(failing) == .finished(failure))
    }

    @Test func nothingLeftIsGone() async throws {
        let lab = try Lab()
        let assignment = try lab.assignment(script("sleep 60; echo x > out-out.txt"))
        #expect(lab.toolbox.adopt(assignment) == .gone)
        try FileManager.default.createDirectory(atPath: assignment.runFolder, withIntermediateDirectories: true)
        // A pid that is another process now: ours, with another start time.
        let record = #"{"pid":\#(getpid()),"start":"1","boot":"x","deadline":99999999999999,"logBytes":1000}"#
        try record.write(toFile: assignment.runFolder + ".record", atomically: true, encoding: .utf8)
        #expect(lab.toolbox.adopt(assignment) == .gone)
        #expect(await onThread { lab.toolbox.resume(assignment, cancel: Cancellation()) } == .lost)
    }

    @Test func aKilledChildThatLeftNoRecordIsGone() async throws {
        let lab = try Lab()
        let (assignment, task) = try await abandoned(lab, script("sleep 3599"))
        guard case .alive(let pid) = lab.toolbox.adopt(assignment) else {
            Issue.record("not alive")
            return
        }
        // What is written down before it begins says nothing of the group yet.
        try await eventually("it has a session of its own") { getsid(pid) == pid }
        kill(-pid, SIGKILL)
        _ = await task.value
        try FileManager.default.removeItem(atPath: assignment.runFolder + ".result")
        #expect(lab.toolbox.adopt(assignment) == .gone)
    }
}
